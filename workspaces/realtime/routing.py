"""The sockets of the documents. `fallback_patterns` goes last of all, behind every other package's."""

from __future__ import annotations

from django.urls import path, re_path

from .consumers import UnknownSocket, WorkspaceSocket
from .document_socket import DocumentSocket

# y-websocket's provider puts a room's name behind the server's address, without a slash at the end.
_DOCUMENT = r"^ws/workspaces/(?P<workspace>[^/]+)/documents/(?P<document>[^/]+)/?$"

websocket_urlpatterns = [
    path("ws/workspaces/<str:workspace>/", WorkspaceSocket.as_asgi()),
    re_path(_DOCUMENT, DocumentSocket.as_asgi()),
]
fallback_patterns = [re_path(r"", UnknownSocket.as_asgi())]
