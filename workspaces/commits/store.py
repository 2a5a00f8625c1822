"""The only writer of documents, events, receipts and idempotency records. Runs inside the caller's transaction.

JSON columns hold canonical JSON text. Beside `lookups`, which reads.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workspaces import sql
from workspaces.clock import now
from workspaces.documents import ydoc as yjs
from workspaces.documents.schema import KINDS

from . import json_text
from .lookups import (
    DocumentRow,
    SessionRow,
    WorkspaceRow,
    documents_of,
    lock_statement,
    read_scene,
    scene_statement,
    workspace_row,
)

_CLAIM = (
    "INSERT INTO workspaces_idempotencyrecord (workspace_id, scope, key, fingerprint, response, created_at, expires_at)"
    " VALUES (%s, %s, %s, %s, '', %s, %s) ON CONFLICT DO NOTHING"
)


def claim_record(workspace: str, scope: str, key: str, fingerprint: str, at: datetime, expires_at: datetime) -> bool:
    """Claims a key; False when another request has it (waits for that one to end where the database is shared)."""
    return sql.execute(_CLAIM, [workspace, scope, key, fingerprint, sql.moment(at), sql.moment(expires_at)]) == 1


@dataclass(frozen=True, slots=True)
class Opened:
    """How a commit begins. `claimed` is False when another request has the key; the rest counts only if it is True."""

    claimed: bool
    row: WorkspaceRow | None
    documents: dict[str, DocumentRow]


def open_commit(
    *,
    workspace: str,
    scope: str,
    key: str,
    fingerprint: str,
    link: str | None,
    documents: Sequence[str],
    at: datetime,
    expires_at: datetime,
) -> Opened:
    """Claims the key, locks the workspace and reads the link's role and the documents' rows, in this order."""
    claim, lock, scene = sql.begin_with(
        (_CLAIM, [workspace, scope, key, fingerprint, sql.moment(at), sql.moment(expires_at)]),
        lock_statement(workspace),
        scene_statement(workspace, link, documents),
    )
    role, rows = read_scene(scene[1])
    return Opened(claim[0] == 1, workspace_row(lock[1], role), rows)


def finish_record(workspace: str, scope: str, key: str, response: str) -> None:
    sql.write(
        "UPDATE workspaces_idempotencyrecord SET response = %s WHERE workspace_id = %s AND scope = %s AND key = %s",
        [response, workspace, scope, key],
    )


def free_record(workspace: str, scope: str, key: str, response: str) -> None:
    """Frees a key whose request came to nothing after all, while the record still holds that `response`."""
    sql.execute(
        "DELETE FROM workspaces_idempotencyrecord WHERE workspace_id = %s AND scope = %s AND key = %s"
        " AND response = %s",
        [workspace, scope, key, response],
    )


def advance_workspace(workspace: str, seq: int, chain_head: str) -> None:
    sql.write("UPDATE workspaces_workspace SET seq = %s, chain_head = %s WHERE id = %s", [seq, chain_head, workspace])


def create_workspace_rows(*, workspace_id: str, label: str) -> None:
    """A workspace's row and its two singletons, at clock 1."""
    at = now()
    sql.execute(
        "INSERT INTO workspaces_workspace (id, label, created_at, seq, chain_head, digest_key,"
        " assistant_sees_contact_details, time_zone, language) VALUES (%s, %s, %s, 0, '', %s, %s, 'UTC', 'en')",
        [workspace_id, label, sql.moment(at), secrets.token_hex(32), False],
    )
    for kind in KINDS.values():
        if kind.singleton:
            ydoc, _ = yjs.create(kind, yjs.client_id_of(workspace_id, kind.name, 1))
            snapshot = ydoc.encode()
            row = DocumentRow(None, kind.name, kind.name, "active", 1, 1, 1, 1, len(snapshot), 0, 0, "", "")
            insert_document(workspace_id, row, snapshot, "", at)


