"""A workspace's own settings; owners only."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade

from .base import WorkspaceView, access_of, json_response
from .schema import TEXT, closed, describe

_SETTINGS = {"assistant_sees_contact_details": {"type": "boolean"}, "time_zone": TEXT, "language": TEXT}


class SettingsView(WorkspaceView):
    needs = {"GET": "owner", "PATCH": "owner"}

    @describe("Read the settings", answer=closed(_SETTINGS), errors=(401, 403, 404))
    def get(self, request: Request, workspace: str) -> Response:
        return json_response(facade.get_settings(access=access_of(request)))

    @describe(
        "Change settings", request=closed(_SETTINGS, optional=_SETTINGS), answer=closed(_SETTINGS),
        errors=(400, 401, 403, 404, 413, 422),
    )  # fmt: skip
    def patch(self, request: Request, workspace: str) -> Response:
        return json_response(facade.update_settings(access=access_of(request), body=self.body(request)))
