"""The ASGI application: HTTP to Django, WebSockets to the consumers of workspaces and assistant."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import SessionMiddlewareStack
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")
http = get_asgi_application()

_patterns = []
for _package in ("workspaces", "assistant"):
    if find_spec(f"{_package}.realtime") and find_spec(f"{_package}.realtime.routing"):
        _patterns.extend(import_module(f"{_package}.realtime.routing").websocket_urlpatterns)

application = ProtocolTypeRouter({"http": http, "websocket": SessionMiddlewareStack(URLRouter(_patterns))})
