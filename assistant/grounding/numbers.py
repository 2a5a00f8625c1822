"""Numbers in running text with what makes them mean something: currency, period, percent, duration, what is counted.

Pure parsing; whether a number is true is judged elsewhere. Above: `facts` and `judging`. Below: `words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from .words import (
    CHOICE_SYNONYMS,
    CHOICE_WORDS,
    COUNTED,
    CURRENCIES,
    CURRENCY_WORDS,
    DURATIONS,
    NUMERALS,
    PERIODS,
    SYMBOLS,
)

_CODE = "|".join(sorted(CURRENCIES))
_SIGN = "[€£$¥₹]"
_NUMBER = re.compile(
    rf"(?P<before>(?:(?<!\w)(?:{_CODE}|US|C|A)\s?)?{_SIGN}\s?|(?<!\w)(?:{_CODE})\s?)?"
    r"(?<![\w+#.,:/_])(?<![a-z]{2}-)"
    r"(?P<digits>\d{1,3}(?:[,'’\u2009\u202f\u00a0 ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<scale>\s?[kKmM](?![\w]))?"
    rf"(?P<after>\s?%|\s?percent\b|\s?(?:{_SIGN}|zł)|\s?(?:{_CODE})\b|\s(?:{'|'.join(CURRENCY_WORDS)})\b)?"
    r"(?![\w+#]|\.\d|:\d)",
)
_NUMERAL = re.compile(
    rf"(?<![\w-])(?P<tens>twenty|thirty|forty|fifty|sixty)-(?P<ones>one|two|three|four|five|six|seven|eight|nine)(?!\w)"
    rf"|(?<![\w-])(?P<word>{'|'.join(sorted(NUMERALS, key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
_RANGE = re.compile(r"^\s?(?:-|–|—|to|and)\s?$")
_PERIOD = re.compile(
    rf"^\s*(?:\)|\*)*\s*(?:/|per\s+|a\s+|an\s+|p\.?\s?)(?P<period>{'|'.join(PERIODS)})\b|^\s*(?P<adverb>annually|yearly|monthly|hourly|daily)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_STOP = re.compile(r"[.;:!?|()\n]|,(?!\d)|\s-\s")
_REACH = 4
_LABEL_REACH = 80
_LABEL = re.compile(r"([A-Za-z][A-Za-z -]{1,40}?)[*_`]*\s*(?:[:(|=]|\s-|–|—)\s*[*_`]*$")


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number as written. `things` are what it counts, `choices` the stage, tier and such that narrow the count.

    `bare` is true for a count that nothing narrows: "You have 5 applications." `rounded` for `90k`, `about 90`.
    """

    start: int
    end: int
    value: Decimal
    currencies: frozenset[str] | None = None
    period: str | None = None
    unit: str | None = None
    noun: str | None = None
    things: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
    bare: bool = False
    in_words: bool = False


def find_numbers(text: str) -> list[NumberMention]:
    """All numbers in `text`, digits and words, left to right. A range is two numbers that share what follows."""
    raw = [*_digits(text), *_words(text)]
    raw.sort(key=lambda mention: mention.start)
    ends = [*(mention.start for mention in raw), len(text)][1:]
    return [_with_meaning(text, mention, following) for mention, following in zip(raw, ends, strict=True)]


def _digits(text: str) -> Iterator[NumberMention]:
    matches = list(_NUMBER.finditer(text))
    for index, match in enumerate(matches):
        scale, currencies, unit = _marks(match)
        following = matches[index + 1] if index + 1 < len(matches) else None
        if following is not None and _RANGE.match(text[match.end() : following.start()]):
            # "120-150k", "80,000 to 100,000 EUR": what is said once holds for both.
            other_scale, other_currencies, other_unit = _marks(following)
            scale = scale or other_scale
            currencies, unit = currencies or other_currencies, unit or other_unit
        elif index and _RANGE.match(text[matches[index - 1].end() : match.start()]):
            currencies = currencies or _marks(matches[index - 1])[1]
        digits = re.sub(r"[^\d.]", "", match.group("digits"))
        factor = {"k": 1_000, "m": 1_000_000}.get(scale or "", 1)
        start = match.start("before") if match.group("before") else match.start("digits")
        yield NumberMention(start, match.end(), Decimal(digits) * factor, currencies, unit=unit)


