"""What a commit needs to read: its own look-ups, as frozen rows. Runs inside the caller's transaction.

JSON columns hold canonical JSON text. Beside `store`, which writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from workspaces import sql

from . import json_text


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document's row without its snapshot. `pk` is None for one that is not written yet.

    `typed_clocks` is JSON: text → clock of the newest live typing in it. `typing` counts unsealed typing sessions.
    """

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
    typed_clocks: str = "{}"
    typing: int = 0


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


def lock_workspace(workspace: str, link: str | None) -> WorkspaceRow | None:
    """Locks the workspace row until the transaction ends; None for one that is unknown or erased."""
    found = sql.fetch_all(*lock_statement(workspace))
    return workspace_row(found, sql.fetch_all(*role_statement(workspace, link)) if link and found else [])


def lock_statement(workspace: str) -> tuple[str, list[Any]]:
    return (
        "SELECT w.seq, w.chain_head, w.digest_key FROM workspaces_workspace w"  # noqa: S608
        f" WHERE w.id = %s AND w.erased_at IS NULL{sql.for_update('w')}",
        [workspace],
    )


def role_statement(workspace: str, link: str | None) -> tuple[str, list[Any]]:
    # A statement of its own, behind the lock: one that has waited for the lock would still see the link as it was
    # before, although it may have been revoked in the meantime.
    return (
        "SELECT role FROM workspaces_link WHERE id = %s AND workspace_id = %s AND revoked_at IS NULL",
        [link, workspace],
    )


def workspace_row(locked: Sequence[tuple[Any, ...]], roles: Sequence[tuple[Any, ...]]) -> WorkspaceRow | None:
    if not locked:
        return None
    seq, chain_head, digest_key = locked[0]
    return WorkspaceRow(seq, chain_head, digest_key, roles[0][0] if roles else None)


def find_claim(workspace: str, scope: str, key: str, link: str | None) -> tuple[Record | None, str | None]:
    """(the idempotency record, the role of the link if it is alive): one look before the transaction."""
    row = sql.fetch_one(
        "SELECT r.fingerprint, r.response, l.role FROM workspaces_workspace w"
        " LEFT JOIN workspaces_idempotencyrecord r ON r.workspace_id = w.id AND r.scope = %s AND r.key = %s"
        " LEFT JOIN workspaces_link l ON l.id = %s AND l.workspace_id = w.id AND l.revoked_at IS NULL WHERE w.id = %s",
        [scope, key, link, workspace],
    )
    if row is None:
        return None, None
    return None if row[0] is None else Record(row[0], row[1]), row[2]


def find_record(workspace: str, scope: str, key: str) -> Record | None:
    row = sql.fetch_one(
        "SELECT fingerprint, response FROM workspaces_idempotencyrecord"
        " WHERE workspace_id = %s AND scope = %s AND key = %s",
        [workspace, scope, key],
    )
    return None if row is None else Record(*row)


_ROW = (
    "id, doc_id, kind, state, clock, firm_clock, epoch, snapshot_clock, snapshot_bytes, tail_updates, tail_bytes,"
    " stage, rank, typed_clocks, typing"
)


def document_rows(workspace: str, doc_ids: Iterable[str]) -> dict[str, DocumentRow]:
    """The rows of those of the documents that exist."""
    wanted = list(doc_ids)
    return read_document_rows(sql.fetch_all(*document_statement(workspace, wanted))) if wanted else {}


def document_statement(workspace: str, doc_ids: Sequence[str]) -> tuple[str, list[Any]]:
    marks = ", ".join(["%s"] * len(doc_ids)) or "NULL"
    return (
        f"SELECT {_ROW} FROM workspaces_document WHERE workspace_id = %s AND doc_id IN ({marks})",  # noqa: S608
        [workspace, *doc_ids],
    )


def read_document_rows(rows: Iterable[tuple[Any, ...]]) -> dict[str, DocumentRow]:
    return {row[1]: DocumentRow(*row) for row in rows}


def scene_statement(workspace: str, link: str | None, doc_ids: Sequence[str]) -> tuple[str, list[Any]]:
    """The link's role beside each of the documents' rows, in one statement behind the lock; see `read_scene`."""
    return _scene(len(doc_ids)), [link, workspace, workspace, *doc_ids]


