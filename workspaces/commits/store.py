"""The only writer of documents, events, receipts and idempotency records, and the reads that a commit needs.

SQL on Django's cursor, in the dialect that SQLite and PostgreSQL share: the ORM would cost more than the database here
(measured). Every function runs inside the caller's transaction. JSON columns hold canonical JSON text.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections

from workspaces.clock import now
from workspaces.documents import ydoc as yjs
from workspaces.documents.schema import KINDS

from . import json_text


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document's row without its snapshot. `pk` is None for one that is not written yet."""

    pk: int | None
    doc_id: str
    kind: str
    state: str
    clock: int
    firm_clock: int
    epoch: int
    snapshot_clock: int
    snapshot_bytes: int
    tail_updates: int
    tail_bytes: int
    stage: str
    rank: str


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """`link_role` is the role of the asking link, None when it is not alive (or no link asks)."""

    seq: int
    chain_head: str
    digest_key: str
    link_role: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """An idempotency record; `response` is empty while its commit runs."""

    fingerprint: str
    response: str


@lru_cache(maxsize=8)
def moment(value: datetime | None) -> Any:
    """A time as the database's own parameter."""
    return None if value is None else connection.ops.adapt_datetimefield_value(value)


class _Held(threading.local):
    """This thread's cursor, made anew whenever Django has opened another connection."""

    raw: Any = None
    cursor: Any = None


_held = _Held()


def _run(sql: str, params: Sequence[Any]) -> Any:
    # A cursor a statement costs as much as the statement: one is kept, and every answer is read to its end.
    database = connections[DEFAULT_DB_ALIAS]
    if _held.cursor is None or database.connection is None or _held.raw is not database.connection:
        _held.cursor = database.cursor()
        _held.raw = database.connection
    _held.cursor.execute(sql, params)
    return _held.cursor


def _fetch_one(sql: str, params: Sequence[Any]) -> tuple[Any, ...] | None:
    rows = _run(sql, params).fetchall()
    return rows[0] if rows else None


