"""`/ws/workspaces/{ws}/documents/{doc}/`: live typing with any client of the y-protocols, y-websocket's for one.

Above: `routing`. Below: the room of the document, which knows what is committed. Binary messages only. The server opens
with its sync step 1, answers a step 1 with committed state, and sends what is committed from then on: typing of others
and the server's own commits. What the client sends is committed as `text.merge`, or refused with a code that ends the
socket (contract section 9).
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from workspaces.errors import DomainError

from . import hub, yprotocol
from .access import UNREADABLE, end_code
from .room import Room, room_of
from .socket import MAX_MESSAGE, LinkSocket
from .yprotocol import AwarenessUpdate, QueryAwareness, SyncStep1, Unreadable, Update

_DISMISSED = "dismissed"


class DocumentSocket(LinkSocket):
    """A stock provider sends every awareness state back that it hears of: the allowance is one for a full room."""

    KIND: ClassVar[str] = "document"
    MESSAGES_PER_S: ClassVar[float] = 1_000.0
    BURST: ClassVar[float] = 3_000.0

    dismissed = False
    _room: Room | None = None

    @property
    def link(self) -> str:
        return self.access.link

    def topics(self) -> tuple[str, ...]:
        return ()  # the room listens for all of its sockets

    # --- what the room does with its sockets ----------------------------------------------------------------------

    def offer(self, frame: hub.Frame) -> None:
        if self._subscription is not None:
            self._subscription.offer(frame)

    def dismiss(self, code: int) -> None:
        # Behind what is on its way to the client already.
        if not self.dismissed:
            self.dismissed = True
            self.offer(hub.Frame("", {"type": _DISMISSED, "code": code}))

    # --- the life of the socket -----------------------------------------------------------------------------------

    async def opened(self) -> None:
        self._turn = asyncio.Lock()
        self._greeted = False
        self._room = room_of(self.access.workspace, self.scope["url_route"]["kwargs"]["document"])
        await self.pass_on_bytes(await self._room.join(self))

    async def closed(self) -> None:
        if self._room is not None:
            self._room.leave(self)

    async def heard(self, frame: hub.Frame) -> None:
        if frame is hub.GAP:
            return  # the room has heard of it too
        async with self._turn:
            if self._closing:
                return
            if frame.message["type"] == _DISMISSED:
                await self.end(frame.message["code"])
            elif frame.data is not None:
                await self.pass_on_bytes(frame.data)

    def heard_at_once(self, frame: hub.Frame) -> bool:
        if frame.data is None or self._turn.locked():
            return False
        return self.pass_at_once(frame)

    def is_readable(self, text: str | None, data: bytes | None) -> bool:
        return text is None and data is not None and len(data) <= MAX_MESSAGE

    async def received(self, data: bytes) -> None:
        if self.dismissed or self._room is None:
            return
        try:
            match yprotocol.read(data):
                case SyncStep1(vector):
                    await self._synchronise(vector)
                case Update() as message:
                    if not message.empty:
                        await self._room.merge(self, message.update)
                case AwarenessUpdate(entries):
                    if self.access.role != "view":
                        self._room.say(self, entries)
                case QueryAwareness():
                    async with self._turn:
                        await self.pass_on_bytes(self._room.present())
        except Unreadable:
            await self.end(UNREADABLE)
        except DomainError as refusal:
            await self.end(await end_code(refusal, workspace=self.access.workspace))

    async def beat(self) -> None:
        assert self._room is not None
        await self._room.check()
        # A stock provider takes a socket that is silent for 30 s for dead; this says nothing of nobody.
        async with self._turn:
            await self.pass_on_bytes(yprotocol.awareness(()))

    async def _synchronise(self, vector: dict[int, int]) -> None:
        assert self._room is not None
        # What is committed meanwhile waits in the buffer: the document goes first.
        async with self._turn:
            await self.pass_on_bytes(await self._room.answer(self, vector))
            if not self._greeted:
                self._greeted = True
                await self.pass_on_bytes(self._room.present())
