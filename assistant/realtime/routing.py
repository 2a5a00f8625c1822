"""The assistant's socket addresses."""

from __future__ import annotations

from django.urls import path

from .gateway import HostGateway
from .rail import ThreadSocket

websocket_urlpatterns = [
    path("ws/workspaces/<str:workspace>/threads/<str:thread>/", ThreadSocket.as_asgi()),
    path("ws/host/", HostGateway.as_asgi()),
]
