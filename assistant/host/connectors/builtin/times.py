"""Times of day in words and in the person's zone: "at 14:00", "half past nine", "from 9:30 to 11", "2-3pm CET".

Reads folded text. "At 3" without am or pm is the afternoon (interviews are held by day); 7 to 12 stay as they are.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .vocabulary import NUMBER, read_number

_WORD_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK = r"(?:[01]?[0-9]|2[0-4])(?:[:.h][0-5][0-9])?"
_HALF = r"(?: ?(?:a\.?m\.?|p\.?m\.?|o'clock|uhr|h))"
_ONE = rf"(?:{_CLOCK}{_HALF}?|noon|midday|midnight|(?:half past|quarter past|quarter to|half|[0-9]{{1,2}} past|[0-9]{{1,2}} to) (?:[0-9]{{1,2}}|{_WORD_HOURS}){_HALF}?|(?:{_WORD_HOURS})(?:{_HALF}| in the (?:morning|afternoon|evening)|(?= sharp)))"
_RANGE = re.compile(
    rf"(?<![\w:./-])(?:from |between |at )?(?P<a>{_ONE}) ?(?:-|to|until|till|and) ?(?P<b>{_ONE})(?![\w:/]|\.[0-9])"
)
_SINGLE = re.compile(
    rf"(?<![\w:./-])(?:(?P<at>at|@|from|starting at|starts at|around|about|kl) ?)?(?P<a>{_ONE}|(?<=at )(?:{_WORD_HOURS}))(?![\w:/%]|\.[0-9]| (?:days?|weeks?|months?|years?|jobs?|hours?|minutes?|rounds?|people|persons|januar|februar|march|april|may |june|july|august|septem|octo|novem|decem))"
)
_LENGTH = re.compile(
    rf"(?:for |lasting |takes |\()(?P<n>{NUMBER}|an|half an|one and a half|1\.5|1½) ?(?P<u>hours?|hrs?|h|minutes?|mins?|min)\b\)?"
)
_ZONES = {
    "utc": "UTC", "gmt": "UTC", "z": "UTC", "cet": "Europe/Berlin", "cest": "Europe/Berlin", "bst": "Europe/London", "est": "America/New_York",
    "edt": "America/New_York", "et": "America/New_York", "cst": "America/Chicago", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles", "ist": "Asia/Kolkata", "london": "Europe/London", "uk": "Europe/London",
    "berlin": "Europe/Berlin", "german": "Europe/Berlin", "zurich": "Europe/Zurich", "swiss": "Europe/Zurich", "paris": "Europe/Paris",
    "madrid": "Europe/Madrid", "vienna": "Europe/Vienna", "amsterdam": "Europe/Amsterdam", "dublin": "Europe/Dublin",
    "new york": "America/New_York", "lisbon": "Europe/Lisbon", "eastern": "America/New_York", "pacific": "America/Los_Angeles",
}  # fmt: skip
_ZONE = re.compile(
    r"(?<!\w)\(?(?P<z>utc|gmt|cet|cest|bst|est|edt|cst|pst|pdt)\)?(?!\w)|(?<!\w)(?P<place>[a-z]+(?: york)?) time(?!\w)"
)


@dataclass(frozen=True, slots=True)
class FoundTime:
    """Start, end if one is said, and the stretches of the folded text that said so."""

    starts: time
    ends: time | None
    minutes: int | None
    zone: str | None
    stretches: tuple[tuple[int, int], ...]


def _read(text: str, half: str | None = None) -> tuple[int, int, str | None]:
    text = text.strip()
    if text in ("noon", "midday"):
        return 12, 0, "exact"
    if text == "midnight":
        return 0, 0, "exact"
    said = re.search(r"(a|p)\.?m\.?$", text)
    spoken = re.search(r"in the (morning|afternoon|evening)$", text)
    mark = (
        said.group(1)
        if said
        else {"morning": "a", "afternoon": "p", "evening": "p"}[spoken.group(1)]
        if spoken
        else half
    )
    relative = re.match(
        rf"(?P<w>half past|quarter past|quarter to|half|[0-9]+ past|[0-9]+ to) (?P<h>[0-9]{{1,2}}|{_WORD_HOURS})", text
    )
    if relative:
        hour = read_number(relative["h"]) or 0
        word = relative["w"]
        minute = 30 if word.startswith("half") else 15 if word.startswith("quarter") else int(word.split()[0])
        if word.endswith(" to"):
            hour, minute = hour - 1, 60 - minute
        return hour, minute, mark
    clock = re.match(r"([0-9]{1,2})(?:[:.h]([0-9]{2}))?", text)
    if clock:
        exact = clock.group(2) is not None and len(clock.group(1)) == 2 and mark is None
        return int(clock.group(1)), int(clock.group(2) or 0), "exact" if exact else mark
    return read_number(text.split()[0]) or 0, 0, mark


def _settle(hour: int, minute: int, mark: str | None, after: int | None = None) -> time | None:
    if mark == "p" and hour < 12:
        hour += 12
    elif mark == "a" and hour == 12:
        hour = 0
    elif mark is None and 1 <= hour <= 6:
        hour += 12
    elif mark is None and after is not None and hour <= 12 and hour * 60 + minute <= after and hour + 12 < 24:
        hour += 12
    if hour == 24:
        hour = 0
    return time(hour, minute) if 0 <= hour < 24 and 0 <= minute < 60 else None


def find_time(text: str, taken: tuple[tuple[int, int], ...] = ()) -> FoundTime | None:
    """The first time of day; `taken` are stretches that belong to a date ("12 January", "3 Dec")."""
    text = text[:600]
    shown = list(text)
    for start, end in taken:
        shown[start:end] = "~" * (min(end, len(text)) - start)
    text = "".join(shown)
    stretches: list[tuple[int, int]] = []
    zone_name = None
    for zone in _ZONE.finditer(text):
        zone_name = _ZONES.get(zone["z"] or zone["place"])
        if zone_name:
            stretches.append(zone.span())
            break
    length = _LENGTH.search(text)
    minutes = None
    if length:
        stretches.append(length.span())
        amount = (
            {"half an": 0.5, "one and a half": 1.5, "1.5": 1.5, "1½": 1.5}.get(length["n"])
            or read_number(length["n"])
            or 0
        )
        minutes = int(amount * (60 if length["u"].startswith("h") else 1)) or None
        text = text[: length.start()] + "~" * (length.end() - length.start()) + text[length.end() :]
    for match in _RANGE.finditer(text):
        after_day = text[: match.start()].rstrip(" ,").endswith("~")
        lead = match.group().startswith(("from ", "between ", "at ")) or after_day
        if not _is_time(match["a"], match["b"], lead=lead):
            continue
        late = _read(match["b"])
        early = _read(match["a"], late[2] if late[2] in ("a", "p") else None)
        if (
            early[2] == "p"
            and late[2] == "p"
            and early[0] < 12
            and early[0] > late[0]
            and late[0] != 12
            and not re.search("m", match["a"])
        ):
            early = (early[0], early[1], "a")  # "11-1pm"
        first = _settle(*early)
        if first is None:
            continue
        last = _settle(*late, after=first.hour * 60 + first.minute)
        return FoundTime(first, last, minutes, zone_name, (match.span(), *stretches))
    for match in _SINGLE.finditer(text):
        if not _is_time(match["a"], lead=match["at"] is not None):
            continue
        half = {"morning": "a", "afternoon": "p", "evening": "p"}.get(
            (re.search(r"\b(morning|afternoon|evening)\b", text) or [""])[0]
        )
        hour, minute, mark = _read(match["a"], half)
        starts = _settle(hour, minute, "exact" if mark in ("a", "p") and hour > 12 else mark)
        if starts is not None:
            return FoundTime(starts, None, minutes, zone_name, (match.span(), *stretches))
    return None


def _is_time(*texts: str, lead: bool) -> bool:
    """A bare number is a time only after "at" or beside one that is."""
    return lead or any(
        not re.fullmatch(r"[0-9]{1,2}", text.strip()) and not re.fullmatch(r"[0-9]{1,2}\.[0-9]{2}", text.strip())
        for text in texts
    )


def zone_of(name: str | None) -> ZoneInfo:
    """The zone of an IANA name; UTC where the name is missing or unknown."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def to_utc(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


def rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_moment(text: object) -> datetime | None:
    """A time as the wire has it (RFC 3339), None for anything else."""
    if not isinstance(text, str) or "T" not in text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def plus_minutes(day: date, at: time, minutes: int, zone: ZoneInfo) -> datetime:
    return to_utc(day, at, zone) + timedelta(minutes=minutes)
