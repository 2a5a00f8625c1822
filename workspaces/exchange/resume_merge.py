"""What of a resume the profile does not have yet, as operations. Nothing that is there is ever removed.

Above: `resume_in`. Below: the profile's declaration. A field takes the file's value; an entry that stands in the
profile as it is in the file is left alone, one that is the same thing with other details is updated, any other is added
at the end. So a second import of the same file finds nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workspaces.documents.schema import MAX_ITEMS, MAX_STATE_BYTES
from workspaces.documents.state import DocumentState, ordered_items
from workspaces.documents.values import MAX_TEXT, ValueFlaw, clean_string

from .import_plan import Operation
from .resume_report import Report
from .resume_shape import IDENTITY

_PROFILE = "profile"
# Yjs's own bytes: for an entry with its map and rank, and for each value. Measured, then rounded up.
_ITEM_BYTES = 120
_VALUE_BYTES = 40
_ROOM = MAX_STATE_BYTES * 9 // 10
_REPLACED = "The profile had another value here; undoing the import brings it back."
_FULL = "The profile is full; this was left out."


@dataclass(frozen=True, slots=True)
class Item:
    """Values with the place in the file that they came from."""

    path: str
    values: Mapping[str, Any]


@dataclass(slots=True)
class Resume:
    """A file as it was read. `fields` and `texts`: name → an item with that one value."""

    fields: dict[str, Item] = field(default_factory=dict)
    texts: dict[str, Item] = field(default_factory=dict)
    sections: dict[str, list[Item]] = field(default_factory=dict)


def plan(*, resume: Resume, profile: DocumentState, report: Report) -> tuple[list[Operation], dict[str, int]]:
    """The operations, and how many entries of each section they add or update."""
    return _Merge(profile, report).run(resume)


class _Merge:
    def __init__(self, profile: DocumentState, report: Report) -> None:
        self._profile = profile
        self._report = report
        self._operations: list[Operation] = []
        self._counts: Counter[str] = Counter()
        self._size = (
            sum(_bytes(value) for value in profile.fields.values())
            + sum(_bytes(text) for text in profile.texts.values())
            + sum(_item_bytes(item) for items in profile.sections.values() for item in items.values())
        )

    def run(self, resume: Resume) -> tuple[list[Operation], dict[str, int]]:
        for name, item in resume.fields.items():
            self._field(name, item)
        for name, item in resume.texts.items():
            self._text(name, item)
        for section, items in resume.sections.items():
            self._section(section, items)
        return self._operations, dict(self._counts)

    def _field(self, name: str, item: Item) -> None:
        value, before = item.values[name], self._profile.fields.get(name)
        if value == before or not self._fits(_bytes(value), item):
            return
        if before:
            self._report.add(item.path, "replaced", _REPLACED, value)
        self._operations.append({"kind": "field.set", "document": _PROFILE, "field": name, "value": value})

    def _text(self, name: str, item: Item) -> None:
        value, before = item.values[name], self._profile.texts.get(name, "")
        if value == before or not self._fits(_bytes(value), item):
            return
        operation = {"kind": "text.replace", "document": _PROFILE, "text": name, "old": before, "new": value}
        if before.strip():
            if not _can_be_named(before):
                # Typed live, so not normalised: no operation can name it whole.
                self._append_text(name, item, before)
                return
            self._report.add(item.path, "replaced", _REPLACED, value)
        self._operations.append(operation)

    def _append_text(self, name: str, item: Item, before: str) -> None:
        value = item.values[name]
        if before.endswith(value):
            return
        if len(before) + len(value) + 2 > MAX_TEXT:
            self._report.add(item.path, "too_long", "There is no room behind the text that is there.", value)
            return
        self._report.add(item.path, "replaced", "The profile had another text here; this was put behind it.", value)
        content = f"\n\n{value}"
        self._operations.append({"kind": "text.append", "document": _PROFILE, "text": name, "content": content})

    # --- sections ------------------------------------------------------------------------------------------------

    def _section(self, section: str, items: Iterable[Item]) -> None:
        there = {
            item: {name: value for name, value in values.items() if name != "rank"}
            for item, values in ordered_items(self._profile.sections.get(section, {}))
        }
        room = MAX_ITEMS - len(there)
        fresh = []
        for item in items:
            same = next((known for known, values in there.items() if values == item.values), None)
            if same is None:
                fresh.append(item)
            else:
                del there[same]
        known = _once(there.items(), section)
        newer = _once(((index, item.values) for index, item in enumerate(fresh)), section)
        for index, item in enumerate(fresh):
            key = _identity(item.values, section)
            if key is not None and key in known and newer.get(key) == index:
                self._update(section, known[key], there[known[key]], item)
            elif room <= 0:
                message = f"A section holds at most {MAX_ITEMS} entries; this was left out."
                self._report.add(item.path, "cardinality", message, dict(item.values))
            elif self._fits(_item_bytes(item.values), item):
                room -= 1
                self._counts[section] += 1
                self._operations.append(
                    {"kind": "item.add", "document": _PROFILE, "section": section, "item": _pairs(item.values)}
                )

    def _update(self, section: str, known: str, before: Mapping[str, Any], item: Item) -> None:
        changes = {name: value for name, value in item.values.items() if before.get(name) != value}
        if not changes or not self._fits(_item_bytes(changes), item):
            return
        if any(before.get(name) for name in changes):
            self._report.add(item.path, "replaced", "The profile had other details here; undoing the import brings "
                             "them back.", changes)  # fmt: skip
        self._counts[section] += 1
        self._operations.append(
            {"kind": "item.update", "document": _PROFILE, "section": section, "item": known, "changes": _pairs(changes)}
        )

    def _fits(self, size: int, item: Item) -> bool:
        """Whether the profile has room for so many bytes more."""
        if self._size + size > _ROOM:
            self._report.add(item.path, "too_long", _FULL, dict(item.values))
            return False
        self._size += size
        return True


def _identity(values: Mapping[str, Any], section: str) -> tuple[str, ...] | None:
    names = IDENTITY[section]
    if not values.get(names[0]):
        return None
    return tuple(str(values.get(name, "")).casefold() for name in names)


def _once(items: Iterable[tuple[Any, Mapping[str, Any]]], section: str) -> dict[tuple[str, ...], Any]:
    """By identity, those that have theirs alone: of two that are alike none can be told to be the one."""
    found: dict[tuple[str, ...], list[Any]] = {}
    for name, values in items:
        key = _identity(values, section)
        if key is not None:
            found.setdefault(key, []).append(name)
    return {key: names[0] for key, names in found.items() if len(names) == 1}


def _pairs(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"field": name, "value": value} for name, value in values.items()]


def _can_be_named(text: str) -> bool:
    try:
        return clean_string(text, maximum=MAX_TEXT, newlines=True) == text
    except ValueFlaw:
        return False


def _bytes(value: Any) -> int:
    parts = value if isinstance(value, list) else [value]
    return sum(len(str(part).encode("utf-8", "replace")) + _VALUE_BYTES for part in parts)


def _item_bytes(values: Mapping[str, Any]) -> int:
    return _ITEM_BYTES + sum(_bytes(value) + len(name) for name, value in values.items())
