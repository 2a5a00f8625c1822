"""What an erasure does to the rows of a workspace: locks them in the order that every writer keeps, and empties them.

Beside `store`, and with it the only writer of documents. Runs inside the erasure's transaction (`workspaces.erasure`).
What remains is a tombstone and the audit chain: ids, numbers, kinds, paths, clocks, digests and MACs. The key of the
digests goes, so they tell nothing any more. Source: contract section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from workspaces import sql

# Emptied before the documents: PostgreSQL looks at foreign keys when the transaction ends, SQLite at once.
BELOW_DOCUMENTS = ("workspaces_documentupdate", "workspaces_documentsnapshot", "workspaces_typingsession")
_OF_THE_WORKSPACE = (
    "workspaces_document",
    "workspaces_receipt",
    "workspaces_eventdocument",
    "workspaces_idempotencyrecord",
    "workspaces_import",
    "workspaces_diagnostic",
    "workspaces_link",
)
EMPTIED: tuple[str, ...] = (*BELOW_DOCUMENTS, *_OF_THE_WORKSPACE)
"""Every table that keeps nothing of an erased workspace. One with a workspace that is not here fails a test."""


def lock_for_erasure(workspace: str) -> bool:
    """Locks the idempotency records and then the workspace; False when it is unknown or erased already."""
    sql.fetch_all(
        "SELECT r.id FROM workspaces_idempotencyrecord r WHERE r.workspace_id = %s"  # noqa: S608
        f" ORDER BY r.id{sql.for_update('r')}",
        [workspace],
    )
    row = sql.fetch_one(
        "SELECT 1 FROM workspaces_workspace w WHERE w.id = %s"  # noqa: S608
        f" AND w.erased_at IS NULL{sql.for_update('w')}",
        [workspace],
    )
    return row is not None


def live_links(workspace: str) -> list[str]:
    """The ids of the links that are not revoked."""
    rows = sql.fetch_all(
        "SELECT id FROM workspaces_link WHERE workspace_id = %s AND revoked_at IS NULL ORDER BY id", [workspace]
    )
    return [row[0] for row in rows]


def erase_rows(workspace: str, at: datetime) -> None:
    """Empties the workspace, queues its JobCache tokens without its name, and leaves the tombstone."""
    sql.execute(
        "UPDATE workspaces_corpusparticipant SET workspace_id = NULL, queued_at = %s WHERE workspace_id = %s",
        [sql.moment(at), workspace],
    )
    empty_rows(workspace)
    sql.execute(
        "UPDATE workspaces_event SET reason = '', origin_event = NULL WHERE workspace_id = %s"
        " AND (reason <> '' OR origin_event IS NOT NULL)",
        [workspace],
    )
    sql.execute(
        "UPDATE workspaces_workspace SET label = '', digest_key = '', assistant_sees_contact_details = %s,"
        " time_zone = 'UTC', language = 'en', erased_at = %s, scrubbed_at = NULL WHERE id = %s",
        [False, sql.moment(at), workspace],
    )


def empty_rows(workspace: str) -> int:
    """Deletes the rows of every table in `EMPTIED`; gives how many there were."""
    count = 0
    for table in BELOW_DOCUMENTS:
        count += sql.execute(
            f"DELETE FROM {table} WHERE document_id IN"  # noqa: S608
            " (SELECT id FROM workspaces_document WHERE workspace_id = %s)",
            [workspace],
        )
    for table in _OF_THE_WORKSPACE:
        count += sql.execute(f"DELETE FROM {table} WHERE workspace_id = %s", [workspace])  # noqa: S608
    return count


def tombstones_to_scrub(limit: int) -> list[str]:
    """Erased workspaces whose content may still be in the pages of the database's files, oldest first."""
    rows = sql.fetch_all(
        "SELECT id FROM workspaces_workspace WHERE erased_at IS NOT NULL AND scrubbed_at IS NULL"
        " ORDER BY erased_at LIMIT %s",
        [limit],
    )
    return [row[0] for row in rows]


def mark_scrubbed(workspaces: Sequence[str], at: datetime) -> None:
    """Notes that the files were rewritten since these were erased."""
    marks = ", ".join(["%s"] * len(workspaces))
    sql.execute(
        f"UPDATE workspaces_workspace SET scrubbed_at = %s WHERE id IN ({marks})",  # noqa: S608
        [sql.moment(at), *workspaces],
    )


def erased_among(workspaces: Sequence[str]) -> list[str]:
    """Those of the workspaces that are erased."""
    if not workspaces:
        return []
    marks = ", ".join(["%s"] * len(workspaces))
    rows = sql.fetch_all(
        f"SELECT id FROM workspaces_workspace WHERE erased_at IS NOT NULL AND id IN ({marks})",  # noqa: S608
        list(workspaces),
    )
    return [row[0] for row in rows]
