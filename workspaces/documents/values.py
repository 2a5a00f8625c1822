"""The types that a field can have, each with its limits, and the check that normalises a value to its type.

Stands below schema and operations; knows neither Django nor pycrdt. Limits: contract section 3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Literal
from urllib.parse import urlsplit
from zoneinfo import available_timezones

import pycountry

MAX_LINE = 500
MAX_MULTILINE = 5_000
MAX_TEXT = 50_000
MAX_STRINGS = 20

TypeName = Literal[
    "line", "multiline", "integer", "boolean", "date", "partial_date", "time", "enum", "currency", "country",
    "language", "time_zone", "url", "strings", "reference", "filters", "rank", "role",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueType:
    """What a field may hold. `of` is the enum's values, or the kind that a reference names.

    `private` marks contact details: kept from the assistant unless the workspace's setting says otherwise.
    """

    name: TypeName
    of: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    multiline_items: bool = False
    private: bool = False


class ValueFlaw(Exception):
    """A value that does not fit its type: `code` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_PARTIAL_DATE = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")
_LANGUAGE = re.compile(
    r"^(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4}|[A-Za-z]{5,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?"
    r"(?:-(?:[A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-x(?:-[A-Za-z0-9]{1,8})+)?$"
)


def forbidden_in_texts(value: str) -> bool:
    """True for text with a control character that no text may hold."""
    return _FORBIDDEN.search(value) is not None


def clean_string(value: Any, *, maximum: int, newlines: bool) -> str:
    """NFC text without control characters or lone surrogates, at most `maximum` characters. Raises ValueFlaw."""
    if not isinstance(value, str):
        raise ValueFlaw("type", "This must be text.")
    if value.isascii():
        text = value
    else:
        # A surrogate must be refused before normalising: unicodedata lets it through.
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueFlaw("control_character", "The text holds half a character (a lone surrogate).")
        text = unicodedata.normalize("NFC", value)
    if len(text) > maximum:
        raise ValueFlaw("too_long", f"At most {maximum:,} characters; this has {len(text):,}.")
    if _FORBIDDEN.search(text):
        raise ValueFlaw("control_character", "Control characters other than newline and tab are not allowed.")
    if not newlines and "\n" in text:
        raise ValueFlaw("one_line", "This field holds a single line.")
    return text


def _line(value: Any, kind: ValueType) -> str:
    return clean_string(value, maximum=MAX_LINE, newlines=False)


def _multiline(value: Any, kind: ValueType) -> str:
    return clean_string(value, maximum=MAX_MULTILINE, newlines=True)


def _integer(value: Any, kind: ValueType) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueFlaw("type", "This must be a whole number.")
    if not kind.minimum <= value <= kind.maximum:
        raise ValueFlaw("range", f"This must be between {kind.minimum:,} and {kind.maximum:,}.")
    return value


def _boolean(value: Any, kind: ValueType) -> bool:
    if not isinstance(value, bool):
        raise ValueFlaw("type", "This must be true or false.")
    return value


def _date(value: Any, kind: ValueType) -> str:
    text = _line(value, kind)
    try:
        if len(text) != 10:
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueFlaw("date", "This must be a date such as 2026-11-30.") from None


def _partial_date(value: Any, kind: ValueType) -> str:
    text = _line(value, kind)
    if not _PARTIAL_DATE.match(text) or not text.isascii():
        raise ValueFlaw("date", "This must be a year, a month or a day: 2021, 2021-05 or 2021-05-04.")
    try:
        date.fromisoformat(
            text + "-01-01"[: 10 - len(text)] if len(text) == 4 else text + "-01" if len(text) == 7 else text
        )
    except ValueError:
        raise ValueFlaw("date", "There is no such date.") from None
    return text


def _time(value: Any, kind: ValueType) -> str:
    text = _line(value, kind)
    try:
        if "T" not in text.upper():
            raise ValueError
        moment = datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
        if moment.tzinfo is None:
            raise ValueError
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueFlaw("time", "This must be a time with its zone such as 2026-11-30T09:00:00Z.") from None
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds").replace("+00:00", "Z")


def _enum(value: Any, kind: ValueType) -> str:
    if not isinstance(value, str) or value not in kind.of:
        raise ValueFlaw("choice", f"This must be one of {', '.join(kind.of)}.")
    return value


