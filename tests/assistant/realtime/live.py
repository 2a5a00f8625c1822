"""A real ASGI server on a port of its own, and the two kinds of clients that it has here: hosts and rails."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import uvicorn
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE_S = 10.0
T = TypeVar("T")


async def in_thread(call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """A blocking call beside the loop, on a thread that leaves no database connection behind."""

    def work() -> T:
        try:
            return call(*args, **kwargs)
        finally:
            connection.close()

    return await asyncio.to_thread(work)


@contextmanager
def serve() -> Iterator[str]:
    """`ws://127.0.0.1:PORT` of the whole ASGI application, in a thread with a loop of its own."""
    from careervector.asgi import application

    config = uvicorn.Config(
        application,
        host="127.0.0.1",
        port=0,
        log_config=None,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=4 * 1024 * 1024,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        threading.Event().wait(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"ws://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(15)
        assert not thread.is_alive()


class Wire:
    """One WebSocket whose JSON messages are read in order; heartbeats are left out."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def get(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = json.loads(await self.socket.recv())
                if message.get("type") != "heartbeat":
                    return message

    async def get_until(self, accept: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Messages up to and with the first that is accepted."""
        messages = [await self.get()]
        while not accept(messages[-1]):
            messages.append(await self.get())
        return messages

    async def closed(self) -> int:
        """The close code, once the server closes; messages before it are skipped."""
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        assert self.socket.close_code is not None
        return self.socket.close_code

    async def alive(self) -> None:
        """The server answers on this connection."""
        pong = await self.socket.ping()
        await asyncio.wait_for(pong, PATIENCE_S)


@asynccontextmanager
async def open_wire(url: str, *, bearer: str | None, **headers: str) -> AsyncIterator[Wire]:
    sent = dict(headers)
    if bearer is not None:
        sent["Authorization"] = f"Bearer {bearer}"
    async with connect(url, additional_headers=sent, proxy=None, compression=None, close_timeout=1) as socket:
        yield Wire(socket)


HELLO = {
    "type": "hello",
    "protocol": 1,
    "host": "raw",
    "connectors": [{"provider": "builtin", "version": "9.9", "state": "ready", "capabilities": {}}],
}


class RawHost(Wire):
    """A host by hand: it sends whatever a test wants."""

    numbers = 0

    async def hello(self, **changes: Any) -> dict[str, Any]:
        await self.send({**HELLO, **changes})
        return await self.get()

    async def event(self, turn: str, kind: str, data: Any, **changes: Any) -> None:
        RawHost.numbers += 1
        event = {"type": "event", "turn": turn, "id": f"r{self.numbers}", "kind": kind, "data": data}
        await self.send({**event, **changes})

    async def say(self, turn: str, text: str, **changes: Any) -> None:
        await self.event(turn, "message.delta", {"part": "answer", "text": text}, **changes)

    async def assigned(self) -> dict[str, Any]:
        """The next assignment, accepted."""
        assignment = (await self.get_until(lambda message: message["type"] == "turn.assign"))[-1]
        await self.send({"type": "turn.accept", "turn": assignment["turn"]})
        return assignment

    async def settled(self, turn: str) -> None:
        """The server has worked off everything sent about the turn: its answers come in order."""
        RawHost.numbers += 1
        mark = f"mark{self.numbers}"
        await self.event(turn, "no.such.kind", {}, id=mark)
        await self.get_until(lambda message: message.get("id") == mark)

    async def call(self, assignment: dict[str, Any], call: str, name: str, arguments: Any, **changes: Any) -> None:
        await self.send(
            {
                "type": "tool.call",
                "turn": assignment["turn"],
                "call": call,
                "capability": assignment["capability"],
                "name": name,
                "arguments": arguments,
                **changes,
            }
        )


@asynccontextmanager
async def open_host(server: str, token: str | None) -> AsyncIterator[RawHost]:
    async with open_wire(f"{server}/ws/host/", bearer=token) as wire:
        yield RawHost(wire.socket)


def is_terminal(message: dict[str, Any]) -> bool:
    return message.get("kind") in ("turn.completed", "turn.failed", "turn.cancelled")
