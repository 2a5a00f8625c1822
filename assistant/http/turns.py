"""One turn: shown, cancelled, taken back."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces import facade as workspaces_facade
from workspaces.errors import NotFound, ReceiptExpired, ReceiptSpent
from workspaces.http.base import WorkspaceView, access_of, actor_of, identity_of, json_response
from workspaces.http.examples import UNDONE
from workspaces.http.operations import UNDO_BODY, UNDO_PREVIEW
from workspaces.http.refusals import UNDO
from workspaces.http.schema import describe, ref

from . import examples, shapes


class TurnView(WorkspaceView):
    """`…/turns/{trn}`"""

    needs = {"GET": "write"}

    @describe("Read one question", operation="get_turn", answer=shapes.TURN, answer_example=examples.TURN)
    def get(self, request: Request, workspace: str, turn: str) -> Response:
        return json_response(facade.get_turn_info(access=access_of(request), turn=turn).as_json())


class TurnCancelView(WorkspaceView):
    """`…/turns/{trn}/cancel`: 200 with the turn as it stands then, also when it had ended already."""

    needs = {"POST": "write"}
    limits = {}
    empty_body = True

    @describe(
        "Stop an answer", operation="cancel_turn", answer=shapes.TURN, answer_example=examples.TURN,
        detail="Gives the turn as it stands then, also when it had ended already.",
    )  # fmt: skip
    def post(self, request: Request, workspace: str, turn: str) -> Response:
        facade.cancel_turn(access=access_of(request), turn=turn)
        return json_response(facade.get_turn_info(access=access_of(request), turn=turn).as_json())


class TurnUndoView(WorkspaceView):
    """`…/turns/{trn}/undo`: a turn's active receipts, newest first, all or nothing; GET previews the conflicts."""

    needs = {"GET": "write", "POST": "write"}

    @describe(
        "See what taking an answer's changes back would meet", operation="preview_turn_undo",
        detail="Gives the receipts, the conflicts, and the clocks to expect.",
        answer=UNDO_PREVIEW, answer_example=examples.PREVIEW, refuses=(ReceiptSpent, ReceiptExpired),
    )  # fmt: skip
    def get(self, request: Request, workspace: str, turn: str) -> Response:
        try:
            preview = workspaces_facade.preview_turn_undo(workspace=workspace, turn=turn)
        except NotFound:
            if not facade.has_turn(workspace=workspace, turn=turn):
                raise
            # A turn that changed nothing is there, and has nothing to take back.
            preview = {"receipts": [], "conflicts": [], "expected_clocks": {}, "possible": False}
        return json_response(preview)

    @describe(
        "Take back everything an answer changed",
        operation="undo_turn",
        detail="Its active receipts, newest first, in one commit: all or nothing.",
        request=UNDO_BODY,
        answer=ref("CommitAnswer"),
        keyed=True,
        refuses=UNDO,
        example=examples.UNDO,
        answer_example=UNDONE,
    )
    def post(self, request: Request, workspace: str, turn: str) -> Response:
        result = workspaces_facade.undo_turn(
            workspace=workspace,
            turn=turn,
            body=self.body(request),
            actor=actor_of(request),
            request=identity_of(request, route="turns.undo", target=turn),
        )
        return json_response(result.as_json())
