"""Reads whole Yjs updates (version 1) from bytes, strictly: every struct with its ids, and the delete set.

Anybody may have made the bytes, so nothing is believed: numbers have one spelling, counts must fit into what is left,
strings must be UTF-8, and nothing may follow the end. The work is bounded by the number of bytes. Knows no pycrdt;
stands below text_ids and live_update. Source: the lib0 encoding of Yjs updates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .update_bytes import Id, units

GC, DELETED, JSON, BINARY, STRING, EMBED, FORMAT, TYPE, ANY, DOC, SKIP = range(11)
HAS_ORIGIN, HAS_RIGHT_ORIGIN, HAS_PARENT_SUB = 0x80, 0x40, 0x20
TEXT_TYPE = 2
# XML elements and hooks are followed by their name.
_NAMED_TYPES = (3, 5)
_KNOWN_TYPES = range(7)
# JavaScript has no larger whole numbers.
MAX_NUMBER = 2**53 - 1


class UpdateFlaw(ValueError):
    """The bytes are no well-formed update. The message says why and holds no content."""


@dataclass(slots=True)
class Struct:
    """One struct of a client: `length` units from `clock` on.

    `parent` is a root's name, or the id of the item that holds it; None when its neighbours tell. `sub` is its key in
    a map; `text` what it inserts, if that is text; `type` the kind of container, if it is one.
    """

    client: int
    clock: int
    length: int
    ref: int
    info: int = 0
    origin: Id | None = None
    right: Id | None = None
    parent: str | Id | None = None
    sub: str | None = None
    text: str | None = None
    type: int | None = None

    @property
    def end(self) -> int:
        return self.clock + self.length


@dataclass(frozen=True, slots=True)
class Update:
    """`structs` by client, in the order of clocks; `deletes` by client as (start, end), as they came."""

    structs: dict[int, list[Struct]]
    deletes: dict[int, list[tuple[int, int]]]


def read_update(data: bytes) -> Update:
    """The update in plain values. Raises UpdateFlaw."""
    reader = _Reader(data)
    try:
        update = Update(_structs(reader), _deletes(reader))
    except IndexError:
        raise UpdateFlaw("it is cut short") from None
    except UnicodeDecodeError:
        raise UpdateFlaw("it holds text that is not UTF-8") from None
    if reader.at != len(data):
        raise UpdateFlaw("something follows its end")
    return update


class _Reader:
    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        value = self.data[self.at]
        self.at += 1
        return value

    def number(self) -> int:
        value = self.data[self.at]
        self.at += 1
        if value < 0x80:
            return value
        value &= 0x7F
        shift = 7
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 49:
                raise UpdateFlaw("a number is too large")
        if not byte or value > MAX_NUMBER:
            raise UpdateFlaw("a number is too large, or spelled in more bytes than it needs")
        return value

    def count(self, least: int) -> int:
        """How many things follow, each of `least` bytes or more."""
        value = self.number()
        if value * least > len(self.data) - self.at:
            raise UpdateFlaw("it promises more than it holds")
        return value

    def id(self) -> Id:
        return self.number(), self.number()

    def skip(self, length: int) -> None:
        if length > len(self.data) - self.at:
            raise IndexError
        self.at += length

    def string(self) -> str:
        length = self.number()
        start = self.at
        self.skip(length)
        return self.data[start : self.at].decode()

    def pass_signed(self) -> None:
        for _ in range(9):
            if self.byte() < 0x80:
                return
        raise UpdateFlaw("a number is too large")

    def pass_any(self) -> None:
        """Passes over one value of lib0's `any`. Without recursion: values may be nested as deep as there are bytes."""
        open_ = [(1, False)]
        while open_:
            left, keyed = open_.pop()
            if not left:
                continue
            open_.append((left - 1, keyed))
            if keyed:
                self.string()
            match self.byte():
                case 127 | 126 | 121 | 120:
                    pass
                case 125:
                    self.pass_signed()
                case 124:
                    self.skip(4)
                case 123 | 122:
                    self.skip(8)
                case 119:
                    self.string()
                case 118:
                    open_.append((self.count(2), True))
                case 117:
                    open_.append((self.count(1), False))
                case 116:
                    self.skip(self.number())
                case _:
                    raise UpdateFlaw("a value is of an unknown type")


