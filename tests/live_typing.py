"""A browser that types: a Yjs document of its own, whose updates go through `facade.merge_live`.

It knows the layout of contract section 3 and nothing of `workspaces.documents`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from pycrdt import Doc, Map, Text

from tests.factories import Writer
from workspaces import facade
from workspaces.contracts import LiveApplied, LiveUpdate
from workspaces.errors import DomainError

TEXTS = {"profile": "summary", "plan": "strategy", "application": "notes", "note": "body", "letter": "body"}
_clients = itertools.count(1_000_001)


class Browser:
    """One tab of a writer's link, with one document open. Offsets are characters."""

    def __init__(self, writer: Writer, document: str, *, client: int | None = None) -> None:
        self.writer = writer
        self.document = document
        self.name = TEXTS[document.partition(":")[0]]
        self.client = client or next(_clients)
        self.read()

    def read(self) -> None:
        """Begins anew with what is committed."""
        state = facade.open_live(workspace=self.writer.workspace, document=self.document)
        self.doc: Doc[Any] = Doc(client_id=self.client)
        self.doc.apply_update(state.encode())
        self.epoch, self.clock = state.epoch, state.clock

    @property
    def text(self) -> Text:
        found = self.root("texts")[self.name]
        assert isinstance(found, Text)
        return found

    @property
    def content(self) -> str:
        return str(self.text)

    def change(self, how: Callable[[], Any]) -> bytes:
        """The update that a change of this browser's document makes."""
        before = self.doc.get_state()
        with self.doc.transaction():
            how()
        return self.doc.get_update(before)

    def root(self, name: str) -> Map[Any]:
        return self.doc.get(name, type=Map)

    def insert(self, at: int, content: str) -> bytes:
        return self.change(lambda: self.text.insert(len(self.content[:at].encode()), content))

    def delete(self, at: int, count: int) -> bytes:
        start, end = (len(self.content[:index].encode()) for index in (at, at + count))

        def cut() -> None:
            del self.text[start:end]

        return self.change(cut)

    def live(self, update: bytes) -> LiveUpdate:
        link = self.writer.link or ""
        return LiveUpdate(author=f"link:{link}", link=link, update=update, epoch=self.epoch)

    def send(self, *updates: bytes) -> list[LiveApplied | DomainError]:
        return facade.merge_live(
            workspace=self.writer.workspace, document=self.document, updates=[self.live(u) for u in updates]
        )

    def type(self, content: str, at: int | None = None) -> int:
        """Types and sends; gives the clock."""
        [outcome] = self.send(self.insert(len(self.content) if at is None else at, content))
        assert isinstance(outcome, LiveApplied), outcome
        assert outcome.clock is not None
        return outcome.clock

    def catch_up(self) -> None:
        state = facade.open_live(workspace=self.writer.workspace, document=self.document)
        assert state.epoch == self.epoch
        self.doc.apply_update(state.encode(self.doc.get_state()))
        self.clock = state.clock
