"""Yjs updates (version 1) as bytes: what one text change inserted and deleted, by id, and marks to find an id again.

An id is (client, clock); a clock counts UTF-16 code units. pycrdt's own sticky indexes count bytes within a block and
units between ids, so they are wrong, or panic, wherever a text is not plain ASCII: anchors hold ids instead.
Knows no pycrdt; stands below ydoc. Source: the lib0 encoding of Yjs updates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Id = tuple[int, int]

_STRING = 4
_HAS_ORIGIN = 0x80
_HAS_RIGHT_ORIGIN = 0x40
# Items of the lowest client go directly behind their left neighbour, those of the highest directly before their right.
_LOWEST = 0
_HIGHEST = 2**53 - 1


@dataclass(frozen=True, slots=True)
class TextChange:
    """One splice: the id of its first inserted unit and of the neighbours at that time, and of a unit it deleted."""

    inserted: Id | None
    left: Id | None
    right: Id | None
    deleted: Id | None


def units(content: str) -> int:
    """The length in UTF-16 code units."""
    return len(content) if content.isascii() else len(content.encode("utf-16-le")) // 2


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def id(self) -> Id:
        return self.number(), self.number()

    def skip(self, length: int) -> None:
        self.at += length


def read_text_change(update: bytes) -> TextChange:
    """The splice that an update consists of. Raises ValueError for an update that is anything else."""
    reader = _Reader(update)
    inserted = left = right = deleted = None
    clients = reader.number()
    if clients > 1:
        raise ValueError("more than one client")
    if clients:
        if reader.number() != 1:
            raise ValueError("more than one insertion")
        inserted = reader.id()
        info = reader.byte()
        if info & 0x1F != _STRING:
            raise ValueError("an insertion that is no text")
        if info & _HAS_ORIGIN:
            left = reader.id()
        if info & _HAS_RIGHT_ORIGIN:
            right = reader.id()
        if left is None and right is None:
            # The first characters of a text name their parent.
            if reader.number():
                reader.skip(reader.number())
            else:
                reader.id()
        reader.skip(reader.number())
    if reader.number():
        client, ranges = reader.id()
        if ranges:
            deleted = (client, reader.number())
    return TextChange(inserted, left, right, deleted)


def read_state_vector(data: bytes) -> dict[int, int]:
    """How much of each client there is: client → the clock after its last unit."""
    reader = _Reader(data)
    return dict(reader.id() for _ in range(reader.number()))


def encode_number(value: int) -> bytes:
    """A variable-length unsigned number, in its one shortest spelling."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def encode_id(value: Id) -> bytes:
    return encode_number(value[0]) + encode_number(value[1])


def marks(*, behind: Iterable[tuple[Id, str]], before: Iterable[tuple[Id, str]]) -> bytes:
    """An update that puts a mark (a character of one unit) directly behind or before each id. For copies only."""
    groups = []
    for client, flag, wanted in ((_LOWEST, _HAS_ORIGIN, list(behind)), (_HIGHEST, _HAS_RIGHT_ORIGIN, list(before))):
        if wanted:
            items = b"".join(
                bytes([_STRING | flag]) + encode_id(i) + encode_number(len(mark.encode())) + mark.encode()
                for i, mark in wanted
            )
            groups.append(encode_number(len(wanted)) + encode_id((client, 0)) + items)
    return encode_number(len(groups)) + b"".join(groups) + b"\x00"
