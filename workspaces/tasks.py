"""Housekeeping, run by Celery: what expired receipts kept, and records of requests that nobody repeats any more.

Above: Celery beat by `BEAT`. Below: the facade. Each task works in batches, may run twice at once and may be killed
anywhere: what is left is found the next time. Nobody waits for them; expiry itself is decided by `expires_at`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import structlog
from celery import shared_task
from django.conf import settings

from . import facade
from .http.grants import sweep_grants

BATCH = 500
MOST_BATCHES = 200
# Contract section 7.
TYPING_RESTS = timedelta(seconds=30)
log = structlog.get_logger(__name__)

BEAT: dict[str, dict[str, Any]] = {
    "workspaces.expire_receipts": {"task": "workspaces.expire_receipts", "schedule": 15 * 60.0},
    "workspaces.expire_idempotency_records": {
        "task": "workspaces.expire_idempotency_records",
        "schedule": 60 * 60.0,
    },
    "workspaces.seal_typing": {"task": "workspaces.seal_typing", "schedule": 30.0, "options": {"expires": 30}},
    "workspaces.finish_erasures": {"task": "workspaces.finish_erasures", "schedule": 60.0, "options": {"expires": 60}},
    "workspaces.end_lost_imports": {
        "task": "workspaces.end_lost_imports",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "workspaces.clear_expired_sessions": {"task": "workspaces.clear_expired_sessions", "schedule": 24 * 60 * 60.0},
}


@shared_task(name="workspaces.expire_receipts")
def expire_receipts() -> int:
    """Drops inverses and changes of receipts past their time; gives how many."""
    return _in_batches("receipts", facade.expire_receipts)


@shared_task(name="workspaces.expire_idempotency_records")
def expire_idempotency_records() -> int:
    """Deletes idempotency records past their time; gives how many."""
    return _in_batches("idempotency_records", facade.expire_idempotency_records)


@shared_task(name="workspaces.end_lost_imports")
def end_lost_imports() -> int:
    """Marks imports whose process has died as failed; gives how many."""
    return _in_batches("imports", facade.end_lost_imports)


@shared_task(name="workspaces.clear_expired_sessions")
def clear_expired_sessions() -> None:
    """Deletes browser sessions past their time: they open nothing any more, so they need not be kept either."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    _clear_grants()


@shared_task(name="workspaces.seal_typing")
def seal_typing() -> int:
    """Writes the events of typing sessions at rest; gives how many. Open documents' rooms mostly come first."""
    return facade.seal_rested(before=facade.now() - TYPING_RESTS, limit=BATCH)


@shared_task(name="workspaces.finish_erasures")
def finish_erasures() -> int:
    """What follows an erasure outside its transaction: grants in browser sessions, then the pages of the files.

    Gives how many tombstones are clean now that were not before.
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


def _in_batches(what: str, expire: Callable[..., int]) -> int:
    # Small transactions: writers of all workspaces share the database with this.
    total = 0
    for _ in range(MOST_BATCHES):
        count = expire(limit=BATCH)
        total += count
        if count < BATCH:
            break
    if total:
        log.info("expired", what=what, count=total)
    return total