def _fetch_all(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = _run(sql, params).fetchall()
    return rows


def _execute(sql: str, params: Sequence[Any]) -> int:
    return int(_run(sql, params).rowcount)


def _for_update() -> str:
    # SQLite's transactions are immediate: the whole database is the lock.
    return " FOR UPDATE OF w" if connection.features.has_select_for_update else ""


# --- links, workspaces, idempotency ------------------------------------------------------------------------------


def lock_workspace(workspace: str, link: str | None) -> WorkspaceRow | None:
    """Locks the workspace row until the transaction ends; None for one that is unknown or erased."""
    row = _fetch_one(
        "SELECT w.seq, w.chain_head, w.digest_key, l.role FROM workspaces_workspace w"  # noqa: S608
        " LEFT JOIN workspaces_link l ON l.id = %s AND l.workspace_id = w.id AND l.revoked_at IS NULL"
        f" WHERE w.id = %s AND w.erased_at IS NULL{_for_update()}",
        [link, workspace],
    )
    return None if row is None else WorkspaceRow(*row)


def find_claim(workspace: str, scope: str, key: str, link: str | None) -> tuple[Record | None, str | None]:
    """(the idempotency record, the role of the link if it is alive): one look before the transaction."""
    row = _fetch_one(
        "SELECT r.fingerprint, r.response, l.role FROM workspaces_workspace w"
        " LEFT JOIN workspaces_idempotencyrecord r ON r.workspace_id = w.id AND r.scope = %s AND r.key = %s"
        " LEFT JOIN workspaces_link l ON l.id = %s AND l.workspace_id = w.id AND l.revoked_at IS NULL WHERE w.id = %s",
        [scope, key, link, workspace],
    )
    if row is None:
        return None, None
    return None if row[0] is None else Record(row[0], row[1]), row[2]


def find_record(workspace: str, scope: str, key: str) -> Record | None:
    row = _fetch_one(
        "SELECT fingerprint, response FROM workspaces_idempotencyrecord"
        " WHERE workspace_id = %s AND scope = %s AND key = %s",
        [workspace, scope, key],
    )
    return None if row is None else Record(*row)


def claim_record(workspace: str, scope: str, key: str, fingerprint: str, at: datetime, expires_at: datetime) -> bool:
    """Claims a key; False when another request has it (waits for that one to end where the database is shared)."""
    return (
        _execute(
            "INSERT INTO workspaces_idempotencyrecord"
            " (workspace_id, scope, key, fingerprint, response, created_at, expires_at)"
            " VALUES (%s, %s, %s, %s, '', %s, %s) ON CONFLICT DO NOTHING",
            [workspace, scope, key, fingerprint, moment(at), moment(expires_at)],
        )
        == 1
    )


def finish_record(workspace: str, scope: str, key: str, response: str) -> None:
    _execute(
        "UPDATE workspaces_idempotencyrecord SET response = %s WHERE workspace_id = %s AND scope = %s AND key = %s",
        [response, workspace, scope, key],
    )


def advance_workspace(workspace: str, seq: int, chain_head: str) -> None:
    _execute("UPDATE workspaces_workspace SET seq = %s, chain_head = %s WHERE id = %s", [seq, chain_head, workspace])


def create_workspace_rows(*, workspace_id: str, label: str) -> None:
    """A workspace's row and its two singletons, at clock 1."""
    at = now()
    _execute(
        "INSERT INTO workspaces_workspace (id, label, created_at, seq, chain_head, digest_key,"
        " assistant_sees_contact_details, time_zone, language) VALUES (%s, %s, %s, 0, '', %s, %s, 'UTC', 'en')",
        [workspace_id, label, moment(at), secrets.token_hex(32), False],
    )
    for kind in KINDS.values():
        if kind.singleton:
            ydoc, _ = yjs.create(kind, yjs.client_id_of(workspace_id, kind.name, 1))
            snapshot = ydoc.encode()
            row = DocumentRow(None, kind.name, kind.name, "active", 1, 1, 1, 1, len(snapshot), 0, 0, "", "")
            insert_document(workspace_id, row, snapshot, "", at)


# --- documents ---------------------------------------------------------------------------------------------------

_ROW = (
    "id, doc_id, kind, state, clock, firm_clock, epoch, snapshot_clock, snapshot_bytes, tail_updates, tail_bytes,"
    " stage, rank"
)


def document_rows(workspace: str, doc_ids: Iterable[str]) -> dict[str, DocumentRow]:
    """The rows of those of the documents that exist."""
    wanted = list(doc_ids)
    if not wanted:
        return {}
    marks = ", ".join(["%s"] * len(wanted))
    rows = _fetch_all(
        f"SELECT {_ROW} FROM workspaces_document WHERE workspace_id = %s AND doc_id IN ({marks})",  # noqa: S608
        [workspace, *wanted],
    )
    return {row[1]: DocumentRow(*row) for row in rows}


def count_documents(workspace: str, kind: str) -> int:
    """Active and archived documents of a kind: what the limits count."""
    row = _fetch_one(
        "SELECT COUNT(*) FROM workspaces_document WHERE workspace_id = %s AND kind = %s AND state <> 'trashed'",
        [workspace, kind],
    )
    assert row is not None
    return int(row[0])


def stage_members(workspace: str, stage: str) -> list[tuple[str, str, str]]:
    """(document id, rank, state) of every application in a stage, in order: hidden ones keep their places."""
    rows = _fetch_all(
        "SELECT doc_id, rank, state FROM workspaces_document WHERE workspace_id = %s AND stage = %s", [workspace, stage]
    )
    # Ordered here: a database's collation need not be that of the rank keys.
    return sorted(((row[0], row[1], row[2]) for row in rows), key=lambda entry: (entry[1], entry[0]))


def updates_between(document: int, after: int, upto: int) -> list[bytes]:
    rows = _fetch_all(
        'SELECT "update" FROM workspaces_documentupdate WHERE document_id = %s AND clock > %s AND clock <= %s'
        " ORDER BY clock",
        [document, after, upto],
    )
    return [bytes(row[0]) for row in rows]


@dataclass(frozen=True, slots=True)
class Log:
    """A document's snapshot and the updates after it, up to `clock`."""

    clock: int
    epoch: int
    snapshot_clock: int
    snapshot: bytes
    updates: list[bytes]


def read_log(document: int) -> Log | None:
    row = _fetch_one(
        "SELECT d.clock, d.epoch, d.snapshot_clock, s.state FROM workspaces_document d"
        " LEFT JOIN workspaces_documentsnapshot s ON s.document_id = d.id WHERE d.id = %s",
        [document],
    )
    if row is None:
        return None
    return Log(row[0], row[1], row[2], bytes(row[3] or b""), updates_between(document, row[2], row[0]))


def insert_document(workspace: str, row: DocumentRow, snapshot: bytes, event: str, at: datetime) -> int:
    """Writes a new document's row, with its snapshot if there is one yet, and gives its primary key."""
    found = _fetch_one(
        "INSERT INTO workspaces_document (workspace_id, doc_id, kind, state, clock, firm_clock, epoch,"
        " snapshot_clock, snapshot_bytes, tail_updates, tail_bytes, stage, rank, last_event, created_at, updated_at, trashed_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
        [
            workspace, row.doc_id, row.kind, row.state, row.clock, row.firm_clock, row.epoch,
            row.snapshot_clock, row.snapshot_bytes, row.tail_updates, row.tail_bytes, row.stage, row.rank, event, moment(at), moment(at),
            moment(at) if row.state == "trashed" else None,
        ],
    )  # fmt: skip
    assert found is not None
    if snapshot:
        _put_snapshot(found[0], snapshot)
    return int(found[0])


def update_document(row: DocumentRow, *, expected_clock: int, event: str, at: datetime, trashed_at: Any) -> bool:
    """Compare-and-set of a document's row on its clock; False when another writer was faster."""
    return (
        _execute(
            "UPDATE workspaces_document SET state = %s, clock = %s, firm_clock = %s, epoch = %s, tail_updates = %s,"
            " tail_bytes = %s, stage = %s, rank = %s, last_event = %s, updated_at = %s, trashed_at = %s"
            " WHERE id = %s AND clock = %s",
            [
                row.state, row.clock, row.firm_clock, row.epoch, row.tail_updates, row.tail_bytes, row.stage, row.rank,
                event, moment(at), trashed_at, row.pk, expected_clock,
            ],
        )
        == 1
    )  # fmt: skip


def insert_update(document: int, clock: int, seq: int, update: bytes) -> None:
    _execute(
        'INSERT INTO workspaces_documentupdate (document_id, clock, seq, "update") VALUES (%s, %s, %s, %s)',
        [document, clock, seq, update],
    )


def _put_snapshot(document: int, state: bytes) -> None:
    _execute(
        "INSERT INTO workspaces_documentsnapshot (document_id, state) VALUES (%s, %s)"
        " ON CONFLICT (document_id) DO UPDATE SET state = excluded.state",
        [document, state],
    )


def write_snapshot(document: int, clock: int, snapshot: bytes, *, keep_after: int) -> None:
    """Stores the whole state at a clock and drops updates up to `keep_after`."""
    _put_snapshot(document, snapshot)
    _execute(
        "UPDATE workspaces_document SET snapshot_clock = %s, snapshot_bytes = %s, tail_updates = 0, tail_bytes = 0"
        " WHERE id = %s",
        [clock, len(snapshot), document],
    )
    _execute("DELETE FROM workspaces_documentupdate WHERE document_id = %s AND clock <= %s", [document, keep_after])


# --- events and receipts -----------------------------------------------------------------------------------------


def insert_event(workspace: str, event: dict[str, Any], *, at: datetime, undoes: Sequence[str], mac: str) -> None:
    """Writes an event (contract section 7's shape) and which documents it touched."""
    _execute(
        "INSERT INTO workspaces_event (id, workspace_id, seq, at, actor_class, actor, reason, origin_event,"
        " operation_kinds, affected_paths, clocks, receipt, undoes, chain_mac)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            event["id"], workspace, event["seq"], moment(at), event["actor_class"], event["actor"], event["reason"],
            event["origin_event"], json_text.encode(event["operation_kinds"]),
            json_text.encode(event["affected_paths"]), json_text.encode(event["clocks"]), event["receipt"],
            json_text.encode(list(undoes)), mac,
        ],
    )  # fmt: skip
    documents = list(event["clocks"]["after"])
    marks = ", ".join(["(%s, %s, %s)"] * len(documents))
    params: list[Any] = []
    for document in documents:
        params += [workspace, document, event["seq"]]
    _execute(f"INSERT INTO workspaces_eventdocument (workspace_id, doc_id, seq) VALUES {marks}", params)  # noqa: S608


