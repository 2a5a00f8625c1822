"""The sweeper of this process: keeps the 5 s and 30 s rules without Celery while sockets are open or turns run.

Above it: both consumers, which `hold` it. Below it: `facade.sweep_turns`. One task an event loop; Celery and other
processes sweeping at the same time do no harm.
"""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakKeyDictionary

from assistant import facade

from .database_threads import run

ACTIVE_SECONDS = 1.0
IDLE_SECONDS = 2.0

logger = logging.getLogger(__name__)
_timers: WeakKeyDictionary[asyncio.AbstractEventLoop, SweepTimer] = WeakKeyDictionary()


class SweepTimer:
    """Runs from the first hold until nobody holds it and no turn is open."""

    def __init__(self) -> None:
        self._holders = 0
        self._task: asyncio.Task[None] | None = None

    def hold(self) -> None:
        self._holders += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(), name="turn-sweeper")

    def release(self) -> None:
        self._holders -= 1

    async def _run(self) -> None:
        while True:
            still_open = 0
            try:
                still_open = (await run(facade.sweep_turns)).open
                if still_open:
                    # News of a question may have been lost between processes: remind the hosts while they have time.
                    await run(facade.announce_waiting)
            except Exception as error:  # the database may be away for a while: the next sweep finds the same turns
                logger.warning("sweep failed: %s", type(error).__name__)
            if not self._holders and not still_open:
                return
            await asyncio.sleep(ACTIVE_SECONDS if still_open else IDLE_SECONDS)


def timer() -> SweepTimer:
    """The running loop's timer."""
    loop = asyncio.get_running_loop()
    found = _timers.get(loop)
    if found is None:
        found = _timers[loop] = SweepTimer()
    return found
