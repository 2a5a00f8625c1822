"""calendar.ics, read back by the library that wrote it and by another parser, which has the zones' rules alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import ics
import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

import tests.hypothesis_profiles  # noqa: F401  loads the profile
from tests.factories import Writer, op, set_field
from workspaces import facade
from workspaces.documents.state import DocumentState
from workspaces.exchange.calendar import CalendarSource, calendar_ics

ZONES = (
    "UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Calcutta",
    "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia", "Antarctica/Troll",
)  # fmt: skip
FIRST, LAST = datetime(2000, 1, 1), datetime(2037, 1, 1)  # noqa: DTZ001  Hypothesis adds the zone
MOMENTS = st.datetimes(FIRST, LAST, timezones=st.just(UTC))
CHANGED = datetime(2026, 11, 30, 12, tzinfo=UTC)


def source(fields: dict[str, Any] | None = None, **interview: Any) -> CalendarSource:
    items = {"itm_1": {"rank": "a", **interview}} if interview else {}
    state = DocumentState(
        state="active", fields=fields or {}, sections={"interviews": items, "contacts": {}, "checklist": {}}, texts={}
    )
    return CalendarSource(document="application:01", state=state, clock=7, changed_at=CHANGED)


def written(*sources: CalendarSource, zone: str = "UTC") -> bytes:
    return calendar_ics(workspace="ws_1", zone=zone, sources=sources)


def events_of(text: bytes) -> list[dict[str, Any]]:
    return [{name: component[name] for name in component} for component in Calendar.from_ical(text).walk("VEVENT")]


def only_event(text: bytes) -> ics.Event:
    [event] = ics.Calendar(text.decode()).events
    return event


def test_a_deadline_a_next_step_and_an_interview_are_three_events_that_say_what_they_are() -> None:
    fields = {
        "title": "Engineer", "company": "Acme", "deadline": "2026-12-24", "next_step": "Call Ms Berg",
        "next_step_on": "2026-12-03", "url": "https://acme.example/jobs/1",
    }  # fmt: skip
    text = written(
        source(
            fields, kind="video", starts_at="2026-12-10T09:00:00Z", ends_at="2026-12-10T10:30:00Z",
            time_zone="Europe/Berlin", place="Room 4; ask for Jo, please", note="Bring\nthe portfolio",
        )
    )  # fmt: skip
    found = [
        (str(e["SUMMARY"]), e["DTSTART"].dt, e["DTEND"].dt, str(e.get("LOCATION", "")), str(e.get("DESCRIPTION", "")))
        for e in events_of(text)
    ]
    berlin = ZoneInfo("Europe/Berlin")
    assert found == [
        ("Deadline: Engineer · Acme", date(2026, 12, 24), date(2026, 12, 25), "", ""),
        ("Call Ms Berg: Engineer · Acme", date(2026, 12, 3), date(2026, 12, 4), "", ""),
        (
            "Video interview: Engineer · Acme",
            datetime(2026, 12, 10, 10, tzinfo=berlin),
            datetime(2026, 12, 10, 11, 30, tzinfo=berlin),
            "Room 4; ask for Jo, please",
            "Bring\nthe portfolio",
        ),
    ]
    calendar = Calendar.from_ical(text)
    assert [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Berlin"]
    assert {str(e["SEQUENCE"]) for e in events_of(text)} == {"7"}


@given(
    moment=MOMENTS,
    minutes=st.integers(1, 3 * 24 * 60),
    zone=st.sampled_from(ZONES),
)
def test_another_parser_finds_the_same_moments_in_every_zone(moment: datetime, minutes: int, zone: str) -> None:
    starts, ends = moment.replace(microsecond=0), moment.replace(microsecond=0) + timedelta(minutes=minutes)
    times = {"starts_at": starts.isoformat(), "ends_at": ends.isoformat(), "time_zone": zone}
    event = only_event(written(source({"title": "T"}, **times)))
    assert (event.begin.datetime.astimezone(UTC), event.end.datetime.astimezone(UTC)) == (starts, ends)


@pytest.mark.parametrize(
    ("starts", "zone", "told"),
    [
        # Berlin passes the hour from two to three twice on 25 October 2026.
        ("2026-10-25T00:30:00Z", "Europe/Berlin", "TZID=Europe/Berlin:20261025T023000"),
        ("2026-10-25T01:30:00Z", "Europe/Berlin", ":20261025T013000Z"),
        ("2026-10-25T02:30:00Z", "Europe/Berlin", "TZID=Europe/Berlin:20261025T033000"),
        # ... and on 29 March 2026 there is no such hour: half past one is followed by three o'clock.
        ("2026-03-29T01:00:00Z", "Europe/Berlin", "TZID=Europe/Berlin:20260329T030000"),
        # Half an hour of Lord Howe, and a day that Apia left out.
        ("2026-04-04T15:15:00Z", "Australia/Lord_Howe", ":20260404T151500Z"),
        ("2011-12-30T11:00:00Z", "Pacific/Apia", "TZID=Pacific/Apia:20111231T010000"),
    ],
)
def test_an_hour_that_the_clocks_pass_twice_is_told_so_that_it_means_one_moment(
    starts: str, zone: str, told: str
) -> None:
    ends = (datetime.fromisoformat(starts) + timedelta(minutes=10)).isoformat()
    text = written(source({"title": "T"}, starts_at=starts, ends_at=ends, time_zone=zone))
    assert f"DTSTART{';' if told.startswith('TZID') else ''}{told}\r\n" in text.decode()
    assert only_event(text).begin.datetime.astimezone(UTC) == datetime.fromisoformat(starts)


@given(day=st.dates(date(1, 1, 2), date(9999, 12, 30)), zone=st.sampled_from(ZONES))
def test_a_deadline_is_the_same_day_in_every_zone(day: date, zone: str) -> None:
    text = written(source({"title": "T", "deadline": day.isoformat()}), zone=zone)
    [event] = events_of(text)
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (day, day + timedelta(days=1))
    other = only_event(text)
    assert (other.all_day, other.begin.date()) == (True, day)


@given(
    title=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=120),
    note=st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=400),
)
def test_any_words_come_back_whole_and_no_line_is_longer_than_75_octets(title: str, note: str) -> None:
    text = written(source({"title": title or "T"}, starts_at="2026-12-10T09:00:00Z", note=note))
    [event] = events_of(text)
    assert str(event["SUMMARY"]) == f"Interview: {title or 'T'}"
    assert str(event["DESCRIPTION"]) == note
    lines = text.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    for line in lines:
        line.decode()  # no character is cut in two


@pytest.mark.parametrize(
    "words",
    [
        r"C:\New\notes; a, b", r"\N \n \\N \, \;", "say \"hi\": x=y", "👩🏽‍💻" * 30, "語" * 60, "  two  spaces  ",
        "a^nb^'c", "x" * 500,
    ],
)  # fmt: skip
def test_backslashes_signs_and_long_words_come_back_to_both_readers(words: str) -> None:
    text = written(source({"title": "T"}, starts_at="2026-12-10T09:00:00Z", place=words, note=words))
    [event] = events_of(text)
    assert (str(event["LOCATION"]), str(event["DESCRIPTION"])) == (words, words)
    other = only_event(text)
    if "\\" not in words:  # it takes an escaped backslash before an n for a line break
        assert (other.location, other.description) == (words, words)
    assert max(len(line) for line in text.split(b"\r\n")) <= 75


@pytest.mark.parametrize("end", ["\r", "\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c"])
def test_what_some_readers_take_for_the_end_of_a_line_ends_none(end: str) -> None:
    words = f"x{end}BEGIN:VEVENT{end}UID:evil{end}END:VEVENT"
    text = written(source({"title": words}, starts_at="2026-12-10T09:00:00Z", note=words, place=words))
    assert len(events_of(text)) == 1
    assert len(ics.Calendar(text.decode()).events) == 1
    assert [line for line in text.decode().splitlines() if line.startswith("BEGIN:VEVENT")] == ["BEGIN:VEVENT"]


@pytest.mark.parametrize("words", ["x\r\nBEGIN:VEVENT\r\nSUMMARY:y", "x\nEND:VCALENDAR", "x;VALUE=DATE:1,2\\n\\,"])
def test_words_that_look_like_calendar_lines_add_none(words: str) -> None:
    text = written(source({"title": words, "deadline": "2026-12-24"}))
    assert len(events_of(text)) == 1
    assert text.count(b"BEGIN:VEVENT") == 1 or b"\r\nBEGIN:VEVENT" not in text.split(b"BEGIN:VEVENT", 1)[1]


def test_a_cancelled_interview_is_told_as_cancelled_and_one_without_an_end_takes_an_hour() -> None:
    text = written(source({"title": "T"}, starts_at="2026-12-10T09:00:00Z", outcome="cancelled"))
    [event] = events_of(text)
    times = (event["DTSTART"].dt, event["DTEND"].dt)
    assert (str(event["STATUS"]), *times) == (
        "CANCELLED", datetime(2026, 12, 10, 9, tzinfo=UTC), datetime(2026, 12, 10, 10, tzinfo=UTC),
    )  # fmt: skip


def test_times_at_the_end_of_the_calendar_do_no_harm() -> None:
    far = source({"title": "T", "deadline": "9999-12-31"}, starts_at="9999-12-31T23:59:59Z", time_zone="Asia/Kathmandu")
    assert len(events_of(written(far, zone="America/New_York"))) == 2


def test_uids_survive_an_edit_and_name_nothing(owner: Writer) -> None:
    document = owner.new(title="Engineer", deadline="2026-12-24")
    before = read(owner)
    owner.commit(set_field(document, "deadline", "2027-01-07"))
    after = read(owner)
    first, second = events_of(before), events_of(after)
    assert [str(e["UID"]) for e in first] == [str(e["UID"]) for e in second]
    assert [e["DTSTART"].dt for e in second] == [date(2027, 1, 7)]
    assert document.partition(":")[2] not in before.decode()
    owner.commit(op("document.archive", document))
    assert events_of(read(owner)) == []


def read(owner: Writer) -> bytes:
    with facade.sql.snapshot():
        return facade.workspace_calendar(workspace=owner.workspace)
