"""Typing sessions: what one author types in one document becomes one event of the audit trail when it is sealed.

Sealed at rest, before any other commit to that document, and before its history is replaced (contract section 7). Until
then its updates are in the log like any, with `seq` 0. Above: the live commits, the commit service and undo.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction

from workspaces.clock import rfc3339
from workspaces.documents import paths
from workspaces.documents.ydoc import YDocument
from workspaces.ids import new_id
from workspaces.operations.text_merge import TextMerge

from . import lookups, store
from .after_commit import Committed, run_effects
from .cache import documents, workspace_lock
from .lookups import DocumentRow, SessionRow, WorkspaceRow
from .planner import open_warm
from .trail import append_event

log = structlog.get_logger(__name__)

# Without typing for so long, a session is at rest and becomes an event.
RESTS = timedelta(seconds=30)


@dataclass(slots=True)
class Sealed:
    """The workspace's row after sealing, the documents that it touched as they are then, and what to tell others."""

    row: WorkspaceRow
    documents: dict[str, DocumentRow] = field(default_factory=dict)
    committed: list[Committed] = field(default_factory=list)


def seal_sessions(
    workspace: str,
    row: WorkspaceRow,
    document: DocumentRow,
    ydoc: YDocument,
    sessions: Sequence[SessionRow],
    *,
    left: int = 0,
) -> Sealed:
    """Writes the events of a document's sessions, in the order in which they began. `left` stay unsealed."""
    assert document.pk is not None
    sealed = Sealed(row)
    event: dict[str, Any] = {}
    for session in sessions:
        event = _event(sealed.row.seq + 1, document.doc_id, session)
        sealed.row, _ = append_event(workspace, sealed.row, event, at=session.last_at)
        store.close_typing_session(document.pk, session, seq=event["seq"])
        # Everything since the session began: a page that has heard nothing of it yet lacks no dependency then.
        update = ydoc.encode(session.base_state)
        sealed.committed.append(Committed(workspace, event, {document.doc_id: update}, receipt=None))
    if event:
        store.note_sealed(document.pk, typing=left, event=event["id"])
    sealed.documents[document.doc_id] = replace(document, typing=left)
    return sealed


def _event(seq: int, doc_id: str, session: SessionRow) -> dict[str, Any]:
    return {
        "id": new_id("evt"),
        "seq": seq,
        # When the typing ended, not when somebody noticed.
        "at": rfc3339(session.last_at),
        "actor_class": "human",
        "actor": session.author,
        "reason": "",
        "origin_event": None,
        "operation_kinds": [TextMerge.kind],
        "affected_paths": [paths.text_path(doc_id, text) for text in session.texts],
        "clocks": {doc_id: {"from": session.clock_from, "to": session.clock_to}},
        "receipt": None,
    }


def seal_all(workspace: str, row: WorkspaceRow, rows: Iterable[DocumentRow]) -> Sealed:
    """Seals whatever is being typed in the documents, inside the caller's transaction.

    Costs nothing where nobody types: the documents' rows say so.
    """
    sealed = Sealed(row)
    for document in rows:
        if document.typing and document.pk is not None:
            warm = open_warm(workspace, document)
            sessions = lookups.typing_sessions(document.pk)
            done = seal_sessions(workspace, sealed.row, document, warm.ydoc, sessions)
            sealed.row = done.row
            sealed.documents |= done.documents
            sealed.committed += done.committed
    return sealed


def seal_documents(workspace: str, doc_ids: Collection[str], *, before: datetime | None = None) -> int:
    """Seals what is being typed in the documents in a transaction of its own; gives how many sessions.

    With `before` only those in which nobody has typed since.
    """
    if not any(row.typing for row in lookups.document_rows(workspace, doc_ids).values()):
        return 0
    with workspace_lock(workspace):
        try:
            with transaction.atomic(durable=True):
                committed = _seal(workspace, doc_ids, before)
        except BaseException:
            for doc_id in doc_ids:
                documents.evict(workspace, doc_id)
            raise
        for entry in committed:
            run_effects(entry)
    return len(committed)


def _seal(workspace: str, doc_ids: Collection[str], before: datetime | None) -> list[Committed]:
    row = lookups.lock_workspace(workspace, None)
    committed: list[Committed] = []
    if row is None:
        return committed
    for document in lookups.document_rows(workspace, doc_ids).values():
        if not document.typing or document.pk is None:
            continue
        sessions = lookups.typing_sessions(document.pk)
        rested = [session for session in sessions if before is None or session.last_at <= before]
        if rested:
            ydoc = open_warm(workspace, document).ydoc
            left = len(sessions) - len(rested)
            sealed = seal_sessions(workspace, row, document, ydoc, rested, left=left)
            row = sealed.row
            committed += sealed.committed
    return committed


def seal_rested(*, before: datetime, limit: int) -> int:
    """Seals the typing sessions in which nobody has typed since `before`, about `limit` of them; gives how many.

    Safe to run several times at once: each document's are looked at again under its workspace's lock.
    """
    count = 0
    for workspace, document in lookups.rested_documents(before, limit):
        try:
            count += seal_documents(workspace, [document], before=before)
        except Exception:
            # One document that cannot be opened must not keep the others' sessions open.
            log.exception("typing_not_sealed", workspace=workspace, document=document)
    return count


def unsealed_as_events(workspace: str, rows: Mapping[str, DocumentRow]) -> list[dict[str, Any]]:
    """What is being typed in the documents, in the shape of `lookups.events_after`: later than every event."""
    found = []
    for doc_id, row in rows.items():
        if row.typing and row.pk is not None:
            for session in lookups.typing_sessions(row.pk):
                event = _event(2**62, doc_id, session)
                found.append(
                    {
                        "id": None, "seq": event["seq"], "at": session.last_at, "actor_class": "human",
                        "actor": session.author, "paths": event["affected_paths"], "undoes": [], "undone_by": None,
                        "kinds": event["operation_kinds"],
                    }
                )  # fmt: skip
    return found
