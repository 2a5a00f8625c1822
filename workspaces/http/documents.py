"""Reading documents and the bounded context that the assistant sees too."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.documents.schema import KINDS, STATES

from . import examples
from .base import WorkspaceView, access_of, json_response, query_of
from .schema import TEXT, Link, closed, describe, page_of, ref

_DOCUMENT = {"oneOf": [ref("Document." + kind) for kind in KINDS]}
# A projection: fields and items as they are, so their names depend on the kind.
_ANYTHING = {"type": "object", "additionalProperties": True}
_CONTEXT = closed(
    {
        "surface": {"type": ["string", "null"], "enum": [*facade.SURFACES, None]},
        "clocks": ref("Clocks"),
        "documents": {
            "type": "array",
            "items": closed(
                {
                    "id": TEXT,
                    "kind": {**TEXT, "enum": list(KINDS)},
                    "clock": {"type": "integer", "minimum": 1},
                    "state": {**TEXT, "enum": list(STATES)},
                    "fields": _ANYTHING,
                    "sections": {"type": "object", "additionalProperties": {"type": "array", "items": _ANYTHING}},
                    "texts": {"type": "object", "additionalProperties": TEXT},
                    "cut": {"type": "array", "items": TEXT},
                }
            ),
        },
        "provenance": {"type": "object", "additionalProperties": ref("Provenance")},
        "truncated": {"type": "boolean"},
        "omitted": {"type": "integer", "minimum": 0},
        "next_cursor": {"type": ["string", "null"]},
    }
)
_SAME = {"workspace": "$request.path.workspace", "document": "$response.body#/id"}


class DocumentsView(WorkspaceView):
    @describe(
        "List documents", operation="list_documents", answer=page_of(_DOCUMENT),
        detail="With their content, newest first; archived ones only with `archived=true`, trashed ones never. A "
        "field, section or text that is empty is absent.",
        query=("kind", "archived", "limit", "cursor"), answer_example=examples.page(examples.DOCUMENT),
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
    @describe(
        "Read one document", operation="get_document", answer=_DOCUMENT, answer_example=examples.DOCUMENT,
        detail="With its clock, which a write names as expected; a trashed one too.",
        links=[Link("list_document_events", _SAME)],
    )  # fmt: skip
    def get(self, request: Request, workspace: str, document: str) -> Response:
        return json_response(facade.get_document(access=access_of(request), document=document))


class ContextView(WorkspaceView):
    @describe(
        "Read what the assistant sees", operation="get_context", answer=_CONTEXT,
        detail="A bounded view of a part of the workspace: long texts are cut and named in `cut`, contact details are "
        "left out unless the workspace's settings say otherwise.",
        query=("surface", "document", "job", "cursor"), answer_example=examples.CONTEXT,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.get_context(
                workspace=workspace,
                surface=query.choice("surface", facade.SURFACES),
                document=query.text("document"),
                job=query.text("job"),
                cursor=query.cursor(),
            )
        )
