"""The small readers: dates, times of day, money, names, search words."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.host.connectors.builtin.dates import edge_date, find_date
from assistant.host.connectors.builtin.money import find_money
from assistant.host.connectors.builtin.names import Named, find
from assistant.host.connectors.builtin.search_words import public_title, read_search
from assistant.host.connectors.builtin.sentence import fold, read
from assistant.host.connectors.builtin.times import find_time

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("today", "2026-11-30"),
        ("tomorrow", "2026-12-01"),
        ("the day after tomorrow", "2026-12-02"),
        ("yesterday", "2026-11-29"),
        ("in 5 days", "2026-12-05"),
        ("in a week", "2026-12-07"),
        ("in two weeks", "2026-12-14"),
        ("a fortnight from now", "2026-12-14"),
        ("3 days ago", "2026-11-27"),
        ("Friday", "2026-12-04"),
        ("next Friday", "2026-12-04"),
        ("next Monday", "2026-12-07"),
        ("this Monday", "2026-11-30"),
        ("last Friday", "2026-11-27"),
        ("Friday next week", "2026-12-11"),
        ("a week on Friday", "2026-12-11"),
        ("12 January 2027", "2027-01-12"),
        ("January 12th, 2027", "2027-01-12"),
        ("the 3rd of March", "2027-03-03"),
        ("24 Dec", "2026-12-24"),
        ("Fri 4 Dec 2026", "2026-12-04"),
        ("15/01/2027", "2027-01-15"),
        ("15.01.2027", "2027-01-15"),
        ("01/15/2027", "2027-01-15"),
        ("2027-01-15", "2027-01-15"),
        ("the 15th", "2026-12-15"),
        ("end of the month", "2026-11-30"),
        ("end of next month", "2026-12-31"),
        ("next month", "2026-12-01"),
        ("end of the week", "2026-12-04"),
        ("next week", "2026-12-07"),
        ("end of the year", "2026-12-31"),
        ("mid January", "2027-01-15"),
        ("in 3 working days", "2026-12-03"),
        ("Christmas", "2026-12-25"),
    ],
)
def test_a_date_in_words(words: str, day: str) -> None:
    found = find_date(fold(words), MONDAY)
    assert found is not None
    assert found.on.isoformat() == day


@pytest.mark.parametrize(
    "words", ["31/02/2027", "may I ask", "12 people", "version 1.2.3", "the second round", "sunny"]
)
def test_words_that_are_no_date(words: str) -> None:
    assert find_date(fold(words), MONDAY) is None


def test_only_a_date_at_the_edge_is_cut_off() -> None:
    found = edge_date("buy a suit by friday", MONDAY)
    assert found is not None
    assert (found[0].on, "buy a suit by friday"[: found[1]]) == (date(2026, 12, 4), "buy a suit")
    assert edge_date("read the friday report aloud", MONDAY) is None


@pytest.mark.parametrize(
    ("words", "starts", "ends"),
    [
        ("at 14:00", "14:00", None),
        ("at 2pm", "14:00", None),
        ("2:30 pm", "14:30", None),
        ("at 3", "15:00", None),
        ("at 9", "09:00", None),
        ("half past nine", "09:30", None),
        ("quarter to three", "14:45", None),
        ("noon", "12:00", None),
        ("from 9:30 to 11:00", "09:30", "11:00"),
        ("2-3pm", "14:00", "15:00"),
        ("9-11am", "09:00", "11:00"),
        ("11am-1pm", "11:00", "13:00"),
        ("between 10 and 12", "10:00", "12:00"),
        ("at 12am", "00:00", None),
        ("16:30 on video", "16:30", None),
    ],
)
def test_a_time_in_words(words: str, starts: str, ends: str | None) -> None:
    found = find_time(fold(words))
    assert found is not None
    assert f"{found.starts:%H:%M}" == starts
    assert (None if found.ends is None else f"{found.ends:%H:%M}") == ends


@pytest.mark.parametrize("words", ["for 3 people", "12 january", "2027-01-15", "round 2", "in 5 days", "15/01"])
def test_words_that_are_no_time(words: str) -> None:
    dates = find_date(fold(words), MONDAY)
    taken = ((dates.start, dates.end),) if dates else ()
    assert find_time(fold(words), taken) is None


@pytest.mark.parametrize(
    ("words", "least", "most", "currency", "period"),
    [
        ("85k", 85_000, 85_000, None, None),
        ("£40-45k a year", 40_000, 45_000, "GBP", "year"),
        ("70000 euros", 70_000, 70_000, "EUR", None),
        ("85.000 €", 85_000, 85_000, "EUR", None),
        ("€60,000 - €70,000 per annum", 60_000, 70_000, "EUR", "year"),
        ("500 a day", 500, 500, None, "day"),
        ("100k CHF", 100_000, 100_000, "CHF", None),
        ("between 60 and 70k", 60_000, 70_000, None, None),
        ("$55 an hour", 55, 55, "USD", "hour"),
    ],
)
def test_an_amount_in_words(words: str, least: int, most: int, currency: str | None, period: str | None) -> None:
    found = find_money(fold(words))
    assert found is not None
    assert (found.least, found.most, found.currency, found.period) == (least, most, currency, period)


DOCUMENTS = (
    Named("larkspur", "Senior Backend Engineer", "Larkspur Systems"),
    Named("labs", "Platform Engineer", "Tideline Labs"),
    Named("maritime", "Backend Engineer", "Tideline Maritime"),
    Named("halcyon", "Backend Engineer", "Halcyon Freight"),
    Named("kestrel", "C++ Engineer", "Kestrel Robotics"),
    Named("muehlbach", "Softwareentwickler (m/w/d) Backend", "Mühlbach Energie"),
    Named("vellum", "Technical Writer", "Vellum & Ash"),
)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("Larkspur", {"larkspur"}),
        ("the Larkspur application", {"larkspur"}),
        ("Larkspur's job", {"larkspur"}),
        ("larkspurr", {"larkspur"}),
        ("kestral robotics", {"kestrel"}),
        ("muehlbach", {"muehlbach"}),
        ("muhlbach", {"muehlbach"}),
        ("MÜHLBACH ENERGIE", {"muehlbach"}),
        ("mülbach", {"muehlbach"}),
        ("Tideline", {"labs", "maritime"}),
        ("tidelinelabs", {"labs"}),
        ("Backend Engineer", {"halcyon", "maritime"}),
        ("backend engineer at Halcyon", {"halcyon"}),
        ("the C++ one", {"kestrel"}),
        ("Vellum and Ash", {"vellum"}),
        ("Vellum", {"vellum"}),
        ("senior backend engineer", {"larkspur"}),
    ],
)
def test_a_name_finds_its_documents(name: str, ids: set[str]) -> None:
    found = find(name, DOCUMENTS)
    assert set(found.ids) == ids
    assert found.sure


@pytest.mark.parametrize("name", ["Nimbus", "the", "", "Robotics Ltd Paris", "a b c"])
def test_a_name_that_is_not_here_is_never_sure(name: str) -> None:
    found = find(name, DOCUMENTS)
    assert not found.ids or not found.sure


def test_search_words_go_out_as_they_were_typed() -> None:
    words = read("C++ and C# jobs in Bristol, posted in the last two weeks")
    assert read_search(words.folded, words) == {
        "query": "C++ and C#",
        "location": "Bristol",
        "posted_within_days": 14,
    }


def test_a_title_as_search_words_holds_nothing_private() -> None:
    title = "Engineer (call 020 7946 0123) mail a@b.example https://x.example 123456"
    assert public_title(title) == "Engineer mail"
