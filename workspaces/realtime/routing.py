"""The sockets of the documents. `fallback_patterns` goes last of all, behind every other package's."""

from __future__ import annotations

from django.urls import path, re_path

from .consumers import UnknownSocket, WorkspaceSocket

websocket_urlpatterns = [
    path("ws/workspaces/<str:workspace>/", WorkspaceSocket.as_asgi()),
]
fallback_patterns = [re_path(r"", UnknownSocket.as_asgi())]
