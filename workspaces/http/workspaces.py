"""POST workspaces: a new workspace and its first owner link. Nobody needs to be anybody for it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.links import link_url
from workspaces.operations.fields import StrictSerializer

from . import examples
from .base import ApiView, json_response
from .fields import BooleanField, StringField
from .links import LABEL
from .schema import ROLE, TEXT, Link, closed, describe

_MADE = {"workspace": "$response.body#/workspace"}
_READ_FIRST = (
    "list_documents", "get_context", "list_links", "create_link", "get_settings", "list_events", "list_connectors",
)  # fmt: skip


class WorkspaceRequest(StrictSerializer):
    label = StringField(required=False, default="", form=LABEL)  # type: ignore[assignment]
    sample = BooleanField(required=False, default=False)


class WorkspacesView(ApiView):
    limits = {"POST": "workspace"}
    empty_body = True

    @describe(
        "Make a workspace",
        operation="create_workspace",
        detail="The answer holds the secret of its first owner link, which is shown this once. With `sample` the "
        "workspace comes filled with a made-up search.",
        request=WorkspaceRequest,
        answer=closed(
            {"workspace": TEXT, "link": closed({"id": TEXT, "secret": TEXT, "url": TEXT, "role": ROLE})},
        ),
        status=201,
        example=examples.NEW_WORKSPACE,
        answer_example=examples.MADE_WORKSPACE,
        links=[
            *(Link(name, _MADE) for name in _READ_FIRST),
            # Every workspace has a profile. A list may be empty, so none of its items is linked to.
            Link("get_document", {**_MADE, "document": "profile"}),
            # A new workspace's clocks are known, so a first batch can be sent at once.
            Link("apply_operations", _MADE, examples.BATCH),
            Link("erase_workspace", _MADE, {"confirm": "$response.body#/workspace"}),
        ],
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
