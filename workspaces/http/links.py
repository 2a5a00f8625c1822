"""A workspace's links: list, create, revoke. Owners only; a secret is shown once, when it is made."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces.clock import rfc3339
from workspaces.contracts import LinkInfo, NewLink
from workspaces.documents.values import MAX_LINE
from workspaces.errors import CardinalityExceeded, LastOwnerLink
from workspaces.links import ROLES, create_link, link_url, list_links, revoke_link
from workspaces.operations.fields import EnumField, StrictSerializer

from . import examples
from .base import WorkspaceView, access_of, json_response, query_of
from .fields import StringField
from .schema import ROLE, TEXT, TIME, Link, closed, describe, page_of

_LINK = closed(
    {
        "id": TEXT,
        "label": TEXT,
        "role": ROLE,
        "last4": TEXT,
        "created_at": TIME,
        "last_used_on": {"type": ["string", "null"], "format": "date"},
        "revoked_at": {"type": ["string", "null"], "format": "date-time"},
    }
)
NEW_LINK = closed({"id": TEXT, "secret": TEXT, "url": TEXT, "role": ROLE, "label": TEXT})
LABEL = {"maxLength": MAX_LINE}


class LinkRequest(StrictSerializer):
    label = StringField(required=False, default="", form=LABEL)  # type: ignore[assignment]
    role = EnumField(ROLES)


class LinksView(WorkspaceView):
    needs = {"GET": "owner", "POST": "owner"}

    @describe(
        "List the links", operation="list_links", answer=page_of(_LINK), query=("limit", "cursor"),
        detail="Revoked ones too, newest first. No secret is shown: only its last four characters.",
        answer_example=examples.page(examples.LISTED_LINK),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        page = list_links(access=access_of(request), cursor=query.cursor(), limit=query.limit())
        return json_response({"items": [_as_json(link) for link in page.items], "next_cursor": page.next_cursor})

    @describe(
        "Make a link", operation="create_link", request=LinkRequest, answer=NEW_LINK, status=201,
        detail="Its secret is in this answer and nowhere else.",
        refuses=(CardinalityExceeded,), example=examples.NEW_LINK, answer_example=examples.MADE_LINK,
        links=[Link("revoke_link", {"workspace": "$request.path.workspace", "link": "$response.body#/id"})],
    )  # fmt: skip
    def post(self, request: Request, workspace: str) -> Response:
        wanted = self.parse(request, LinkRequest)
        link = create_link(access=access_of(request), label=wanted["label"], role=wanted["role"])
        return json_response(new_link_json(link), status=201)


class LinkView(WorkspaceView):
    needs = {"DELETE": "owner"}

    @describe(
        "Revoke a link", operation="revoke_link", status=204, refuses=(LastOwnerLink,),
        detail="It opens nothing from now on; its open windows and sockets are closed.",
    )  # fmt: skip
    def delete(self, request: Request, workspace: str, link: str) -> Response:
        revoke_link(access=access_of(request), link=link)
        return Response(status=204)


def new_link_json(link: NewLink) -> dict[str, Any]:
    """The only answer that ever holds a secret."""
    return {
        "id": link.id,
        "secret": link.secret,
        "url": link_url(link.secret),
        "role": link.role,
        "label": link.label,
    }


def _as_json(link: LinkInfo) -> dict[str, Any]:
    return {
        "id": link.id,
        "label": link.label,
        "role": link.role,
        "last4": link.last4,
        "created_at": rfc3339(link.created_at),
        "last_used_on": link.last_used_on,
        "revoked_at": rfc3339(link.revoked_at) if link.revoked_at else None,
    }
