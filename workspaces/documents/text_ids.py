"""Which Yjs ids belong to which text of a document, and which of them are deleted: what a raw update may build on.

Made from the document's encoded state and carried on by each later update, so it is always as the document is. An id is
(client, clock); neighbouring ids with one owner are one range. Stands on update_reader; knows no pycrdt.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from .contention import MAX_STEPS, Contention
from .update_bytes import Id, units
from .update_reader import DELETED, TEXT_TYPE, TYPE, Struct, in_order, read_update

TEXTS_ROOT = "texts"


class Ranges:
    """A set of whole numbers as disjoint ranges [start, end), in order."""

    __slots__ = ("ends", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        if not self.ends or start > self.ends[-1]:
            self.starts.append(start)
            self.ends.append(end)
            return
        low = bisect_left(self.ends, start)
        high = bisect_right(self.starts, end)
        if low < high:
            start, end = min(start, self.starts[low]), max(end, self.ends[high - 1])
        self.starts[low:high] = [start]
        self.ends[low:high] = [end]

    def without(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of [start, end) that are not in the set."""
        for index in range(bisect_right(self.ends, start), len(self.starts)):
            if self.starts[index] >= end:
                break
            if start < self.starts[index]:
                yield start, self.starts[index]
            start = self.ends[index]
        if start < end:
            yield start, end


def united(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same numbers as disjoint ranges, in order: however often a range comes, it is looked at once."""
    found = Ranges()
    for start, end in sorted(ranges):
        found.add(start, end)
    return list(zip(found.starts, found.ends, strict=True))


class TextIds:
    """`known` gives each client's next clock; `texts` the container of each text; `gone` what is deleted, by client.

    `halves` are the clocks of the second units of surrogate pairs: nothing may begin or end there. `steps` is what it
    costs to place everything (see contention).
    """

    __slots__ = ("_names", "_owners", "_starts", "contention", "gone", "halves", "known", "steps", "texts")

    def __init__(self, state: bytes) -> None:
        self.known: dict[int, int] = {}
        self.texts: dict[str, Id] = {}
        self.gone: dict[int, Ranges] = {}
        self.halves: dict[int, list[int]] = {}
        self.contention = Contention(self.gone)
        self.steps = 0
        self._names: dict[Id, str] = {}
        self._starts: dict[int, list[int]] = {}
        self._owners: dict[int, list[str | None]] = {}
        self.extend(state)

    def extend(self, update: bytes) -> None:
        """Takes in an update that the document has applied. Raises ValueError for one that cannot have been."""
        read = read_update(update)
        # First what is deleted: it cuts the runs that others are placed among.
        for client, ranges in read.deletes.items():
            gone = self.gone.setdefault(client, Ranges())
            for start, end in ranges:
                gone.add(start, end)
        for struct in in_order(read.structs, self.known):
            self._take(struct)

    def owner(self, id_: Id) -> str | None:
        """The text that a known id belongs to; None for everything else in the document."""
        client, clock = id_
        return self._owners[client][bisect_right(self._starts[client], clock) - 1]

    def owners(self, client: int, start: int, end: int) -> set[str | None]:
        """All owners of the known ids [start, end) of a client."""
        starts = self._starts[client]
        low, high = bisect_right(starts, start) - 1, bisect_left(starts, end)
        return set(self._owners[client][low:high])

    def halves_in(self, client: int, start: int, end: int) -> int:
        """How many of the ids [start, end) are second units of a pair."""
        halves = self.halves.get(client)
        return bisect_left(halves, end) - bisect_left(halves, start) if halves else 0

    def place(self, struct: Struct, text: str, *, most: int) -> int:
        """What it costs to place a struct of a text, counted up to `most` or a little more."""
        left = struct.origin or self.texts[text]
        return self.contention.place((struct.client, struct.clock), struct.length, left, struct.right, most=most)

    def _take(self, struct: Struct) -> None:
        owner: str | None = None
        if struct.origin is not None:
            owner = self.owner(struct.origin)
        elif struct.right is not None:
            owner = self.owner(struct.right)
        elif isinstance(struct.parent, tuple):
            owner = self._names.get(struct.parent)
        elif struct.parent == TEXTS_ROOT and struct.ref == TYPE and struct.type == TEXT_TYPE and struct.sub is not None:
            id_ = (struct.client, struct.clock)
            self._names[id_] = struct.sub
            self.texts[struct.sub] = id_
        if struct.text is not None and owner is not None:
            halves = second_halves(struct.text, struct.clock)
            if halves:
                self.halves.setdefault(struct.client, []).extend(halves)
        if owner is not None:
            self.steps += self.place(struct, owner, most=max(0, MAX_STEPS - self.steps))
        owners = self._owners.setdefault(struct.client, [])
        if not owners or owners[-1] != owner:
            owners.append(owner)
            self._starts.setdefault(struct.client, []).append(struct.clock)
        self.known[struct.client] = struct.end
        if struct.ref == DELETED:
            # Whether or not the update names it among its deletions: those who read the document will.
            self.gone.setdefault(struct.client, Ranges()).add(struct.clock, struct.end)


def second_halves(text: str, clock: int) -> list[int]:
    """The clocks of the second units of the surrogate pairs in a text that begins at `clock`."""
    if text.isascii() or units(text) == len(text):
        return []
    found = []
    for character in text:
        clock += 1
        if character > "\uffff":
            found.append(clock)
            clock += 1
    return found
