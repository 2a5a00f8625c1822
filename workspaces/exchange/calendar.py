"""calendar.ics: deadlines, next steps and interviews of the active applications (contract section 7, RFC 5545).

Pure: above it `calendar_feed`, which reads the documents. A deadline is a day and stays that day in every zone; an
interview is a moment, told in its own zone with that zone's rules beside it. An hour that the clocks pass twice can be
named only once there (RFC 5545, 3.3.5), so the second one is told in UTC. Uids survive edits and tell nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vText

from workspaces.documents.state import DocumentState, ordered_items

from .calendar_zones import time_zone

USUAL_LENGTH = timedelta(hours=1)
_REFRESH = timedelta(hours=1)
_TOLD_YEARS = range(1900, 2200)
_KINDS = {
    "phone": "Phone interview", "video": "Video interview", "onsite": "On-site interview",
    "technical": "Technical interview", "panel": "Panel interview",
}  # fmt: skip

# By zone: the times told in it.
Zones = dict[str, list[datetime]]


# Some readers take these for the end of a line.
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class Words(vText):
    """Text, escaped as RFC 5545 (3.3.11) says. The library's own way makes a line break of a backslash and an N."""

    def to_ical(self) -> bytes:
        text = _LINE_ENDS.sub("\n", str(self))
        for character, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
            text = text.replace(character, escaped)
        return text.encode()


@dataclass(frozen=True, slots=True)
class CalendarSource:
    """One active application. `changed_at` is when it was last changed, `clock` its clock."""

    document: str
    state: DocumentState
    clock: int
    changed_at: datetime


def calendar_ics(*, workspace: str, zone: str, sources: Iterable[CalendarSource]) -> bytes:
    """The whole calendar. `zone` is the person's own, for interviews that name none."""
    calendar = Calendar()
    calendar.add("PRODID", "-//CareerVector//CareerVector//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("METHOD", "PUBLISH")
    calendar.add("NAME", "Job search")
    calendar.add("X-WR-CALNAME", "Job search")
    calendar.add("REFRESH-INTERVAL", _REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", "PT1H")
    zones: Zones = {}
    events = [event for source in sources for event in _events(workspace, zone, source, zones)]
    for name, times in sorted(zones.items()):
        calendar.add_component(time_zone(name, times=times))
    for event in events:
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _events(workspace: str, zone: str, source: CalendarSource, zones: Zones) -> Iterator[Event]:
    fields = source.state.fields
    what = " · ".join(str(fields[name]) for name in ("title", "company") if fields.get(name)) or "Application"
    if "deadline" in fields:
        yield _day(workspace, source, "deadline", fields["deadline"], f"Deadline: {what}")
    if "next_step_on" in fields:
        step = fields.get("next_step") or "Next step"
        yield _day(workspace, source, "next_step", fields["next_step_on"], f"{step}: {what}")
    for item, values in ordered_items(source.state.sections.get("interviews", {})):
        if "starts_at" in values:
            yield _interview(workspace, zone, source, item, values, what, zones)


def _event(workspace: str, source: CalendarSource, part: str, summary: str) -> Event:
    event = Event()
    name = f"{workspace}/{source.document}/{part}"
    event.add("UID", f"{hashlib.sha256(name.encode()).hexdigest()[:32]}@careervector")
    event.add("DTSTAMP", source.changed_at.replace(microsecond=0))
    event.add("LAST-MODIFIED", source.changed_at.replace(microsecond=0))
    event.add("SEQUENCE", source.clock)
    event.add("SUMMARY", Words(summary))
    return event


def _day(workspace: str, source: CalendarSource, part: str, day: str, summary: str) -> Event:
    event = _event(workspace, source, part, summary)
    on = date.fromisoformat(day)
    event.add("DTSTART", on)
    if on < date.max:
        event.add("DTEND", on + timedelta(days=1))
    event.add("TRANSP", "TRANSPARENT")
    if url := source.state.fields.get("url"):
        event.add("URL", url)
    return event


def _interview(
    workspace: str,
    zone: str,
    source: CalendarSource,
    item: str,
    values: Mapping[str, Any],
    what: str,
    zones: Zones,
) -> Event:
    event = _event(workspace, source, item, f"{_KINDS.get(values.get('kind', ''), 'Interview')}: {what}")
    starts = datetime.fromisoformat(values["starts_at"])
    ends = datetime.fromisoformat(values["ends_at"]) if "ends_at" in values else starts
    if ends <= starts and starts.year < _TOLD_YEARS.stop:
        ends = starts + USUAL_LENGTH
    told_in = values.get("time_zone") or zone
    for name, moment in zip(("DTSTART", "DTEND"), _local([starts, ends], told_in, zones), strict=True):
        event.add(name, moment)
    cancelled = values.get("outcome") == "cancelled"
    event.add("STATUS", "CANCELLED" if cancelled else "CONFIRMED")
    if cancelled:
        event.add("TRANSP", "TRANSPARENT")
    if "place" in values:
        event.add("LOCATION", Words(values["place"]))
    if "note" in values:
        event.add("DESCRIPTION", Words(values["note"]))
    return event


def _local(moments: list[datetime], zone: str, zones: Zones) -> list[datetime]:
    """The moments in their zone, which is noted with them; in UTC where the zone cannot name each of them."""
    info = ZoneInfo(zone)
    local = [moment.astimezone(info) for moment in moments if moment.year in _TOLD_YEARS]
    # UTC has no rules to tell, and rules for the year 9999 would be made up.
    if zone in {"UTC", "Etc/UTC"} or len(local) < len(moments) or any(moment.fold for moment in local):
        return [moment.astimezone(UTC) for moment in moments]
    zones.setdefault(zone, []).extend(moments)
    return local
