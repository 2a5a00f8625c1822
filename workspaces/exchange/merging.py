"""Profile and plan are there from the start: what a file says of them joins what they hold, and nothing gets lost.

A field of the file wins and the report says so; an item that is there already stays single; a text that is not there
yet follows what is. Above: `workspace_file`. Pure: knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspaces.commits import json_text
from workspaces.documents.schema import MAX_ITEMS, MAX_STATE_BYTES, DocumentKind
from workspaces.documents.state import DocumentState, ordered_items
from workspaces.documents.values import MAX_TEXT

from .content import Content, Findings, is_too_large
from .import_plan import Operation


def merge(kind: DocumentKind, current: DocumentState, content: Content, path: str, found: Findings) -> list[Operation]:
    """The operations that bring the content into the singleton as it is now. Flaws where it has no room left."""
    operations: list[Operation] = []
    fields = dict(current.fields)
    for name, value in content.fields.items():
        before = current.fields.get(name)
        if before == value:
            continue
        if before is not None:
            found.remark(f"{path}/fields/{name}", "replaced", "This took the place of another value.")
        fields[name] = value
        operations.append({"kind": "field.set", "document": kind.name, "field": name, "value": value})
    sections: dict[str, list[Mapping[str, Any]]] = {
        section: [_bare(item) for _, item in ordered_items(items)] for section, items in current.sections.items()
    }
    for section, items in content.sections.items():
        there = sections.setdefault(section, [])
        known = [json_text.encode(item) for item in there]
        for index, item in enumerate(items):
            text = json_text.encode(item)
            if text in known:
                known.remove(text)
                found.remark(f"{path}/sections/{section}/{index}", "duplicate", "Just this is there already.")
                continue
            there.append(item)
            pairs = [{"field": name, "value": value} for name, value in item.items()]
            operations.append({"kind": "item.add", "document": kind.name, "section": section, "item": pairs})
        if len(there) > MAX_ITEMS:
            found.flaw(
                f"{path}/sections/{section}", "too_many", f"Together with what is there, more than {MAX_ITEMS} items."
            )
    texts = dict(current.texts)
    for name, value in content.texts.items():
        before = current.texts.get(name, "")
        if value in before:
            if value.strip() and value != before:
                found.remark(f"{path}/texts/{name}", "duplicate", "The text that is there holds this already.")
            continue
        added = f"\n\n{value}" if before else value
        texts[name] = before + added
        if before:
            found.remark(f"{path}/texts/{name}", "appended", "This follows the text that was there.")
        if len(texts[name]) > MAX_TEXT:
            found.flaw(
                f"{path}/texts/{name}", "too_long", f"Together with what is there, over {MAX_TEXT:,} characters."
            )
        operations.append({"kind": "text.append", "document": kind.name, "text": name, "content": added})
    if operations and not found.flaws and is_too_large(kind, Content(fields, sections, texts)):
        found.flaw(path, "too_large", f"Together with what is there, more than {MAX_STATE_BYTES // 1024} KiB.")
    return operations


def _bare(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "rank"}