@cache
def currencies() -> frozenset[str]:
    """ISO 4217 alphabetic codes."""
    return frozenset(entry.alpha_3 for entry in pycountry.currencies)


@cache
def countries() -> frozenset[str]:
    """ISO 3166-1 alpha-2 codes."""
    return frozenset(entry.alpha_2 for entry in pycountry.countries)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})


def _currency(value: Any, kind: ValueType) -> str:
    if not isinstance(value, str) or value not in currencies():
        raise ValueFlaw("currency", "This must be an ISO 4217 code such as EUR.")
    return value


def _country(value: Any, kind: ValueType) -> str:
    if not isinstance(value, str) or value not in countries():
        raise ValueFlaw("country", "This must be an ISO 3166-1 code such as DE.")
    return value


def _language(value: Any, kind: ValueType) -> str:
    text = _line(value, kind)
    if len(text) > 35 or not _LANGUAGE.match(text):
        raise ValueFlaw("language", "This must be a BCP 47 tag such as en or de-CH.")
    return text


def _time_zone(value: Any, kind: ValueType) -> str:
    if not isinstance(value, str) or value not in _zones():
        raise ValueFlaw("time_zone", "This must be an IANA zone such as Europe/Zurich.")
    return value


def _url(value: Any, kind: ValueType) -> str:
    text = _line(value, kind)
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueFlaw("url", "This is not a web or mail address.") from None
    web = parts.scheme.lower() in ("http", "https") and host
    mail = parts.scheme.lower() == "mailto" and "@" in parts.path
    if any(c.isspace() for c in text) or not (web or mail):
        raise ValueFlaw("url", "Only http, https and mailto addresses are allowed.")
    return text


def _strings(value: Any, kind: ValueType) -> list[str]:
    if not isinstance(value, list):
        raise ValueFlaw("type", "This must be a list of texts.")
    if len(value) > MAX_STRINGS:
        raise ValueFlaw("too_many", f"At most {MAX_STRINGS} entries; this has {len(value)}.")
    check = _multiline if kind.multiline_items else _line
    return [check(entry, kind) for entry in value]


_REFERENCE = re.compile(r"^(?:[a-z]+:[0-9A-HJKMNP-TV-Z]{26}|new:[a-z0-9-]{1,32})$")


def _reference(value: Any, kind: ValueType) -> str:
    if not isinstance(value, str) or not _REFERENCE.match(value) or value.split(":")[0] not in (*kind.of, "new"):
        raise ValueFlaw("reference", f"This must be the id of an existing {kind.of[0]}.")
    return value


WORK_MODES = ("remote", "hybrid", "onsite")
EMPLOYMENT_TYPES = ("full", "part", "contract", "temporary", "seasonal", "internship", "apprenticeship")

SEARCH_FILTERS: dict[str, ValueType] = {
    "location": ValueType("line"),
    "country": ValueType("country"),
    "work_mode": ValueType("enum", WORK_MODES),
    "employment_type": ValueType("enum", EMPLOYMENT_TYPES),
    "posted_within_days": ValueType("integer", minimum=1, maximum=180),
    "salary_min": ValueType("integer", minimum=0, maximum=1_000_000_000),
    "currency": ValueType("currency"),
}


def _filters(value: Any, kind: ValueType) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueFlaw("type", "This must be an object of search filters.")
    checked: dict[str, Any] = {}
    for name, entry in value.items():
        if name not in SEARCH_FILTERS:
            raise ValueFlaw("unknown_field", f"There is no filter of that name; there are {', '.join(SEARCH_FILTERS)}.")
        if entry is not None:
            checked[name] = check_value(entry, SEARCH_FILTERS[name])
    return checked


_CHECKS: dict[str, Callable[[Any, ValueType], Any]] = {
    "line": _line, "multiline": _multiline, "integer": _integer, "boolean": _boolean, "date": _date,
    "partial_date": _partial_date, "time": _time, "enum": _enum, "currency": _currency, "country": _country,
    "language": _language, "time_zone": _time_zone, "url": _url, "strings": _strings, "reference": _reference,
    "filters": _filters, "rank": _line, "role": _line,
}  # fmt: skip


def check_value(value: Any, kind: ValueType) -> Any:
    """The value normalised to its type; null stays null (it clears). Raises ValueFlaw."""
    return None if value is None else _CHECKS[kind.name](value, kind)
