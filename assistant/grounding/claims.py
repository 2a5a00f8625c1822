"""What an answer claims, as far as it can be checked: ids, numbers, dates. Finds the claims; judges none.

Above: `judging`. Below: `numbers` and `dates`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .dates import ClockMention, DateMention, find_clocks, find_dates
from .numbers import NumberMention, find_numbers


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that no result supports. `start` and `end` are character offsets into the answer.

    `unit` is a currency, `%`, a duration or the noun that is counted; `subject` the id of what it is said about.
    """

    kind: Literal["id", "number", "date"]
    text: str
    start: int
    end: int
    unit: str | None = None
    subject: str | None = None


_ID = re.compile(
    r"(?<![\w/])(?:[a-z]{2,12}_[0-9A-Za-z]{6,}|(?:application|note|letter|role|ad):[0-9A-Za-z][0-9A-Za-z_.-]{5,60}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0[0-7][0-9A-HJKMNP-TV-Z]{24})(?!\w)"
)
_LINK = re.compile(
    r"\]\((?P<target>[^()\s]{0,500})(?:\s+\"[^\"\n]{0,200}\")?\)|<?(?P<url>(?:https?|mailto):[^\s)>\]]+)>?"
)
_MARKER = re.compile(r"^(\s*(?:>\s*)*)(\d{1,3}[.)])(?=\s)", re.MULTILINE)
_REFERENCE = re.compile(r"\[\^?\d{1,3}\](?!\()")


@dataclass(frozen=True, slots=True)
class Found:
    """All claims of an answer. `text` is the answer with links, list markers and ids blanked, same offsets."""

    text: str
    ids: tuple[tuple[str, int, int], ...]
    dates: tuple[DateMention, ...]
    clocks: tuple[ClockMention, ...]
    numbers: tuple[NumberMention, ...]


def find_claims(answer: str) -> Found:
    """Every checkable claim in `answer`."""
    text = answer
    ids = []
    for match in _ID.finditer(answer):
        if any(character.isdigit() for character in match.group()):
            identifier = match.group().rstrip(".-_")
            ids.append((identifier, match.start(), match.start() + len(identifier)))
            text = _blank(text, match.start(), match.end())
    for pattern in (_LINK, _MARKER, _REFERENCE):
        for match in pattern.finditer(text):
            start, end = (
                match.span("target")
                if match.re is _LINK and match.group("target") is not None
                else (match.span(2) if match.re is _MARKER else match.span())
            )
            text = _blank(text, start, end)
    dates = find_dates(text)
    without_dates = text
    for mention in dates:
        without_dates = _blank(without_dates, mention.start, mention.end)
    clocks = find_clocks(without_dates)
    without_clocks = without_dates
    for clock in clocks:
        without_clocks = _blank(without_clocks, clock.start, clock.end)
    return Found(text, tuple(ids), tuple(dates), tuple(clocks), tuple(find_numbers(without_clocks)))


def _blank(text: str, start: int, end: int) -> str:
    # A full stop's width of nothing: blanks would let words on both sides meet.
    return f"{text[:start]}{'·' * (end - start)}{text[end:]}"
