"""The rows that upkeep writes: what has expired goes, long tails become snapshots, the trash is emptied.

Beside `store`, and with it among the few writers of documents. Each function is one small step inside the caller's
transaction, harmless when another process takes the same step at the same time. Above: `workspaces.upkeep`.
"""

from __future__ import annotations

from datetime import datetime

from workspaces import sql

from . import lookups, rebuild, store
from .erasing import BELOW_DOCUMENTS
from .persist import KEPT_UPDATES
from .planner import load_document


def expire_receipts(at: datetime, limit: int) -> int:
    """Drops inverse and changes of receipts past their time; the rows stay."""
    return sql.execute(
        "UPDATE workspaces_receipt SET inverse = NULL, changes = NULL WHERE id IN ("  # noqa: S608
        " SELECT id FROM workspaces_receipt WHERE expires_at <= %s AND inverse IS NOT NULL"
        f" ORDER BY expires_at LIMIT %s{sql.skip_locked()})",
        [sql.moment(at), limit],
    )


def expire_records(at: datetime, limit: int) -> int:
    """Deletes idempotency records past their time, among the `limit` oldest."""
    return sql.execute(
        "DELETE FROM workspaces_idempotencyrecord WHERE expires_at <= %s AND id IN ("  # noqa: S608
        f" SELECT id FROM workspaces_idempotencyrecord ORDER BY id LIMIT %s{sql.skip_locked()})",
        [sql.moment(at), limit],
    )


# --- the trash -------------------------------------------------------------------------------------------------------


def documents_in_trash(before: datetime, after: int, limit: int) -> list[tuple[int, str, str]]:
    """(pk, workspace, document) of those trashed at `before` or earlier, in the order of pk from `after` on."""
    return sql.fetch_all(
        "SELECT id, workspace_id, doc_id FROM workspaces_document WHERE state = 'trashed' AND trashed_at <= %s"
        " AND id > %s ORDER BY id LIMIT %s",
        [sql.moment(before), after, limit],
    )


def purge_document(workspace: str, doc_id: str, *, before: datetime, at: datetime) -> bool:
    """Removes a document that has been in the trash since `before`, with its snapshot and updates; False when it is
    not there any more. The workspace's row is locked by the caller.

    Its events stay. Receipts that touched it cannot be undone any more, whatever their time: they expire, and with them
    goes what they kept of it.
    """
    row = sql.fetch_one(
        "SELECT id FROM workspaces_document WHERE workspace_id = %s AND doc_id = %s AND state = 'trashed'"
        " AND trashed_at <= %s",
        [workspace, doc_id, sql.moment(before)],
    )
    if row is None:
        return False
    sql.execute(
        "UPDATE workspaces_receipt SET inverse = NULL, changes = NULL,"
        " expires_at = CASE WHEN expires_at > %s THEN %s ELSE expires_at END"
        " WHERE workspace_id = %s AND inverse IS NOT NULL AND seq IN ("
        " SELECT seq FROM workspaces_eventdocument WHERE workspace_id = %s AND doc_id = %s)",
        [sql.moment(at), sql.moment(at), workspace, workspace, doc_id],
    )
    for table in BELOW_DOCUMENTS:
        sql.execute(f"DELETE FROM {table} WHERE document_id = %s", [row[0]])  # noqa: S608
    sql.execute("DELETE FROM workspaces_document WHERE id = %s", [row[0]])
    return True


# --- the update log --------------------------------------------------------------------------------------------------


def documents_with_tails(quiet_since: datetime, after: int, limit: int, *, tail: int) -> list[tuple[int, str, str]]:
    """(pk, workspace, document) of those that nobody has changed since and that have `tail` updates or more behind
    their snapshot, in the order of pk from `after` on."""
    return sql.fetch_all(
        "SELECT id, workspace_id, doc_id FROM workspaces_document WHERE id > %s AND tail_updates >= %s"
        " AND updated_at <= %s AND typing = 0 ORDER BY id LIMIT %s",
        [after, tail, sql.moment(quiet_since), limit],
    )


def compact_document(workspace: str, doc_id: str, *, quiet_since: datetime, tail: int) -> bool:
    """Takes a snapshot of a quiet document; False when it is none any more. The caller holds the workspace's row."""
    row = lookups.document_rows(workspace, [doc_id]).get(doc_id)
    if row is None or row.tail_updates < tail or row.typing or not _is_quiet(row, quiet_since):
        return False
    assert row.pk is not None
    warm = load_document(workspace, row)
    store.write_snapshot(row.pk, row.clock, warm.ydoc.encode(), keep_after=row.clock - KEPT_UPDATES)
    return True


def _is_quiet(row: lookups.DocumentRow, since: datetime) -> bool:
    found = sql.fetch_one(
        "SELECT 1 FROM workspaces_document WHERE id = %s AND updated_at <= %s", [row.pk, sql.moment(since)]
    )
    return found is not None


def documents_with_kept_updates(quiet_since: datetime, after: int, limit: int) -> list[tuple[int, str, str]]:
    """(pk, workspace, document) of those that nobody has changed since, with updates that their snapshot holds."""
    return sql.fetch_all(
        "SELECT d.id, d.workspace_id, d.doc_id FROM workspaces_document d"
        " WHERE d.id > %s AND d.updated_at <= %s AND d.typing = 0 AND EXISTS ("
        " SELECT 1 FROM workspaces_documentupdate u WHERE u.document_id = d.id AND u.clock <= d.snapshot_clock)"
        " ORDER BY d.id LIMIT %s",
        [after, sql.moment(quiet_since), limit],
    )


def drop_kept_updates(document: int, *, quiet_since: datetime) -> int:
    """Deletes the updates that a quiet document's snapshot holds; gives how many. One statement: a commit in between
    makes the document unquiet, and the snapshot only moves on."""
    return sql.execute(
        "DELETE FROM workspaces_documentupdate WHERE document_id = %s AND clock <= ("
        " SELECT snapshot_clock FROM workspaces_document WHERE id = %s AND updated_at <= %s AND typing = 0)",
        [document, document, sql.moment(quiet_since)],
    )


def is_outgrown(workspace: str, doc_id: str) -> bool:
    """Whether a document's history has outgrown its content: typing alone never makes room (`rebuild.lighten`)."""
    row = lookups.document_rows(workspace, [doc_id]).get(doc_id)
    if row is None or row.snapshot_bytes <= rebuild.MIN_HISTORY_BYTES:
        return False
    warm = load_document(workspace, row)
    return rebuild.is_outgrown(warm.state, warm.size)