@lru_cache(maxsize=64)
def _scene(documents: int) -> str:
    marks = ", ".join(["%s"] * documents) or "NULL"
    columns = ", ".join(f"d.{name}" for name in _ROW.split(", "))
    return (
        f"SELECT l.role, {columns} FROM (SELECT 1 AS one) o"  # noqa: S608
        " LEFT JOIN workspaces_link l ON l.id = %s AND l.workspace_id = %s AND l.revoked_at IS NULL"
        f" LEFT JOIN workspaces_document d ON d.workspace_id = %s AND d.doc_id IN ({marks})"
    )


def read_scene(rows: Sequence[tuple[Any, ...]]) -> tuple[list[tuple[Any, ...]], dict[str, DocumentRow]]:
    """(the link's role as a row of its own, none when it is not alive; the documents' rows)."""
    roles = [] if rows[0][0] is None else [(rows[0][0],)]
    return roles, read_document_rows(row[1:] for row in rows if row[1] is not None)


def count_documents(workspace: str, kind: str) -> int:
    """Active and archived documents of a kind: what the limits count."""
    row = sql.fetch_one(
        "SELECT COUNT(*) FROM workspaces_document WHERE workspace_id = %s AND kind = %s AND state <> 'trashed'",
        [workspace, kind],
    )
    assert row is not None
    return int(row[0])


def stage_members(workspace: str, stage: str) -> list[tuple[str, str, str]]:
    """(document id, rank, state) of every application in a stage, in order: hidden ones keep their places."""
    rows = sql.fetch_all(
        "SELECT doc_id, rank, state FROM workspaces_document WHERE workspace_id = %s AND stage = %s", [workspace, stage]
    )
    # Ordered here: a database's collation need not be that of the rank keys.
    return sorted(((row[0], row[1], row[2]) for row in rows), key=lambda entry: (entry[1], entry[0]))


def updates_between(document: int, after: int, upto: int) -> list[bytes]:
    rows = sql.fetch_all(
        'SELECT "update" FROM workspaces_documentupdate WHERE document_id = %s AND clock > %s AND clock <= %s'
        " ORDER BY clock",
        [document, after, upto],
    )
    return [bytes(row[0]) for row in rows]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A typing session that is not sealed yet. `pk` is None for one that is not written yet."""

    pk: int | None
    author: str
    texts: list[str]
    clock_from: int
    clock_to: int
    base_state: bytes
    started_at: datetime
    last_at: datetime


def typing_sessions(document: int) -> list[SessionRow]:
    """A document's unsealed typing sessions, the one that began first coming first."""
    rows = sql.fetch_all(
        "SELECT id, author, texts, clock_from, clock_to, base_state, started_at, last_at"
        " FROM workspaces_typingsession WHERE document_id = %s ORDER BY clock_from",
        [document],
    )
    return [
        SessionRow(r[0], r[1], json_text.decode(r[2]), r[3], r[4], bytes(r[5]), sql.as_time(r[6]), sql.as_time(r[7]))
        for r in rows
    ]


def rested_documents(before: datetime, limit: int) -> list[tuple[str, str]]:
    """(workspace, document) of typing sessions in which nobody has typed since `before`, the oldest first."""
    rows = sql.fetch_all(
        "SELECT s.workspace_id, d.doc_id FROM workspaces_typingsession s"
        " JOIN workspaces_document d ON d.id = s.document_id WHERE s.last_at <= %s ORDER BY s.last_at LIMIT %s",
        [sql.moment(before), limit],
    )
    return list(dict.fromkeys((row[0], row[1]) for row in rows))


def link_roles(workspace: str, links: Iterable[str]) -> dict[str, str]:
    """The roles of those of the links that are alive."""
    wanted = list(links)
    marks = ", ".join(["%s"] * len(wanted))
    rows = sql.fetch_all(
        f"SELECT id, role FROM workspaces_link WHERE workspace_id = %s AND revoked_at IS NULL AND id IN ({marks})",  # noqa: S608
        [workspace, *wanted],
    )
    return dict(rows)


