"""The end of a workspace: one transaction that empties it, then the sockets, the memory and the files.

Above: the facade; `assistant.facade` composes it with the conversations. Below: the rows (`commits.erasing`), the warm
documents, the hub. The order of locks is that of every writer (turn, idempotency record, workspace), so whatever else
is under way is wholly done before, or finds nothing there. Source: contract section 7.

A database keeps deleted bytes in pages that are free. `scrub_erased` rewrites the files; it may be killed anywhere and
run again, and knows by `scrubbed_at` what is left to do.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from .clock import now
from .commits import erasing
from .commits.cache import documents, workspace_lock
from .contracts import Erasing
from .errors import LinkInvalid, OwnerOnly
from .links import check_link_alive, link_topic
from .realtime import hub
from .realtime.orders import Orders

MOST_AT_ONCE = 500
_LOOK_AGAIN_S = 0.2
_BUSY_MS = 2_000


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """How many tombstones there were to scrub, and whether the files are clean now."""

    tombstones: int
    done: bool


def erase_workspace(*, workspace: str, link: str | None, also: Erasing) -> None:
    """Erases a workspace for good. `link` is the owner link that asks; None for an operator.

    Raises LinkInvalid (it is gone already, or the link is), OwnerOnly, and `contracts.ComeAgain` from `also`.
    """
    with workspace_lock(workspace):
        with transaction.atomic(durable=True):
            also.lock()
            if not erasing.lock_for_erasure(workspace):
                raise LinkInvalid
            if link is not None and check_link_alive(workspace=workspace, link=link) != "owner":
                raise OwnerOnly
            links = erasing.live_links(workspace)
            also.erase()
            erasing.erase_rows(workspace, now())
        _announce(workspace, links)


def _announce(workspace: str, links: list[str]) -> None:
    orders.give(workspace)
    message = {"type": "workspace.erased", "workspace": workspace}
    # Every socket that a link opened listens to its link; rails do not listen to the workspace.
    for topic in (f"workspace:{workspace}", *(link_topic(link) for link in links)):
        hub.publish(topic=topic, message=message)


def is_erased(*, workspace: str) -> bool:
    """Whether there was such a workspace, and it was erased."""
    return bool(erasing.erased_among([workspace]))


def has_unscrubbed() -> bool:
    """Whether a workspace was erased since the files were last rewritten."""
    return bool(erasing.tombstones_to_scrub(1))


def scrub_erased(*, patience_s: float = 20.0) -> Scrubbed:
    """Rewrites the database's files when something was erased since they were last rewritten.

    Outside any transaction. `patience_s`: how long to wait for readers that still hold an older state. Not done: call
    again. Safe to run twice at once.
    """
    tombstones = erasing.tombstones_to_scrub(MOST_AT_ONCE)
    if not tombstones:
        return Scrubbed(0, True)
    for workspace in tombstones:
        # Nothing is left there; should a write have slipped in through a fault of ours, it goes before anybody sees it.
        with transaction.atomic():
            erasing.empty_rows(workspace)
        # Again: the process that erased it may have been killed before it could tell.
        orders.give(workspace)
    done = _rewrite_sqlite(patience_s) if connection.vendor == "sqlite" else _vacuum_postgresql()
    if done:
        erasing.mark_scrubbed(tombstones, now())
    return Scrubbed(len(tombstones), done)


def _rewrite_sqlite(patience_s: float) -> bool:
    """VACUUM leaves out every free byte; the checkpoint carries that into the file and cuts the log to nothing."""
    deadline = time.monotonic() + patience_s
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchall()[0][0]
        # While it waits for readers the checkpoint lets nobody write: rather often and short than once and long.
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        try:
            while not _rewritten(cursor):
                if time.monotonic() > deadline:
                    return False
                time.sleep(_LOOK_AGAIN_S)
        finally:
            cursor.execute(f"PRAGMA busy_timeout={before}")
    return True


def _rewritten(cursor: CursorWrapper) -> bool:
    try:
        cursor.execute("VACUUM")
        return not cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
    except OperationalError:  # locked by a write, or no room for the copy
        return False


def _vacuum_postgresql(options: str = "") -> bool:
    """Gives the space of the dead rows free. What remains in pages, WAL and backups: see docs/erasure.md."""
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"VACUUM {options} {connection.ops.quote_name(table)}")
    return True


def rewrite_tables() -> None:
    """Writes every table anew, so that no page of them holds anything deleted. PostgreSQL locks each meanwhile."""
    if connection.vendor == "postgresql":
        _vacuum_postgresql("(FULL)")
    else:
        _rewrite_sqlite(20.0)


def _follow(workspace: str) -> None:
    documents.close_workspace(workspace)


def _catch_up() -> None:
    try:
        for workspace in erasing.erased_among(documents.workspaces()):
            documents.close_workspace(workspace)
    finally:
        connection.close()


orders = Orders(follow=_follow, catch_up=_catch_up)
"""Tells all processes to forget a workspace's documents."""


def _watch() -> None:
    documents.on_first_put = orders.listen


_watch()
os.register_at_fork(after_in_child=_watch)
