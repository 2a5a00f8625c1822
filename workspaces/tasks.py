"""Housekeeping, run by Celery: what has expired goes, what was typed is sealed, logs stay short, erasures are finished.

Above: Celery beat by `BEAT`. Below: the facade. Each task works in batches of a transaction each, may run twice at once
and may be killed anywhere: what is left is found the next time. Nobody waits for them; whether something has expired is
decided by its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import structlog

from . import facade
from .http.grants import expire_sessions, sweep_grants
from .scheduling import Schedule, regular

BATCH = 500
MOST_BATCHES = 200
MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
log = structlog.get_logger(__name__)

BEAT: Schedule = {}


@regular(BEAT, name="workspaces.expire_receipts", every_s=15 * MINUTE)
def expire_receipts() -> Iterator[int]:
    """Drops inverses and changes of receipts past their time."""
    return _in_batches(facade.expire_receipts)


@regular(BEAT, name="workspaces.expire_idempotency_records", every_s=HOUR)
def expire_idempotency_records() -> Iterator[int]:
    """Deletes idempotency records past their time."""
    return _in_batches(facade.expire_idempotency_records)


@regular(BEAT, name="workspaces.purge_trash", every_s=HOUR)
def purge_trash() -> Iterator[int]:
    """Removes documents that have been in the trash for 30 days."""
    return facade.purge_trash()


@regular(BEAT, name="workspaces.compact_logs", every_s=HOUR)
def compact_logs() -> Iterator[int]:
    """Takes snapshots of cold documents and drops updates that nobody can resume from any more."""
    return facade.compact_logs()


@regular(BEAT, name="workspaces.seal_typing", every_s=15)
def seal_typing() -> int:
    """Writes the events of typing sessions at rest. Open documents' rooms mostly come first."""
    return facade.seal_rested(before=facade.now() - facade.TYPING_RESTS, limit=BATCH)


@regular(BEAT, name="workspaces.end_lost_imports", every_s=MINUTE)
def end_lost_imports() -> Iterator[int]:
    """Marks imports whose process has died as failed."""
    return _in_batches(facade.end_lost_imports)


@regular(BEAT, name="workspaces.clear_expired_sessions", every_s=DAY)
def clear_expired_sessions() -> Iterator[int]:
    """Deletes browser sessions past their time: they open nothing any more, so they need not be kept either."""
    yield from _in_batches(expire_sessions)
    _clear_grants()


@regular(BEAT, name="workspaces.finish_erasures", every_s=MINUTE)
def finish_erasures() -> int:
    """What follows an erasure outside its transaction: grants in browser sessions, then the pages of the files.

    Handles the tombstones that are clean now and were not before.
    """
    if not facade.has_unscrubbed():
        return 0
    _clear_grants()
    scrubbed = facade.scrub_erased()
    if not scrubbed.done:
        log.warning("scrub_postponed", tombstones=scrubbed.tombstones)
        return 0
    log.info("scrubbed", tombstones=scrubbed.tombstones)
    return scrubbed.tombstones


def _clear_grants() -> None:
    after, more = "", True
    while more:
        _, after = sweep_grants(after=after, limit=BATCH)
        more = after != ""


def _in_batches(expire: Callable[..., int]) -> Iterator[int]:
    # Small transactions: writers of all workspaces share the database with this.
    for _ in range(MOST_BATCHES):
        count = expire(limit=BATCH)
        if not count:
            break
        yield count
