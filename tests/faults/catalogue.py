"""The faults by the names under which `make faults` knows them."""

from __future__ import annotations

from collections.abc import Callable

from .clocks import jump_the_clock
from .crashes import kill_postgresql, kill_valkey, kill_web, kill_worker
from .ground import Row
from .lost_valkey import lose_valkey
from .storage import fill_the_disk, lock_the_database, trace_the_answers

SCENARIOS: dict[str, Callable[..., Row]] = {
    "kill-web": kill_web,
    "kill-worker": kill_worker,
    "kill-valkey": kill_valkey,
    "lose-valkey": lose_valkey,
    "kill-postgresql": kill_postgresql,
    "full-disk": fill_the_disk,
    "locked-database": lock_the_database,
    "clock-jumps": jump_the_clock,
    "sync-before-answer": trace_the_answers,
}
