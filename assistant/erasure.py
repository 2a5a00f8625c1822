"""What the erasure of a workspace takes from the assistant: conversations, answers, connectors, audit rows, companions.

Above: `assistant.facade`. Below: `workspaces.facade.erase_workspace`, whose transaction this runs in, and the rows.
Locks: open turns, then what `workspaces` locks; whoever adds a turn or a thread holds the workspace first. A turn that
came in between makes the whole start over, because its row stands before the locks that are held by then.
Source: contract sections 5 and 7.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from django.db import OperationalError, connection, transaction

from assistant import connector_erasures, metrics
from assistant.models import Connector
from assistant.threads import announcing
from workspaces import facade
from workspaces.contracts import Access, ComeAgain
from workspaces.errors import OwnerOnly, ViewOnly
from workspaces.facade import sql

_TRIES: Final = 20
_OPEN: Final = "('queued', 'assigned', 'running')"
# Rows that name only their turn or thread before those; a table with content that is not here fails a test.
DELETIONS: Final = {
    "assistant_providereventseen": "turn_id IN (SELECT id FROM assistant_turn WHERE workspace = %s)",
    "assistant_turntoolresult": "turn IN (SELECT id FROM assistant_turn WHERE workspace = %s)",
    "assistant_threadevent": "thread_id IN (SELECT id FROM assistant_thread WHERE workspace = %s)",
    "assistant_turn": "workspace = %s",
    "assistant_thread": "workspace = %s",
    "assistant_toolcall": "workspace = %s",
    "assistant_turnaudit": "workspace = %s",
    "assistant_connector": "workspace = %s",
}


def erase_workspace(*, workspace: str, access: Access | None = None) -> None:
    """Erases everything of a workspace in one transaction; closes its sockets and ends its running turns.

    `access` is the owner's who asks; None for an operator. Raises ViewOnly, OwnerOnly, LinkInvalid (also when it is
    erased already).
    """
    if access is not None and access.role == "view":
        raise ViewOnly
    if access is not None and access.role != "owner":
        raise OwnerOnly
    for left in reversed(range(_TRIES)):
        try:
            facade.erase_workspace(
                workspace=workspace, link=None if access is None else access.link, also=_Conversations(workspace)
            )
            return
        except (ComeAgain, OperationalError) as error:
            # PostgreSQL ends one of two transactions that wait for each other; nothing of it was written.
            if left == 0 or not (isinstance(error, ComeAgain) or connection.vendor == "postgresql"):
                raise


class _Conversations:
    """The assistant's part of one attempt."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._running: dict[str, tuple[str | None, str]] = {}

    def lock(self) -> None:
        rows = sql.fetch_all(
            "SELECT t.id, t.claimed_by, t.provider FROM assistant_turn t WHERE t.workspace = %s"  # noqa: S608
            f" AND t.state IN {_OPEN} ORDER BY t.id{sql.for_update('t')}",
            [self._workspace],
        )
        self._running = {row[0]: (row[1], row[2]) for row in rows}

    def erase(self) -> None:
        rows = sql.fetch_all(
            f"SELECT id FROM assistant_turn WHERE workspace = %s AND state IN {_OPEN}",  # noqa: S608
            [self._workspace],
        )
        if {row[0] for row in rows} - set(self._running):
            raise ComeAgain
        connectors = list(Connector.objects.filter(workspace=self._workspace, deleted_at=None))
        connector_erasures.queue_erasures(connectors)
        for table, which in DELETIONS.items():
            sql.execute(f"DELETE FROM {table} WHERE {which}", [self._workspace])  # noqa: S608
        connector_erasures.forget_companions(workspace=self._workspace)
        for turn, (host, provider) in self._running.items():
            announcing.announce_ended(turn=turn, host=host)
            transaction.on_commit(partial(_count_ended, provider))


def _count_ended(provider: str) -> None:
    metrics.TURNS_ENDED.labels(provider, "erased").inc()
