"""The workspace's own part of an export: documents, history, receipts, settings and the links' labels.

Above: `assistant.facade`, which adds the threads and reads all of it at one moment (`sql.snapshot`). Documents come
straight from their logs: the warm copies may be ahead of that moment, and thousands of them would push others out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workspaces.clock import now, rfc3339
from workspaces.commits.lookups import read_log
from workspaces.documents import ydoc as yjs
from workspaces.documents.schema import KINDS
from workspaces.documents.state import DocumentState
from workspaces.errors import NotFound
from workspaces.models import Document, Event, Link, Receipt, Workspace
from workspaces.shapes import document_json, event_json, receipt_json

from .workspace_file import FORMAT, VERSION

_PAGE = 500


def export_parts(*, workspace: str, history: bool = True) -> dict[str, Any]:
    """The export's members in their order; lists are iterators over the database. Raises NotFound.

    Trashed documents are in it too, marked by their state. Without `history` what an import can take remains.
    """
    row = Workspace.objects.filter(id=workspace, erased_at=None).first()
    if row is None:
        raise NotFound
    return {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": rfc3339(now()),
        "workspace": {"id": row.id, "label": row.label, "created_at": rfc3339(row.created_at), "seq": row.seq},
        "settings": {
            "assistant_sees_contact_details": row.assistant_sees_contact_details,
            "time_zone": row.time_zone,
            "language": row.language,
        },
        "links": iter(_links(workspace)),
        "documents": _documents(workspace),
        "history": _events(workspace, row.seq) if history else iter(()),
        "receipts": _receipts(workspace, row.seq) if history else iter(()),
    }


def states_in_file_order(
    *, workspace: str, kinds: Sequence[str], trashed: bool = False
) -> Iterator[tuple[Document, DocumentState, int]]:
    """Each document's row, content and clock, in the order in which they were made."""
    rows = Document.objects.filter(workspace_id=workspace, kind__in=kinds).order_by("pk")
    if not trashed:
        rows = rows.exclude(state="trashed")
    last = 0
    while page := list(rows.filter(pk__gt=last)[:_PAGE]):
        for row in page:
            log = read_log(row.pk)
            if log is not None:
                kind = KINDS[row.kind]
                updates = [log.snapshot, *log.updates]
                ydoc = yjs.load(kind, yjs.client_id_of(workspace, row.doc_id, log.epoch), updates)
                yield row, yjs.project(ydoc), log.clock
        last = page[-1].pk


def _documents(workspace: str) -> Iterator[dict[str, Any]]:
    for row, state, clock in states_in_file_order(workspace=workspace, kinds=list(KINDS), trashed=True):
        yield document_json(row, KINDS[row.kind], state, clock)


def _events(workspace: str, upto: int) -> Iterator[dict[str, Any]]:
    rows = Event.objects.filter(workspace_id=workspace, seq__lte=upto).order_by("seq")
    last = 0
    while page := list(rows.filter(seq__gt=last)[:_PAGE]):
        yield from map(event_json, page)
        last = page[-1].seq


def _receipts(workspace: str, upto: int) -> Iterator[dict[str, Any]]:
    at = now()
    rows = Receipt.objects.filter(workspace_id=workspace, seq__lte=upto).defer("inverse", "changes").order_by("seq")
    last = 0
    while page := list(rows.filter(seq__gt=last)[:_PAGE]):
        for row in page:
            yield receipt_json(row, at)
        last = page[-1].seq


def _links(workspace: str) -> list[dict[str, Any]]:
    """Labels and roles; nothing of the secrets, not even their last characters."""
    return [
        {
            "id": row.id,
            "label": row.label,
            "role": row.role,
            "created_at": rfc3339(row.created_at),
            "revoked_at": None if row.revoked_at is None else rfc3339(row.revoked_at),
        }
        for row in Link.objects.filter(workspace_id=workspace).order_by("id")
    ]
