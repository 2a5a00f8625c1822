"""Clients of the document socket that speak the protocol by pycrdt's own functions: a typist, and a desk of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pycrdt
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator

from tests.factories import Operation, human
from workspaces import facade

from .pages import APPLICATION, Room

SYNC, AWARENESS, QUERY = 0, 1, 3


class Typist:
    """A Y.Doc behind one socket. What the server says is applied as it is read; a close code ends the reading."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]], doc: pycrdt.Doc | None = None) -> None:
        self.socket = WebsocketCommunicator(APPLICATION, path, headers=headers)
        self.doc: pycrdt.Doc = pycrdt.Doc() if doc is None else doc
        self.awareness = pycrdt.Awareness(self.doc)
        self.closed: int | None = None
        self.synced = False
        self.content_messages = 0
        self._pending: list[bytes] = []
        self._remote = False
        self._observed = self.doc.observe(self._changed)

    def _changed(self, event: pycrdt.TransactionEvent) -> None:
        if not self._remote:
            self._pending.append(event.update)

    async def open(self, *, sync: bool = True) -> Typist:
        connected, _ = await self.socket.connect(timeout=10)
        assert connected
        if sync:
            await self.send(pycrdt.create_sync_message(self.doc))
            await self.until(lambda: self.synced)
        return self

    # --- typing ---

    def text(self, name: str) -> pycrdt.Text:
        return self.doc.get("texts", type=pycrdt.Map)[name]

    def type(self, name: str, at: int, characters: str) -> None:
        """At a byte offset, as pycrdt counts."""
        self.text(name).insert(at, characters)

    async def flush(self) -> None:
        """Send what was typed since the last time."""
        pending, self._pending = self._pending, []
        for update in pending:
            await self.send(pycrdt.create_update_message(update))

    async def say_state(self, state: dict[str, Any] | None) -> None:
        self.awareness.set_local_state(state)
        update = self.awareness.encode_awareness_update([self.doc.client_id])
        await self.send(pycrdt.create_awareness_message(update))

    async def send(self, data: bytes) -> None:
        await self.socket.send_input({"type": "websocket.receive", "bytes": data})

    # --- reading ---

    async def read(self, timeout_s: float = 10) -> None:
        """One message of the server."""
        output = await self.socket.receive_output(timeout=timeout_s)
        if output["type"] == "websocket.close":
            self.closed = output["code"]
            return
        data = output["bytes"]
        self._remote = True
        try:
            if data[0] == SYNC:
                reply = pycrdt.handle_sync_message(data[1:], self.doc)
                self.synced = self.synced or data[1] == 1
                self.content_messages += data[1] in (1, 2)
            elif data[0] == AWARENESS:
                self.awareness.apply_awareness_update(pycrdt.read_message(data[1:]), "server")
                reply = None
            else:
                raise AssertionError(f"the server sent {data!r}")
        finally:
            self._remote = False
        if reply is not None:
            await self.send(reply)

    async def until(self, condition: Callable[[], Any], timeout_s: float = 15) -> None:
        """Read until something holds, or fail."""
        async with asyncio.timeout(timeout_s):
            while not condition():
                assert self.closed is None, f"closed with {self.closed}"
                await self.read(timeout_s)

    async def reads(self, name: str, content: str) -> None:
        """Until the text is this."""
        await self.until(lambda: str(self.text(name)) == content)

    async def code(self) -> int:
        """The code that the server closes with, whatever it says before."""
        async with asyncio.timeout(15):
            while self.closed is None:
                await self.read()
        return self.closed

    async def is_quiet(self) -> bool:
        return await self.socket.receive_nothing(timeout=0.3)

    def others(self) -> dict[int, Any]:
        """Everybody's awareness but one's own."""
        mine = self.doc.client_id
        return {client: json.loads(json.dumps(s)) for client, s in self.awareness.states.items() if client != mine}

    async def leave(self) -> None:
        await self.socket.disconnect(timeout=10)


class Desk:
    """A workspace with one application, and those who type in it."""

    def __init__(self, room: Room, document: str) -> None:
        self.room = room
        self.document = document
        self.typists: list[Typist] = []

    async def typist(
        self,
        secret: str | None = None,
        *,
        document: str | None = None,
        doc: pycrdt.Doc | None = None,
        sync: bool = True,
        ending: str = "/",
    ) -> Typist:
        header = (b"authorization", b"Bearer " + (secret or self.room.secret).encode())
        path = f"/ws/workspaces/{self.room.id}/documents/{document or self.document}{ending}"
        typist = Typist(path, [header], doc)
        self.typists.append(typist)
        return await typist.open(sync=sync)

    async def commit(self, *operations: Operation) -> dict[str, Any]:
        """As the owner, over the commit path."""
        writer = human(self.room.id, self.room.access.link)
        return dict((await sync_to_async(writer.commit)(*operations)).response)

    async def undo(self, receipt: str) -> None:
        await sync_to_async(human(self.room.id, self.room.access.link).undo)(receipt)

    async def stored(self) -> dict[str, Any]:
        """The document as it is read over HTTP."""
        return dict(await sync_to_async(facade.get_document)(access=self.room.access, document=self.document))

    async def settled(self, clock: int) -> dict[str, Any]:
        """`stored`, once the document has reached this clock."""
        async with asyncio.timeout(15):
            while (document := await self.stored())["clock"] < clock:
                await asyncio.sleep(0.01)
        return document

    async def events(self) -> list[dict[str, Any]]:
        """The document's, oldest first."""
        read = sync_to_async(facade.list_document_events)
        return (await read(access=self.room.access, document=self.document))["items"][::-1]
