"""A document's content as plain values: what planning works on and what readers get.

States are never changed in place; a draft copies what it touches. Stands on schema, beside ydoc; knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Contract section 3: past this many characters the system rebalances.
MAX_RANK = 64

Item = Mapping[str, Any]

EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class DocumentState:
    """`sections` maps section → item id → values (with `rank`); a null field is absent.

    `trashed_from` is the state that `document.restore` returns to.
    """

    state: str
    fields: Mapping[str, Any]
    sections: Mapping[str, Mapping[str, Item]]
    texts: Mapping[str, str]
    trashed_from: str | None = None


def ordered_items(items: Mapping[str, Item]) -> list[tuple[str, Item]]:
    """A section's items in the order that people see: by rank, ties by id."""
    return sorted(items.items(), key=lambda entry: (entry[1].get("rank", ""), entry[0]))


def value_at(state: DocumentState, path: str) -> Any:
    """What stands at a path within one document (`DOC/fields/x`…); None where nothing does."""
    parts = path.split("/")[1:]
    if not parts:
        return {"fields": dict(state.fields), "texts": dict(state.texts)}
    match parts:
        case ["state"]:
            return state.state
        case ["fields", name]:
            return state.fields.get(name)
        case ["texts", name]:
            return state.texts.get(name, "")
        case ["sections", section, item]:
            found = state.sections.get(section, EMPTY).get(item)
            return None if found is None else {k: v for k, v in found.items() if k != "rank"}
        case ["sections", section, item, name]:
            return state.sections.get(section, EMPTY).get(item, EMPTY).get(name)
    return None


def ranks_too_long(state: DocumentState) -> bool:
    """True when a rank of the document, or of one of its items, has outgrown its limit."""
    if len(state.fields.get("rank", "")) > MAX_RANK:
        return True
    return any(len(item.get("rank", "")) > MAX_RANK for items in state.sections.values() for item in items.values())
