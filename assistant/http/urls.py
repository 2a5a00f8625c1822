"""Where the assistant's views are, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from .connectors import ConnectorLoginView, ConnectorsView, ConnectorView
from .exports import ExportView
from .threads import ThreadEventsView, ThreadsView, ThreadView, TurnsView
from .turns import TurnCancelView, TurnUndoView, TurnView
from .workspaces import LinkRotationView, WorkspaceEndView

_W = "workspaces/<str:workspace>"

urlpatterns = [
    path(_W, WorkspaceEndView.as_view()),
    path(f"{_W}/links/<str:link>/rotate", LinkRotationView.as_view()),
    path(f"{_W}/export", ExportView.as_view()),
    path(f"{_W}/threads", ThreadsView.as_view()),
    path(f"{_W}/threads/<str:thread>", ThreadView.as_view()),
    path(f"{_W}/threads/<str:thread>/events", ThreadEventsView.as_view()),
    path(f"{_W}/threads/<str:thread>/turns", TurnsView.as_view()),
    path(f"{_W}/turns/<str:turn>", TurnView.as_view()),
    path(f"{_W}/turns/<str:turn>/cancel", TurnCancelView.as_view()),
    path(f"{_W}/turns/<str:turn>/undo", TurnUndoView.as_view()),
    path(f"{_W}/connectors", ConnectorsView.as_view()),
    path(f"{_W}/connectors/<str:connector>", ConnectorView.as_view()),
    path(f"{_W}/connectors/<str:connector>/login", ConnectorLoginView.as_view()),
]
