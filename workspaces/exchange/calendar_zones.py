"""VTIMEZONE components from the zone database: one observance for each change of the clocks around given times.

Above: `calendar`. Made here and not by the calendar library, whose onsets are told in the new offset instead of the old
one (RFC 5545, 3.6.5), which shifts the first hour after each change, and in Morocco whole days.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_YEAR = timedelta(days=366)


def time_zone(name: str, *, times: Iterable[datetime]) -> Timezone:
    """The zone's rules for a year around each of the aware `times`. Raises ZoneInfoNotFoundError."""
    zone = ZoneInfo(name)
    component = Timezone()
    component.add("TZID", name)
    for start, end in _spans(times):
        before = start.astimezone(zone)
        component.add_component(_observance(start, before, before))
        for change in _changes(zone, start, end):
            component.add_component(_observance(change, (change - _SECOND).astimezone(zone), change.astimezone(zone)))
    return component


def _spans(times: Iterable[datetime]) -> list[tuple[datetime, datetime]]:
    """A year to both sides of each time (people move events in their own calendars), joined where they meet."""
    spans: list[tuple[datetime, datetime]] = []
    for moment in sorted(time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) for time in times):
        start, end = moment - _YEAR, moment + _YEAR
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """The instants at which the offset from UTC changes. No zone changes it twice within a day."""
    moment = start
    while moment < end:
        following = moment + _DAY
        if moment.astimezone(zone).utcoffset() != following.astimezone(zone).utcoffset():
            low, high = moment, following
            while high - low > _SECOND:
                middle = low + (high - low) // 2
                same = middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            yield high.replace(microsecond=0)
        moment = following


def _observance(onset: datetime, before: datetime, after: datetime) -> TimezoneStandard | TimezoneDaylight:
    saving = after.dst() or timedelta()
    component = TimezoneDaylight() if saving > timedelta() else TimezoneStandard()
    old, new = before.utcoffset(), after.utcoffset()
    assert old is not None
    assert new is not None
    component.add("DTSTART", (onset + old).replace(tzinfo=None))
    component.add("TZOFFSETFROM", old)
    component.add("TZOFFSETTO", new)
    component.add("TZNAME", after.tzname() or "")
    return component
