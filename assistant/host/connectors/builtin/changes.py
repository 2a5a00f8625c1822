"""Building operations in the wire's form, and checking them before anything is called.

Lists of `{"field", "value"}` and `{"text", "content"}`; only values of known kinds and bounded size pass `checked`.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .outcome import CannotDo, Operation
from .workspace import Document

MAX_OPERATIONS = 20
MAX_LINE = 500
MAX_CONTENT = 50_000
_MULTILINE = frozenset({"summary", "note", "description", "reference"})


def pairs(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`{"title": "X"}` → `[{"field": "title", "value": "X"}]`; what is None stays out."""
    return [{"field": name, "value": value} for name, value in values.items() if value is not None]


def create(name: str, kind: str, fields: Mapping[str, Any], texts: Mapping[str, str] | None = None) -> Operation:
    return {
        "kind": "document.create",
        "document": f"new:{name}",
        "document_kind": kind,
        "fields": pairs(fields),
        "texts": [{"text": text, "content": content} for text, content in (texts or {}).items()],
    }


def set_field(document: Document, field: str, value: Any) -> Operation:
    return {"kind": "field.set", "document": document.id, "field": field, "value": value}


def move_stage(document: Document, stage: str) -> Operation:
    return {"kind": "application.move_stage", "document": document.id, "stage": stage, "position": None}


def add_item(document: Document, section: str, item: Mapping[str, Any]) -> Operation:
    return {"kind": "item.add", "document": document.id, "section": section, "item": pairs(item), "position": None}


def update_item(document: Document, section: str, item: str, changes: Mapping[str, Any]) -> Operation:
    return {
        "kind": "item.update",
        "document": document.id,
        "section": section,
        "item": item,
        "changes": [{"field": name, "value": value} for name, value in changes.items()],
    }


def append(document: Document, text: str, content: str) -> Operation:
    """Adds a line; it starts on a line of its own where there is text already."""
    existing = document.text(text)
    if not existing:
        lead = ""
    elif existing.endswith("\n"):
        lead = ""
    else:
        # Letters and other prose with blank lines get a paragraph, lists and short notes a line.
        lead = "\n\n" if "\n\n" in existing else "\n"
    return {"kind": "text.append", "document": document.id, "text": text, "content": lead + content}


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def short_title(text: str, limit: int = 60) -> str:
    """The first words of a text, as a title: verbatim, without the Markdown marks of its line."""
    first = one_line(next((line for line in text.splitlines() if line.strip()), text))
    first = re.sub(r"^(?:[#>*-]+|\d+[.)])\s+", "", first)
    if len(first) <= limit:
        return first.rstrip(".,;: ") or first
    return first[: limit + 1].rsplit(" ", 1)[0][:limit].rstrip(".,;: ") + "…"


def checked(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """The batch if it is within the limits. Raises CannotDo with what is too much."""
    if len(operations) > MAX_OPERATIONS:
        raise CannotDo("That would be too many changes at once. Please ask for fewer; nothing was changed.")
    for operation in operations:
        for entry in [
            *operation.get("fields", ()),
            *(_entries(operation.get("item"))),
            *operation.get("changes", ()),
            operation,
        ]:
            value = entry.get("value") if isinstance(entry, Mapping) else None
            if isinstance(value, str):
                limit = 5_000 if entry.get("field") in _MULTILINE else MAX_LINE
                if len(value) > limit:
                    raise CannotDo(
                        f"The {str(entry.get('field')).replace('_', ' ')} is too long to be stored. Nothing was changed."
                    )
        content = operation.get("content")
        if isinstance(content, str) and len(content) > MAX_CONTENT:
            raise CannotDo("That text is too long. Nothing was changed.")
    return tuple(operations)


def _entries(item: Any) -> Sequence[Any]:
    return item if isinstance(item, (list, tuple)) else ()