def _marks(match: re.Match[str]) -> tuple[str | None, frozenset[str] | None, str | None]:
    scale = (match.group("scale") or "").strip().lower() or None
    after = (match.group("after") or "").strip()
    unit = "%" if after in ("%", "percent") else None
    currencies: frozenset[str] | None = None
    for mark in ((match.group("before") or "").strip(), "" if unit else after):
        if not mark:
            continue
        code = next((code for code in CURRENCIES if code in mark), None)
        sign = next((sign for sign in SYMBOLS if sign in mark), None)
        if code:
            currencies = frozenset({code})
        elif mark.startswith("US"):
            currencies = frozenset({"USD"})
        elif sign:
            currencies = SYMBOLS[sign]
        else:
            currencies = CURRENCY_WORDS.get(mark.lower())
    return scale, currencies, unit


def _words(text: str) -> Iterator[NumberMention]:
    for match in _NUMERAL.finditer(text):
        if match.group("word"):
            value = NUMERALS[match.group("word").lower()]
        else:
            value = NUMERALS[match.group("tens").lower()] + NUMERALS[match.group("ones").lower()]
        yield NumberMention(match.start(), match.end(), Decimal(value), in_words=True)


def _with_meaning(text: str, mention: NumberMention, following: int) -> NumberMention:
    after = text[mention.end : mention.end + _LABEL_REACH]
    if re.search(r"\b(?:and|plus|or)\b[\s*_]*$", after[: max(0, following - mention.end)]):
        # "1 offer and 1 saved": the second count has its own words.
        after = after[: max(0, following - mention.end)]
    stop = _STOP.search(after)
    reach = after[: stop.start()] if stop else after
    words = [(word.group(), word.start()) for word in _WORD.finditer(reach)][:_REACH]
    noun = duration = None
    choices = set()
    for word, _ in words:
        lower = word.lower()
        if lower in CHOICE_WORDS:
            choices.add(CHOICE_SYNONYMS.get(lower, lower))
        if duration is None and noun is None and lower in DURATIONS and not mention.currencies:
            duration = DURATIONS[lower]
            break
        if lower in COUNTED:
            noun = lower
            rest = reach[_ + len(word) :]
            choices |= _choices(rest)
            return _counted(mention, noun, choices, bare=not choices and not rest.strip(" *_"))
    if duration is not None:
        return _replace(mention, unit=duration)
    if mention.currencies or mention.value >= 1_000:
        period = _PERIOD.search(after[:20])
        if period:
            name = (period.group("period") or period.group("adverb")).lower()
            mention = _replace(mention, period=PERIODS[name])
    if mention.unit or mention.currencies:
        return mention
    before_choices, before_noun = _before(text, mention.start)
    if not choices and before_choices:
        return _counted(mention, before_noun, before_choices, bare=False)
    if before_noun and not choices:
        return _counted(mention, before_noun, set(), bare=True)
    return _counted(mention, None, choices, bare=False)


def _before(text: str, start: int) -> tuple[set[str], str | None]:
    """What stands right before a number as its label: "Interviewing: 2", "Tasks (3)", "| Saved | 4"."""
    label = _LABEL.search(text[max(0, start - _LABEL_REACH) : start])
    if not label:
        return set(), None
    words = [word.lower() for word in _WORD.findall(label.group(1))][-3:]
    nouns = [word for word in words if word in COUNTED]
    return {CHOICE_SYNONYMS.get(word, word) for word in words if word in CHOICE_WORDS}, nouns[-1] if nouns else None


def _choices(text: str) -> set[str]:
    words = [word.lower() for word in _WORD.findall(text)][:_REACH]
    return {CHOICE_SYNONYMS.get(word, word) for word in words if word in CHOICE_WORDS}


def _counted(mention: NumberMention, noun: str | None, choices: set[str], *, bare: bool) -> NumberMention:
    things = COUNTED[noun] if noun else frozenset()
    return _replace(mention, noun=noun, things=things, choices=frozenset(choices), bare=bare)


def _replace(mention: NumberMention, **changes: object) -> NumberMention:
    from dataclasses import replace

    return replace(mention, **changes)  # type: ignore[arg-type]
