"""Connectors of a workspace."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces.http.base import WorkspaceView, access_of, json_response
from workspaces.http.schema import describe

from . import shapes
from .bodies import Login, NewConnector


class ConnectorsView(WorkspaceView):
    """`…/connectors`"""

    needs = {"GET": "write", "POST": "write"}

    @describe("List connectors", answer=shapes.CONNECTORS, errors=(401, 403, 404))
    def get(self, request: Request, workspace: str) -> Response:
        items = facade.list_connectors(access=access_of(request))
        return json_response({"items": [item.as_json() for item in items], "next_cursor": None})

    @describe(
        "Make a connector",
        request=NewConnector,
        answer=shapes.CONNECTOR,
        status=201,
        errors=(400, 401, 403, 404, 413, 422, 503),
    )
    def post(self, request: Request, workspace: str) -> Response:
        body = self.parse(request, NewConnector)
        connector = facade.create_connector(access=access_of(request), provider=body["provider"])
        return json_response(connector.as_json(), status=201)


class ConnectorView(WorkspaceView):
    """`…/connectors/{con}`"""

    needs = {"DELETE": "write"}

    @describe("Delete a connector", status=204, errors=(401, 403, 404))
    def delete(self, request: Request, workspace: str, connector: str) -> Response:
        facade.delete_connector(access=access_of(request), connector=connector)
        return Response(status=204)


class ConnectorLoginView(WorkspaceView):
    """`…/connectors/{con}/login`"""

    needs = {"POST": "write"}

    @describe(
        "Begin a login",
        request=Login,
        answer=shapes.CONNECTOR,
        status=202,
        errors=(400, 401, 403, 404, 413, 422),
    )
    def post(self, request: Request, workspace: str, connector: str) -> Response:
        body = self.parse(request, Login)
        answer = facade.start_login(access=access_of(request), connector=connector, method=body["method"])
        return json_response(answer.as_json(), status=202)