def updates_after(workspace: str, doc_id: str, clock: int) -> tuple[int, int, str, list[tuple[int, bytes]]] | None:
    """(clock, epoch, state, the kept updates after `clock`) of a document at one moment; None for an unknown one."""
    rows = sql.fetch_all(
        'SELECT d.clock, d.epoch, d.state, u.clock, u."update" FROM workspaces_document d'
        " LEFT JOIN workspaces_documentupdate u ON u.document_id = d.id AND u.clock > %s"
        " WHERE d.workspace_id = %s AND d.doc_id = %s ORDER BY u.clock",
        [clock, workspace, doc_id],
    )
    if not rows:
        return None
    clock_now, epoch, state = rows[0][:3]
    return clock_now, epoch, state, [(row[3], bytes(row[4])) for row in rows if row[3] is not None]


@dataclass(frozen=True, slots=True)
class Log:
    """A document's snapshot and the updates after it, up to `clock`."""

    clock: int
    epoch: int
    snapshot_clock: int
    snapshot: bytes
    updates: list[bytes]


def read_log(document: int) -> Log | None:
    row = sql.fetch_one(
        "SELECT d.clock, d.epoch, d.snapshot_clock, s.state FROM workspaces_document d"
        " LEFT JOIN workspaces_documentsnapshot s ON s.document_id = d.id WHERE d.id = %s",
        [document],
    )
    if row is None:
        return None
    return Log(row[0], row[1], row[2], bytes(row[3] or b""), updates_between(document, row[2], row[0]))


def events_after(workspace: str, documents: Sequence[str], seq: int) -> list[dict[str, Any]]:
    """Later events that touched any of the documents, oldest first, with what the undo check needs."""
    marks = ", ".join(["%s"] * len(documents))
    rows = sql.fetch_all(
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
    rows = sql.fetch_all(
        f"SELECT id, seq, affected_paths, undone_by FROM workspaces_event WHERE id IN ({marks})",  # noqa: S608
        wanted,
    )
    return {row[0]: (row[1], json_text.decode(row[2]), row[3]) for row in rows}


def undone_events(ids: Sequence[str]) -> dict[str, list[str]]:
    """Which events each of these events compensated."""
    marks = ", ".join(["%s"] * len(ids))
    rows = sql.fetch_all(f"SELECT id, undoes FROM workspaces_event WHERE id IN ({marks})", ids)  # noqa: S608
    return {row[0]: json_text.decode(row[1]) for row in rows}


def documents_of(clocks: Mapping[str, Any]) -> list[str]:
    """The documents of an event: of a commit's clocks ({"before", "after"}), or of typing's (document → from, to)."""
    return list(clocks["after"] if "after" in clocks else clocks)


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
    receipt, event, seq, actor_class, reason, thread, turn, affected, expires_at, undone_by, inverse = row
    paths = json_text.decode(affected)
    at = sql.as_time(expires_at)
    return ReceiptRow(receipt, event, seq, actor_class, reason, thread, turn, paths, at, undone_by, inverse)


def receipt_row(workspace: str, receipt: str) -> ReceiptRow | None:
    row = sql.fetch_one(
        f"SELECT {_RECEIPT} FROM workspaces_receipt WHERE workspace_id = %s AND id = %s",  # noqa: S608
        [workspace, receipt],
    )
    return None if row is None else _receipt_row(row)


def receipt_rows_of_turn(workspace: str, turn: str) -> list[ReceiptRow]:
    """A turn's receipts, newest first."""
    rows = sql.fetch_all(
        f"SELECT {_RECEIPT} FROM workspaces_receipt WHERE workspace_id = %s AND turn = %s ORDER BY seq DESC",  # noqa: S608
        [workspace, turn],
    )
    return [_receipt_row(row) for row in rows]


def receipt_rows(workspace: str, ids: Sequence[str]) -> list[ReceiptRow]:
    """Those of the receipts that exist, newest first."""
    if not ids:
        return []
    marks = ", ".join(["%s"] * len(ids))
    rows = sql.fetch_all(
        f"SELECT {_RECEIPT} FROM workspaces_receipt WHERE workspace_id = %s AND id IN ({marks}) ORDER BY seq DESC",  # noqa: S608
        [workspace, *ids],
    )
    return [_receipt_row(row) for row in rows]


def open_inverses(workspace: str, doc_id: str) -> list[tuple[str, str]]:
    """(receipt, inverse) of the receipts that can still be undone and touched a text of the document."""
    return sql.fetch_all(
        "SELECT id, inverse FROM workspaces_receipt WHERE workspace_id = %s AND undone_by IS NULL"
        " AND inverse IS NOT NULL AND affected_paths LIKE %s",
        [workspace, f'%"{doc_id}/texts/%'],
    )
