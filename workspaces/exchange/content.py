"""What a document in a file says, checked against its declaration: values normalised, flaws and remarks by path.

Above: `workspace_file`. Below: the documents' schema and value types. Pure: knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import Edit, PutItem, SetField, Splice
from workspaces.documents.schema import MAX_ITEMS, MAX_STATE_BYTES, SYSTEM_FIELDS, DocumentKind, Fields
from workspaces.documents.values import MAX_TEXT, ValueFlaw, ValueType, check_value, clean_string
from workspaces.errors import Flaw

MAX_FLAWS = 50
MAX_REMARKS = 500
# An encoded document is never larger than this many times its values written as UTF-8, and some bytes for each.
_BYTES_A_VALUE = 120


@dataclass
class Findings:
    """Flaws refuse the file, remarks go into the report. Both are counted, and kept up to a limit."""

    flaws: list[Flaw] = field(default_factory=list)
    flaw_count: int = 0
    remarks: list[dict[str, str]] = field(default_factory=list)
    remark_count: int = 0

    def flaw(self, path: str, code: str, message: str) -> None:
        self.flaw_count += 1
        if len(self.flaws) < MAX_FLAWS:
            self.flaws.append(Flaw(path, code, message))

    def remark(self, path: str, code: str, message: str) -> None:
        self.remark_count += 1
        if len(self.remarks) < MAX_REMARKS:
            self.remarks.append({"path": path, "code": code, "message": message})

    def report(self) -> list[dict[str, str]]:
        left_out = self.remark_count - len(self.remarks)
        more = [{"path": "", "code": "more", "message": f"And {left_out:,} more."}] if left_out else []
        return [*self.remarks, *more]


@dataclass(frozen=True, slots=True)
class Content:
    """A document's values. References still name ids of the file. `rank` orders applications of one stage."""

    fields: Mapping[str, Any]
    sections: Mapping[str, Sequence[Mapping[str, Any]]]
    texts: Mapping[str, str]
    rank: str | None = None


def read_content(kind: DocumentKind, data: Mapping[str, Any], path: str, found: Findings) -> Content:
    """The document's content. What does not fit is a flaw; what has no place is a remark."""
    given = _mapping(data.get("fields"), f"{path}/fields", found)
    if given.get("role") is not None and "role" in kind.fields:
        found.remark(f"{path}/fields/role", "not_stored", "Only saving a job from the search links it to an ad.")
    rank = (
        _value(given.get("rank"), kind.fields["rank"], f"{path}/fields/rank", found) if "rank" in kind.fields else None
    )
    values = {name: value for name, value in given.items() if name not in SYSTEM_FIELDS or name not in kind.fields}
    fields = _values(kind.fields, values, f"{path}/fields", found)
    sections = {}
    for name, items in _mapping(data.get("sections"), f"{path}/sections", found).items():
        place = f"{path}/sections/{_short(name)}"
        if name not in kind.sections:
            found.flaw(place, "unknown_section", "This document has no such section.")
        elif not isinstance(items, list):
            found.flaw(place, "type", "This must be a list of items.")
        elif len(items) > MAX_ITEMS:
            found.flaw(place, "too_many", f"A section holds at most {MAX_ITEMS} items; this has {len(items):,}.")
        else:
            sections[name] = [_item(kind.sections[name], item, f"{place}/{i}", found) for i, item in enumerate(items)]
    texts = {}
    for name, content in _mapping(data.get("texts"), f"{path}/texts", found).items():
        if name not in kind.texts:
            found.flaw(f"{path}/texts/{_short(name)}", "unknown_text", "This document has no such text.")
        elif content is not None:
            try:
                texts[name] = clean_string(content, maximum=MAX_TEXT, newlines=True)
            except ValueFlaw as flaw:
                found.flaw(f"{path}/texts/{name}", flaw.code, flaw.message)
    return Content(fields=fields, sections=sections, texts=texts, rank=rank)


def is_too_large(kind: DocumentKind, content: Content) -> bool:
    """Whether a document of this content would pass the limit of a document's encoded size."""
    items = [item for entries in content.sections.values() for item in entries]
    strings: list[Any] = [*content.texts.values(), *content.fields.values()]
    strings += [entry for item in items for value in item.values() for entry in _parts(value)]
    rough = sum(len(str(entry).encode()) + _BYTES_A_VALUE for entry in strings) + len(items) * _BYTES_A_VALUE
    if rough <= MAX_STATE_BYTES:
        return False
    ydoc, _ = yjs.create(kind, 1)
    edits: list[Edit] = [SetField(name, value) for name, value in content.fields.items()]
    for section, entries in content.sections.items():
        edits += [PutItem(section, f"itm_{i:026}", {"rank": f"a{i:03}", **item}) for i, item in enumerate(entries)]
    edits += [Splice(name, 0, "", text, "") for name, text in content.texts.items() if text]
    yjs.apply_edits(ydoc, edits)
    return len(ydoc.encode()) > MAX_STATE_BYTES


def _parts(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _short(name: str) -> str:
    return name[:60]


def _mapping(value: Any, path: str, found: Findings) -> Mapping[str, Any]:
    if value is None or isinstance(value, dict):
        return value or {}
    found.flaw(path, "type", "This must be an object.")
    return {}


def _item(fields: Fields, item: Any, path: str, found: Findings) -> Mapping[str, Any]:
    values = dict(_mapping(item, path, found))
    # The file's own name for the item: the workspace gives a new one.
    if not isinstance(values.pop("id", ""), str):
        found.flaw(f"{path}/id", "type", "This must be text.")
    return _values(fields, values, path, found)


def _values(fields: Fields, values: Mapping[str, Any], path: str, found: Findings) -> dict[str, Any]:
    checked = {}
    for name, value in values.items():
        if name not in fields:
            found.flaw(f"{path}/{_short(name)}", "unknown_field", "There is no such field.")
        elif value is not None:
            checked[name] = _value(value, fields[name], f"{path}/{name}", found)
    return checked


def _value(value: Any, kind: ValueType, path: str, found: Findings) -> Any:
    try:
        return check_value(value, kind)
    except ValueFlaw as flaw:
        if flaw.code == "url" and isinstance(value, str) and "." in value and ":" not in value:
            try:
                whole = check_value(f"https://{value.strip()}", kind)
            except ValueFlaw:
                pass
            else:
                found.remark(path, "url", "https:// was put before the address.")
                return whole
        found.flaw(path, flaw.code, flaw.message)
        return None
