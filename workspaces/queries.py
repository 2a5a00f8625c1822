"""What can be read: documents, events, receipts, and what the workspace socket needs. Nothing here writes.

Every list is newest first and paged by a cursor over a rising number. Access was checked by whoever made the `Access`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from .clock import now
from .commits import json_text
from .commits.after_commit import commit_message
from .commits.cache import Warm, workspace_lock
from .commits.lookups import document_rows, documents_of
from .commits.planner import open_warm
from .contracts import Access
from .documents.schema import KINDS
from .documents.state import DocumentState
from .documents.ydoc import joined
from .errors import Flaw, InvalidRequest, LinkInvalid, NotFound, ReceiptExpired
from .models import Document, DocumentUpdate, Event, EventDocument, Receipt, Workspace
from .shapes import document_json, event_json, receipt_json

MAX_LIMIT = 100


def read_cursor(cursor: str | None) -> int | None:
    """The number behind a cursor. Raises InvalidRequest for one that we did not make."""
    if cursor is None:
        return None
    try:
        text = base64.urlsafe_b64decode(cursor.encode() + b"==").decode()
        if not text.isascii() or not text.isdigit() or len(text) > 18:
            raise ValueError
        return int(text)
    except (ValueError, binascii.Error, UnicodeError):
        raise InvalidRequest(
            "This cursor is not one of ours.", flaws=[Flaw("cursor", "cursor", "This cursor is not one of ours.")]
        ) from None


def write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(str(number).encode()).decode().rstrip("=")


def _page(rows: Sequence[Any], limit: int, key: str) -> tuple[Sequence[Any], str | None]:
    more = len(rows) > limit
    return rows[:limit], write_cursor(getattr(rows[limit - 1], key)) if more else None


def _limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        message = f"A limit is between 1 and {MAX_LIMIT}."
        raise InvalidRequest(message, flaws=[Flaw("limit", "range", message)])
    return limit


# --- documents ---------------------------------------------------------------------------------------------------


def open_documents(workspace: str, doc_ids: Iterable[str]) -> dict[str, Warm]:
    """The documents at a committed clock, by id; those that do not exist are left out."""
    with workspace_lock(workspace):
        rows = document_rows(workspace, doc_ids)
        return {doc_id: open_warm(workspace, row) for doc_id, row in rows.items()}


def states_of(rows: Sequence[Document]) -> list[tuple[Document, DocumentState, int]]:
    """Each row with its content and the clock of that content. All rows are of one workspace."""
    if not rows:
        return []
    found: dict[str, Warm] = {}
    ids = [row.doc_id for row in rows]
    for start in range(0, len(ids), 200):
        found |= open_documents(rows[0].workspace_id, ids[start : start + 200])
    return [(row, found[row.doc_id].state, found[row.doc_id].clock) for row in rows if row.doc_id in found]


def rows_without_content(workspace: str) -> QuerySet[Document]:
    return Document.objects.filter(workspace_id=workspace)


def get_document(*, access: Access, document: str) -> dict[str, Any]:
    """One document in the shape of contract section 7; a trashed one too. Raises NotFound."""
    row = rows_without_content(access.workspace).filter(doc_id=document).first()
    if row is None:
        raise NotFound
    found = states_of([row])
    if not found:  # erased or purged between the two looks
        raise NotFound
    row, state, clock = found[0]
    return document_json(row, KINDS[row.kind], state, clock)


def list_documents(
    *, access: Access, kind: str | None = None, archived: bool = False, cursor: str | None = None, limit: int = 50
) -> dict[str, Any]:
    """Documents, newest first; with `archived` the archived ones as well. Trashed ones are in no list."""
    rows = rows_without_content(access.workspace).filter(state__in=["active", "archived"] if archived else ["active"])
    if kind is not None:
        if kind not in KINDS:
            message = f"This must be one of {', '.join(KINDS)}."
            raise InvalidRequest(message, flaws=[Flaw("kind", "choice", message)])
        rows = rows.filter(kind=kind)
    after = read_cursor(cursor)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    page, next_cursor = _page(list(rows.order_by("-pk")[: _limit(limit) + 1]), limit, "pk")
    items = [document_json(row, KINDS[row.kind], state, clock) for row, state, clock in states_of(page)]
    return {"items": items, "next_cursor": next_cursor}


# --- events ------------------------------------------------------------------------------------------------------


def _require_document(access: Access, document: str) -> None:
    if not Document.objects.filter(workspace_id=access.workspace, doc_id=document).exists():
        raise NotFound


def list_events(
    *,
    access: Access,
    after: int | None = None,
    actor_class: str | None = None,
    document: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> dict[str, Any]:
    """Events, newest first; `after` keeps those with a higher `seq`."""
    rows = Event.objects.filter(workspace_id=access.workspace)
    if after is not None:
        rows = rows.filter(seq__gt=after)
    if actor_class is not None:
        rows = rows.filter(actor_class=actor_class)
    if document is not None:
        touched = EventDocument.objects.filter(workspace_id=access.workspace, doc_id=document)
        rows = rows.filter(seq__in=touched.values("seq"))
    before = read_cursor(cursor)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    page, next_cursor = _page(list(rows.order_by("-seq")[: _limit(limit) + 1]), limit, "seq")
    return {"items": [event_json(row) for row in page], "next_cursor": next_cursor}


def list_document_events(
    *, access: Access, document: str, cursor: str | None = None, limit: int = 50
) -> dict[str, Any]:
    """One document's events, newest first. Raises NotFound."""
    _require_document(access, document)
    return list_events(access=access, document=document, cursor=cursor, limit=limit)


