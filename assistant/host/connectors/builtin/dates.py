"""Dates in words: "tomorrow", "in 5 days", "next Friday", "12 January 2027", "15/01/2027", "end of the month".

Reads folded text; knows today's date in the person's zone and nothing else. "Friday", "on Friday" and "next Friday" are the
first Friday after today. Numbers with slashes are day first unless that cannot be.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from .vocabulary import NUMBER, read_number

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6, "mon": 0, "tue": 1, "tues": 1,
    "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=lambda m: -len(m))) + r")\.?"
_DAY = "(?:" + "|".join(sorted(_DAYS, key=lambda d: -len(d))) + ")"
_NTH = r"(?:the )?[0-3]?[0-9](?:st|nd|rd|th)?"


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date and where its words stand in the folded text."""

    on: date
    start: int
    end: int


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _plus_months(day: date, months: int) -> date:
    place = day.year * 12 + day.month - 1 + months
    year, month = divmod(place, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _weekday(name: str, today: date, *, may_be_today: bool = False) -> date:
    ahead = (_DAYS[name] - today.weekday()) % 7
    return today + timedelta(days=ahead if ahead or may_be_today else 7)


def _day_month(day: str, month: str, year: str | None, today: date) -> date:
    number = int(re.sub(r"\D", "", day))
    place = _MONTHS[month.rstrip(".")]
    if year:
        return date(int(year) if len(year) == 4 else 2000 + int(year[-2:]), place, number)
    this_year = date(today.year, place, number)
    # Without a year a date long past is next year's.
    return this_year if this_year >= today - timedelta(days=60) else date(today.year + 1, place, number)


def _numeric(first: str, second: str, year: str | None, today: date) -> date:
    day, month = int(first), int(second)
    if month > 12 >= day:
        day, month = month, day
    if year:
        return date(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today - timedelta(days=60) else date(today.year + 1, month, day)


def _after(amount: str, unit: str, today: date, sign: int = 1) -> date:
    number = read_number(amount)
    if number is None:
        raise ValueError(amount)
    if unit.startswith("month"):
        return _plus_months(today, sign * number)
    if unit.startswith("year"):
        return _plus_months(today, sign * 12 * number)
    days = {"d": 1, "w": 7, "f": 14}[unit[0]]
    return today + timedelta(days=sign * number * days)


def _nth(day: str, today: date) -> date:
    number = int(re.sub(r"\D", "", day))
    for months in range(13):
        first = _plus_months(today.replace(day=1), months)
        if number <= calendar.monthrange(first.year, first.month)[1] and first.replace(day=number) >= today:
            return first.replace(day=number)
    raise ValueError(day)


def _working_days(amount: str, today: date) -> date:
    left = read_number(amount) or 1
    day = today
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < 5
    return day


def _week_end(today: date) -> date:
    friday = today + timedelta(days=(4 - today.weekday()) % 7)
    return friday if today.weekday() <= 4 else today + timedelta(days=6 - today.weekday())


_Rule = tuple[str, Callable[[re.Match[str], date], date]]
_RULES: tuple[_Rule, ...] = (
    (r"(?P<y>[12][0-9]{3})-(?P<m>[01]?[0-9])-(?P<d>[0-3]?[0-9])", lambda m, t: date(int(m["y"]), int(m["m"]), int(m["d"]))),
    (r"(?P<a>[0-3]?[0-9])[/.-](?P<b>[0-3]?[0-9])[/.-](?P<y>(?:20)?[0-9]{2})", lambda m, t: _numeric(m["a"], m["b"], m["y"], t)),
    (rf"(?:{_DAY},? )?(?:the )?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)? (?:of )?(?P<m>{_MONTH})(?!\w)(?:,? (?P<y>20[0-9]{{2}}|'[0-9]{{2}}))?",
     lambda m, t: _day_month(m["d"], m["m"], m["y"], t)),
    (rf"(?:{_DAY},? )?(?P<m>{_MONTH}) (?:the )?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9:])(?:,? (?P<y>20[0-9]{{2}}|'[0-9]{{2}}))?",
     lambda m, t: _day_month(m["d"], m["m"], m["y"], t)),
    (r"(?P<a>[0-3]?[0-9])/(?P<b>[0-3]?[0-9])(?![/0-9])", lambda m, t: _numeric(m["a"], m["b"], None, t)),
    (r"(?P<a>[0-3]?[0-9])\.(?P<b>[01]?[0-9])\.(?![0-9])", lambda m, t: _numeric(m["a"], m["b"], None, t)),
    (r"(?P<a>[0-3][0-9])\.(?P<b>0[1-9]|1[0-2])(?=$| at\b| um\b|,)", lambda m, t: _numeric(m["a"], m["b"], None, t)),
    (r"the day after tomorrow|day after tomorrow|overmorrow", lambda m, t: t + timedelta(days=2)),
    (r"the day before yesterday|day before yesterday", lambda m, t: t - timedelta(days=2)),
    (rf"(?P<n>{NUMBER}) (?P<u>days?|weeks?|fortnights?|months?|years?) (?:from (?P<b>now|today|tomorrow)|later|time|hence)",
     lambda m, t: _after(m["n"], m["u"], t + timedelta(days=m["b"] == "tomorrow"))),
    (r"tomorrow(?: (?:week))?|tmrw|tmr|tmw|2moro|2morrow", lambda m, t: t + timedelta(days=8 if m.group().endswith("week") else 1)),
    (r"today|tonight|this (?:morning|afternoon|evening)|eod|end of (?:the )?day|right now", lambda m, t: t),
    (r"yesterday|last night", lambda m, t: t - timedelta(days=1)),
    (rf"(?:in|within) (?P<n>{NUMBER}) (?:working|business|work) days?(?:' time)?", lambda m, t: _working_days(m["n"], t)),
    (rf"(?:in|within)(?: the next)? (?P<n>{NUMBER}) (?P<u>days?|weeks?|fortnights?|months?|years?)(?:'? time)?", lambda m, t: _after(m["n"], m["u"], t)),
    (rf"(?P<n>{NUMBER}) (?P<u>days?|weeks?|fortnights?|months?|years?) ago", lambda m, t: _after(m["n"], m["u"], t, -1)),
    (rf"(?P<d>{_DAY}) (?:in a )?week(?! ?end)", lambda m, t: _weekday(m["d"], t) + timedelta(days=7)),
    (rf"(?:a )?week (?:from|on) (?P<d>{_DAY})", lambda m, t: _weekday(m["d"], t) + timedelta(days=7)),
    (rf"(?P<d>{_DAY}) (?:of )?next week|next week(?: on)? (?P<e>{_DAY})",
     lambda m, t: t - timedelta(days=t.weekday()) + timedelta(days=7 + _DAYS[m["d"] or m["e"]])),
    (rf"last (?P<d>{_DAY})", lambda m, t: _weekday(m["d"], t) - timedelta(days=7)),
    (rf"this (?:coming )?(?P<d>{_DAY})", lambda m, t: _weekday(m["d"], t, may_be_today=True)),
    (rf"(?:(?:next|coming|the next|the coming|upcoming) )?(?P<d>{_DAY})(?!\w)", lambda m, t: _weekday(m["d"], t)),
    (r"(?:the )?end of next month", lambda m, t: _month_end(*divmod_month(t, 1))),
    (r"(?:the )?end of (?:the|this) month|(?:the )?month's end|end of month|eom|(?:the )?last day of (?:the|this) month", lambda m, t: _month_end(t.year, t.month)),
    (rf"(?:the )?end of (?P<m>{_MONTH})(?: (?P<y>20[0-9]{{2}}))?", lambda m, t: _named_month(m["m"], m["y"], t, 31)),
    (rf"(?:the )?(?:start|beginning) of (?P<m>{_MONTH})(?: (?P<y>20[0-9]{{2}}))?|early (?P<n>{_MONTH})", lambda m, t: _named_month(m["m"] or m["n"], m["y"], t, 1)),
    (rf"(?:the )?middle of (?P<m>{_MONTH})|mid[- ](?P<n>{_MONTH})", lambda m, t: _named_month(m["m"] or m["n"], None, t, 15)),
    (r"(?:the )?(?:start|beginning) of next month|(?:the )?first of next month|next month", lambda m, t: _plus_months(t, 1).replace(day=1)),
    (r"(?:the )?end of next week", lambda m, t: t - timedelta(days=t.weekday()) + timedelta(days=11)),
    (r"(?:the )?end of (?:the|this) week|eow|end of week", lambda m, t: _week_end(t)),
    (r"(?:the )?(?:start|beginning) of next week|next week", lambda m, t: t - timedelta(days=t.weekday()) + timedelta(days=7)),
    (r"this weekend|the weekend|at the weekend", lambda m, t: _weekday("saturday", t, may_be_today=True)),
    (r"(?:the )?end of (?:the|this) year|eoy|new year's eve", lambda m, t: date(t.year, 12, 31)),
    (r"new year's day|new year", lambda m, t: date(t.year + 1, 1, 1)),
    (r"christmas eve", lambda m, t: _day_month("24", "december", None, t)),
    (r"christmas(?: day)?|xmas", lambda m, t: _day_month("25", "december", None, t)),
    (r"(?:on )?the (?P<d>[0-3]?[0-9])(?:st|nd|rd|th)(?! (?:of|round|interview|stage|time|call|one|floor|street|avenue))(?!\w)", lambda m, t: _nth(m["d"], t)),
)  # fmt: skip


def divmod_month(today: date, months: int) -> tuple[int, int]:
    """Year and month so many months from today."""
    day = _plus_months(today.replace(day=1), months)
    return day.year, day.month


def _named_month(month: str, year: str | None, today: date, day: int) -> date:
    number = _MONTHS[month.rstrip(".")]
    chosen = int(year) if year else today.year + (number < today.month)
    return date(chosen, number, min(day, calendar.monthrange(chosen, number)[1]))


_COMPILED = tuple((re.compile(rf"(?<![\w/.-])(?:{pattern})(?![\w/])"), make) for pattern, make in _RULES)
_LEADING = re.compile(
    r"(?:(?:,? ?\b(?:by|on|before|until|till|due|for|from|since|is|to be done|no later than|not later than|latest|at the latest|starting|as of)(?: (?:on|by|the))?) ?|,? ?\()$"
)
_TRAILING = re.compile(r"^(?: at the latest| latest|\))")


def find_dates(text: str, today: date, *, limit: int = 1000) -> list[FoundDate]:
    """All dates in the text in order; where two readings overlap the earlier rule wins."""
    found: list[FoundDate] = []
    for pattern, make in _COMPILED:
        for match in pattern.finditer(text, 0, min(len(text), limit)):
            if any(other.start < match.end() and match.start() < other.end for other in found):
                continue
            try:
                found.append(FoundDate(make(match, today), match.start(), match.end()))
            except (ValueError, OverflowError, KeyError):
                continue
    return sorted(found, key=lambda f: f.start)


def find_date(text: str, today: date) -> FoundDate | None:
    """The first date of the text."""
    found = find_dates(text, today)
    return found[0] if found else None


def widened(found: FoundDate, text: str) -> tuple[int, int]:
    """The date's words with the preposition before them ("by Friday", "due on the 3rd")."""
    before = _LEADING.search(text[max(0, found.start - 40) : found.start])
    start = found.start
    if before:
        start = max(0, found.start - 40) + before.start()
    after = _TRAILING.match(text[found.end :])
    return start, found.end + (after.end() if after else 0)


def edge_date(text: str, today: date) -> tuple[FoundDate, int, int] | None:
    """A date at the end or the start of the text, with the stretch to cut out; dates in the middle belong to the words."""
    for found in reversed(find_dates(text, today)):
        start, end = widened(found, text)
        if not text[end:].strip(" .,!?;"):
            return found, start, len(text)
        if not text[:start].strip(" ,"):
            return found, 0, end
    return None


def say_date(day: date) -> str:
    """`Thu 3 Dec 2026`."""
    return f"{calendar.day_abbr[day.weekday()]} {day.day} {calendar.month_abbr[day.month]} {day.year}"


def read_iso(text: object) -> date | None:
    """The day of an ISO date or time, None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
