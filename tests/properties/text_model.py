"""Texts of the plain model: characters with a number each, so that where each of them went is known."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Character = tuple[int, str]
_numbers = itertools.count(1)


def fresh_number() -> int:
    return next(_numbers)


@dataclass
class Hunk:
    """What an event did to one place of a text: characters put in and taken out, and what stood on either side."""

    put: list[Character]
    taken: list[Character]
    left: list[int]
    right: list[int]


def numbered(content: str) -> list[Character]:
    return [(next(_numbers), character) for character in content]


def text_of(chars: Iterable[Character]) -> str:
    return "".join(character for _, character in chars)


def shared(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at the beginning and, of the rest, at the end."""
    start = end = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def find(chars: Sequence[Character], stretch: Sequence[Character]) -> int | None:
    found = [i for i in range(len(chars) - len(stretch) + 1) if list(chars[i : i + len(stretch)]) == list(stretch)]
    return found[0] if found else None


def hunks_between(before: Sequence[Character], after: Sequence[Character]) -> list[Hunk]:
    """What an event did to a text: the runs of characters that are in only one of the two."""
    kept = set(before) & set(after)
    hunks: list[Hunk] = []
    b = a = 0
    while b < len(before) or a < len(after):
        taken, inserted = [], []
        start = a
        while b < len(before) and before[b] not in kept:
            taken.append(before[b])
            b += 1
        while a < len(after) and after[a] not in kept:
            inserted.append(after[a])
            a += 1
        if taken or inserted:
            hunks.append(Hunk(inserted, taken, [n for n, _ in after[:start]], [n for n, _ in after[a:]]))
        b, a = b + 1, a + 1
    return hunks


def restorations(chars: Sequence[Character], hunks: Sequence[Hunk]) -> Iterator[list[Character]]:
    """Every text that taking the hunks back may lead to, the certain one first."""
    if not hunks:
        yield list(chars)
        return
    hunk, rest = hunks[0], hunks[1:]
    if hunk.put:
        found = find(chars, hunk.put)
        expected = text_of(hunk.put)
        content = text_of(chars)
        starts = [found] if found is not None else [i for i in range(len(content)) if content.startswith(expected, i)]
    else:
        alive = [number for number, _ in chars]
        low = max((alive.index(n) + 1 for n in hunk.left if n in alive), default=0)
        high = min((alive.index(n) for n in hunk.right if n in alive), default=len(alive))
        starts = list(range(low, high + 1)) or list(range(len(alive) + 1))
    for start in starts:
        yield from restorations([*chars[:start], *hunk.taken, *chars[start + len(hunk.put) :]], rest)
