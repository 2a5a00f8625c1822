"""The one clock of JobCache. With CAREERVECTOR_TESTING=1 it may start at CAREERVECTOR_NOW (contract section 12)."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta


def _offset() -> timedelta:
    if os.environ.get("CAREERVECTOR_TESTING") != "1":
        return timedelta()
    shared = os.environ.get("CAREERVECTOR_CLOCK_OFFSET")
    if shared:
        return timedelta(seconds=float(shared))
    start = os.environ.get("CAREERVECTOR_NOW")
    if not start:
        return timedelta()
    moment = datetime.fromisoformat(start)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.now(UTC)


_OFFSET = _offset()


def now() -> datetime:
    """The current time, aware, in UTC."""
    return datetime.now(UTC) + _OFFSET


def today() -> date:
    """The current date in UTC."""
    return now().date()


def rfc3339(moment: datetime) -> str:
    """RFC 3339 in UTC, whole seconds: `2026-11-30T22:27:16Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
