"""A workspace's own export, read again: the whole file is checked, then it becomes operations on new documents.

Above: the engine (`imports`). Below: `content`, `merging`. Pure: knows no database. Documents only: history, receipts,
threads, links and settings in the file are looked at by name and left alone. Contract section 7; ADR 0009.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workspaces.documents.schema import KINDS, MAX_STATE_BYTES, STAGES, STATES, DocumentKind, Fields
from workspaces.documents.state import DocumentState
from workspaces.errors import CardinalityExceeded, InvalidRequest
from workspaces.operations.fields import ULID

from .content import Content, Findings, is_too_large, read_content
from .import_plan import ImportPlan, NewDocument, Operation
from .merging import merge

FORMAT = "careervector.workspace"
VERSION = 1
_ROOT = frozenset(
    {
        "format", "version", "exported_at", "workspace", "settings", "links", "documents", "history", "receipts",
        "threads",
    }
)  # fmt: skip
_DOCUMENT = frozenset(
    {
        "id", "kind", "clock", "state", "archived", "fields", "sections", "texts", "role_snapshot", "last_event",
        "created_at", "updated_at",
    }
)  # fmt: skip
_ID = re.compile(rf"(?:profile|plan|(?:application|note|letter):{ULID})")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One document of the file that will be brought in."""

    path: str
    doc_id: str
    kind: DocumentKind
    content: Content
    archived: bool


def is_workspace_file(data: Mapping[str, Any]) -> bool:
    """It says so itself."""
    return str(data.get("format")).startswith("careervector.")


def read_workspace_file(
    data: Mapping[str, Any], *, singletons: Mapping[str, DocumentState], present: Mapping[str, int]
) -> ImportPlan:
    """The plan of an import. `singletons` is what the workspace holds in profile and plan, `present` counts its other
    documents by kind.

    Raises InvalidRequest with every flaw (the first 50 of them), or CardinalityExceeded.
    """
    found = Findings()
    entries = _entries(data, found)
    _check_sizes(entries, found)
    _refuse(found)
    counts = {name: sum(entry.kind.name == name for entry in entries) for name in KINDS}
    for name, kind in KINDS.items():
        if not kind.singleton and present.get(name, 0) + counts[name] > kind.maximum:
            raise CardinalityExceeded(
                f"A workspace holds at most {kind.maximum} documents of the kind {name}; this one has"
                f" {present.get(name, 0):,} and the file {counts[name]:,}.",
                details={"kind": name, "maximum": kind.maximum, "present": present.get(name, 0), "more": counts[name]},
            )
    names = {entry.doc_id: NewDocument(f"new:{entry.kind.name}-{index}") for index, entry in enumerate(entries)}
    names = {doc_id: name for doc_id, name in names.items() if not KINDS[doc_id.partition(":")[0]].singleton}
    groups: list[Sequence[Operation]] = []
    # Applications first: the others name them.
    for name in ("application", "note", "letter", "plan", "profile"):
        for entry in _in_board_order([entry for entry in entries if entry.kind.name == name]):
            content = _with_references(entry, names, found)
            if entry.kind.singleton:
                groups.append(merge(entry.kind, singletons[name], content, entry.path, found))
            else:
                groups.append(_creation(entry, content, names[entry.doc_id]))
    _refuse(found)
    return ImportPlan(
        kind="workspace",
        groups=[group for group in groups if group],
        counts={name: count for name, count in counts.items() if count},
        report=found.report(),
    )


def _refuse(found: Findings) -> None:
    if found.flaws:
        raise InvalidRequest(
            "The file cannot be brought in as it is; nothing was changed.",
            details={"flaws": found.flaw_count},
            flaws=found.flaws,
        )


def _entries(data: Mapping[str, Any], found: Findings) -> list[_Entry]:
    if data.get("format") != FORMAT:
        found.flaw("format", "unknown_format", f"This must be {FORMAT}.")
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        found.flaw("version", "unknown_version", f"Only version {VERSION} of the format can be read here.")
    if found.flaws:
        return []
    for name in data:
        if name not in _ROOT:
            found.flaw(name[:60], "unknown_field", "An export has no such part.")
    documents = data.get("documents")
    if not isinstance(documents, list):
        found.flaw("documents", "type" if "documents" in data else "required", "This must be the list of documents.")
        return []
    seen: set[str] = set()
    entries = [_entry(document, f"documents/{index}", seen, found) for index, document in enumerate(documents)]
    return [entry for entry in entries if entry is not None]


