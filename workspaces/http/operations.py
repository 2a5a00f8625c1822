"""POST operations: the one way to change documents over HTTP. All but the key and the link is the commit's to check."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.operations.json_schema import Schema

from .base import WorkspaceView, actor_of, identity_of, json_response
from .schema import closed, describe, ref

CLOCKS: Schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
REASON: Schema = {"type": "string", "maxLength": 300}
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
        "Apply a batch of operations, wholly or not at all",
        request=_BATCH,
        answer=ref("CommitAnswer"),
        errors=(400, 401, 403, 404, 409, 413, 422),
        keyed=True,
    )
    def post(self, request: Request, workspace: str) -> Response:
        identity = identity_of(request, route="operations", target=workspace)
        result = facade.commit(workspace=workspace, body=self.body(request), actor=actor_of(request), request=identity)
        return json_response(result.as_json())
