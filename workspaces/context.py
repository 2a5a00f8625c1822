"""The bounded projection of a workspace: what the assistant's read tool and `GET context` give. Contract section 8.

Pages hold whole documents, in a fixed order a surface, up to a number of encoded bytes. Texts are cut at 4,000
characters. Contact details are left out unless the workspace's setting lets them through; trashed documents always are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .clock import rfc3339
from .documents.schema import KINDS, STAGES, DocumentKind
from .documents.state import DocumentState
from .errors import Flaw, InvalidRequest, NotFound
from .models import Document, Event, Workspace
from .queries import read_cursor, rows_without_content, states_of, write_cursor
from .shapes import items_json

SURFACES = ("overview", "board", "profile", "application", "notes", "letters", "plan", "jobs")
MAX_BYTES = 28 * 1024
MAX_TEXT = 4_000
# What a page says beside its documents: surface, truncated, omitted, next_cursor and the names of its parts.
FRAME_BYTES = 200


@dataclass(frozen=True, slots=True)
class Depth:
    """How much of a document a page shows: all its sections or some, its texts or not."""

    sections: tuple[str, ...] | None = None
    texts: bool = True


FULL = Depth()
CARD = Depth(sections=("interviews", "checklist"), texts=False)
HEAD = Depth(sections=(), texts=False)

# Which kinds a surface shows, in which order, and how deep.
_SURFACE_KINDS: dict[str, tuple[tuple[str, Depth], ...]] = {
    "overview": (("plan", FULL), ("profile", HEAD), ("application", CARD), ("note", HEAD), ("letter", HEAD)),
    "board": (("application", CARD),),
    "application": (("application", CARD), ("note", HEAD), ("letter", HEAD)),
    "profile": (("profile", FULL),),
    "notes": (("note", FULL), ("application", HEAD)),
    "letters": (("letter", FULL), ("application", HEAD)),
    "plan": (("plan", FULL), ("application", HEAD)),
    "jobs": (("plan", FULL), ("application", HEAD)),
}


def get_context(
    *,
    workspace: str,
    surface: str | None,
    document: str | None,
    job: str | None,
    cursor: str | None,
    contact_details: bool | None = None,
    max_bytes: int = MAX_BYTES,
) -> dict[str, Any]:
    """One page of the projection. `document` or `job` (a JobCache role id) narrows it to one document.

    Raises InvalidRequest for an unknown surface or cursor, NotFound for a document that is not there or is trashed.
    """
    if surface is not None and surface not in SURFACES:
        message = f"This must be one of {', '.join(SURFACES)}."
        raise InvalidRequest(message, flaws=[Flaw("surface", "choice", message)])
    if contact_details is None:
        contact_details = _setting(workspace)
    if document is not None or job is not None:
        rows = [_one(workspace, document, job)]
        depths = [FULL]
    else:
        rows, depths = _rows_of(workspace, surface or "overview")
    start = min(read_cursor(cursor) or 0, len(rows))
    page = _Page(max_bytes=max_bytes, contact_details=contact_details)
    taken = page.fill(rows[start:], depths[start:])
    end = start + taken
    return {
        "surface": surface,
        **page.result(),
        "truncated": page.cut or end < len(rows),
        "omitted": len(rows) - end,
        "next_cursor": write_cursor(end) if end < len(rows) else None,
    }


def project_documents(*, workspace: str, documents: Sequence[str], max_bytes: int = 16 * 1024) -> dict[str, Any]:
    """A fresh projection of just these documents, for a refusal over stale clocks.

    Unknown and trashed ones are left out.
    """
    found = {
        row.doc_id: row
        for row in rows_without_content(workspace).filter(doc_id__in=list(documents)).exclude(state="trashed")
    }
    rows = [found[doc_id] for doc_id in documents if doc_id in found]
    page = _Page(max_bytes=max_bytes, contact_details=_setting(workspace))
    taken = page.fill(rows, [FULL] * len(rows))
    return {**page.result(), "truncated": page.cut or taken < len(rows), "omitted": len(rows) - taken}


def _setting(workspace: str) -> bool:
    values = Workspace.objects.filter(id=workspace).values_list("assistant_sees_contact_details", flat=True)
    return bool(values.first())


def _one(workspace: str, document: str | None, job: str | None) -> Document:
    rows = rows_without_content(workspace).exclude(state="trashed")
    if document is not None:
        row = rows.filter(doc_id=document).first()
    else:
        applications = states_of(list(rows.filter(kind="application")))
        row = next((row for row, state, _ in applications if state.fields.get("role") == job), None)
    if row is None:
        raise NotFound("There is no such document here.")
    return row


def _rows_of(workspace: str, surface: str) -> tuple[list[Document], list[Depth]]:
    kinds = dict(_SURFACE_KINDS[surface])
    order = list(kinds)
    rows = list(rows_without_content(workspace).filter(state="active", kind__in=order))
    stage = {name: index for index, name in enumerate(STAGES)}
    rows.sort(key=lambda r: (order.index(r.kind), stage.get(r.stage, 0), r.rank, -r.pk))
    return rows, [kinds[row.kind] for row in rows]


class _Page:
    """Documents up to a number of bytes, each cut at item boundaries where it alone is too large."""

    def __init__(self, *, max_bytes: int, contact_details: bool) -> None:
        self.room = max_bytes - FRAME_BYTES
        self.contact_details = contact_details
        self.cut = False
        self.clocks: dict[str, int] = {}
        self.documents: list[dict[str, Any]] = []
        self.provenance: dict[str, dict[str, str]] = {}

    def fill(self, rows: Sequence[Document], depths: Sequence[Depth]) -> int:
        """Adds documents while there is room; gives how many it took, at least one."""
        taken = 0
        # Opened a few at a time: a page seldom needs all of a large workspace.
        for start in range(0, len(rows), 50):
            chunk = rows[start : start + 50]
            origins = _origins(chunk)
            found = states_of(chunk)
            if len(found) < len(chunk):  # active a moment ago: the workspace was erased since
                raise NotFound
            for (row, state, clock), depth in zip(found, depths[start : start + 50], strict=True):
                entry = self._project(row, state, clock, depth)
                origin = origins.get(row.last_event)
                room = self.room - _size([{row.doc_id: clock}, {row.doc_id: origin}])
                size = _size(entry)
                if size > room and taken:
                    return taken
                if size > room:
                    _shrink(entry, room)
                self.cut = self.cut or bool(entry["cut"])
                self.room = room - _size(entry)
                self.documents.append(entry)
                self.clocks[row.doc_id] = clock
                if origin is not None:
                    self.provenance[row.doc_id] = origin
                taken += 1
        return taken

    def _project(self, row: Document, state: DocumentState, clock: int, depth: Depth) -> dict[str, Any]:
        kind = KINDS[row.kind]
        cut: list[str] = []
        texts = {}
        for name, text in state.texts.items() if depth.texts else ():
            if text:
                texts[name] = self._shorten(text, f"texts/{name}", cut)
        sections = {}
        for name, items in state.sections.items():
            if items and (depth.sections is None or name in depth.sections):
                sections[name] = [self._item(kind, name, item, cut) for item in items_json(items)]
        fields = {
            name: self._shorten(value, f"fields/{name}", cut)
            for name, value in state.fields.items()
            if name != "rank" and (self.contact_details or not kind.fields[name].private)
        }
        entry = {"id": row.doc_id, "kind": row.kind, "clock": clock, "state": state.state, "fields": fields}
        return {**entry, "sections": sections, "texts": texts, "cut": list(dict.fromkeys(cut))}

    def _item(self, kind: DocumentKind, section: str, item: dict[str, Any], cut: list[str]) -> dict[str, Any]:
        types = kind.sections[section]
        return {
            name: self._shorten(value, f"sections/{section}/{item['id']}/{name}", cut)
            for name, value in item.items()
            if name == "id" or self.contact_details or not types[name].private
        }

    def _shorten(self, value: Any, path: str, cut: list[str]) -> Any:
        if isinstance(value, str) and len(value) > MAX_TEXT:
            cut.append(path)
            return value[:MAX_TEXT]
        if isinstance(value, list):
            return [self._shorten(entry, path, cut) for entry in value]
        return value

    def result(self) -> dict[str, Any]:
        return {"clocks": self.clocks, "documents": self.documents, "provenance": self.provenance}


def _origins(rows: Sequence[Document]) -> dict[str, dict[str, str]]:
    """Who made each of the rows' last events, and when."""
    events = Event.objects.filter(id__in={row.last_event for row in rows if row.last_event})
    return {
        event.id: {"actor_class": event.actor_class, "actor": event.actor, "at": rfc3339(event.at)} for event in events
    }


