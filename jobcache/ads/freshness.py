"""How current a role is, by day numbers (proleptic ordinals). Above: search, http. Below: nothing.

Only an ad's own end date makes it expired; a failed or missing check makes it stale and no more.
"""

from __future__ import annotations

STALE_AFTER_DAYS = 14


def freshness_of(*, valid_day: int | None, checked_day: int, as_of: int) -> str:
    """`fresh`, `stale` (not checked for 14 days) or `expired` (past its own `valid_through`)."""
    if valid_day is not None and valid_day < as_of:
        return "expired"
    return "stale" if checked_day < as_of - STALE_AFTER_DAYS else "fresh"