def insert_receipt(
    workspace: str, receipt: dict[str, Any], *, seq: int, inverse: str, changes: str, times: Any
) -> None:
    """Writes a receipt (contract section 6's shape); `times` is (created_at, expires_at)."""
    _execute(
        "INSERT INTO workspaces_receipt (id, workspace_id, event, seq, actor_class, actor, reason, thread, turn,"
        " operation_kinds, affected_paths, clocks, created_at, expires_at, inverse, changes)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            receipt["id"], workspace, receipt["event"], seq, receipt["actor_class"], receipt["actor"],
            receipt["reason"], receipt["thread"], receipt["turn"], json_text.encode(receipt["operation_kinds"]),
            json_text.encode(receipt["affected_paths"]), json_text.encode(receipt["clocks"]), moment(times[0]),
            moment(times[1]), inverse, changes,
        ],
    )  # fmt: skip


def mark_undone(receipts: Sequence[str], events: Sequence[str], by: str) -> None:
    """Notes on receipts and their events which event compensated them."""
    for table, ids in (("workspaces_receipt", receipts), ("workspaces_event", events)):
        marks = ", ".join(["%s"] * len(ids))
        _execute(f"UPDATE {table} SET undone_by = %s WHERE id IN ({marks})", [by, *ids])  # noqa: S608


