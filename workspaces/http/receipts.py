"""Receipts: what may be taken back, what it changed, and taking it back."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.errors import ReceiptExpired

from . import examples
from .base import WorkspaceView, access_of, actor_of, identity_of, json_response, query_of
from .operations import COMMITTED, UNDO_BODY
from .refusals import UNDO
from .schema import describe, page_of, ref

STATES = ("active", "undone", "expired")


class ReceiptsView(WorkspaceView):
    @describe(
        "List receipts, newest first", operation="list_receipts", answer=page_of(ref("Receipt")),
        detail="Each commit that can be taken back has one. They tell what was touched, not what was written.",
        query=("thread", "document", "state", "limit", "cursor"), answer_example=examples.page(examples.RECEIPT_SHOWN),
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
    @describe("Read one receipt", operation="get_receipt", answer=ref("Receipt"), answer_example=examples.RECEIPT_SHOWN)
    def get(self, request: Request, workspace: str, receipt: str) -> Response:
        return json_response(facade.get_receipt(access=access_of(request), receipt=receipt))


class ReceiptChangesView(WorkspaceView):
    @describe(
        "Read what a commit changed", operation="list_receipt_changes", answer=page_of(ref("ReceiptChange")),
        detail="Each path with its value before and after, kept as long as the receipt can be used.",
        refuses=(ReceiptExpired,), answer_example=examples.page(examples.CHANGE),
    )  # fmt: skip
    def get(self, request: Request, workspace: str, receipt: str) -> Response:
        return json_response(facade.list_receipt_changes(access=access_of(request), receipt=receipt))


class ReceiptUndoView(WorkspaceView):
    @describe(
        "Take a commit back", operation="undo_receipt", request=UNDO_BODY, answer=ref("CommitAnswer"), keyed=True,
        detail="Writes a new commit that puts back what this one changed; it has a receipt of its own, so an undo can "
        "be undone. Later work on the same places refuses it as `undo_conflict`; nothing is ever undone in part.",
        refuses=UNDO, example=examples.UNDO, answer_example=examples.UNDONE, links=COMMITTED,
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
