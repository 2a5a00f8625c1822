"""What happened: a workspace's events and one document's."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade

from .base import WorkspaceView, access_of, json_response, query_of
from .schema import describe, page_of, ref

ACTOR_CLASSES = ("human", "agent", "system")


class EventsView(WorkspaceView):
    @describe(
        "List events", answer=page_of(ref("HistoryEvent")), errors=(401, 404, 422),
        query=("after", "actor_class", "document", "limit", "cursor"),
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
        "List a document's events", answer=page_of(ref("HistoryEvent")), errors=(401, 404, 422),
        query=("limit", "cursor"),
    )  # fmt: skip
    def get(self, request: Request, workspace: str, document: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.list_document_events(
                access=access_of(request), document=document, cursor=query.cursor(), limit=query.limit()
            )
        )