def _size(value: Any) -> int:
    """Encoded bytes, with what separates the value from its neighbours."""
    return len(json.dumps(value, ensure_ascii=False).encode()) + 2


def _shrink(entry: dict[str, Any], room: int) -> None:
    """Takes items off the longest section, then text, until the document fits; notes what was cut."""
    while _size(entry) > room:
        sections = entry["sections"]
        longest = max(sections, key=lambda name: _size(sections[name]), default=None)
        if longest is not None:
            keep = len(sections[longest]) // 2
            gone = tuple(f"sections/{longest}/{item['id']}/" for item in sections[longest][keep:])
            entry["cut"] = [path for path in entry["cut"] if not path.startswith(gone)]
            sections[longest] = sections[longest][:keep]
            _note(entry, f"sections/{longest}")
            if not keep:
                del sections[longest]
            continue
        for group in ("texts", "fields"):
            values = entry[group]
            widest = max(values, key=lambda name: _size(values[name]), default=None)
            if widest is not None and _size(values[widest]) > 80:
                value = values[widest]
                values[widest] = value[: len(value) // 2]
                _note(entry, f"{group}/{widest}")
                break
        else:
            return


def _note(entry: dict[str, Any], path: str) -> None:
    if path not in entry["cut"]:
        entry["cut"].append(path)
