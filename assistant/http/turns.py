"""One turn: shown, cancelled, taken back."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces import facade as workspaces_facade
from workspaces.errors import NotFound
from workspaces.http.base import WorkspaceView, access_of, actor_of, identity_of, json_response
from workspaces.http.schema import describe, ref

from . import shapes


class TurnView(WorkspaceView):
    """`…/turns/{trn}`"""

    needs = {"GET": "write"}

    @describe("Read one turn", answer=shapes.TURN, errors=(401, 403, 404))
    def get(self, request: Request, workspace: str, turn: str) -> Response:
        return json_response(facade.get_turn_info(access=access_of(request), turn=turn).as_json())


class TurnCancelView(WorkspaceView):
    """`…/turns/{trn}/cancel`: 200 with the turn as it stands then, also when it had ended already."""

    needs = {"POST": "write"}
    limits = {}
    empty_body = True

    @describe("Stop a turn", answer=shapes.TURN, errors=(401, 403, 404))
    def post(self, request: Request, workspace: str, turn: str) -> Response:
        facade.cancel_turn(access=access_of(request), turn=turn)
        return json_response(facade.get_turn_info(access=access_of(request), turn=turn).as_json())


class TurnUndoView(WorkspaceView):
    """`…/turns/{trn}/undo`: a turn's active receipts, newest first, all or nothing; GET previews the conflicts."""

    needs = {"GET": "write", "POST": "write"}

    @describe("See what taking a turn back would meet", answer=shapes.UNDO_PREVIEW, errors=(401, 403, 404, 409, 410))
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
        "Take back everything a turn changed",
        request=shapes.UNDO,
        answer=ref("CommitAnswer"),
        errors=(400, 401, 403, 404, 409, 410, 413, 422),
        keyed=True,
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