def insert_document(workspace: str, row: DocumentRow, snapshot: bytes, event: str, at: datetime) -> int:
    """Writes a new document's row, with its snapshot if there is one yet, and gives its primary key."""
    found = sql.fetch_one(
        "INSERT INTO workspaces_document (workspace_id, doc_id, kind, state, clock, firm_clock, epoch,"
        " snapshot_clock, snapshot_bytes, tail_updates, tail_bytes, stage, rank, last_event, created_at, updated_at,"
        " trashed_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
        [
            workspace, row.doc_id, row.kind, row.state, row.clock, row.firm_clock, row.epoch,
            row.snapshot_clock, row.snapshot_bytes, row.tail_updates, row.tail_bytes, row.stage, row.rank, event,
            sql.moment(at), sql.moment(at), sql.moment(at) if row.state == "trashed" else None,
        ],
    )  # fmt: skip
    assert found is not None
    if snapshot:
        _put_snapshot(found[0], snapshot)
    return int(found[0])


def update_document(
    row: DocumentRow, *, before: DocumentRow, event: str | None, at: datetime, typed: bool = False
) -> bool:
    """Compare-and-set of a document's row on its clock; False when another writer was faster.

    Without an `event` it is nobody's work, or (`typed`) typing whose event is yet to be sealed: whose the document's
    last one was stays as it is.
    """
    columns: dict[str, Any] = {
        "clock": row.clock,
        "firm_clock": row.firm_clock,
        "tail_updates": row.tail_updates,
        "tail_bytes": row.tail_bytes,
    }
    if event is not None:
        columns |= {"last_event": event, "updated_at": sql.moment(at)}
    elif typed:
        columns["updated_at"] = sql.moment(at)
    if (row.typed_clocks, row.typing) != (before.typed_clocks, before.typing):
        columns |= {"typed_clocks": row.typed_clocks, "typing": row.typing}
    # Naming an indexed column costs its index a page, also when the value stays.
    if (row.state, row.stage, row.rank) != (before.state, before.stage, before.rank):
        columns |= {"state": row.state, "stage": row.stage, "rank": row.rank}
        columns["trashed_at"] = sql.moment(at) if row.state == "trashed" else None
    assignments = ", ".join(f"{name} = %s" for name in columns)
    return sql.write(
        f"UPDATE workspaces_document SET {assignments} WHERE id = %s AND clock = %s",  # noqa: S608
        [*columns.values(), row.pk, before.clock],
        row=row.pk,
        must=True,
    )


def insert_update(document: int, clock: int, seq: int, update: bytes) -> None:
    sql.write(
        'INSERT INTO workspaces_documentupdate (document_id, clock, seq, "update") VALUES (%s, %s, %s, %s)',
        [document, clock, seq, update],
    )


def _put_snapshot(document: int, state: bytes) -> None:
    sql.execute(
        "INSERT INTO workspaces_documentsnapshot (document_id, state) VALUES (%s, %s)"
        " ON CONFLICT (document_id) DO UPDATE SET state = excluded.state",
        [document, state],
    )


def write_snapshot(document: int, clock: int, snapshot: bytes, *, keep_after: int) -> None:
    """Stores the whole state at a clock and drops updates up to `keep_after`."""
    _put_snapshot(document, snapshot)
    sql.execute(
        "UPDATE workspaces_document SET snapshot_clock = %s, snapshot_bytes = %s, tail_updates = 0, tail_bytes = 0"
        " WHERE id = %s",
        [clock, len(snapshot), document],
    )
    sql.execute("DELETE FROM workspaces_documentupdate WHERE document_id = %s AND clock <= %s", [document, keep_after])


