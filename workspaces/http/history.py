"""What happened: a workspace's events and one document's."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade

from . import examples
from .base import WorkspaceView, access_of, json_response, query_of
from .schema import describe, page_of, ref

ACTOR_CLASSES = ("human", "agent", "system")


class EventsView(WorkspaceView):
    @describe(
        "List what happened", operation="list_events", answer=page_of(ref("HistoryEvent")),
        detail="Every commit to the workspace, newest first, without what was written.",
        query=("after", "actor_class", "document", "limit", "cursor"),
        answer_example=examples.page(examples.HISTORY_EVENT),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.list_events(
                access=access_of(request),
                after=query.number("after"),
                actor_class=query.choice("actor_class", ACTOR_CLASSES),
                document=query.text("document"),
                cursor=query.cursor(),
                limit=query.limit(),
            )
        )


class DocumentEventsView(WorkspaceView):
    @describe(
        "List what happened to a document", operation="list_document_events", answer=page_of(ref("HistoryEvent")),
        query=("limit", "cursor"), answer_example=examples.page(examples.HISTORY_EVENT),
    )  # fmt: skip
    def get(self, request: Request, workspace: str, document: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.list_document_events(
                access=access_of(request), document=document, cursor=query.cursor(), limit=query.limit()
            )
        )
