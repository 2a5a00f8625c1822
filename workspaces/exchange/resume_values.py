"""One value of a resume, made into one that the profile takes; whatever that changes is reported.

Above: `resume_in`. Below: the profile's value types, and the readers of dates, addresses and HTML.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Any

import pycountry

from workspaces.documents.values import (
    MAX_LINE,
    MAX_MULTILINE,
    MAX_STRINGS,
    MAX_TEXT,
    ValueFlaw,
    ValueType,
    check_value,
    clean_string,
    countries,
)

from . import resume_html
from .resume_dates import read_date
from .resume_report import Report, below
from .resume_urls import read_url

# Python's own idea of what ends a line, but for newline itself.
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAKS = re.compile(r"\s*\n\s*")
_BULLET = re.compile(r"^\s*(?:[-*•‣◦–·]|\d{1,2}[.)])\s+")
_ANCHOR = re.compile(r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'<>\s]+)", re.IGNORECASE)
# Markup is longer than its words; beyond this much nothing of it would fit.
_MARKUP = 8
# Reading markup costs far more than reading words: no resume has this much of it.
_MAX_MARKUP = 4_000_000
# A list may hold empty and repeated entries, but not without end.
MAX_READ = 500
_CALLED = {
    "UK": "GB", "EL": "GR", "ENGLAND": "GB", "SCOTLAND": "GB", "WALES": "GB", "USA": "US", "ÖSTERREICH": "AT",
    "DEUTSCHLAND": "DE", "ESPAÑA": "ES", "SCHWEIZ": "CH", "SUISSE": "CH", "ITALIA": "IT", "BRASIL": "BR",
}  # fmt: skip


class ValueReader:
    """Reads values into a report. `verbatim`: an export of ours, with no HTML in it."""

    def __init__(self, report: Report, *, day_first: bool | None = None, verbatim: bool = False) -> None:
        self.report = report
        self._day_first = day_first
        self._verbatim = verbatim
        self._markup_left = _MAX_MARKUP

    def read(self, value: Any, kind: ValueType, path: str) -> Any:
        """The value, or None where nothing is left of it. `kind` is one of the profile's types."""
        if self._verbatim:
            kept = _as_it_is(value, kind)
            if kept is not None:
                return kept
        match kind.name:
            case "strings":
                return self._strings(value, kind, path)
            case "partial_date":
                return self._date(value, path)
            case "url":
                return self._url(value, path)
            case "country":
                return self._country(value, path)
            case "multiline":
                return self.text(value, path, maximum=MAX_MULTILINE)
        return self.line(value, path)

    def long_text(self, value: Any, path: str) -> str | None:
        if self._verbatim:
            try:
                return clean_string(value, maximum=MAX_TEXT, newlines=True) or None
            except ValueFlaw:
                pass
        return self.text(value, path, maximum=MAX_TEXT)

    # --- texts ---------------------------------------------------------------------------------------------------

    def line(self, value: Any, path: str, *, maximum: int = MAX_LINE) -> str | None:
        text = self._string(value, path, joined=None)
        return None if text is None else self._cleaned(text, value, path, maximum=maximum, newlines=False)

    def text(self, value: Any, path: str, *, maximum: int) -> str | None:
        text = self._string(value, path, joined="\n")
        return None if text is None else self._cleaned(text, value, path, maximum=maximum, newlines=True)

    def _string(self, value: Any, path: str, *, joined: str | None) -> str | None:
        """The value as a text; None, and a line in the report, where it is none."""
        if isinstance(value, str):
            if value.strip("\ufeff \t\r\n\xa0") == "":
                self.report.add(path, "empty", "There is nothing here.")
                return None
            return value
        if value is None or value == {} or value == []:
            self.report.add(path, "empty", "There is nothing here.")
            return None
        if _is_number(value):
            self.report.add(path, "type", "A number was written as text.", value)
            return str(value)
        if isinstance(value, list) and (joined is not None or len(value) == 1):
            parts = [str(part) if _is_number(part) else part for part in value if part is not None]
            if parts and all(isinstance(part, str) for part in parts):
                self.report.add(path, "type", "A list was written as text.", value)
                return (joined or "").join(parts)
        self.report.add(path, "wrong_type", "This should be a text; it was left out.", value)
        return None

    def _cleaned(self, text: str, given: Any, path: str, *, maximum: int, newlines: bool) -> str | None:
        shortened = len(text) > maximum * _MARKUP
        text = self._plain(text[: maximum * _MARKUP], given, path)
        if not self._verbatim and resume_html.is_html(text):
            self._markup_left -= len(text)
            if self._markup_left < 0:
                self.report.add(path, "too_long", "The file holds too much HTML; this was left out.", given)
                return None
            self.report.add(path, "html", f"HTML became {'Markdown' if newlines else 'plain text'}.", given)
            if resume_html.has_unsafe_target(text):
                self.report.add(path, "url_scheme", "A link that is no web or mail address was left out.", given)
            text = resume_html.to_markdown(text) if newlines else resume_html.to_plain(text)
            text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
        elif not newlines and "\n" in text.strip():
            self.report.add(path, "control_character", "Line breaks became spaces.", given)
        composed = unicodedata.normalize("NFC", text)
        if composed != text:
            self.report.add(path, "nfc", "Letters and their accents were put together (NFC).", given)
        composed = composed.strip() if newlines else _BREAKS.sub(" ", composed.strip())
        if shortened or len(composed) > maximum:
            message = f"At most {maximum:,} characters fit; the rest was cut off."
            self.report.add(path, "too_long", message, given)
            composed = composed[:maximum].rstrip()
        if not composed:
            self.report.add(path, "empty", "There is nothing here.")
        return composed or None

    def _plain(self, text: str, given: Any, path: str) -> str:
        """Without a byte order mark, control characters and half characters; every line ends in a newline."""
        if text.startswith("\ufeff"):
            self.report.add(path, "bom", "A byte order mark was taken off.")
            text = text.lstrip("\ufeff")
        text = _LINE_ENDS.sub("\n", text)
        cleaned = _CONTROLS.sub("", text)
        if cleaned != text:
            self.report.add(path, "control_character", "Control characters were taken out.", given)
        return cleaned

    # --- other types ---------------------------------------------------------------------------------------------

    def _date(self, value: Any, path: str) -> str | None:
        if isinstance(value, dict) and value:
            return self._date_in_parts(value, path)
        written = value
        if not _is_number(value):
            text = self._string(value, path, joined=None)
            if text is None:
                return None
            written = self._plain(text[:MAX_LINE], value, path)
            if resume_html.is_html(written):
                written = resume_html.to_plain(written)
        found = read_date(written, end=path.endswith("/endDate"), day_first=self._day_first)
        if found.code is not None:
            self.report.add(path, found.code, found.message, value)
        return found.value

    def _date_in_parts(self, value: dict[str, Any], path: str) -> str | None:
        """`{"year": 2020, "month": 5}`, as some services export it."""
        parts = {str(name).lower(): part for name, part in value.items() if part is not None}
        numbers = [_whole(parts.get(name)) for name in ("year", "month", "day")]
        made = "-".join(f"{n:02}" if i else f"{n:04}" for i, n in enumerate(numbers) if n is not None)
        order = [n is not None for n in numbers]
        if set(parts) <= {"year", "month", "day"} and order == sorted(order, reverse=True) and order[0]:
            found = read_date(made, end=False)
            if found.value is not None:
                self.report.add(path, "type", "A date in parts was written as an ISO date.", value)
                return found.value
        self.report.add(path, "wrong_type", "This should be a date; it was left out.", value)
        return None

    def _url(self, value: Any, path: str) -> str | None:
        text = self._string(value, path, joined=None)
        if text is None:
            return None
        text = self._plain(text, value, path).replace("\n", "").replace("\t", "").strip()
        if "<" in text and (anchor := _ANCHOR.search(text)):
            self.report.add(path, "html", "The address was taken from a link.", value)
            text = html.unescape(anchor[1])
        composed = unicodedata.normalize("NFC", text)
        if composed != text:
            self.report.add(path, "nfc", "Letters and their accents were put together (NFC).", value)
        if len(composed) > MAX_LINE:
            message = f"An address has at most {MAX_LINE} characters; this was left out."
            self.report.add(path, "too_long", message, value)
            return None
        found = read_url(composed)
        if found.code is not None:
            self.report.add(path, found.code, found.message, value)
        return found.url

    def _country(self, value: Any, path: str) -> str | None:
        text = self.line(value, path)
        if text is None or text in countries():
            return text
        if text.upper() in countries():
            self.report.add(path, "case", "A country code is written in capitals.", value)
            return text.upper()
        code = _CALLED.get(text.upper().replace(".", "")) or _country_called(text)
        if code is None:
            self.report.add(path, "wrong_type", "This is not a country's two-letter code; it was left out.", value)
        else:
            self.report.add(path, "type", f"Written as the country's two-letter code, {code}.", value)
        return code

    def _strings(self, value: Any, kind: ValueType, path: str) -> list[str] | None:
        entries = self._listed(value, kind, path)
        if entries is None:
            return None
        kept: list[str] = []
        for index, entry in enumerate(entries[:MAX_READ]):
            # A text that was split has no places of its own in the file.
            where = below(path, index) if isinstance(value, list) else path
            if len(kept) >= MAX_STRINGS and not _is_blank(entry):
                self.report.add(where, "cardinality", f"At most {MAX_STRINGS} fit; this was left out.", entry)
                continue
            maximum = MAX_MULTILINE if kind.multiline_items else MAX_LINE
            text = (self.text if kind.multiline_items else self.line)(entry, where, maximum=maximum)
            if text is not None and text in kept:
                self.report.add(where, "duplicate", "This stands in the list already.", entry)
            elif text is not None:
                kept.append(text)
        if len(entries) > MAX_READ:
            message = f"This and the {len(entries) - MAX_READ - 1:,} entries after it were left out."
            self.report.add(below(path, MAX_READ), "cardinality", message)
        return kept or None

    def _listed(self, value: Any, kind: ValueType, path: str) -> list[Any] | None:
        """The value as a list. A text is split at its lines, keywords also at commas and semicolons."""
        if isinstance(value, list):
            return value
        if value is None or value == {} or _is_blank(value):
            self.report.add(path, "empty", "There is nothing here.")
            return None
        if isinstance(value, str):
            text = value[: MAX_MULTILINE * MAX_STRINGS]
            if text != value:
                self.report.add(path, "too_long", f"At most {len(text):,} characters were read.", value)
            if not self._verbatim and resume_html.is_html(text):
                self.report.add(path, "html", "HTML became a list.", value)
                text = resume_html.to_markdown(text)
            self.report.add(path, "type", "A text was written as a list.", value)
            separator = r"[,;\n]" if path.endswith("/keywords") else r"\n"
            parts = [part for part in re.split(separator, _LINE_ENDS.sub("\n", text)) if part.strip()]
            if len(parts) > 1 and all(_BULLET.match(part) for part in parts):
                parts = [_BULLET.sub("", part) for part in parts]
            return parts
        if _is_number(value):
            return [value]
        self.report.add(path, "wrong_type", "This should be a list of texts; it was left out.", value)
        return None


def _as_it_is(value: Any, kind: ValueType) -> Any:
    try:
        return check_value(value, kind) or None
    except ValueFlaw:
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _whole(part: Any) -> int | None:
    if isinstance(part, str) and part.isascii() and part.isdigit() and len(part) <= 4:
        return int(part)
    return part if isinstance(part, int) and not isinstance(part, bool) and 0 <= part <= 9999 else None


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _country_called(text: str) -> str | None:
    """By its alpha-3 code, its number, or one of its English names."""
    try:
        found = pycountry.countries.lookup(text)
    except LookupError:
        return None
    return str(found.alpha_2)