def _entry(document: Any, path: str, seen: set[str], found: Findings) -> _Entry | None:
    if not isinstance(document, dict):
        found.flaw(path, "type", "A document is an object.")
        return None
    for name in document:
        if name not in _DOCUMENT:
            found.flaw(f"{path}/{name[:60]}", "unknown_field", "A document has no such part.")
    doc_id, state = document.get("id"), _state(document)
    if not isinstance(doc_id, str) or not _ID.fullmatch(doc_id):
        found.flaw(f"{path}/id", "pattern", "This must be a document's id such as profile or application:01J….")
        return None
    kind = KINDS[doc_id.partition(":")[0]]
    if document.get("kind", kind.name) != kind.name:
        found.flaw(f"{path}/kind", "wrong_kind", "This must be the kind that the id says.")
    if doc_id in seen:
        found.flaw(f"{path}/id", "duplicate", "Another document of the file has this id.")
    seen.add(doc_id)
    if state is None or (kind.singleton and state != "active"):
        found.flaw(f"{path}/state", "choice", "This is not a state that the document can have.")
    content = read_content(kind, document, path, found)
    if state == "trashed":
        found.remark(path, "trashed", "A document in the trash is not brought in.")
        return None
    return _Entry(path=path, doc_id=doc_id, kind=kind, content=content, archived=state == "archived")


def _state(document: Mapping[str, Any]) -> str | None:
    archived = document.get("archived", False)
    state = document.get("state", "archived" if archived is True else "active")
    fits = isinstance(archived, bool) and isinstance(state, str) and state in STATES
    return state if fits else None


def _check_sizes(entries: Sequence[_Entry], found: Findings) -> None:
    for entry in entries:
        if not found.flaws and is_too_large(entry.kind, entry.content):
            found.flaw(entry.path, "too_large", f"A document holds at most {MAX_STATE_BYTES // 1024} KiB.")


def _in_board_order(entries: list[_Entry]) -> list[_Entry]:
    """Each stage's applications by their rank, on the places in the file that applications of that stage have.

    A new card goes to the end of its column, so making them in this order keeps every column's order, and the list's
    as far as that allows. Cards without a rank follow those with one.
    """
    columns: dict[Any, list[_Entry]] = {}
    for entry in entries:
        columns.setdefault(_stage(entry), []).append(entry)
    ordered = {stage: iter(sorted(column, key=_place)) for stage, column in columns.items()}
    return [next(ordered[_stage(entry)]) for entry in entries]


def _place(entry: _Entry) -> tuple[bool, str, str]:
    rank = entry.content.rank
    return (True, "", "") if rank is None else (False, rank, entry.doc_id)


def _stage(entry: _Entry) -> Any:
    return entry.content.fields.get("stage", STAGES[0])


def _with_references(entry: _Entry, names: Mapping[str, NewDocument], found: Findings) -> Content:
    """The content with references to the file's documents turned into references to the new ones."""

    def resolved(fields: Fields, values: Mapping[str, Any], path: str) -> dict[str, Any]:
        kept = {}
        for name, value in values.items():
            if fields[name].name != "reference":
                kept[name] = value
            elif value in names:
                kept[name] = names[value]
            else:
                found.remark(f"{path}/{name}", "reference", "What this names is not brought in, so it is left out.")
        return kept

    content = entry.content
    return replace(
        content,
        fields=resolved(entry.kind.fields, content.fields, f"{entry.path}/fields"),
        sections={
            section: [
                resolved(entry.kind.sections[section], item, f"{entry.path}/sections/{section}/{index}")
                for index, item in enumerate(items)
            ]
            for section, items in content.sections.items()
        },
    )


def pairs(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"field": name, "value": value} for name, value in values.items()]


def _creation(entry: _Entry, content: Content, name: NewDocument) -> list[Operation]:
    operations: list[Operation] = [
        {
            "kind": "document.create",
            "document": name,
            "document_kind": entry.kind.name,
            "fields": pairs(content.fields),
            "texts": [{"text": text, "content": value} for text, value in content.texts.items() if value],
        }
    ]
    operations += [
        {"kind": "item.add", "document": name, "section": section, "item": pairs(item)}
        for section, items in content.sections.items()
        for item in items
    ]
    if entry.archived:
        operations.append({"kind": "document.archive", "document": name})
    return operations
