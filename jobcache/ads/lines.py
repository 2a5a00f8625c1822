"""Test ads from JSON lines. Above: the load_ads command. Below: values, strict_json.

A line is `{"id", "title", "company", "location", "country", "work_mode", "employment_type", "posted_on", "url",
"text"}`, optionally with `valid_through`, `requisition` and `salary` (`{"min", "max", "currency", "period", "kind",
"raw"}`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from jobcache.ads.values import IncomingAd, Salary, plain_line, plain_text
from jobcache.problems import Malformed
from jobcache.search.arguments import EMPLOYMENT_TYPES, WORK_MODES
from jobcache.strict_json import parse

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_PERIODS = ("hour", "day", "month", "year")
_KINDS = ("stated", "parsed", "estimated")
_TEXTS = ("title", "company", "location", "country", "work_mode", "employment_type", "url", "text", "requisition")
_PLACES = ("title", "company", "location", "country", "work_mode", "employment_type", "url", "text", "posted_on")


class BadLine(Exception):
    """A line that is not an ad; the message names the line."""


@dataclass(frozen=True, slots=True)
class LineAd:
    """An ad with the id that its line gave it."""

    public_id: str
    ad: IncomingAd


def read_lines(content: bytes) -> list[LineAd]:
    """All ads of a file, or BadLine for the first that is none; blank lines are skipped."""
    found = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            try:
                found.append(_read(parse(line)))
            except Malformed as error:
                raise BadLine(f"line {number}: {error.detail}") from error
            except (ValueError, TypeError, KeyError) as error:
                raise BadLine(f"line {number}: {error}") from error
    return found


def _read(value: Any) -> LineAd:
    if not isinstance(value, dict):
        raise ValueError("an object is expected")
    identity = value.get("id")
    if not isinstance(identity, str) or _ID.fullmatch(identity) is None:
        raise ValueError("id must be 1 to 40 letters, digits, dots, hyphens or underscores")
    texts = {name: _text(value, name) for name in _TEXTS}
    if not texts["title"].strip():
        raise ValueError("title is missing")
    _among(texts["work_mode"], ("", *WORK_MODES), "work_mode")
    _among(texts["employment_type"], ("", *EMPLOYMENT_TYPES), "employment_type")
    if texts["url"] and not texts["url"].startswith(("http://", "https://")):
        raise ValueError("url must be a web address")
    ad = IncomingAd(
        source_key=identity,
        title=plain_line(texts["title"]),
        company=plain_line(texts["company"]),
        location=plain_line(texts["location"]),
        country=texts["country"].upper()[:2],
        work_mode=texts["work_mode"],
        employment_type=texts["employment_type"],
        salary=_salary(value.get("salary")),
        posted_on=_day(value, "posted_on"),
        valid_through=_day(value, "valid_through"),
        url=texts["url"][:2000],
        text=plain_text(texts["text"]),
        requisition=plain_line(texts["requisition"], most=200),
        provenance=tuple((name, name) for name in _PLACES if value.get(name)),
    )
    return LineAd(identity, ad)


def _text(value: dict[str, Any], name: str) -> str:
    found = value.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise ValueError(f"{name} must be a text")
    return found


def _day(value: dict[str, Any], name: str) -> date | None:
    text = _text(value, name)
    return date.fromisoformat(text[:10]) if text else None


def _among(text: str, allowed: tuple[str, ...], name: str) -> None:
    if text not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(filter(None, allowed))}")


def _salary(value: Any) -> Salary | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError("salary must be an object")
    amounts = [value.get("min"), value.get("max")]
    if any(one is not None and (isinstance(one, bool) or not isinstance(one, int)) for one in amounts):
        raise ValueError("salary amounts must be integers")
    period, kind = _text(value, "period"), _text(value, "kind") or "stated"
    _among(period, ("", *_PERIODS), "salary period")
    _among(kind, _KINDS, "salary kind")
    return Salary(
        amounts[0], amounts[1], _text(value, "currency").upper()[:3], period, kind, plain_line(_text(value, "raw"))
    )
