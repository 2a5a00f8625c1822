"""POST workspaces: a new workspace and its first owner link. Nobody needs to be anybody for it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.links import link_url
from workspaces.operations.fields import StrictSerializer

from .base import ApiView, json_response
from .fields import BooleanField, StringField
from .schema import ROLE, TEXT, closed, describe


class WorkspaceRequest(StrictSerializer):
    label = StringField(required=False, default="")  # type: ignore[assignment]
    sample = BooleanField(required=False, default=False)


class WorkspacesView(ApiView):
    limits = {"POST": "workspace"}
    empty_body = True

    @describe(
        "Make a workspace",
        request=WorkspaceRequest,
        answer=closed(
            {"workspace": TEXT, "link": closed({"id": TEXT, "secret": TEXT, "url": TEXT, "role": ROLE})},
        ),
        status=201,
        errors=(400, 413, 422),
    )
    def post(self, request: Request) -> Response:
        wanted = self.parse(request, WorkspaceRequest)
        made = facade.create_workspace(label=wanted["label"], sample=wanted["sample"])
        link = made.link
        return json_response(
            {
                "workspace": made.workspace,
                "link": {"id": link.id, "secret": link.secret, "url": link_url(link.secret), "role": link.role},
            },
            status=201,
        )
