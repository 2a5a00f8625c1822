"""How answers put values: people's dates, times in their zone, money, stages; old and new of a change."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from .dates import read_iso, say_date
from .markdown import plain
from .times import read_moment

FIELD_NAMES = {
    "next_step": "next step", "next_step_on": "next step date", "applied_on": "applied on", "work_mode": "work mode", "url": "link",
    "salary_min": "lowest salary", "salary_max": "highest salary", "salary_currency": "salary currency", "salary_period": "salary period",
    "weekly_goal": "weekly goal", "target_titles": "target titles", "target_locations": "target locations", "available_from": "available from",
    "country_code": "country", "postal_code": "postal code", "label": "headline",
}  # fmt: skip


def field_name(name: str) -> str:
    return FIELD_NAMES.get(name, name.replace("_", " "))


def value(content: Any, zone: ZoneInfo | None = None) -> str:
    """A field's value in Markdown; nothing as a dash."""
    if content is None or content == "" or content == []:
        return "—"
    if isinstance(content, bool):
        return "yes" if content else "no"
    if isinstance(content, list):
        return ", ".join(plain(entry, 80) for entry in content)
    if isinstance(content, int):
        return f"{content:,}" if content >= 10_000 else str(content)
    moment = read_moment(content)
    if moment is not None:
        return say_moment(moment, zone)
    day = read_iso(content) if isinstance(content, str) and len(content) == 10 else None
    return say_date(day) if day else plain(content)


def say_moment(moment: datetime, zone: ZoneInfo | None) -> str:
    """`Thu 3 Dec 2026, 10:00 (Europe/London)`."""
    there = moment.astimezone(zone) if zone else moment
    return f"{say_date(there.date())}, {there:%H:%M} ({zone.key if zone else 'UTC'})"


def say_day(day: date, today: date) -> str:
    """The date, with today, tomorrow or overdue where it is."""
    word = {0: ", today", 1: ", tomorrow"}.get((day - today).days, ", overdue" if day < today else "")
    return f"{say_date(day)}{word}"


def salary(fields: Any) -> str | None:
    """`70,000–82,000 GBP a year`, None where nothing is known."""
    least, most = fields.get("salary_min"), fields.get("salary_max")
    if not isinstance(least, int) and not isinstance(most, int):
        return None
    if isinstance(least, int) and isinstance(most, int):
        amount = f"{least:,}" if least == most else f"{least:,}–{most:,}"
    else:
        amount = f"from {least:,}" if isinstance(least, int) else f"up to {most:,}"
    currency = plain(fields.get("salary_currency") or "", 10)
    period = fields.get("salary_period")
    return " ".join(
        part
        for part in (amount, currency, f"a{'n' if period == 'hour' else ''} {plain(period, 10)}" if period else "")
        if part
    )


def listed(parts: list[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""
