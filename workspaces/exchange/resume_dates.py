"""Dates as resumes write them, made into a year, a month or a day: `2021`, `2021-05`, `2021-05-04`.

Above: `resume_values`, `resume_in`. Below: `month_names`. What is certain is kept and nothing is guessed: "05/04/2021"
becomes a day only where the rest of the file shows which number is the day, else it stays the year 2021. A date that
has every part and does not exist is no date.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from .month_names import FILLERS, MONTHS, PARTS_OF_YEAR, PRESENT, folded


class DateReading(NamedTuple):
    """`value` None: there is none. `code` None: taken over as it stood."""

    value: str | None
    code: str | None = None
    message: str = ""


MAX_DATE = 100
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_ISO_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ]\d{1,2}(?::?\d{2}){0,2}(?:[.,]\d+)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?",
    re.IGNORECASE,
)
_SEPARATOR = r"\s*([-/.\s])\s*"
_YEAR_FIRST = re.compile(rf"(\d{{4}}){_SEPARATOR}(\d{{1,2}})(?:\s*\2\s*(\d{{1,2}}))?\.?")
_YEAR_LAST = re.compile(rf"(\d{{1,2}}){_SEPARATOR}(\d{{4}})\.?")
_DAY_MONTH_YEAR = re.compile(rf"(\d{{1,2}}){_SEPARATOR}(\d{{1,2}})\s*\2\s*(\d{{4}})\.?")
_SHORT_YEAR = re.compile(r"\d{1,2}[-/.]\d{1,2}(?:[-/.]\d{2})?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})?")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년](?:\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日일])?)?")
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b.*$")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_APOSTROPHE_YEAR = re.compile(r"['’`´](\d{2})(?!\d)")
_QUARTER = re.compile(r"\b(?:[qt][1-4]|[1-4]\.?\s?(?:quartal|quarter|trimestre|trim)|[1-4][qt]|h[12])\b")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|re|e|º|ª|o|a)\b")
_DASHES = re.compile(r"[‐‑‒–—−]")
_NO_SUCH = "There is no such date; it was left out."
_UNREAD = "This could not be read as a date; it was left out."
_ISO_NOW = "Written as an ISO date."


def read_date(value: Any, *, end: bool, day_first: bool | None = None) -> DateReading:
    """`value` is a text or a number. `end`: "present" means no end. `day_first`: how the file writes its days."""
    if isinstance(value, int | float):
        return _from_number(value)
    if len(value) > MAX_DATE:
        return DateReading(None, "invalid_date", _UNREAD)
    text = _DASHES.sub("-", unicodedata.normalize("NFKC", value)).strip()
    iso = _ISO.fullmatch(text)
    if iso is not None:
        made = _made(iso[1], iso[2], iso[3])
        return DateReading(made) if made == value.strip() else _answer(made)
    if _is_present(text):
        if end:
            return DateReading(None, "present", "Still going on: no end date.")
        return DateReading(None, "invalid_date", _UNREAD)
    return _from_numbers(text, day_first) or _from_words(text)


def show_day_order(texts: Iterable[str], country: str | None) -> bool | None:
    """Whether a file writes the day before the month: by its own clear dates, else by the country; None: unknown."""
    seen = set()
    for text in texts:
        found = _DAY_MONTH_YEAR.fullmatch(text.strip()[:MAX_DATE]) if isinstance(text, str) else None
        if found is not None and found[2] != ".":
            first, second = int(found[1]), int(found[3])
            if first > 12 >= second:
                seen.add(True)
            elif second > 12 >= first:
                seen.add(False)
    if seen:
        return seen.pop() if len(seen) == 1 else None
    # Where both ways are in use, the country tells nothing.
    return None if country in (None, "CA", "PH", "PR", "ZA", "KE") else country != "US"


def ends_before_start(start: str | None, end: str | None) -> bool:
    """Compared as far as both are given: within one year, `2021-05` to `2021` is in order."""
    if start is None or end is None:
        return False
    length = min(len(start), len(end))
    return end[:length] < start[:length]


def _is_present(text: str) -> bool:
    word = folded(text).strip(" .()[]-")
    return word in PRESENT or folded(text).strip() in PRESENT


def _made(year: str | int, month: str | int | None = None, day: str | int | None = None) -> str | None:
    try:
        made = date(int(year), int(month) if month is not None else 1, int(day) if day is not None else 1)
    except ValueError:
        return None
    return made.isoformat()[: 4 if month is None else 7 if day is None else 10]


def _answer(made: str | None, message: str = _ISO_NOW) -> DateReading:
    return DateReading(None, "invalid_date", _NO_SUCH) if made is None else DateReading(made, "date", message)


def _from_number(value: float) -> DateReading:
    """A year, a compact date, or a time stamp in seconds or milliseconds."""
    if value != value or value != int(min(max(value, -1e15), 1e15)):
        return DateReading(None, "invalid_date", _UNREAD)
    number = int(value)
    if 1000 <= number <= 9999:
        return DateReading(str(number), "type", "A number was written as a year.")
    if 10_000_000 <= number <= 99_999_999 or 100_000 <= number <= 999_999:
        found = _COMPACT.fullmatch(str(number))
        assert found is not None
        return _answer(_made(found[1], found[2], found[3]))
    if 10**8 <= number < 10**14:
        seconds = number if number < 10**11 else number // 1000
        return _answer((datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).date().isoformat())
    return DateReading(None, "invalid_date", _UNREAD)


def _from_numbers(text: str, day_first: bool | None) -> DateReading | None:
    """Dates without words; None where the text is something else."""
    if found := _ISO_TIME.fullmatch(text):
        return _answer(_made(*found[1].split("-")))
    if found := _YEAR_FIRST.fullmatch(text):
        return _answer(_made(found[1], found[3], found[4]))
    if found := _YEAR_LAST.fullmatch(text):
        return _answer(_made(found[3], found[1]))
    if found := _DAY_MONTH_YEAR.fullmatch(text):
        return _day_month_year(found[1], found[3], found[4], dots=found[2] == ".", day_first=day_first)
    if found := _COMPACT.fullmatch(text):
        return _answer(_made(found[1], found[2], found[3]))
    if found := _EAST_ASIAN.fullmatch(text):
        return _answer(_made(found[1], found[2], found[3]))
    if _SHORT_YEAR.fullmatch(text):
        return DateReading(None, "invalid_date", "The year cannot be told; the date was left out.")
    return None


def _day_month_year(first: str, second: str, year: str, *, dots: bool, day_first: bool | None) -> DateReading:
    if dots and int(second) <= 12:
        # Nobody who writes dots puts the month first.
        return _answer(_made(year, second, first))
    if int(first) > 12 or int(second) > 12:
        return _answer(_made(year, second, first) if int(first) > 12 else _made(year, first, second))
    if first.lstrip("0") == second.lstrip("0"):
        return _answer(_made(year, first, second))
    if day_first is None:
        return _answer(_made(year), "Day and month cannot be told apart; the year was kept.")
    order = "day, month, year" if day_first else "month, day, year"
    return _answer(_made(year, second, first) if day_first else _made(year, first, second), f"Read as {order}.")


def _from_words(text: str) -> DateReading:
    """`14. Mai 2014`, `Sept 2019`, `Thu May 14 2014 00:00:00 GMT`, `Q3 2020`, `Summer 2019`, `ca. 2015`."""
    plain = _QUARTER.sub(" ", _ORDINAL.sub("", folded(_CLOCK.sub("", text))))
    if found := _APOSTROPHE_YEAR.search(plain):
        century = 2000 if int(found[1]) < 70 else 1900
        plain = f"{plain[: found.start()]} {century + int(found[1])} {plain[found.end() :]}"
    words = _WORD.findall(plain)
    numbers = [word for word in words if word.isdigit()]
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) < 3]
    months = [MONTHS[word] for word in words if word in MONTHS]
    others = [word for word in words if not word.isdigit() and word not in MONTHS and word not in FILLERS]
    if len(years) != 1 or len(days) + 1 != len(numbers) or len(days) > 1 or set(others) - PARTS_OF_YEAR:
        return DateReading(None, "invalid_date", _UNREAD)
    if len(months) == 1:
        return _answer(_made(years[0], months[0], days[0] if days else None))
    if months or days:
        return DateReading(None, "invalid_date", _UNREAD)
    return _answer(_made(years[0]), "Only the year is certain; it was kept.")