# --- receipts ----------------------------------------------------------------------------------------------------


def _receipt(access: Access, receipt: str) -> Receipt:
    row = Receipt.objects.filter(workspace_id=access.workspace, id=receipt).defer("inverse").first()
    if row is None:
        raise NotFound
    return row


def list_receipts(
    *,
    access: Access,
    thread: str | None = None,
    document: str | None = None,
    state: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> dict[str, Any]:
    """Receipts, newest first. `state` is active, undone or expired."""
    at = now()
    rows = Receipt.objects.filter(workspace_id=access.workspace).defer("inverse", "changes")
    if thread is not None:
        rows = rows.filter(thread=thread)
    if document is not None:
        rows = rows.filter(Q(affected_paths__contains=f'"{document}/') | Q(affected_paths__contains=f'"{document}"'))
    if state == "undone":
        rows = rows.filter(undone_by__isnull=False)
    elif state == "active":
        rows = rows.filter(undone_by__isnull=True, expires_at__gt=at)
    elif state == "expired":
        rows = rows.filter(undone_by__isnull=True, expires_at__lte=at)
    elif state is not None:
        message = "This must be active, undone or expired."
        raise InvalidRequest(message, flaws=[Flaw("state", "choice", message)])
    before = read_cursor(cursor)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    page, next_cursor = _page(list(rows.order_by("-seq")[: _limit(limit) + 1]), limit, "seq")
    return {"items": [receipt_json(row, at) for row in page], "next_cursor": next_cursor}


def get_receipt(*, access: Access, receipt: str) -> dict[str, Any]:
    return receipt_json(_receipt(access, receipt), now())


def list_receipt_changes(*, access: Access, receipt: str) -> dict[str, Any]:
    """`{"path", "before", "after"}` of each thing that changed. Raises NotFound, and ReceiptExpired after its time."""
    row = _receipt(access, receipt)
    # Its own time decides, also for a receipt that was undone before: nothing is kept for longer than was said.
    if row.changes is None or row.expires_at <= now():
        raise ReceiptExpired("What this changed is no longer kept.")
    return {"items": json_text.decode(row.changes), "next_cursor": None}


def newest_receipts(*, workspace: str, thread: str, limit: int = 10) -> list[dict[str, Any]]:
    """The thread's newest active agent receipts: `{"id", "reason", "clocks"}`."""
    rows = (
        Receipt.objects.filter(
            workspace_id=workspace, thread=thread, actor_class="agent", undone_by__isnull=True, expires_at__gt=now()
        )
        .defer("inverse", "changes")
        .order_by("-seq")[:limit]
    )
    return [{"id": row.id, "reason": row.reason, "clocks": json_text.decode(row.clocks)} for row in rows]


# --- the workspace socket ----------------------------------------------------------------------------------------


def get_hello(*, workspace: str) -> dict[str, Any]:
    """`{"documents": [{"id", "kind", "clock"}], "seq"}`. Raises LinkInvalid for an erased workspace."""
    # The counter first: a commit between the two reads is then sent again rather than missed.
    seq = Workspace.objects.filter(id=workspace, erased_at=None).values_list("seq", flat=True).first()
    if seq is None:
        raise LinkInvalid
    rows = Document.objects.filter(workspace_id=workspace).exclude(state="trashed").order_by("pk")
    documents = [
        {"id": doc_id, "kind": kind, "clock": clock}
        for doc_id, kind, clock in rows.values_list("doc_id", "kind", "clock")
    ]
    return {"documents": documents, "seq": seq}


def list_commits_after(*, workspace: str, seq: int, limit: int = 200) -> list[dict[str, Any]] | None:
    """The commit messages after `seq`, oldest first; None when they are too many or some updates are no longer kept."""
    events = list(Event.objects.filter(workspace_id=workspace, seq__gt=seq).order_by("seq")[: limit + 1])
    if len(events) > limit:
        return None
    updates: dict[int, dict[str, bytes]] = {}
    rows = DocumentUpdate.objects.filter(document__workspace_id=workspace, seq__gt=seq)
    for row_seq, doc_id, update in rows.values_list("seq", "document__doc_id", "update"):
        updates.setdefault(row_seq, {})[doc_id] = bytes(update)
    messages = []
    for row in events:
        event = event_json(row)
        clocks = event["clocks"]
        found = updates.get(row.seq, {}) if "after" in clocks else _typed_updates(workspace, clocks)
        if set(found) != set(documents_of(clocks)):
            return None
        messages.append(commit_message(row.seq, event, found))
    return messages


def _typed_updates(workspace: str, clocks: Mapping[str, Mapping[str, int]]) -> dict[str, bytes]:
    """What a typing event covers, by document. Others' typing in between comes along: it may build on that."""
    found = {}
    for doc_id, span in clocks.items():
        rows = DocumentUpdate.objects.filter(
            document__workspace_id=workspace, document__doc_id=doc_id, clock__range=(span["from"], span["to"])
        )
        updates = [bytes(update) for update in rows.order_by("clock").values_list("update", flat=True)]
        # Compaction drops the oldest first, so either all are there or too few.
        if len(updates) == span["to"] - span["from"] + 1:
            found[doc_id] = joined(updates)
    return found
