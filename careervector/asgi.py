"""The ASGI application: HTTP to Django, WebSockets to the consumers of workspaces and assistant."""

from __future__ import annotations

import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import SessionMiddlewareStack
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")
http: Any = get_asgi_application()

# Only now: the consumers need Django's models. Celery, so that what a view hands over to a worker finds its way.
import careervector.celery  # noqa: E402, F401
from assistant.realtime import routing as assistant  # noqa: E402
from workspaces.http.body_limit import LimitBody  # noqa: E402
from workspaces.realtime import routing as workspaces  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": LimitBody(http),
        "websocket": SessionMiddlewareStack(
            URLRouter(
                [
                    *workspaces.websocket_urlpatterns,
                    *assistant.websocket_urlpatterns,
                    *workspaces.fallback_patterns,
                ]
            )
        ),
    }
)
