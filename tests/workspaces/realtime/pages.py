"""Clients of the workspace socket: pages, and a workspace whose pages they are."""

from __future__ import annotations

import json
from typing import Any

from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator

from tests.factories import human, set_field
from workspaces import facade
from workspaces.contracts import Access
from workspaces.realtime.routing import fallback_patterns, websocket_urlpatterns

APPLICATION = URLRouter([*websocket_urlpatterns, *fallback_patterns])


class Page:
    """A client's end of one socket."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        self.socket = WebsocketCommunicator(APPLICATION, path, headers=headers)

    async def open(self) -> Page:
        connected, _ = await self.socket.connect(timeout=10)
        assert connected
        return self

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; others are passed over (presence comes when it comes)."""
        while True:
            message = json.loads(await self.socket.receive_from(timeout=10))
            if message["type"] in kinds or (not kinds and message["type"] != "presence"):
                return message

    async def say(self, message: Any) -> None:
        await self.socket.send_to(text_data=message if isinstance(message, str) else json.dumps(message))

    async def code(self) -> int:
        """The code that the server closes with, whatever it says before."""
        while True:
            output = await self.socket.receive_output(timeout=10)
            if output["type"] == "websocket.close":
                return output["code"]

    async def leave(self) -> None:
        await self.socket.disconnect(timeout=10)


class Room:
    """A workspace and its pages."""

    def __init__(self, made: Any) -> None:
        self.id = made.workspace
        self.secret = made.link.secret
        self.access = Access(workspace=made.workspace, link=made.link.id, role="owner")
        self.clock = 1
        self.pages: list[Page] = []

    async def page(self, secret: str | None = None, *, workspace: str | None = None) -> Page:
        header = (b"authorization", b"Bearer " + (secret or self.secret).encode())
        page = await Page(f"/ws/workspaces/{workspace or self.id}/", [header]).open()
        self.pages.append(page)
        return page

    async def link(self, role: str) -> Any:
        return await sync_to_async(facade.create_link)(access=self.access, label="", role=role)

    async def commit(self, value: str) -> dict[str, Any]:
        """Set the profile's name."""
        result = await sync_to_async(human(self.id, self.access.link).commit)(
            set_field("profile", "name", value), clocks={"profile": self.clock}
        )
        self.clock += 1
        return dict(result.response)
