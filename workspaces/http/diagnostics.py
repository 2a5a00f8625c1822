"""POST diagnostics: what a person chooses to tell the operators, said to be so by the person."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.clock import rfc3339
from workspaces.diagnostics import MAX_TEXT
from workspaces.errors import CardinalityExceeded
from workspaces.operations.fields import StrictSerializer
from workspaces.operations.json_schema import Schema

from . import examples
from .base import WorkspaceView, access_of, json_response
from .fields import BooleanField, StringField
from .schema import TEXT, TIME, closed, describe

_DIAGNOSTIC: Schema = closed(
    {"text": {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}, "consent": {"type": "boolean", "const": True}}
)


class DiagnosticRequest(StrictSerializer):
    text = StringField()
    consent = BooleanField()


class DiagnosticsView(WorkspaceView):
    limits = {"POST": "diagnostic"}

    @describe(
        "Tell the operators something", operation="send_diagnostic", request=_DIAGNOSTIC, status=201,
        detail="The operators of this server will read the text; nothing else of the workspace goes with it. `consent` "
        "must be true. It is kept until they delete it or the workspace is erased.",
        answer=closed({"id": TEXT, "created_at": TIME}), refuses=(CardinalityExceeded,),
        example=examples.DIAGNOSTIC, answer_example=examples.SENT_DIAGNOSTIC,
    )  # fmt: skip
    def post(self, request: Request, workspace: str) -> Response:
        body = self.parse(request, DiagnosticRequest)
        sent = facade.send_diagnostic(access=access_of(request), text=body["text"], consent=body["consent"])
        return json_response({"id": sent.id, "created_at": rfc3339(sent.created_at)}, status=201)
