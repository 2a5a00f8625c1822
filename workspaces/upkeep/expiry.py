"""What ends with time: receipts' inverses, idempotency records, the trash, long tails and updates nobody resumes from.

Above: the facade, whose callers (Celery) repeat each step until it gives nothing more. Below: `commits.housekeeping`.
Every step is a transaction of its own, finds by itself what is left to do, and may be taken by two processes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from django.db import transaction

from workspaces.clock import now
from workspaces.commits import housekeeping, lookups
from workspaces.commits.cache import documents, workspace_lock
from workspaces.commits.renewal import renew_documents
from workspaces.errors import LinkInvalid

# Contract section 4.
TRASH_KEPT = timedelta(days=30)
# A document is cold when nobody has changed it for this long; a tail of this many updates is worth a snapshot then.
COLD_AFTER = timedelta(minutes=10)
LONG_TAIL = 16
# A page that slept longer than this reads the documents anew instead of resuming from the log.
RESUMABLE_FOR = timedelta(hours=24)


def expire_receipts(*, limit: int = 500) -> int:
    """Drops what expired receipts kept; gives how many."""
    return housekeeping.expire_receipts(now(), limit)


def expire_idempotency_records(*, limit: int = 500) -> int:
    """Deletes idempotency records past their time; gives how many."""
    return housekeeping.expire_records(now(), limit)


def purge_trash(*, batch: int = 100) -> Iterator[int]:
    """Removes documents that have been in the trash for 30 days; tells after each batch how many went.

    References to one stay where they are, as they did while it was in the trash: an id that nothing answers to.
    """
    at = now()
    before = at - TRASH_KEPT
    yield from _one_by_one(
        lambda after: housekeeping.documents_in_trash(before, after, batch),
        lambda workspace, doc_id: housekeeping.purge_document(workspace, doc_id, before=before, at=at),
        forget=True,
    )


def compact_logs(*, batch: int = 100) -> Iterator[int]:
    """Takes snapshots of cold documents with long tails, then drops the updates that nobody can resume from any more,
    and the history of documents that it has outgrown; tells after each batch how many documents and updates that were.
    """
    quiet_since = now() - COLD_AFTER
    yield from _one_by_one(
        lambda after: housekeeping.documents_with_tails(quiet_since, after, batch, tail=LONG_TAIL),
        lambda workspace, doc_id: housekeeping.compact_document(
            workspace, doc_id, quiet_since=quiet_since, tail=LONG_TAIL
        ),
    )
    quiet_since, after = now() - RESUMABLE_FOR, 0
    while found := housekeeping.documents_with_kept_updates(quiet_since, after, batch):
        yield sum(housekeeping.drop_kept_updates(pk, quiet_since=quiet_since) for pk, _, _ in found)
        yield sum(_lighten(workspace, doc_id) for _, workspace, doc_id in found)
        after = found[-1][0]


def _lighten(workspace: str, doc_id: str) -> bool:
    """Rebuilds a cold document whose history has outgrown its content, in a commit of nobody's."""
    if not housekeeping.is_outgrown(workspace, doc_id):
        return False
    try:
        # A day has one run: whoever sweeps at the same time finds that it was done.
        return renew_documents(workspace=workspace, documents=[doc_id], run=now().date().isoformat(), apart=False)
    except LinkInvalid:
        return False  # erased in between


def _one_by_one(
    find: Callable[[int], list[tuple[int, str, str]]], step: Callable[[str, str], bool], *, forget: bool = False
) -> Iterator[int]:
    """Takes the step for every document found, each under its workspace's lock; `forget` drops the warm copy too."""
    after = 0
    while found := find(after):
        yield sum(_step(workspace, doc_id, step, forget=forget) for _, workspace, doc_id in found)
        after = found[-1][0]


def _step(workspace: str, doc_id: str, step: Callable[[str, str], bool], *, forget: bool) -> bool:
    with workspace_lock(workspace), transaction.atomic():
        # An erased workspace has no documents; whatever was found before that is gone.
        if lookups.lock_workspace(workspace, None) is None:
            return False
        done = step(workspace, doc_id)
        if done and forget:
            documents.evict(workspace, doc_id)
        return done
