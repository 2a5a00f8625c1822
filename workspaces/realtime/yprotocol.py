"""The y-protocols messages of a document socket, read strictly and written: sync, awareness, awareness queries.

Above: the document socket and its room. Below: the spelling of numbers, which Yjs updates share. The bytes of an update
are passed through: what may be in one is for whoever merges it. Numbers are little-endian base-128, strings UTF-8 with
their length in bytes before.
Bounded: a message's size by the socket, its entries here, so that no message costs more to read than to send.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from workspaces.documents.update_bytes import encode_number

_SYNC: Final = 0
_AWARENESS: Final = 1
_QUERY_AWARENESS: Final = 3
_STEP_1: Final = 0
_STEP_2: Final = 1
_UPDATE: Final = 2

MAX_VECTOR: Final = 50_000
MAX_ENTRIES: Final = 2_048
_MAX_NUMBER: Final = 2**53 - 1
_MAX_CLOCK: Final = 2**32 - 1
_NOTHING: Final = b"\x00\x00"


class Unreadable(Exception):
    """The bytes are no message of the protocol."""


@dataclass(frozen=True, slots=True)
class SyncStep1:
    """The other side's state vector: what it has, as the next clock of each client id."""

    vector: dict[int, int]


@dataclass(frozen=True, slots=True)
class Update:
    """A Yjs update: the answer to a step 1, or news."""

    update: bytes

    @property
    def empty(self) -> bool:
        return self.update == _NOTHING


@dataclass(frozen=True, slots=True)
class Entry:
    """One client's awareness at its clock; `text` is its JSON, None once it has left."""

    client: int
    clock: int
    text: str | None


@dataclass(frozen=True, slots=True)
class AwarenessUpdate:
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class QueryAwareness:
    """The question for everybody's awareness."""


@dataclass(frozen=True, slots=True)
class Auth:
    """What a server may say of permissions; from a client it means nothing."""


Message = SyncStep1 | Update | AwarenessUpdate | QueryAwareness | Auth


def read(data: bytes) -> Message:
    """The message. Raises Unreadable for anything else, also for bytes after its end."""
    reader = _Reader(data)
    match reader.number():
        case 0:  # sync
            step = reader.number()
            content = reader.block()
            reader.end()
            if step == _STEP_1:
                return SyncStep1(read_vector(content))
            if step in (_STEP_2, _UPDATE):
                return Update(content)
        case 1:  # awareness
            content = reader.block()
            reader.end()
            return AwarenessUpdate(_entries(content))
        case 2:  # auth
            return Auth()
        case 3:  # awareness query
            reader.end()
            return QueryAwareness()
    raise Unreadable


def sync_step_1(vector: bytes) -> bytes:
    """`vector` is encoded as Yjs does."""
    return bytes((_SYNC, _STEP_1)) + _block(vector)


def sync_step_2(update: bytes) -> bytes:
    return bytes((_SYNC, _STEP_2)) + _block(update)


def sync_update(update: bytes) -> bytes:
    return bytes((_SYNC, _UPDATE)) + _block(update)


def awareness(entries: Iterable[Entry]) -> bytes:
    told = list(entries)
    content = bytearray(encode_number(len(told)))
    for entry in told:
        text = "null" if entry.text is None else entry.text
        content += encode_number(entry.client) + encode_number(entry.clock) + _block(text.encode())
    return bytes((_AWARENESS,)) + _block(bytes(content))


def query_awareness() -> bytes:
    return bytes((_QUERY_AWARENESS,))


def read_vector(data: bytes) -> dict[int, int]:
    """A state vector. Raises Unreadable."""
    reader = _Reader(data)
    count = reader.number()
    if count > MAX_VECTOR:
        raise Unreadable
    vector: dict[int, int] = {}
    for _ in range(count):
        client, clock = reader.number(), reader.number()
        if clock > _MAX_CLOCK or client in vector:
            raise Unreadable
        vector[client] = clock
    reader.end()
    return vector


def write_vector(vector: dict[int, int]) -> bytes:
    entries = b"".join(encode_number(client) + encode_number(clock) for client, clock in vector.items())
    return encode_number(len(vector)) + entries


def _entries(data: bytes) -> tuple[Entry, ...]:
    reader = _Reader(data)
    count = reader.number()
    if count > MAX_ENTRIES:
        raise Unreadable
    entries = []
    for _ in range(count):
        client, clock = reader.number(), reader.number()
        try:
            text = reader.block().decode()
        except UnicodeDecodeError:
            raise Unreadable from None
        entries.append(Entry(client, clock, None if text == "null" else text))
    reader.end()
    return tuple(entries)


class _Reader:
    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self) -> int:
        value = shift = 0
        while self.at < len(self.data):
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value > _MAX_NUMBER:
                    break
                return value
            shift += 7
            if shift > 49:
                break
        raise Unreadable

    def block(self) -> bytes:
        length = self.number()
        start, self.at = self.at, self.at + length
        if self.at > len(self.data):
            raise Unreadable
        return self.data[start : self.at]

    def end(self) -> None:
        if self.at != len(self.data):
            raise Unreadable


def _block(content: bytes) -> bytes:
    return encode_number(len(content)) + content
