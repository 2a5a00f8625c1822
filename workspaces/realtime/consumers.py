"""`/ws/workspaces/{ws}/`: a page hears of every commit of its workspace, in order and without holes.

Above: `routing`. Below: the facade (what is true) and the hub (what is new). Commits carry `seq`, which rises by 1:
what the hub brings twice is dropped, and a hole is filled from the database before anything later is sent.
"""

from __future__ import annotations

import asyncio
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from workspaces import facade, metrics
from workspaces.errors import Flaw, InvalidRequest

from . import hub, messages, presence
from .access import UNKNOWN, in_database_thread
from .socket import LinkSocket

_MAX_SEQ = 2**53
_PAGE = 200


class WorkspaceSocket(LinkSocket):
    """`self._seq` is the newest commit that this socket was sent (or greeted with)."""

    def topics(self) -> tuple[str, ...]:
        return (f"workspace:{self.access.workspace}",)

    async def opened(self) -> None:
        self._turn = asyncio.Lock()
        self._joined = False
        content = await in_database_thread(facade.get_hello, workspace=self.access.workspace)
        self._seq: int = content["seq"]
        await self.say(messages.hello(content))
        self._joined = True
        await presence.join(self.access)

    async def closed(self) -> None:
        if getattr(self, "_joined", False):
            self._joined = False
            presence.leave(self.access)

    async def heard(self, frame: hub.Frame) -> None:
        async with self._turn:
            if frame is hub.GAP:
                await self._catch_up()
                return
            message = frame.message
            kind = message["type"]
            if self.access.role == "view" and kind not in messages.VIEW_TYPES:
                return
            if kind != "commit":
                await self.pass_on(frame.text)
            elif message["seq"] == self._seq + 1:
                self._seq += 1
                await self.pass_on(frame.text)
            elif message["seq"] > self._seq:
                metrics.SOCKET_GAPS.inc()
                await self._catch_up()

    def heard_at_once(self, frame: hub.Frame) -> bool:
        if frame is hub.GAP or self._turn.locked():
            return False
        message = frame.message
        kind = message["type"]
        if self.access.role == "view" and kind not in messages.VIEW_TYPES:
            return True
        if kind != "commit":
            return self.pass_at_once(frame)
        if message["seq"] != self._seq + 1 or not self.pass_at_once(frame):
            return False
        self._seq += 1
        return True

    async def asked(self, kind: str, message: dict[str, Any]) -> None:
        match kind:
            case "resume":
                await self._resume(_only(message, "after"))
            case "heartbeat":
                _only(message)
                await self.say(messages.heartbeat())
            case _:
                await super().asked(kind, message)

    async def beat(self) -> None:
        # Also where a message was lost and none came after it.
        async with self._turn:
            await self._catch_up()
            await self.say(messages.heartbeat())

    async def _resume(self, after: Any) -> None:
        if isinstance(after, bool) or not isinstance(after, int) or not 0 <= after <= _MAX_SEQ:
            raise InvalidRequest(flaws=[Flaw("after", "range", "This must be the seq of a commit, or 0.")])
        # Rewinds the socket: everything after `after` follows in order, also what was sent meanwhile.
        async with self._turn:
            if after > self._seq:
                content = await in_database_thread(facade.get_hello, workspace=self.access.workspace)
                if after > content["seq"]:
                    self._seq = content["seq"]
                    await self.say(messages.resync(self._seq))
                    return
            self._seq = after
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Send the commits after `self._seq` from the database, or `resync` when that is too far back."""
        while True:
            missed = await in_database_thread(
                facade.list_commits_after, workspace=self.access.workspace, seq=self._seq, limit=_PAGE
            )
            if missed is None:
                content = await in_database_thread(facade.get_hello, workspace=self.access.workspace)
                self._seq = content["seq"]
                await self.say(messages.resync(self._seq))
                return
            for message in missed:
                await self.say(message)
                self._seq = message["seq"]
            if len(missed) < _PAGE:
                return


class UnknownSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Any other address: accepted, so that a page sees the code, and closed."""

    channel_layer_alias = ""

    async def connect(self) -> None:
        await self.accept()
        await self.close(UNKNOWN)


def _only(message: dict[str, Any], *names: str) -> Any:
    """The value of the one expected field (None when there is none). Raises InvalidRequest for any other field."""
    unknown = [name for name in message if name != "type" and name not in names]
    flaws = [Flaw(name[:60], "unknown_field", "There is no such property here.") for name in unknown]
    flaws += [Flaw(name, "required", "This is missing.") for name in names if name not in message]
    if flaws:
        raise InvalidRequest(flaws=flaws[:20])
    return message[names[0]] if names else None
