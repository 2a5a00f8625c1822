"""The plain model's nouns: documents, events, a run of work, and places in an order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.properties.text_model import Character, Hunk

# (document, section) → the id of the item that was added there.
NewItem = Callable[[str, str], str]
PEOPLE_ONLY = {"document.trash", "document.restore", "item.remove"}


class Refused(Exception):
    """The model would refuse this."""


@dataclass
class Document:
    state: str = "active"
    trashed_from: str = "active"
    fields: dict[str, Any] = field(default_factory=dict)
    # Section → items in order: (id, values).
    sections: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    texts: dict[str, list[Character]] = field(default_factory=dict)


@dataclass
class Event:
    id: str
    receipt: str
    paths: set[str]
    agent: bool
    turn: str | None
    thread: str | None
    undoes: list[str] = field(default_factory=list)
    undone_by: str | None = None
    # Steps that take it back, newest first, and the hunks of its texts.
    inverse: list[tuple[Any, ...]] = field(default_factory=list)
    hunks: dict[tuple[str, str], list[Hunk]] = field(default_factory=dict)


@dataclass
class Run:
    """What one batch or undo has done so far."""

    paths: set[str] = field(default_factory=set)
    inverse: list[tuple[Any, ...]] = field(default_factory=list)
    created: set[str] = field(default_factory=set)
    touched_state: set[str] = field(default_factory=set)

    def note(self, path: str | None, step: tuple[Any, ...] | None) -> None:
        if path is not None:
            self.paths.add(path)
        if step is not None:
            self.inverse.insert(0, step)


def put(values: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


def beside(order: Sequence[str], member: str) -> tuple[str | None, str | None]:
    index = list(order).index(member)
    return (order[index - 1] if index else None, order[index + 1] if index + 1 < len(order) else None)


def place(order: Sequence[str], position: Any) -> int:
    """The index at which a newcomer goes: by a request's position, or between the neighbours of an inverse."""
    if isinstance(position, tuple):
        left, right = position
        if left in order:
            return list(order).index(left) + 1
        if right in order:
            return list(order).index(right)
        return 0 if left is None and right is not None else len(order)
    if position == "start":
        return 0
    if isinstance(position, Mapping):
        if position["after"] not in order:
            raise Refused("neighbour")
        return list(order).index(position["after"]) + 1
    return len(order)


def overlap(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")
