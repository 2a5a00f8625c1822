"""Dates and times of day in running text: ISO, with month names, numeric, relative, weekdays. Pure parsing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from .words import MONTHS, WEEKDAYS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_WEEKDAY = rf"(?:(?P<weekday>{_DAY})\.?,?\s+(?:the\s+)?)?"
_ORDINAL = r"(?:st|nd|rd|th)?"

_PATTERNS = (
    # 2026-12-04, with or without a time
    re.compile(
        r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"
        r"(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])"
    ),
    # Friday, 4 December 2026 · 4th of December · 4 Dec
    re.compile(
        rf"(?<!\w){_WEEKDAY}(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?(?P<month_name>{_MONTH})\b(?:\.(?=,?\s+\d{{4}}))?"
        r"(?:,?\s+(?P<year>\d{4}))?(?!\w)",
        re.IGNORECASE,
    ),
    # December 4, 2026 · Fri Dec 4th
    re.compile(
        rf"(?<!\w){_WEEKDAY}(?P<month_name>{_MONTH})\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_ORDINAL}(?!\d|:|\s*%)"
        r"(?:,?\s+(?P<year>\d{4}))?(?!\w)",
        re.IGNORECASE,
    ),
    # December 2026 (no day)
    re.compile(rf"(?<!\w)(?P<month_name>{_MONTH})\.?,?\s+(?P<year>\d{{4}})(?!\w)", re.IGNORECASE),
    # 2026-12
    re.compile(r"(?<![\w-])(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])(?![\w-])"),
    # 4.12.2026 · 04/12/2026: either order
    re.compile(r"(?<![\w./])(?P<first>\d{1,2})[./](?P<second>\d{1,2})[./](?P<year>\d{4})(?![\w/])"),
)
_RELATIVE = re.compile(r"(?<!\w)(today|tonight|tomorrow|yesterday)(?!\w)", re.IGNORECASE)
_WEEKDAY_ALONE = re.compile(rf"(?<!\w)(?:(next|this|last|on)\s+)?({_DAY})(?:s?)(?!\w|\.\w)", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d))?\s*(?P<half>[ap]\.?m\.?)?(?![\w:])", re.I
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text: what it says, and where. `readings` are (year, month, day), parts not said being None."""

    start: int
    end: int
    readings: tuple[tuple[int | None, int | None, int | None], ...] = ()
    weekday: int | None = None
    relative: int | None = None


@dataclass(frozen=True, slots=True)
class ClockMention:
    """A time of day. `hour` in 24 hours."""

    start: int
    end: int
    hour: int
    minute: int


def find_dates(text: str) -> list[DateMention]:
    """All dates in `text`, left to right, none overlapping another."""
    found: list[DateMention] = []
    taken = [False] * len(text)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            mention = _read(match)
            if mention is not None:
                found.append(mention)
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    for match in _RELATIVE.finditer(text):
        offset = {"tomorrow": 1, "yesterday": -1}.get(match.group(1).lower(), 0)
        found.append(DateMention(match.start(), match.end(), relative=offset))
    for match in _WEEKDAY_ALONE.finditer(text):
        # Abbreviations are words of their own ("sun", "sat", "mon"): only whole names count alone.
        name = match.group(2)
        if not any(taken[match.start() : match.end()]) and name.lower().endswith("day") and name[0].isupper():
            found.append(DateMention(match.start(2), match.end(2), weekday=WEEKDAYS[name.lower()]))
    return sorted(found, key=lambda mention: mention.start)


def find_clocks(text: str) -> list[ClockMention]:
    """Times of day: `14:30`, `9:00 am`, `9 am`."""
    found = []
    for match in _CLOCK.finditer(text):
        half = (match.group("half") or "").lower().replace(".", "")
        if match.group("minute") is None and not half:
            continue
        hour = int(match.group("hour"))
        if half:
            hour = hour % 12 + (12 if half == "pm" else 0)
        found.append(ClockMention(match.start(), match.end(), hour, int(match.group("minute") or 0)))
    return found


def _read(match: re.Match[str]) -> DateMention | None:
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    weekday = WEEKDAYS[parts["weekday"].lower()] if parts.get("weekday") else None
    if parts.get("first"):
        first, second = int(parts["first"]), int(parts["second"])
        orders = {(second, first), (first, second)}
        readings = tuple((year, month, day) for month, day in sorted(orders) if _exists(year, month, day))
        return DateMention(match.start(), match.end(), readings, weekday) if readings else None
    month = MONTHS[parts["month_name"].lower()] if parts.get("month_name") else int(parts["month"])
    day = int(parts["day"]) if parts.get("day") else None
    # A date that does not exist stays a claim: no fact can support it.
    return DateMention(match.start(), match.end(), ((year, month, day),), weekday)


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True
