"""Receipts: what may be taken back, what it changed, and taking it back."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade

from .base import WorkspaceView, access_of, actor_of, identity_of, json_response, query_of
from .operations import CLOCKS, REASON
from .schema import closed, describe, page_of, ref

STATES = ("active", "undone", "expired")
_UNDO = closed({"expected_clocks": CLOCKS, "reason": REASON}, optional=("reason",))


class ReceiptsView(WorkspaceView):
    @describe(
        "List receipts, newest first", answer=page_of(ref("Receipt")), errors=(401, 404, 422),
        query=("thread", "document", "state", "limit", "cursor"),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        return json_response(
            facade.list_receipts(
                access=access_of(request),
                thread=query.text("thread"),
                document=query.text("document"),
                state=query.choice("state", STATES),
                cursor=query.cursor(),
                limit=query.limit(),
            )
        )


class ReceiptView(WorkspaceView):
    @describe("Read one receipt", answer=ref("Receipt"))
    def get(self, request: Request, workspace: str, receipt: str) -> Response:
        return json_response(facade.get_receipt(access=access_of(request), receipt=receipt))


class ReceiptChangesView(WorkspaceView):
    @describe("Read what a receipt's commit changed", answer=page_of(ref("ReceiptChange")), errors=(401, 404, 410))
    def get(self, request: Request, workspace: str, receipt: str) -> Response:
        return json_response(facade.list_receipt_changes(access=access_of(request), receipt=receipt))


class ReceiptUndoView(WorkspaceView):
    @describe(
        "Take a commit back by a compensating one", request=_UNDO, answer=ref("CommitAnswer"),
        errors=(400, 401, 403, 404, 409, 410, 413, 422), keyed=True,
    )  # fmt: skip
    def post(self, request: Request, workspace: str, receipt: str) -> Response:
        identity = identity_of(request, route="receipts.undo", target=receipt)
        result = facade.undo_receipt(
            workspace=workspace,
            receipt=receipt,
            body=self.body(request),
            actor=actor_of(request),
            request=identity,
        )
        return json_response(result.as_json())
