"""Makes a function a regular task: Celery runs it when it is due, and a record says how it fared.

Above: the task modules of both packages. Below: the facade's record of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from celery import shared_task

from . import facade

Schedule = dict[str, dict[str, Any]]
Work = Callable[[], int | Iterable[int]]


def regular(schedule: Schedule, *, name: str, every_s: int) -> Callable[[Work], Any]:
    """Puts a task into a schedule for Celery beat. The function gives how much it handled, at once or bit by bit.

    One that has waited for its whole interval is not run: the next one is due.
    """

    def decorate(work: Work) -> Any:
        @shared_task(name=name, ignore_result=True)
        @wraps(work)
        def run() -> int:
            return facade.run_upkeep(task=name, every_s=every_s, work=work)

        schedule[name] = {"task": name, "schedule": float(every_s), "options": {"expires": every_s}}
        return run

    return decorate
