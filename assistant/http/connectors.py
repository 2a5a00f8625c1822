"""Connectors of a workspace."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces.errors import CardinalityExceeded, ConnectorUnavailable, OperationNotAllowed, OwnerOnly
from workspaces.http.base import WorkspaceView, access_of, json_response
from workspaces.http.examples import page
from workspaces.http.schema import Link, describe

from . import examples, shapes
from .bodies import Login, NewConnector

_MADE = {"workspace": "$request.path.workspace", "connector": "$response.body#/id"}


class ConnectorsView(WorkspaceView):
    """`…/connectors`"""

    needs = {"GET": "write", "POST": "write"}

    @describe(
        "List connectors", operation="list_connectors", answer=shapes.CONNECTORS,
        detail="The built-in one, this link's own, and those that others share.",
        answer_example=page(examples.CONNECTOR),
        links=[
            Link(
                "create_thread", {"workspace": "$request.path.workspace"}, {"connector": "$response.body#/items/0/id"}
            )
        ],
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        items = facade.list_connectors(access=access_of(request))
        return json_response({"items": [item.as_json() for item in items], "next_cursor": None})

    @describe(
        "Make a connector",
        operation="create_connector",
        detail="Of a provider that this server offers.",
        request=NewConnector,
        answer=shapes.CONNECTOR,
        status=201,
        refuses=(CardinalityExceeded, ConnectorUnavailable),
        example=examples.NEW_CONNECTOR,
        answer_example=examples.CONNECTOR,
        links=[Link("delete_connector", _MADE)],
    )
    def post(self, request: Request, workspace: str) -> Response:
        body = self.parse(request, NewConnector)
        connector = facade.create_connector(access=access_of(request), provider=body["provider"])
        return json_response(connector.as_json(), status=201)


class ConnectorView(WorkspaceView):
    """`…/connectors/{con}`"""

    needs = {"DELETE": "write"}

    @describe(
        "Delete a connector", operation="delete_connector", status=204, refuses=(OwnerOnly, OperationNotAllowed),
        detail="Logs out and erases what its host keeps. The built-in one stays.",
    )  # fmt: skip
    def delete(self, request: Request, workspace: str, connector: str) -> Response:
        facade.delete_connector(access=access_of(request), connector=connector)
        return Response(status=204)


class ConnectorLoginView(WorkspaceView):
    """`…/connectors/{con}/login`"""

    needs = {"POST": "write"}

    @describe(
        "Log a connector in",
        operation="start_login",
        detail="Gives the code to enter at the provider's address, in `login`.",
        request=Login,
        answer=shapes.CONNECTOR,
        status=202,
        refuses=(OwnerOnly,),
        example=examples.LOGIN,
    )
    def post(self, request: Request, workspace: str, connector: str) -> Response:
        body = self.parse(request, Login)
        answer = facade.start_login(access=access_of(request), connector=connector, method=body["method"])
        return json_response(answer.as_json(), status=202)
