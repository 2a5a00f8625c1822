"""A workspace as a whole: its end, and the links that its connectors hang on."""

from __future__ import annotations

import contextlib

from celery import current_app
from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces.contracts import Access
from workspaces.errors import Flaw, InvalidRequest
from workspaces.http import examples as workspace_examples
from workspaces.http.base import WorkspaceView, access_of, json_response, plain
from workspaces.http.grants import drop_grant, grant
from workspaces.http.links import NEW_LINK, new_link_json
from workspaces.http.schema import Link, describe

from . import examples
from .bodies import Confirmation, Nothing


class WorkspaceEndView(WorkspaceView):
    """`workspaces/{ws}`"""

    needs = {"DELETE": "owner"}

    @describe(
        "Erase the workspace",
        operation="erase_workspace",
        detail="For good: documents, history, receipts, conversations, links and settings. `confirm` is the id of the "
        "workspace. Open windows and sockets are closed (4410), and no link opens it any more. Only a tombstone and "
        "the content-free chain of the audit remain.",
        request=Confirmation,
        status=204,
        example=examples.CONFIRMATION,
    )
    def delete(self, request: Request, workspace: str) -> Response:
        if self.parse(request, Confirmation)["confirm"] != workspace:
            raise InvalidRequest(flaws=[Flaw("confirm", "confirm", "This must be the id of the workspace to erase.")])
        facade.erase_workspace(workspace=workspace, access=access_of(request))
        drop_grant(plain(request).session, workspace=workspace)
        # The sweep does it anyway within a minute; without a broker nobody waits for this one either.
        with contextlib.suppress(Exception):
            current_app.send_task("workspaces.finish_erasures", retry=False, ignore_result=True)
        return Response(status=204)


class LinkRotationView(WorkspaceView):
    """`…/links/{link}/rotate`"""

    needs = {"POST": "owner"}
    empty_body = True

    @describe(
        "Replace a link",
        operation="rotate_link",
        detail="A new link with the same label and role; the old one ends in the same step, with its windows, sockets "
        "and running questions. Its connectors go over to the new one. A link may replace itself.",
        answer=NEW_LINK,
        status=201,
        answer_example=workspace_examples.MADE_LINK,
        links=[Link("revoke_link", {"workspace": "$request.path.workspace", "link": "$response.body#/id"})],
    )
    def post(self, request: Request, workspace: str, link: str) -> Response:
        self.parse(request, Nothing)
        access = access_of(request)
        made = facade.rotate_link(access=access, link=link)
        if link == access.link and plain(request).headers.get("Authorization") is None:
            # Who replaces the link of their own window keeps it open: they have just been given the new secret.
            grant(plain(request).session, Access(workspace=workspace, link=made.id, role=made.role))
        return json_response(new_link_json(made), status=201)
