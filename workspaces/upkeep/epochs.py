"""Gives every document a new Yjs epoch, once the database came back from a backup.

Above: the facade (`manage.py renew_epochs`). Below: `commits.renewal`. A run that was cut off is carried on under its
name: commits that it made are found by their idempotency keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from workspaces import sql
from workspaces.commits.renewal import MOST_AT_ONCE, renew_documents
from workspaces.errors import LinkInvalid


def renew_epochs(*, run: str) -> Iterator[int]:
    """Rebuilds every document of every workspace; tells after each commit how many documents that were (0: it was made
    before by this run)."""
    workspace = ""
    while rows := sql.fetch_all(
        "SELECT id FROM workspaces_workspace WHERE id > %s AND erased_at IS NULL ORDER BY id LIMIT 100", [workspace]
    ):
        for (workspace,) in rows:
            yield from _renew(workspace, run)


def _renew(workspace: str, run: str) -> Iterator[int]:
    last = 0
    while rows := sql.fetch_all(
        "SELECT id, doc_id FROM workspaces_document WHERE workspace_id = %s AND id > %s ORDER BY id LIMIT %s",
        [workspace, last, MOST_AT_ONCE],
    ):
        try:
            done = renew_documents(workspace=workspace, documents=[row[1] for row in rows], run=run, apart=True)
        except LinkInvalid:
            return  # erased in between
        yield len(rows) if done else 0
        last = rows[-1][0]
