"""Compares an answer's claims with the facts of its turn. Unsupported ones come back, with their place.

A claim is supported by a fact of equal value that is about the same thing (the application, role or item that the
passage names), under the same label (a deadline is no interview), in the same unit. Above: the package's front.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from .claims import Claim, Found, find_claims
from .dates import ClockMention, DateMention
from .facts import CountFact, DateFact, Facts, NumberFact, Owner, collect, normalised
from .numbers import NumberMention
from .passages import Passage, Span, passages
from .words import CHOICE_WORDS, LABELLED_FIELDS, LABELS

_LABEL = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, LABELS), key=len, reverse=True))})(?!\w)", re.I)
_SALARY = re.compile(r"\b(?:salary|salaries|pay|pays|paying|paid|compensation|wage)\b", re.I)
_SALARY_FIELDS = frozenset({"salary_min", "salary_max", "min", "max", "raw"})
_NEGATION = re.compile(r"\b(?:no|not|nothing|none|never|without|nobody)\b|n['’]t\b", re.I)
_WINDOW = re.compile(r"\b(?:next|last|past|within|coming|previous|every|each)\s+$", re.I)
_TODAY_IS = re.compile(r"\b(?:today(?:['’]s date)?|it) is[^.;\n]{0,12}$", re.I)
_PART_OF = re.compile(
    r"(?:\d[^\d.;\n]{0,20}|\b(?:none|all|any|each|most|some|half|both|one|two|three|four|five|total)\s+)\bof\s+"
    r"(?:(?:the|your|these|all)\s+)?$",
    re.I,
)
_TOKEN = re.compile(r"[^\W_]+(?:[.,:][0-9]+)*[+#]*")
_WEAK = frozenset(
    "a about all and are as at by for from has have in is least most of on only or over than that the these to was"
    " were with you your there another just around under up".split()
)
MAX_ANSWER = 50_000
MAX_CLAIMS = 500
_DAYS_IN = {"week": 7, "month": 30, "year": 365}


def check(
    *,
    text: str,
    results: Sequence[Any],
    arguments: Sequence[Any],
    known_ids: Iterable[str],
    now: datetime | str | None = None,
    time_zone: str | None = None,
) -> list[Claim]:
    """The claims of `text` (an answer in Markdown) that nothing in `results` or `arguments` supports, in order.

    `results` are the turn's tool answers, `arguments` those of its accepted calls, `known_ids` the ids of its context.
    `now` (aware, or RFC 3339) and `time_zone` (IANA) let "tomorrow" and "in 3 days" be judged; without them such words
    are let pass. Only the first 50,000 characters and 500 claims of each sort are looked at: nobody reads more, and the
    check runs while a turn waits to end. Pure.
    """
    text = text[:MAX_ANSWER]
    today = _today(now, time_zone)
    facts = collect(results, arguments, known_ids=known_ids, today=today, zone=time_zone)
    judge = _Judge(text, find_claims(text), facts, today)
    return sorted(judge.unsupported(), key=lambda claim: claim.start)


def check_citations(
    citations: Iterable[str], *, results: Sequence[Any], known_ids: Iterable[str]
) -> tuple[list[str], list[str]]:
    """(kept, dropped): a citation is kept when its id is in the turn's own results or context. Order is kept."""
    facts = collect(results, (), known_ids=known_ids, today=None, zone=None)
    kept: list[str] = []
    dropped: list[str] = []
    for citation in citations:
        (kept if citation in facts.ids else dropped).append(citation)
    return kept, dropped


