"""What the splices of one batch did to a text, all together: disjoint hunks, each with the anchor to take it back by.

Taken one by one the splices could not be undone and redone: a later one may have deleted what an earlier one put in,
and what is put back has new ids. Stands on edits; knows Yjs only by the ids in anchors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .edits import Splice
from .update_bytes import Id, units

Anchor = dict[str, Any]


@dataclass(slots=True)
class Hunk:
    """`expect` stands at `anchor` now, where `content` stood before the batch."""

    text: str
    expect: str
    content: str
    anchor: Anchor | None


@dataclass(frozen=True, slots=True)
class _Kept:
    """Characters of the text before the batch."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def cut(self, start: int, end: int) -> _Kept:
        return _Kept(self.start + start, self.start + end)


@dataclass(frozen=True, slots=True)
class _New:
    """Inserted characters: the id of their first unit, and what stands on either side."""

    content: str
    first: Id
    left: Id | None
    right: Id | None

    def __len__(self) -> int:
        return len(self.content)

    @property
    def last(self) -> Id:
        return (self.first[0], self.first[1] + units(self.content) - 1)

    def cut(self, start: int, end: int) -> _New:
        client, clock = self.first
        begin, stop = clock + units(self.content[:start]), clock + units(self.content[:end])
        return replace(
            self,
            content=self.content[start:end],
            first=(client, begin),
            left=(client, begin - 1) if start else self.left,
            right=(client, stop) if end < len(self.content) else self.right,
        )


@dataclass(frozen=True, slots=True)
class _Gone:
    """The place of a deletion; holds no character."""

    id: Id

    def __len__(self) -> int:
        return 0

    def cut(self, start: int, end: int) -> _Gone:
        return self


_Piece = _Kept | _New | _Gone


def compose(splices: Sequence[Splice]) -> list[Hunk]:
    """The hunks that the splices of one text, carried out, add up to, in order. At least one, if need be empty."""
    base = splices[0].before
    pieces: list[_Piece] = [_Kept(0, len(base))] if base else []
    for splice in splices:
        pieces = _spliced(pieces, splice)
    hunks: list[Hunk] = []
    run: list[_Piece] = []
    kept_to = 0
    for piece in [*pieces, _Kept(len(base), len(base))]:
        if not isinstance(piece, _Kept):
            run.append(piece)
            continue
        new = [part for part in run if isinstance(part, _New)]
        expect, content = "".join(part.content for part in new), base[kept_to : piece.start]
        if expect or content:
            hunks.append(Hunk(splices[0].text, expect, content, _anchor(run, new)))
        run, kept_to = [], piece.end
    return hunks or [Hunk(splices[0].text, "", "", {})]


def _anchor(run: Sequence[_Piece], new: Sequence[_New]) -> Anchor | None:
    if new:
        return {"first": new[0].first, "last": new[-1].last, "left": new[0].left, "right": new[-1].right}
    gone = [piece.id for piece in run if isinstance(piece, _Gone)]
    return {"gone": gone[0]} if gone else None


def _spliced(pieces: Sequence[_Piece], splice: Splice) -> list[_Piece]:
    end = splice.at + len(splice.delete)
    before: list[_Piece] = []
    after: list[_Piece] = []
    offset = 0
    for piece in pieces:
        stop = offset + len(piece)
        if stop <= splice.at:
            before.append(piece)
        elif offset >= end:
            after.append(piece)
        else:
            if offset < splice.at:
                before.append(piece.cut(0, splice.at - offset))
            if stop > end:
                after.append(piece.cut(end - offset, len(piece)))
        offset = stop
    anchor = splice.anchor or {}
    if splice.insert:
        made: list[_Piece] = [_New(splice.insert, anchor["first"], anchor["left"], anchor["right"])]
    else:
        made = [_Gone(anchor["gone"])]
    return [*before, *made, *after]
