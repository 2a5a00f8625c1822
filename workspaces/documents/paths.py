"""Paths name parts of a document: `DOC`, `DOC/state`, `DOC/fields/F`, `DOC/sections/S/ITEM[/F]`, `DOC/texts/T`.

They are what receipts, events and undo conflicts speak of. Ids hold no slash, so paths need no escaping.
"""

from __future__ import annotations

from collections.abc import Iterable


def state_path(doc: str) -> str:
    return f"{doc}/state"


def field_path(doc: str, field: str) -> str:
    return f"{doc}/fields/{field}"


def item_path(doc: str, section: str, item: str) -> str:
    return f"{doc}/sections/{section}/{item}"


def item_field_path(doc: str, section: str, item: str, field: str) -> str:
    return f"{doc}/sections/{section}/{item}/{field}"


def text_path(doc: str, text: str) -> str:
    return f"{doc}/texts/{text}"


def document_of(path: str) -> str:
    return path.partition("/")[0]


def is_text_path(path: str) -> bool:
    return path.partition("/")[2].startswith("texts/")


def overlap(one: str, other: str) -> bool:
    """True when the paths are equal or one contains the other."""
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def within(path: str, touched: Iterable[str]) -> bool:
    """True when `path` lies at or below one of `touched`."""
    return any(path == t or path.startswith(t + "/") for t in touched)
