"""A workspace's own settings; owners only."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade

from . import examples
from .base import WorkspaceView, access_of, json_response
from .schema import TEXT, closed, describe

_SETTINGS = {"assistant_sees_contact_details": {"type": "boolean"}, "time_zone": TEXT, "language": TEXT}


class SettingsView(WorkspaceView):
    needs = {"GET": "owner", "PATCH": "owner"}

    @describe("Read the settings", operation="get_settings", answer=closed(_SETTINGS), answer_example=examples.SETTINGS)
    def get(self, request: Request, workspace: str) -> Response:
        return json_response(facade.get_settings(access=access_of(request)))

    @describe(
        "Change settings", operation="update_settings", request=closed(_SETTINGS, optional=_SETTINGS),
        detail="Only what the body names. `time_zone` is an IANA name, `language` a BCP 47 tag.",
        answer=closed(_SETTINGS), example=examples.SETTINGS_CHANGE, answer_example=examples.SETTINGS,
    )  # fmt: skip
    def patch(self, request: Request, workspace: str) -> Response:
        return json_response(facade.update_settings(access=access_of(request), body=self.body(request)))