def _structs(reader: _Reader) -> dict[int, list[Struct]]:
    found: dict[int, list[Struct]] = {}
    for _ in range(reader.count(3)):
        number = reader.count(2)
        client, clock = reader.id()
        if client in found:
            raise UpdateFlaw("a client comes twice")
        group = found[client] = []
        for _ in range(number):
            struct = _struct(reader, client, clock)
            clock += struct.length
            if clock > MAX_NUMBER:
                raise UpdateFlaw("a clock is too large")
            group.append(struct)
    return found


def _struct(reader: _Reader, client: int, clock: int) -> Struct:
    info = reader.byte()
    ref = info & 0x1F
    if ref in (GC, SKIP):
        if info != ref:
            raise UpdateFlaw("a gap has neighbours")
        return Struct(client, clock, _length(reader.number()), ref, info)
    origin = reader.id() if info & HAS_ORIGIN else None
    right = reader.id() if info & HAS_RIGHT_ORIGIN else None
    parent: str | Id | None = None
    sub = None
    if origin is None and right is None:
        named = reader.number()
        if named > 1:
            raise UpdateFlaw("a parent is neither named nor numbered")
        parent = reader.string() if named else reader.id()
        sub = reader.string() if info & HAS_PARENT_SUB else None
    struct = Struct(client, clock, 1, ref, info, origin, right, parent, sub)
    _read_content(reader, struct)
    return struct


def _length(value: int) -> int:
    if not value:
        raise UpdateFlaw("a struct is empty")
    return value


def _read_content(reader: _Reader, struct: Struct) -> None:
    match struct.ref:
        case 4:
            struct.text = reader.string()
            struct.length = _length(units(struct.text))
        case 1:
            struct.length = _length(reader.number())
        case 2:
            struct.length = _length(reader.count(1))
            for _ in range(struct.length):
                reader.string()
        case 3:
            reader.skip(reader.number())
        case 5:
            reader.string()
        case 6:
            reader.string()
            reader.string()
        case 7:
            struct.type = reader.number()
            if struct.type not in _KNOWN_TYPES:
                raise UpdateFlaw("a container is of an unknown type")
            if struct.type in _NAMED_TYPES:
                reader.string()
        case 8:
            struct.length = _length(reader.count(1))
            for _ in range(struct.length):
                reader.pass_any()
        case 9:
            reader.string()
            reader.pass_any()
        case _:
            raise UpdateFlaw("a struct is of an unknown kind")


def _deletes(reader: _Reader) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for _ in range(reader.count(2)):
        client = reader.number()
        if client in found:
            raise UpdateFlaw("a client comes twice among the deletions")
        ranges = found[client] = []
        for _ in range(reader.count(2)):
            start = reader.number()
            end = start + reader.number()
            if end > MAX_NUMBER:
                raise UpdateFlaw("a deletion ends beyond all clocks")
            if end > start:
                ranges.append((start, end))
    return found


class MissingDependency(ValueError):
    """A struct builds on something that neither the document nor the update holds. `needed` is its id."""

    def __init__(self, needed: Id) -> None:
        self.needed = needed
        super().__init__("it builds on something that is not there")


def in_order(groups: Mapping[int, Sequence[Struct]], known: Mapping[int, int]) -> Iterator[Struct]:
    """The structs so that each comes after all that it names. `known` gives each client's next clock so far.

    Raises MissingDependency for a gap, and for structs that wait for each other. Linear in the number of structs.
    """
    after = {client: known.get(client, 0) for client in groups}
    position = dict.fromkeys(groups, 0)
    for first in groups:
        # Each entry waits until its client has reached the clock.
        waiting = [(first, MAX_NUMBER)]
        busy = {first}
        while waiting:
            client, wanted = waiting[-1]
            group, at = groups[client], position[client]
            if after[client] > wanted or at == len(group):
                if after[client] <= wanted < MAX_NUMBER:
                    raise MissingDependency((client, wanted))
                waiting.pop()
                busy.discard(client)
                continue
            struct = group[at]
            if struct.clock != after[client]:
                raise MissingDependency((client, after[client]))
            needed = _needed(struct, after, known)
            if needed is None:
                after[client] = struct.end
                position[client] = at + 1
                yield struct
            elif needed[0] in busy or needed[0] not in groups:
                raise MissingDependency(needed)
            else:
                waiting.append(needed)
                busy.add(needed[0])


def _needed(struct: Struct, after: Mapping[int, int], known: Mapping[int, int]) -> Id | None:
    for name in (struct.origin, struct.right, struct.parent):
        if isinstance(name, tuple):
            client, clock = name
            if clock >= (after[client] if client in after else known.get(client, 0)):
                return name
    return None
