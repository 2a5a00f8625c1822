"""Keeps a record of how each regular task fares: one row a task, written around and during its work.

Above: the facade; the tasks of both packages run inside `run_upkeep`, `/metrics` and the admin show the rows. Nothing
of content: an error is the name of its class.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F

from workspaces.clock import now
from workspaces.models import UpkeepRun

# A task that is due every few seconds and finds nothing to do is noted this often only: a note is a write.
NOTED_EVERY = timedelta(seconds=30)
# Due for this many intervals: its scheduler or its worker is not there.
OVERDUE_INTERVALS = 3


@dataclass(frozen=True, slots=True)
class UpkeepRunInfo:
    """How a task has fared so far. `finished_at`: when it last ended well; None: never yet."""

    task: str
    every_s: int
    started_at: datetime
    finished_at: datetime | None
    runs: int
    failures: int
    handled: int
    last_handled: int
    last_error: str

    def is_overdue(self, at: datetime) -> bool:
        """Whether it should have ended well since, by three times its interval and never sooner than its notes come."""
        if not self.every_s:
            return False
        patience = timedelta(seconds=self.every_s * OVERDUE_INTERVALS) + 2 * NOTED_EVERY
        return at - (self.finished_at or self.started_at) > patience


@dataclass(slots=True)
class _Unnoted:
    """What this process has not noted yet of a task that is due often."""

    noted_at: datetime | None = None
    runs: int = 0


_unnoted: dict[str, _Unnoted] = {}
_guard = threading.Lock()


def run_upkeep(
    *, task: str, every_s: int, work: Callable[[], int | Iterable[int]], began: datetime | None = None
) -> int:
    """Does a task's work and notes it; gives how much it handled. `work` gives a count, or counts while it goes on.

    `began`: the start of a run that this one carries on. Whatever it raises is noted and raised again. A process that
    is killed leaves `started_at` behind.
    """
    at = began or now()
    often = timedelta() < timedelta(seconds=every_s) < 2 * NOTED_EVERY
    if not often:
        _note(task, every_s, at, started_at=at, last_handled=0, last_error="")
    handled = 0
    try:
        done = work()
        for count in [done] if isinstance(done, int) else done:
            handled += count
            if count and not often:
                _note(task, every_s, at, handled=F("handled") + count, last_handled=F("last_handled") + count)
    except Exception as error:
        noted = {"handled": F("handled") + handled} if often else {}
        failed = {"failures": F("failures") + 1, "last_error": type(error).__name__[:80]}
        _note(task, every_s, at, started_at=at, runs=F("runs") + 1 + _take(task, at), **failed, **noted)
        raise
    if often:
        _note_often(task, every_s, at, handled)
    else:
        _note(task, every_s, at, runs=F("runs") + 1, finished_at=now(), last_error="")
    return handled


def _note_often(task: str, every_s: int, at: datetime, handled: int) -> None:
    with _guard:
        entry = _unnoted.setdefault(task, _Unnoted())
        # A clock that was set back must not silence it.
        due = entry.noted_at is None or not timedelta() <= at - entry.noted_at < NOTED_EVERY
        if not handled and not due:
            entry.runs += 1
            return
    runs = 1 + _take(task, at)
    _note(
        task, every_s, at, started_at=at, finished_at=now(), last_error="",
        runs=F("runs") + runs, handled=F("handled") + handled, last_handled=handled,
    )  # fmt: skip


def _take(task: str, at: datetime) -> int:
    """The runs that were not noted, which the caller now notes."""
    with _guard:
        entry = _unnoted.setdefault(task, _Unnoted())
        runs, entry.runs, entry.noted_at = entry.runs, 0, at
        return runs


def _note(task: str, every_s: int, at: datetime, **columns: object) -> None:
    # Sums are the database's: the same task may run twice at once.
    columns["every_s"] = every_s
    if not UpkeepRun.objects.filter(pk=task).update(**columns):
        UpkeepRun.objects.get_or_create(pk=task, defaults={"started_at": at})
        UpkeepRun.objects.filter(pk=task).update(**columns)


def list_upkeep_runs() -> list[UpkeepRunInfo]:
    """Every task that has run, by name."""
    return [info_of(row) for row in UpkeepRun.objects.order_by("pk")]


def info_of(row: UpkeepRun) -> UpkeepRunInfo:
    return UpkeepRunInfo(
        task=row.task,
        every_s=row.every_s,
        started_at=row.started_at,
        finished_at=row.finished_at,
        runs=row.runs,
        failures=row.failures,
        handled=row.handled,
        last_handled=row.last_handled,
        last_error=row.last_error,
    )


@dataclass(frozen=True, slots=True)
class Start:
    at: datetime
    ended_well: bool


def newest_start(*, task: str) -> Start | None:
    """When a task last began, and whether that run has ended well; None when it never ran."""
    row = UpkeepRun.objects.filter(pk=task).first()
    if row is None:
        return None
    return Start(row.started_at, row.finished_at is not None and row.finished_at >= row.started_at)