def events_after(workspace: str, documents: Sequence[str], seq: int) -> list[dict[str, Any]]:
    """Later events that touched any of the documents, oldest first, with what the undo check needs."""
    marks = ", ".join(["%s"] * len(documents))
    rows = _fetch_all(
        "SELECT DISTINCT e.id, e.seq, e.at, e.actor_class, e.actor, e.affected_paths, e.undoes,"  # noqa: S608
        " e.undone_by, e.operation_kinds FROM workspaces_event e JOIN workspaces_eventdocument d"
        " ON d.workspace_id = e.workspace_id AND d.seq = e.seq"
        f" WHERE e.workspace_id = %s AND d.doc_id IN ({marks}) AND d.seq > %s ORDER BY e.seq",
        [workspace, *documents, seq],
    )
    return [
        {
            "id": r[0], "seq": r[1], "at": r[2], "actor_class": r[3], "actor": r[4], "paths": json_text.decode(r[5]),
            "undoes": json_text.decode(r[6]), "undone_by": r[7], "kinds": json_text.decode(r[8]),
        }
        for r in rows
    ]  # fmt: skip


def events_by_id(ids: Iterable[str]) -> dict[str, tuple[int, list[str], str | None]]:
    """(seq, affected paths, undone by) of events."""
    wanted = list(ids)
    if not wanted:
        return {}
    marks = ", ".join(["%s"] * len(wanted))
    rows = _fetch_all(
        f"SELECT id, seq, affected_paths, undone_by FROM workspaces_event WHERE id IN ({marks})",  # noqa: S608
        wanted,
    )
    return {row[0]: (row[1], json_text.decode(row[2]), row[3]) for row in rows}


