"""The one clock. Tests may start it elsewhere with CAREERVECTOR_NOW; nothing else reads the system time.

Source: contract section 12. `up` hands its children CAREERVECTOR_CLOCK_OFFSET (seconds) so that all agree.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta


def _offset() -> timedelta:
    if os.environ.get("CAREERVECTOR_TESTING") != "1":
        return timedelta()
    shared = os.environ.get("CAREERVECTOR_CLOCK_OFFSET")
    if shared:
        return timedelta(seconds=float(shared))
    start = os.environ.get("CAREERVECTOR_NOW")
    if start:
        try:
            return datetime.fromisoformat(start.replace("Z", "+00:00")) - datetime.now(UTC)
        except (ValueError, TypeError):
            # Every program reads the clock first of all: it ends here, with a line instead of a stack.
            print("error: CAREERVECTOR_NOW must be a time with its zone such as 2026-11-30T09:00:00Z", file=sys.stderr)
            sys.exit(2)
    return timedelta()


_OFFSET = _offset()


def now() -> datetime:
    """The current time, aware, in UTC."""
    return datetime.now(UTC) + _OFFSET


def rfc3339(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, e.g. `2026-11-30T22:27:16.120Z`."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text[:-6] + "Z"
