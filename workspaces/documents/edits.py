"""The primitive edits that a plan is made of. `ydoc.apply_edits` carries them out; nothing else changes a Yjs document.

They hold only checked, plain values, so that applying them cannot fail for a reason of the input's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SetField:
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class SetMeta:
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class PutItem:
    """A whole item, new to its section; `values` holds its `rank`."""

    section: str
    item: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DropItem:
    section: str
    item: str


@dataclass(frozen=True, slots=True)
class SetItemValue:
    section: str
    item: str
    name: str
    value: Any


@dataclass(slots=True)
class Splice:
    """`delete` gives way to `insert` at character `at` of the text whose content was `before`.

    `anchor` is filled in when the edit is carried out: the place of the inserted text, to find it again for an undo.
    `original` text came with its document and is never taken back by itself.
    """

    text: str
    at: int
    delete: str
    insert: str
    before: str
    anchor: dict[str, Any] | None = field(default=None)
    original: bool = False


@dataclass(frozen=True, slots=True)
class MergeText:
    """A client's own Yjs update, checked: it takes the text to the content `after`, and touches nothing else."""

    text: str
    update: bytes
    after: str


Edit = SetField | SetMeta | PutItem | DropItem | SetItemValue | Splice | MergeText


def minimal_splice(text: str, before: str, after: str) -> Splice | None:
    """The smallest single splice from one content to another (carets elsewhere stay), or None when they are equal."""
    if before == after:
        return None
    limit = min(len(before), len(after))
    start = 0
    while start < limit and before[start] == after[start]:
        start += 1
    end = 0
    while end < limit - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Splice(
        text=text,
        at=start,
        delete=before[start : len(before) - end],
        insert=after[start : len(after) - end],
        before=before,
    )