def undone_events(ids: Sequence[str]) -> dict[str, list[str]]:
    """Which events each of these events compensated."""
    marks = ", ".join(["%s"] * len(ids))
    rows = _fetch_all(f"SELECT id, undoes FROM workspaces_event WHERE id IN ({marks})", ids)  # noqa: S608
    return {row[0]: json_text.decode(row[1]) for row in rows}


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    id: str
    event: str
    seq: int
    actor_class: str
    reason: str
    thread: str | None
    turn: str | None
    affected_paths: list[str]
    expires_at: datetime
    undone_by: str | None
    inverse: str | None


_RECEIPT = "id, event, seq, actor_class, reason, thread, turn, affected_paths, expires_at, undone_by, inverse"


def _receipt_row(row: tuple[Any, ...]) -> ReceiptRow:
    at = row[8]
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    receipt, event, seq, actor_class, reason, thread, turn, affected, _, undone_by, inverse = row
    return ReceiptRow(
        receipt, event, seq, actor_class, reason, thread, turn, json_text.decode(affected), at, undone_by, inverse
    )


def receipt_row(workspace: str, receipt: str) -> ReceiptRow | None:
    row = _fetch_one(
        f"SELECT {_RECEIPT} FROM workspaces_receipt WHERE workspace_id = %s AND id = %s",  # noqa: S608
        [workspace, receipt],
    )
    return None if row is None else _receipt_row(row)


def receipt_rows_of_turn(workspace: str, turn: str) -> list[ReceiptRow]:
    """A turn's receipts, newest first."""
    rows = _fetch_all(
        f"SELECT {_RECEIPT} FROM workspaces_receipt WHERE workspace_id = %s AND turn = %s ORDER BY seq DESC",  # noqa: S608
        [workspace, turn],
    )
    return [_receipt_row(row) for row in rows]


# --- retention ---------------------------------------------------------------------------------------------------


def expire_receipts(at: datetime, limit: int) -> int:
    """Drops inverse and changes of receipts past their time; the rows stay. Safe to run twice at once."""
    return _execute(
        "UPDATE workspaces_receipt SET inverse = NULL, changes = NULL WHERE id IN ("
        " SELECT id FROM workspaces_receipt WHERE expires_at <= %s AND inverse IS NOT NULL"
        " ORDER BY expires_at LIMIT %s)",
        [moment(at), limit],
    )


def expire_records(at: datetime, limit: int) -> int:
    """Deletes idempotency records past their time."""
    return _execute(
        "DELETE FROM workspaces_idempotencyrecord WHERE id IN ("
        " SELECT id FROM workspaces_idempotencyrecord WHERE expires_at <= %s ORDER BY expires_at LIMIT %s)",
        [moment(at), limit],
    )


# --- rebuilding a document under a new epoch ---------------------------------------------------------------------


def set_epoch(document: int, epoch: int) -> None:
    _execute("UPDATE workspaces_document SET epoch = %s WHERE id = %s", [epoch, document])


def open_inverses(workspace: str, doc_id: str) -> list[tuple[str, str]]:
    """(receipt, inverse) of the receipts that can still be undone and touched a text of the document."""
    return _fetch_all(
        "SELECT id, inverse FROM workspaces_receipt WHERE workspace_id = %s AND undone_by IS NULL"
        " AND inverse IS NOT NULL AND affected_paths LIKE %s",
        [workspace, f'%"{doc_id}/texts/%'],
    )


def replace_inverse(receipt: str, inverse: str) -> None:
    _execute("UPDATE workspaces_receipt SET inverse = %s WHERE id = %s", [inverse, receipt])
