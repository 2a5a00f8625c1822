"""A server's document, a client that has read it, and updates made of single bytes: for the tests of live typing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycrdt import Doc, Map

from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import DropItem, PutItem, SetField, SetMeta, Splice
from workspaces.documents.live_update import Identity, LiveChange, apply_live, read_live_update
from workspaces.documents.schema import KINDS
from workspaces.documents.update_bytes import encode_id, encode_number
from workspaces.documents.update_reader import read_update

SERVER, RETIRED, CLIENT = 4_243, 99, 77
IDENTITY = Identity(SERVER, frozenset({RETIRED}))
START = "Hello \U0001f600 world"


class Served:
    """A server's document with something in all its parts, and a client that has read it."""

    def __init__(self, kind: str = "application") -> None:
        self.kind = KINDS[kind]
        self.ydoc, _ = yjs.create(self.kind, SERVER)
        yjs.apply_edits(
            self.ydoc,
            [
                SetField("title", "Engineer"),
                SetField("title", "Senior engineer"),
                PutItem("checklist", "itm_1", {"rank": "a", "title": "Call"}),
                PutItem("checklist", "itm_2", {"rank": "b", "title": "Write"}),
                DropItem("checklist", "itm_2"),
                Splice("notes", 0, "", "Hello there, \U0001f600 world", ""),
                Splice("notes", 5, " there,", "", "Hello there, \U0001f600 world"),
                SetMeta("state", "archived"),
                SetMeta("state", "active"),
            ],
        )
        self.content = START
        assert str(self.ydoc.texts["notes"]) == START
        self.client = self.join(CLIENT)

    def join(self, client: int) -> Doc[Any]:
        doc: Doc[Any] = Doc(client_id=client)
        doc.apply_update(self.ydoc.encode())
        return doc

    def read(self, update: bytes) -> LiveChange:
        return read_live_update(update, self.ydoc, IDENTITY, {"notes": self.content})

    def take(self, update: bytes) -> LiveChange:
        change = self.read(update)
        if change.text is not None:
            self.content = apply_live(self.ydoc, change, self.content)
        assert self.ydoc.ids().known == yjs.TextIds(self.ydoc.encode()).known
        return change


def root(doc: Doc[Any], name: str) -> Any:
    return doc.get(name, type=Map)


def notes(doc: Doc[Any]) -> Any:
    return root(doc, "texts")["notes"]


def change(doc: Doc[Any], how: Callable[[Doc[Any]], Any]) -> bytes:
    before = doc.get_state()
    with doc.transaction():
        how(doc)
    return doc.get_update(before)


def insert(at: int, content: str) -> Callable[[Doc[Any]], Any]:
    return lambda doc: notes(doc).insert(at, content)


def cut(start: int, end: int) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        del notes(doc)[start:end]

    return how


def both(*steps: Callable[[Doc[Any]], Any]) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        for step in steps:
            step(doc)

    return how


def struct(
    content: bytes,
    *,
    info: int = 4,
    client: int = CLIENT,
    clock: int = 0,
    origin: tuple[int, int] | None = None,
    right: tuple[int, int] | None = None,
    parent: bytes = b"",
) -> bytes:
    """One client's one struct."""
    info |= (0x80 if origin else 0) | (0x40 if right else 0)
    neighbours = b"".join(encode_id(entry) for entry in (origin, right) if entry)
    return b"\x01" + encode_id((client, clock)) + bytes([info]) + neighbours + parent + content


def update_of(*structs: bytes, deletes: bytes = b"\x00") -> bytes:
    return encode_number(len(structs)) + b"".join(structs) + deletes


def deleting(client: int, *ranges: tuple[int, int]) -> bytes:
    listed = b"".join(encode_number(start) + encode_number(count) for start, count in ranges)
    return b"\x01" + encode_number(client) + encode_number(len(ranges)) + listed


def ids_of(served: Served) -> dict[str, Any]:
    """Ids in the served document by what they are, found by looking at the structs."""
    found: dict[str, Any] = {}
    for entry in read_update(served.ydoc.encode()).structs[SERVER]:
        if entry.text == "Hello":
            found["H"] = (SERVER, entry.clock)
        if entry.text and "world" in entry.text:
            found["emoji"] = (SERVER, entry.clock + entry.text.index("\U0001f600"))
        if entry.parent == "fields":
            found["field"] = (SERVER, entry.clock)
        if entry.parent == "sections":
            found["section"] = (SERVER, entry.clock)
        if entry.parent == "texts":
            found["text"] = (SERVER, entry.clock)
    return found
