"""From the words of a value to the typed value of a field: dates, money, tiers, work modes, counts, lists.

Only values of their type pass; words that do not fit are asked about. Above it stand `set_field` and `create_application`.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from .changes import one_line
from .dates import find_date, find_dates, read_iso, widened
from .intents.base import Request
from .markdown import plain
from .money import CURRENCIES, find_currency, find_money
from .outcome import AskBack
from .sentence import Sentence
from .vocabulary import read_mode, read_number, read_stage, read_tier
from .workspace import Document

_URL = re.compile(r"(?:https?://|mailto:)[^\s<>\"']+", re.IGNORECASE)
_DATES = frozenset({"deadline", "next_step_on", "applied_on", "available_from"})
_CLEARED = re.compile(r"(?:nothing|none|empty|null|blank|no (?:date|deadline|value)|unset|-)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One field and its new value; None clears."""

    field: str
    value: Any


def clear_setting(field: str, document: Document) -> list[Setting]:
    """What clearing a field means: a salary clears its parts."""
    if field == "salary":
        return [Setting(name, None) for name in ("salary_min", "salary_max", "salary_currency", "salary_period")]
    if field == "stage":
        raise AskBack("An application always has a stage. To which stage should it go?", (document.id,))
    return [Setting(field, None)]


def settings_for(field: str, slot: Sentence, request: Request) -> list[Setting]:
    """The settings that the words of a value ask for. Raises AskBack where they do not fit the field."""
    words, folded = one_line(slot.words), slot.plain.strip(" .!?")
    if _CLEARED.fullmatch(folded):
        return [Setting("salary_min" if field == "plan_salary" else field, None)]
    if field in _DATES:
        return [Setting(field, _date(field, folded, request))]
    if field == "tier":
        return [Setting(field, read_tier(folded) or _ask("tier", "dream, target or safe"))]
    if field == "work_mode":
        return [Setting(field, read_mode(folded) or _ask("work mode", "remote, hybrid or onsite"))]
    if field == "weekly_goal":
        number = read_number(re.sub(r"\s*(?:applications?|jobs?|a week|per week|each week|weekly).*", "", folded))
        if number is None or number > 100:
            raise AskBack("How many applications a week should the goal be? A whole number, please.")
        return [Setting(field, number)]
    if field in ("salary", "salary_min", "salary_max", "plan_salary"):
        return _salary(field, folded)
    if field == "salary_currency":
        code = find_currency(folded) or (folded.upper() if folded in map(str.lower, CURRENCIES.values()) else None)
        return [Setting(field, code or _ask("currency", "a code such as EUR, GBP, USD or CHF"))]
    if field == "salary_period":
        period = re.search(r"hour|day|month|year|annual", folded)
        word = period.group() if period else _ask("salary period", "hour, day, month or year")
        return [Setting(field, "year" if word == "annual" else word)]
    if field == "url":
        address = _URL.search(words)
        return [
            Setting(
                field,
                address.group().rstrip(".,)") if address else _ask("link", "an address that starts with https://"),
            )
        ]
    if field == "language":
        return [Setting(field, _LANGUAGES.get(folded) or _ask("language", "such as English or German"))]
    if field in ("target_titles", "target_locations"):
        parts = [part.strip() for part in re.split(r",\s*(?:and\s+)?|\s+and\s+|;\s*", words) if part.strip()]
        return [Setting(field, parts[:20])]
    if field == "stage":
        return [Setting(field, read_stage(folded) or _ask("stage", "such as applied or interviewing"))]
    if field == "next_step" and (whole := find_date(folded, request.today)) is not None:
        start, end = widened(whole, folded)
        if not (folded[:start] + folded[end:]).strip(" .,!?"):
            return [Setting("next_step_on", whole.on.isoformat())]  # "the next step is on Friday"
    text = words.rstrip("!?") if field != "next_step" else words
    text = text[:-1] if text.endswith(".") and field in ("location", "company", "title", "source") else text
    settings = [Setting(field, text.strip() or _ask(field.replace("_", " "), "some words"))]
    if field == "next_step":
        found = find_date(folded, request.today)
        if found is not None:
            settings.append(Setting("next_step_on", found.on.isoformat()))
    return settings


def _date(field: str, folded: str, request: Request) -> str:
    found = find_dates(folded, request.today)
    later = re.fullmatch(
        r"(?:by |back by |another )?(?:a|one|two|three|[0-9]{1,2}) (?:days?|weeks?)(?: later)?", folded
    )
    if len(found) != 1:
        if later or not found:
            raise AskBack(
                f"I could not read “{plain(folded, 40)}” as a date. Which day do you mean? Please give it as YYYY-MM-DD."
            )
        raise AskBack(f"Which day should it be? I read more than one date in “{plain(folded, 60)}”.")
    day = found[0].on
    if field == "applied_on" and day > request.today and read_iso(folded) is None:
        # "I applied on Friday" looks back.
        day -= timedelta(days=7) if (day - request.today).days <= 7 else timedelta(0)
    start, end = widened(found[0], folded)
    rest = (folded[:start] + folded[end:]).strip(" .,!?()")
    if rest and not re.fullmatch(
        r"(?:the|on|by|at|until|is|now|instead|again|at the latest|latest|please|already|midnight|noon|evening|morning|end|of|day|business|[0-9:.]+ ?(?:am|pm|h|uhr)?|cet|utc|gmt|,| )+",
        rest,
    ):
        raise AskBack(f"I could not read “{plain(folded, 60)}” as a date alone. Which day do you mean?")
    return day.isoformat()


def _salary(field: str, folded: str) -> list[Setting]:
    money = find_money(folded)
    if money is None:
        number = re.search(r"\d+", folded)
        raise AskBack(
            f"What amount is “{plain(folded, 40)}”? Please give it as digits with a currency."
            if number
            else "What amount should the salary be? Please give it as digits with a currency."
        )
    least, most = money.least, money.most
    settings = []
    if field == "plan_salary":
        settings.append(Setting("salary_min", least))
    elif field == "salary_max" or re.match(r"(?:up to|at most|max)", folded):
        settings.append(Setting("salary_max", most))
    elif field == "salary_min" or re.match(r"(?:at least|from|min|over|more than)", folded):
        settings.append(Setting("salary_min", least))
    else:
        settings.extend((Setting("salary_min", least), Setting("salary_max", most)))
    if money.currency:
        settings.append(Setting("salary_currency", money.currency))
    if money.period and field != "plan_salary":
        settings.append(Setting("salary_period", money.period))
    return settings


def _ask(name: str, choices: str) -> Any:
    raise AskBack(f"What should the {name} be: {choices}?")


_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "polish": "pl",
    "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "czech": "cs", "deutsch": "de", "en": "en", "de": "de", "fr": "fr", "es": "es",
}  # fmt: skip
