"""Reading documents and the bounded context that the assistant sees too."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.documents.schema import KINDS

from .base import WorkspaceView, access_of, json_response, query_of
from .schema import describe, page_of, ref

SURFACES = ("overview", "board", "profile", "application", "notes", "letters", "plan", "jobs")
_DOCUMENT = {"oneOf": [ref("Document." + kind) for kind in KINDS]}
_ANY_OBJECT = {"type": "object"}


class DocumentsView(WorkspaceView):
    @describe(
        "List documents", answer=page_of(_DOCUMENT), errors=(401, 404, 422),
        query=("kind", "archived", "limit", "cursor"),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.list_documents(
                access=access_of(request),
                kind=query.choice("kind", tuple(KINDS)),
                archived=query.flag("archived"),
                cursor=query.cursor(),
                limit=query.limit(),
            )
        )


class DocumentView(WorkspaceView):
    @describe("Read one document", answer=_DOCUMENT)
    def get(self, request: Request, workspace: str, document: str) -> Response:
        return json_response(facade.get_document(access=access_of(request), document=document))


class ContextView(WorkspaceView):
    @describe(
        "Read the bounded projection that the assistant's tool gives", answer=_ANY_OBJECT, errors=(401, 404, 422),
        query=("surface", "document", "job", "cursor"),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.get_context(
                workspace=workspace,
                surface=query.choice("surface", SURFACES),
                document=query.text("document"),
                job=query.text("job"),
                cursor=query.cursor(),
            )
        )
