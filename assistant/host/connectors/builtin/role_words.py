"""Reading "Backend Engineer at Thistledown, Leeds, remote, 60-70k, https://…" into an application's fields.

Every field keeps the person's own words; what is not recognised is left where it stands. Above: `create_application`.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from datetime import date
from typing import Any

from .changes import one_line
from .dates import find_date, widened
from .money import find_money
from .places import find_city, find_country
from .sentence import Sentence, read
from .vocabulary import MODE_WORDS, find_word, read_mode, read_tier

_URL = re.compile(r"https?://[^\s<>\"']+")
_AT = re.compile(r"(?: (?:at|with|@|for|from) |, ?at | @ ?| bei )")
_DEADLINE = re.compile(
    r"(?:the )?(?:application )?(?:deadline|due|closes|closing date|closing|apply by|until)(?: (?:is|on|by|date))*:? ?"
)
_STOP = re.compile(r" (?:in|based in|located in|near) ")
_ROLE = re.compile(
    r"(?<!\w)(?:engineer|developer|analyst|manager|designer|writer|scientist|administrator|consultant|architect|lead|director|officer|assistant|"
    r"nurse|teacher|technician|specialist|coordinator|programmer|tester|researcher|editor|accountant|clerk|driver|chef|intern|head|associate|"
    r"executive|representative|planner|buyer|operator|entwickler(?:in)?|ingenieur(?:in)?|sre|cto|qa|devops|internship|trainee|advisor|strategist|owner|master|"
    r"electrician|mechanic|librarian|recruiter|secretary|supervisor|translator|lecturer|professor|apprentice|product|marketing|support|sales)(?!\w)"
)


def read_role(words: Sentence, today: date) -> dict[str, Any]:
    """The fields named in a description; `title` and `company` may be missing."""
    fields: dict[str, Any] = {}
    rest = words
    found = _URL.search(rest.original(0, len(rest.folded)))
    if found:
        address = found.group().rstrip(".,;)!")
        fields["url"] = address
        start = rest.folded.find(address[:12].lower())
        end = start
        while end < len(rest.folded) and rest.folded[end] not in " \n":
            end += 1
        rest = _without(rest, start, end)
    head, *pieces = _pieces(rest)
    for piece in pieces:
        if not _detail(piece, fields, today):
            _place(piece, fields)
    _head(head, fields)
    _swap(fields)
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _without(words: Sentence, start: int, end: int) -> Sentence:
    """The words with a stretch taken out of their end or start (an address stands there)."""
    lead = words.part(0, start)
    tail = words.part(end, len(words.folded))
    lead = lead.part(0, len(re.sub(r"[\s,;:(-]+(?:see|at|here|link|url|from)?[\s,;:(-]*$", "", lead.folded)))
    tail = tail.part(len(tail.folded) - len(tail.folded.lstrip(" ,;.)")), len(tail.folded))
    if not tail.folded:
        return lead
    if not lead.folded:
        return tail
    return read(f"{lead.words}, {tail.words}")


def _pieces(words: Sentence) -> list[Sentence]:
    edges = [0]
    for match in re.finditer(
        r"\s*(?:(?:,|\s+with|\s+and)\s+(?:an? |the |its )?(?=(?:application )?(?:deadline|closing|due)\b)|,(?=\s)|:(?=\s)|;|\n| \||\s-\s)\s*",
        words.folded,
    ):
        edges.extend(match.span())
    edges.append(len(words.folded))
    pieces = [words.part(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    return [piece for piece in pieces if piece] or [words]


def _detail(piece: Sentence, fields: dict[str, Any], today: date) -> bool:
    """Money, tier, work mode or deadline; True where the piece was one."""
    text = piece.folded.strip(" .!?")
    deadline = _DEADLINE.match(text)
    if deadline:
        day = find_date(text, today)
        if day is not None:
            fields["deadline"] = day.on.isoformat()
            return True
    money = find_money(text)
    if money is not None and len(text) - (money.end - money.start) < 25:
        fields["salary_min"] = money.least
        if money.most != money.least:
            fields["salary_max"] = money.most
        fields["salary_currency"] = money.currency
        fields["salary_period"] = money.period
        return True
    mode, tier = read_mode(re.sub(r"^(?:it's|it is|fully|work is) ", "", text)), read_tier(text)
    if mode:
        fields["work_mode"] = mode
        return True
    if tier:
        fields["tier"] = tier
        return True
    return False


def _place(piece: Sentence, fields: dict[str, Any]) -> None:
    text = re.sub(r"^(?:in|based in|located in|location:?|near) ", "", piece.folded)
    words = piece.part(len(piece.folded) - len(text), len(piece.folded))
    at = re.match(r"(?:at|with|company:?|employer:?|for) ", words.folded)
    if at and "company" not in fields:
        fields["company"] = _line(words.part(at.end(), len(words.folded)))
        return
    loose = fields.setdefault("_loose", [])
    loose.append(words)


def _head(head: Sentence, fields: dict[str, Any]) -> None:
    """The first piece holds "TITLE at COMPANY in PLACE", "COMPANY" or "TITLE"."""
    text = head.folded
    loose: list[Sentence] = fields.pop("_loose", [])
    if re.match(r"(?:at|with|for) ", text):
        company = head.part(text.index(" ") + 1, len(text))
        fields["company"] = _line(_located(company, fields))
        if loose:
            fields["title"] = _line(loose.pop(0))
    else:
        split = _AT.search(text)
        if split:
            title = head.part(0, split.start())
            fields["title"] = _line(_moded(title, fields))
            fields["company"] = _line(_located(head.part(split.end(), len(text)), fields))
        else:
            words = _located(head, fields)
            role_like = _ROLE.search(words.folded) is not None
            if role_like:
                fields["title"] = _line(words)
                if loose and "company" not in fields:
                    fields["company"] = _line(loose.pop(0))
            elif loose and _ROLE.search(loose[0].folded):
                fields.setdefault("company", _line(words))
                fields["title"] = _line(loose.pop(0))
            else:
                fields["title"] = _line(words)
    if "company" not in fields and loose and not (find_city(loose[0].folded) or find_country(loose[0].folded)):
        fields["company"] = _line(loose.pop(0))
    if loose and "location" not in fields:
        fields["location"] = ", ".join(_line(piece) for piece in loose)


def _located(words: Sentence, fields: dict[str, Any]) -> Sentence:
    """Cuts "in PLACE" (and a work mode or money at the end) off a company."""
    words = _moded(words, fields)
    stop = _STOP.search(words.folded)
    if stop:
        fields["location"] = _line(words.part(stop.end(), len(words.folded)))
        words = words.part(0, stop.start())
    return words


def _moded(words: Sentence, fields: dict[str, Any]) -> Sentence:
    found = find_word(MODE_WORDS, words.folded)
    if found:
        mode, start, end = found
        before, after = words.folded[:start], words.folded[end:]
        if not after.strip(" ().") or re.search(r"\($", before):
            fields["work_mode"] = mode
            return words.part(0, len(before.rstrip(" (,")))
        if not before.strip():
            fields["work_mode"] = mode
            return words.part(end, len(words.folded))
    return words


def _swap(fields: dict[str, Any]) -> None:
    """ "Oxbow Labs as Rust Engineer": the role's words tell which is the title."""
    title, company = str(fields.get("title") or ""), str(fields.get("company") or "")
    if title and company and _ROLE.search(company.lower()) and not _ROLE.search(title.lower()):
        fields["title"], fields["company"] = company, title


def _line(words: Sentence) -> str:
    text = one_line(words.words).strip(" ,;:-")
    text = re.sub(r"^(?:an?|the) (?=\S)", "", text, flags=re.IGNORECASE)
    return re.sub(r"(?<=\w{2})[.!?]+$", "", text)[:500]


def widened_date(words: Sentence, today: date) -> tuple[Sentence, date | None]:
    """The words without a date at their end ("today", "on Friday"), and that date."""
    found = find_date(words.folded, today)
    if found is None:
        return words, None
    start, end = widened(found, words.folded)
    if words.folded[end:].strip(" .,!?"):
        return words, None
    return words.part(0, start), found.on
