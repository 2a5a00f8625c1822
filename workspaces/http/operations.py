"""POST operations: the one way to change documents over HTTP. All but the key and the link is the commit's to check."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.operations.json_schema import Schema

from . import examples
from .base import WorkspaceView, actor_of, identity_of, json_response
from .refusals import COMMIT
from .schema import TEXT, Link, closed, describe, ref

CLOCKS: Schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
REASON: Schema = {"type": "string", "maxLength": 300}
UNDO_BODY = closed({"expected_clocks": CLOCKS, "reason": REASON}, optional=("reason",))
UNDO_PREVIEW = closed(
    {
        "receipts": {"type": "array", "items": TEXT},
        "conflicts": {"type": "array", "items": ref("Conflict")},
        "expected_clocks": CLOCKS,
        "possible": {"type": "boolean"},
    }
)
_HERE = "$request.path.workspace"
_RECEIPT = {"workspace": _HERE, "receipt": "$response.body#/receipt/id"}
# What a commit leads to: its receipt, what it changed, and back.
COMMITTED = (
    Link("get_receipt", _RECEIPT),
    Link("list_receipt_changes", _RECEIPT),
    Link("undo_receipt", _RECEIPT, {"expected_clocks": "$response.body#/clocks/after"}),
    Link("list_events", {"workspace": _HERE}),
)
_BATCH = closed(
    {
        "reason": REASON,
        "expected_clocks": CLOCKS,
        "operations": {"type": "array", "items": ref("Operation"), "minItems": 1, "maxItems": 20},
    },
    optional=("reason",),
)


class OperationsView(WorkspaceView):
    @describe(
        "Change documents",
        operation="apply_operations",
        detail="Applies 1 to 20 operations to one or more documents, wholly or not at all. `expected_clocks` names "
        "exactly the documents that the batch touches, 0 for one that it makes (`new:NAME`, which later operations of "
        "the batch may use). What can be taken back has a `receipt`.",
        request=_BATCH,
        answer=ref("CommitAnswer"),
        refuses=COMMIT,
        example=examples.BATCH,
        answer_example=examples.COMMITTED,
        links=COMMITTED,
        keyed=True,
    )
    def post(self, request: Request, workspace: str) -> Response:
        identity = identity_of(request, route="operations", target=workspace)
        result = facade.commit(workspace=workspace, body=self.body(request), actor=actor_of(request), request=identity)
        return json_response(result.as_json())
