"""What the item operations share: a section's members with their ranks, an item that must be there, the item limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspaces.documents.draft import Draft
from workspaces.documents.schema import MAX_ITEMS
from workspaces.documents.state import ordered_items
from workspaces.errors import CardinalityExceeded

from .base import OperationFlaw
from .positions import Siblings


def siblings(draft: Draft, section: str) -> Siblings:
    return [(item, str(values.get("rank", ""))) for item, values in ordered_items(draft.items(section))]


def require_item(draft: Draft, section: str, item: str) -> Mapping[str, Any]:
    values = draft.items(section).get(item)
    if values is None:
        raise OperationFlaw("item", "unknown_item", "There is no such item in this section.")
    return values


def require_item_room(draft: Draft, section: str) -> None:
    if len(draft.items(section)) >= MAX_ITEMS:
        raise CardinalityExceeded(
            f"A section holds at most {MAX_ITEMS} items.",
            details={"document": draft.doc_id, "section": section, "maximum": MAX_ITEMS},
        )