class _Judge:
    def __init__(self, text: str, found: Found, facts: Facts, today: date | None) -> None:
        self.text = text
        self.found = found
        self.facts = facts
        self.today = today
        self.passages, self.spans = passages(text, facts.names)
        self.dates_about: dict[tuple[frozenset[str], frozenset[str]], list[DateFact]] = {}
        self.starts = [passage.start for passage in self.passages]
        self.by_value: dict[Decimal, list[NumberFact]] = defaultdict(list)
        for fact in facts.numbers:
            self.by_value[fact.value].append(fact)
        self.tokens = [(m.group().casefold(), m.start(), m.end()) for m in _TOKEN.finditer(text)]

    def unsupported(self) -> Iterable[Claim]:
        for identifier, start, end in self.found.ids[:MAX_CLAIMS]:
            if identifier not in self.facts.ids:
                yield Claim("id", identifier, start, end)
        for mention in self.found.dates[:MAX_CLAIMS]:
            passage = self._passage(mention.start)
            if not self._in_name(mention.start, mention.end) and not self._date_holds(mention, passage):
                yield self._claim("date", mention.start, mention.end, passage)
        for clock in self.found.clocks[:MAX_CLAIMS]:
            passage = self._passage(clock.start)
            if not self._clock_holds(clock, passage):
                yield self._claim("date", clock.start, clock.end, passage)
        for number in self.found.numbers[:MAX_CLAIMS]:
            passage = self._passage(number.start)
            if self._in_name(number.start, number.end) or self._is_no_claim(number):
                continue
            if not self._number_holds(number, passage):
                kind = "date" if _is_year(number, self.text) else "number"
                yield self._claim(kind, number.start, number.end, passage, unit=_unit_of(number))

    # --- dates -----------------------------------------------------------------------------------------------

    def _date_holds(self, mention: DateMention, passage: Passage) -> bool:
        labels = _labels(passage)
        facts = self._dates(passage, labels)
        if mention.relative is not None:
            vague = self.today is None or not (passage.subjects or labels) or _NEGATION.search(passage.sentence)
            if vague or self.today is None:
                return True
            wanted = self.today + timedelta(mention.relative)
            return any(fact.whole == wanted for fact in facts)
        if not mention.readings:
            if not (passage.subjects or labels) or _NEGATION.search(passage.sentence):
                return True
            return any(self._near(fact, mention.weekday) for fact in facts)
        if self.today is not None and _TODAY_IS.search(self._tail(mention.start)):
            said = [(year or self.today.year, month, day) for year, month, day in mention.readings]
            right = (self.today.year, self.today.month, self.today.day) in said
            return right and mention.weekday in (None, self.today.weekday())
        for year, month, day in mention.readings:
            if self.today is not None and (year or self.today.year, month, day) == (
                self.today.year, self.today.month, self.today.day,
            ) and not labels:  # fmt: skip
                if mention.weekday in (None, self.today.weekday()):
                    return True
            for fact in facts:
                if _same_date(fact, year, month, day) and _same_weekday(fact, mention.weekday):
                    return True
        return False

    def _near(self, fact: DateFact, weekday: int | None) -> bool:
        whole = _whole(fact)
        if whole is None or whole.weekday() != weekday:
            return False
        return self.today is None or abs((whole - self.today).days) <= 13

    def _clock_holds(self, clock: ClockMention, passage: Passage) -> bool:
        wanted = (clock.hour, clock.minute)
        if any(wanted in fact.clocks and self._about(fact, passage) for fact in self.facts.dates):
            return True
        written = f" {self.text[clock.start : clock.end].strip().casefold()} "
        shown = {normalised(written), f" {clock.hour}:{clock.minute:02} ", f" {clock.hour:02}:{clock.minute:02} "}
        return any(form in text for owner, text in self._texts(passage) for form in shown)

    # --- numbers ---------------------------------------------------------------------------------------------

    def _number_holds(self, number: NumberMention, passage: Passage) -> bool:
        if self._verbatim(number, passage):
            return True
        facts = [
            fact
            for fact in self.by_value.get(number.value, ())
            if self._about(fact, passage) and _fits_money(fact, passage, number)
        ]
        if number.currencies:
            return any(
                fact.currencies and fact.currencies & number.currencies and _same_period(fact, number) for fact in facts
            )
        if number.unit == "%":
            return any(fact.unit == "%" for fact in facts)
        if number.unit is not None:
            return self._duration_holds(number, passage, facts)
        if number.things or number.choices:
            return self._count_holds(number, passage) or _is_goal(facts, passage)
        if any(fact.unit is None and _same_period(fact, number) for fact in facts):
            return True
        if _is_year(number, self.text):
            year = int(number.value)
            return any(fact.year == year and self._about(fact, passage) for fact in self.facts.dates)
        return any(
            fact.value == number.value
            and "dated" not in (fact.thing, *fact.choices)
            and (not passage.subjects or bool(fact.owner & passage.subjects))
            for fact in self.facts.counts
        )

    def _count_holds(self, number: NumberMention, passage: Passage) -> bool:
        choices, bare = number.choices, number.bare
        if _PART_OF.search(self._tail(number.start)):
            choices, bare = frozenset(), True
        if len({CHOICE_WORDS.get(choice) for choice in choices}) == 1 < len(choices):
            # "remote or hybrid": as many as both together.
            alone = [self._largest_count(number, passage, choice) for choice in choices]
            if sum(alone) == number.value:
                return True
        return any(
            fact.value == number.value
            and self._about(fact, passage)
            and (not number.things or fact.thing in number.things or bool(fact.choices & number.things))
            and _same_choices(fact, choices, number.things, bare)
            for fact in self.facts.counts
        )

    def _largest_count(self, number: NumberMention, passage: Passage, choice: str) -> int:
        return max(
            (
                fact.value
                for fact in self.facts.counts
                if fact.choices == {choice}
                and self._about(fact, passage)
                and (not number.things or fact.thing in number.things)
            ),
            default=0,
        )

    def _duration_holds(self, number: NumberMention, passage: Passage, facts: list[NumberFact]) -> bool:
        if _WINDOW.search(self._tail(number.start)):
            return True
        if any(fact.unit == number.unit or fact.field.endswith(f"_{number.unit}s") for fact in facts):
            return True
        labels = _labels(passage)
        dates = self._dates(passage, labels)
        if any(_spans(one, other, number) for one, other in _starts_and_ends(dates)):
            return True
        if self.today is None:
            return bool(dates)
        return any(
            _distance_fits(abs((whole - self.today).days), number)
            for fact in dates
            if (whole := _whole(fact)) is not None
        )

    def _verbatim(self, number: NumberMention, passage: Passage) -> bool:
        """True when the number stands with the same neighbour in something that was read: "Python 3.12", "5 years"."""
        digit = re.search(r"\w", self.text[number.start : number.end].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ€£$¥₹ "))
        at = number.end - len(digit.string) + digit.start() if digit else number.start
        index = next((i for i, (_, start, end) in enumerate(self.tokens) if start <= at < end), None)
        if index is None:
            return False
        token = self.tokens[index][0]
        forms = []
        if index + 1 < len(self.tokens) and self._adjacent(index, index + 1):
            forms.append(f" {token} {self.tokens[index + 1][0]} ")
        if index and self._adjacent(index - 1, index) and self.tokens[index - 1][0] not in _WEAK:
            forms.append(f" {self.tokens[index - 1][0]} {token} ")
        return any(form in text for _, text in self._texts(passage) for form in forms)

    def _adjacent(self, one: int, other: int) -> bool:
        between = self.text[self.tokens[one][2] : self.tokens[other][1]]
        return not re.search(r"[.;:|\n(),]", between)

    def _is_no_claim(self, number: NumberMention) -> bool:
        if not number.in_words:
            return False
        if not number.things and number.unit is None:
            return True
        # "one of your applications", "one more thing": a pronoun, not a count.
        following = self.text[number.end : number.end + 12].lower()
        return number.value == 1 and bool(re.match(r"\s+(?:of|more|way|thing|by|at|day)\b", following))

    # --- shared ----------------------------------------------------------------------------------------------

    def _about(self, fact: NumberFact | DateFact | CountFact, passage: Passage) -> bool:
        return not passage.subjects or not fact.owner or bool(fact.owner & passage.subjects)

    def _dates(self, passage: Passage, labels: frozenset[str]) -> list[DateFact]:
        """The dates that a passage may speak of."""
        key = (passage.subjects, labels)
        if key not in self.dates_about:
            self.dates_about[key] = [
                fact for fact in self.facts.dates if self._about(fact, passage) and _fits_label(fact, labels)
            ]
        return self.dates_about[key]

    def _texts(self, passage: Passage) -> Iterable[tuple[Owner, str]]:
        subjects = passage.subjects
        return (entry for entry in self.facts.texts if not subjects or not entry[0] or entry[0] & subjects)

    def _tail(self, at: int) -> str:
        """What stands just before a place."""
        return self.text[max(0, at - 60) : at]

    def _passage(self, at: int) -> Passage:
        index = bisect_right(self.starts, at) - 1
        if index >= 0 and at < self.passages[index].end:
            return self.passages[index]
        return Passage(at, at, "", frozenset(), "")

    def _in_name(self, start: int, end: int) -> bool:
        return any(span.start <= start and end <= span.end for span in self.spans)

    def _claim(self, kind: Any, start: int, end: int, passage: Passage, *, unit: str | None = None) -> Claim:
        subject = next(iter(passage.subjects)) if len(passage.subjects) == 1 else None
        return Claim(kind, self.text[start:end].strip(), start, end, unit, subject)


def _labels(passage: Passage) -> frozenset[str]:
    found = [LABELS[match.group().lower()] for match in _LABEL.finditer(passage.text)]
    return frozenset().union(*found)


def _fits_label(fact: DateFact, labels: frozenset[str]) -> bool:
    return not labels or fact.from_text or fact.field in labels or fact.field not in LABELLED_FIELDS


def _fits_money(fact: NumberFact, passage: Passage, number: NumberMention) -> bool:
    about_pay = bool(_SALARY.search(passage.text)) and number.unit is None and not number.things
    return not about_pay or fact.from_text or fact.field in _SALARY_FIELDS


def _same_period(fact: NumberFact, number: NumberMention) -> bool:
    return number.period is None or fact.period == number.period


def _same_choices(fact: CountFact, choices: frozenset[str], things: frozenset[str], bare: bool) -> bool:
    if choices:
        return choices <= fact.choices
    return not bare or not fact.choices or bool(fact.choices & things) or fact.thing in ("deadline", "due")


def _is_goal(facts: list[NumberFact], passage: Passage) -> bool:
    return "goal" in passage.sentence.lower() and any(fact.field == "weekly_goal" for fact in facts)


def _is_year(number: NumberMention, text: str) -> bool:
    written = text[number.start : number.end]
    return bool(re.fullmatch(r"(?:19|20)\d\d", written)) and not (
        number.currencies or number.unit or number.things or number.choices
    )


def _unit_of(number: NumberMention) -> str | None:
    if number.currencies:
        return "/".join(sorted(number.currencies))
    return number.unit or number.noun


def _whole(fact: DateFact) -> date | None:
    try:
        return fact.whole
    except ValueError:
        return None


def _same_date(fact: DateFact, year: int | None, month: int | None, day: int | None) -> bool:
    return all(
        said is None or said == known for said, known in ((year, fact.year), (month, fact.month), (day, fact.day))
    )


def _same_weekday(fact: DateFact, weekday: int | None) -> bool:
    whole = _whole(fact)
    return weekday is None or whole is None or whole.weekday() == weekday


def _starts_and_ends(dates: list[DateFact]) -> Iterable[tuple[DateFact, DateFact]]:
    starts = [fact for fact in dates if fact.field in ("start", "starts_at")]
    return ((s, e) for s in starts for e in dates if e.field in ("end", "ends_at") and e.owner == s.owner)


def _spans(start: DateFact, end: DateFact, number: NumberMention) -> bool:
    if start.year is None or end.year is None:
        return False
    if number.unit in ("hour", "minute"):
        if start.instant is None or end.instant is None:
            return False
        return number.value * (3600 if number.unit == "hour" else 60) == int(end.instant - start.instant)
    months = (end.year - start.year) * 12 + (end.month or 1) - (start.month or 1)
    if number.unit == "year":
        return int(number.value) in (months // 12, round(months / 12), (months + 1) // 12)
    return number.unit == "month" and int(number.value) in (months, months + 1)


def _distance_fits(days: int, number: NumberMention) -> bool:
    value = int(number.value)
    if number.unit == "day":
        return days == value
    length = _DAYS_IN.get(number.unit or "")
    return length is not None and value > 0 and value in (days // length, round(days / length))


def _today(now: datetime | str | None, time_zone: str | None) -> date | None:
    if now is None:
        return None
    try:
        moment = datetime.fromisoformat(now.replace("Z", "+00:00")) if isinstance(now, str) else now
        return moment.astimezone(ZoneInfo(time_zone)).date() if time_zone and moment.tzinfo else moment.date()
    except (ValueError, KeyError, OSError):
        return None


__all__ = ["Span", "check", "check_citations"]
