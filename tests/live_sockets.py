"""Sockets of a running product: a page that listens, and somebody who types by the y-protocols."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pycrdt
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

_PATIENCE_S = 20.0


class Page:
    """A socket at `url`, opened by a link."""

    def __init__(self, url: str, link: str) -> None:
        headers = {"Authorization": f"Bearer {link}"}
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(url, additional_headers=headers, proxy=None, compression=None)
        )

    def next(self, kind: str) -> dict[str, Any]:
        """The next message of this kind; others are passed over."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=_PATIENCE_S))
            if message["type"] == kind:
                return message

    def code(self) -> int:
        """The code that the server closes with."""
        try:
            while True:
                self.socket.recv(timeout=_PATIENCE_S)
        except ConnectionClosed:
            assert self.socket.close_code is not None
            return self.socket.close_code

    def leave(self) -> None:
        self._open.close()


class Typist(Page):
    """Somebody who has a document's notes open. With a `doc` it is a tab that comes back with what it knew."""

    def __init__(self, url: str, link: str, *, doc: pycrdt.Doc[Any] | None = None) -> None:
        super().__init__(url, link)
        self.doc: pycrdt.Doc[Any] = doc or pycrdt.Doc()
        self.synced = False
        self._updates: list[bytes] = []
        self._remote = False
        self._observed = self.doc.observe(self._changed)
        self.socket.send(pycrdt.create_sync_message(self.doc))

    def _changed(self, event: pycrdt.TransactionEvent) -> None:
        if not self._remote:
            self._updates.append(event.update)

    @property
    def text(self) -> pycrdt.Text:
        found = self.doc.get("texts", type=pycrdt.Map)["notes"]
        assert isinstance(found, pycrdt.Text)
        return found

    def type(self, characters: str) -> None:
        """At the end, a key at a time."""
        self.read_until(lambda: self.synced)
        for character in characters:
            self.text.insert(len(str(self.text).encode()), character)
        updates, self._updates = self._updates, []
        for update in updates:
            self.socket.send(pycrdt.create_update_message(update))

    def read_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            data = self.socket.recv(timeout=_PATIENCE_S)
            assert isinstance(data, bytes)
            if data[0] == 0:
                self._remote = True
                reply = pycrdt.handle_sync_message(data[1:], self.doc)
                self._remote = False
                self.synced = self.synced or data[1] == 1
                if reply is not None:
                    self.socket.send(reply)
