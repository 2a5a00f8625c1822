"""How much of a text Yjs walks through to place what was inserted where others had inserted unseen.

A run directly before what its writer saw behind it costs nothing. Runs that share their left neighbour and do not know
of each other are compared, each with all the others and with what grew on those: made for the purpose, a few thousand
of them hold a processor for minutes, in every process and browser that reads the document. So the walk is counted here,
by the same rule, before Yjs goes it. Stands on update_bytes; text_ids keeps it, live_update asks it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from .update_bytes import Id

# What one update may cost, in milliseconds at worst; and a document, which every reader pays when it opens it.
MAX_UPDATE_STEPS = 50_000
MAX_STEPS = 2_000_000
# (the first id of a run, what was to its right when it was written)
_Sibling = tuple[Id, Id | None]


class Deleted(Protocol):
    starts: list[int]
    ends: list[int]


class Contention:
    """Runs of text by their left neighbour, in the order in which Yjs has them.

    Of each client: its runs as starts, ends and right neighbours; `_cuts`, where its runs are cut by others'; `_held`,
    which of its clocks have runs of others (or a second run of its own) directly behind them. `gone` is what is
    deleted, by client: that cuts runs too.
    """

    __slots__ = ("_cuts", "_ends", "_gone", "_held", "_journal", "_rights", "_siblings", "_starts")

    def __init__(self, gone: Mapping[int, Deleted]) -> None:
        self._gone = gone
        self._siblings: dict[Id, list[_Sibling]] = {}
        self._starts: dict[int, list[int]] = {}
        self._ends: dict[int, list[int]] = {}
        self._rights: dict[int, list[Id | None]] = {}
        self._cuts: dict[int, list[int]] = {}
        self._held: dict[int, list[int]] = {}
        self._journal: list[tuple[list[Any], int, Any]] | None = None

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is placed inside is taken out again."""
        journal = self._journal = []
        try:
            yield
        finally:
            self._journal = None
            for entries, index, before in reversed(journal):
                if before is None:
                    del entries[index]
                else:
                    entries[index] = before

    def place(self, id_: Id, length: int, left: Id, right: Id | None, *, most: int) -> int:
        """Takes in a run; gives the steps that this costs, counted up to `most` or a little more.

        `left` is its left neighbour, or the text's container when it had none.
        """
        client, clock = id_
        siblings = self._siblings.get(left)
        follower = self._follower(left)
        if not siblings:
            siblings = self._siblings.setdefault(left, [])
            if follower is not None:
                self._insert(siblings, 0, follower)
                self._insert_sorted(self._held, left)
            elif left == (client, clock - 1) and self._continues(id_, right):
                index = len(self._ends[client]) - 1
                self._note(self._ends[client], index, self._ends[client][index])
                self._ends[client][index] = clock + length
                return 0
            else:
                self._insert_sorted(self._held, left)
        steps, at = 0, 0
        for index, (other, its_right) in enumerate(siblings):
            if other == right or steps >= most:
                break
            steps += self._size(other, most - steps)
            if other[0] < client:
                at = index + 1
            elif its_right == right:
                break
        self._insert(siblings, at, (id_, right))
        self._append(self._starts, client, clock)
        self._append(self._ends, client, clock + length)
        self._append(self._rights, client, right)
        self._insert_sorted(self._cuts, (left[0], left[1] + 1))
        if right is not None:
            self._insert_sorted(self._cuts, right)
        return steps

    def _run(self, id_: Id) -> int:
        """The index of the client's run that an id is in, or -1."""
        starts = self._starts.get(id_[0], ())
        index = bisect_right(starts, id_[1]) - 1
        return index if index >= 0 and id_[1] < self._ends[id_[0]][index] else -1

    def _follower(self, left: Id) -> _Sibling | None:
        """What follows an id in its own run."""
        index = self._run(left)
        client, clock = left[0], left[1] + 1
        if index < 0 or clock >= self._ends[client][index]:
            return None
        return (client, clock), self._rights[client][index]

    def _continues(self, id_: Id, right: Id | None) -> bool:
        index = self._run((id_[0], id_[1] - 1))
        return index == len(self._starts.get(id_[0], ())) - 1 and index >= 0 and self._rights[id_[0]][index] == right

    def _size(self, first: Id, most: int) -> int:
        """The pieces of a run from an id on and of all that grew on it, counted up to `most` or a little more."""
        count, waiting = 0, [first]
        while waiting and count < most:
            client, start = waiting.pop()
            index = self._run((client, start))
            if index < 0:
                continue
            end = self._ends[client][index]
            held, gone = self._held.get(client, []), self._gone.get(client)
            count += 1 + _between(self._cuts.get(client, []), start, end)
            if gone is not None:
                count += _between(gone.starts, start, end) + _between(gone.ends, start, end)
            for clock in held[bisect_left(held, start) : bisect_left(held, end)]:
                # What follows in the same run has been counted with it.
                waiting.extend(
                    other
                    for other, _ in self._siblings[client, clock]
                    if other != (client, clock + 1) or clock + 1 >= end
                )
        return count

    # --- changes that a trial takes back --------------------------------------------------------------------------

    def _note(self, entries: list[Any], index: int, before: Any) -> None:
        if self._journal is not None:
            self._journal.append((entries, index, before))

    def _insert(self, entries: list[Any], index: int, value: Any) -> None:
        entries.insert(index, value)
        self._note(entries, index, None)

    def _append(self, lists: dict[int, list[Any]], client: int, value: Any) -> None:
        entries = lists.setdefault(client, [])
        self._insert(entries, len(entries), value)

    def _insert_sorted(self, lists: dict[int, list[int]], id_: Id) -> None:
        entries = lists.setdefault(id_[0], [])
        index = bisect_left(entries, id_[1])
        if index == len(entries) or entries[index] != id_[1]:
            self._insert(entries, index, id_[1])


def _between(numbers: list[int], start: int, end: int) -> int:
    return bisect_left(numbers, end) - bisect_right(numbers, start)