def insert_event(
    workspace: str, event: Mapping[str, Any], *, at: datetime, undoes: Sequence[str], digest: str, mac: str
) -> tuple[str, str, str]:
    """Writes an event (contract section 7's shape) and which documents it touched.

    Gives its kinds, paths and clocks as stored, for the receipt that repeats them.
    """
    kinds = json_text.encode(event["operation_kinds"])
    paths = json_text.encode(event["affected_paths"])
    clocks = json_text.encode(event["clocks"])
    sql.write(
        "INSERT INTO workspaces_event (id, workspace_id, seq, at, actor_class, actor, reason, origin_event,"
        " operation_kinds, affected_paths, clocks, receipt, undoes, digest, chain_mac)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            event["id"], workspace, event["seq"], sql.moment(at), event["actor_class"], event["actor"], event["reason"],
            event["origin_event"], kinds, paths, clocks, event["receipt"],
            json_text.encode(list(undoes)) if undoes else "[]", digest, mac,
        ],
    )  # fmt: skip
    documents = documents_of(event["clocks"])
    marks = ", ".join(["(%s, %s, %s)"] * len(documents))
    params: list[Any] = []
    for document in documents:
        params += [workspace, document, event["seq"]]
    sql.write(f"INSERT INTO workspaces_eventdocument (workspace_id, doc_id, seq) VALUES {marks}", params)  # noqa: S608
    return kinds, paths, clocks


def insert_receipt(
    workspace: str,
    receipt: dict[str, Any],
    *,
    seq: int,
    shared: tuple[str, str, str],
    inverse: str,
    changes: str,
    times: tuple[datetime, datetime],
) -> None:
    """Writes a receipt (contract section 6's shape). `shared` is what its event has stored already (`insert_event`);
    `times` is (created_at, expires_at)."""
    sql.write(
        "INSERT INTO workspaces_receipt (id, workspace_id, event, seq, actor_class, actor, reason, thread, turn,"
        " operation_kinds, affected_paths, clocks, created_at, expires_at, inverse, changes)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            receipt["id"], workspace, receipt["event"], seq, receipt["actor_class"], receipt["actor"],
            receipt["reason"], receipt["thread"], receipt["turn"], *shared, sql.moment(times[0]),
            sql.moment(times[1]), inverse, changes,
        ],
    )  # fmt: skip


def mark_undone(receipts: Sequence[str], events: Sequence[str], by: str) -> None:
    """Notes on receipts and their events which event compensated them."""
    for table, ids in (("workspaces_receipt", receipts), ("workspaces_event", events)):
        marks = ", ".join(["%s"] * len(ids))
        sql.execute(f"UPDATE {table} SET undone_by = %s WHERE id IN ({marks})", [by, *ids])  # noqa: S608


def put_typing_session(workspace: str, document: int, session: SessionRow) -> None:
    """Begins an author's typing session of a document, or carries it on."""
    sql.execute(
        "INSERT INTO workspaces_typingsession (workspace_id, document_id, author, texts, clock_from, clock_to,"
        " base_state, started_at, last_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
        " ON CONFLICT (document_id, author) DO UPDATE SET texts = excluded.texts, clock_to = excluded.clock_to,"
        " last_at = excluded.last_at",
        [
            workspace, document, session.author, json_text.encode(session.texts), session.clock_from, session.clock_to,
            session.base_state, sql.moment(session.started_at), sql.moment(session.last_at),
        ],
    )  # fmt: skip


def close_typing_session(document: int, session: SessionRow, *, seq: int) -> None:
    """Deletes a session whose event has been written as `seq`, and notes that on its updates.

    Updates of other authors may lie between; the first event to cover an update is the one it tells.
    """
    sql.execute(
        "UPDATE workspaces_documentupdate SET seq = %s WHERE document_id = %s AND clock >= %s AND clock <= %s"
        " AND seq = 0",
        [seq, document, session.clock_from, session.clock_to],
    )
    sql.execute(
        "DELETE FROM workspaces_typingsession WHERE document_id = %s AND author = %s", [document, session.author]
    )


def note_sealed(document: int, *, typing: int, event: str) -> None:
    """Notes a document's newest event, and how many typing sessions are left."""
    sql.execute("UPDATE workspaces_document SET typing = %s, last_event = %s WHERE id = %s", [typing, event, document])


def set_epoch(document: int, epoch: int) -> None:
    sql.execute("UPDATE workspaces_document SET epoch = %s WHERE id = %s", [epoch, document])


def replace_inverse(receipt: str, inverse: str) -> None:
    sql.execute("UPDATE workspaces_receipt SET inverse = %s WHERE id = %s", [inverse, receipt])
