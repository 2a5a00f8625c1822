"""What the turn's tool results and accepted arguments say: ids, entities with their names, numbers, dates, counts.

Every fact knows its field and whose it is, so that one application's deadline supports no claim about another's.
Pure Python over plain JSON. Above: `judging`. Below: `numbers`, `dates`, `words`.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from .dates import find_dates
from .numbers import NumberMention, find_numbers
from .words import CHOICES, COUNTED, CURRENCIES

_ID = re.compile(r"^(?:(?=.*\d)[a-z]{2,12}[:_][0-9A-Za-z][0-9A-Za-z_.:-]{3,60}|profile|plan|new:[a-z0-9-]{1,32})$")
_OWNING = re.compile(r"^(?:(?:application|note|letter|new):[\w-]+|itm_\w+|profile|plan)$")
_DATE = re.compile(r"^\d{4}(?:-\d{2}(?:-\d{2})?)?$")
_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")
_WORDS = re.compile(r"[^\W_]+(?:[.,:][0-9]+)*[+#]*")
_NAME_FIELDS = ("title", "company", "name", "institution", "organization", "label", "recipient", "issuer", "publisher")
_SECTIONS = frozenset(things for nouns in COUNTED.values() for things in nouns)
_QUALIFYING = tuple(name for name in CHOICES if name not in ("done", "freshness"))

Owner = frozenset[str]

# Far more than a turn reads; a bound for one that reads on purpose.
MAX_VALUES = 100_000
MAX_TEXT = 300_000


@dataclass(frozen=True, slots=True)
class NumberFact:
    value: Decimal
    field: str
    owner: Owner
    currencies: frozenset[str] | None = None
    period: str | None = None
    unit: str | None = None
    from_text: bool = False


@dataclass(frozen=True, slots=True)
class DateFact:
    """A date, as precise as it is known; for a moment also the time of day in each zone that may be meant."""

    year: int | None
    month: int | None
    day: int | None
    field: str
    owner: Owner
    clocks: frozenset[tuple[int, int]] = frozenset()
    instant: float | None = None
    from_text: bool = False

    @property
    def whole(self) -> date | None:
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class CountFact:
    value: int
    thing: str
    choices: frozenset[str]
    owner: Owner = frozenset()


@dataclass
class Facts:
    ids: set[str] = field(default_factory=set)
    # entity id → its names, normalised; items count as part of their document
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # sets that keep their order: the same fact is read many times over
    numbers: dict[NumberFact, None] = field(default_factory=dict)
    dates: dict[DateFact, None] = field(default_factory=dict)
    counts: set[CountFact] = field(default_factory=set)
    # (owner, text) of every string, for what is quoted word for word
    texts: list[tuple[Owner, str]] = field(default_factory=list)


def normalised(text: str) -> str:
    """Lower case, words and numbers only, single blanks, with a blank at both ends."""
    return f" {' '.join(_WORDS.findall(text.casefold()))} "


def collect(
    results: Iterable[Any],
    arguments: Iterable[Any],
    *,
    known_ids: Iterable[str],
    today: date | None,
    zone: str | None,
) -> Facts:
    """All facts of a turn. `today` is the person's, for counts of what falls within a week or so."""
    collector = _Collector(zone)
    results = _distinct(results)
    for value in [*results, *arguments]:
        collector.visit(value, "", frozenset())
    collector.facts.ids.update(known_ids)
    for result in results:
        collector.count([result], today)
    collector.count(results, today)
    return collector.facts


def _distinct(results: Iterable[Any]) -> list[Any]:
    """Each result once: reading the same page again says nothing new."""
    seen: set[str] = set()
    kept = []
    for result in results:
        text = json.dumps(result, sort_keys=True, default=str)
        if text not in seen:
            seen.add(text)
            kept.append(result)
    return kept


class _Collector:
    def __init__(self, zone: str | None) -> None:
        self.facts = Facts()
        self.zone = zone
        self.visited = 0
        self.read = 0

    def visit(self, value: Any, key: str, owner: Owner, siblings: Mapping[str, Any] | None = None) -> None:
        self.visited += 1
        if self.visited > MAX_VALUES:
            return
        if isinstance(value, Mapping):
            self._visit_object(value, key, owner)
        elif isinstance(value, list):
            pairs = _pairs(value)
            if pairs is not None:
                self._visit_object(pairs, key, owner)
                return
            for entry in value:
                self.visit(entry, key, owner, siblings)
        elif isinstance(value, str):
            self._visit_text(value, key, owner, siblings or {})
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self._visit_number(value, key, owner, siblings or {})

    def _visit_object(self, value: Mapping[str, Any], key: str, owner: Owner) -> None:
        owner = owner | _identity(value)
        fields = value.get("fields")
        self._name(owner, value)
        if isinstance(fields, list) and (pairs := _pairs(fields)) is not None:
            self._name(owner, pairs)
        elif isinstance(fields, Mapping):
            self._name(owner, fields)
        named = value.get("field")
        for name, entry in value.items():
            if name == "value" and isinstance(named, str):
                self.visit(entry, named, owner, value)
            elif _ID.match(name):
                self.facts.ids.add(name)
                self.visit(entry, key, owner | {name} if _OWNING.match(name) else owner, value)
            elif name not in ("notice", "status", "source") or isinstance(entry, (Mapping, list)):
                self.visit(entry, name, owner, value)

    def _name(self, owner: Owner, fields: Mapping[str, Any]) -> None:
        for name in _NAME_FIELDS:
            text = fields.get(name)
            if isinstance(text, str) and (plain := normalised(text).strip()):
                for entity in owner:
                    self.facts.names[entity].add(plain)

    def _visit_text(self, text: str, key: str, owner: Owner, siblings: Mapping[str, Any]) -> None:
        self.facts.ids.add(text)
        self.facts.ids.update(text.split("/"))
        if _ID.match(text):
            return
        if _DATE.match(text):
            parts = [int(part) for part in text.split("-")]
            year, month, day = (*parts, None, None)[:3]
            self.facts.dates[DateFact(year, month, day, key, owner)] = None
            return
        if _TIME.match(text):
            self._visit_moment(text, key, owner, siblings)
            return
        self.read += len(text)
        if self.read > MAX_TEXT:
            return
        self.facts.texts.append((owner, normalised(text)))
        for mention in find_dates(text):
            for year, month, day in mention.readings:
                self.facts.dates[DateFact(year, month, day, key, owner, from_text=True)] = None
        for number in find_numbers(text):
            self.facts.numbers[_from_text(number, key, owner)] = None

    def _visit_moment(self, text: str, key: str, owner: Owner, siblings: Mapping[str, Any]) -> None:
        try:
            moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            # Each zone's own date and time together: 23:30 in one is the next day in another.
            shown = [moment, moment.astimezone(UTC)]
            shown += [moment.astimezone(ZoneInfo(zone)) for zone in (self.zone, siblings.get("time_zone")) if zone]
        except (ValueError, OverflowError, KeyError, TypeError, OSError):
            return
        for day, hour, minute in dict.fromkeys((local.date(), local.hour, local.minute) for local in shown):
            clocks = frozenset({(hour, minute)})
            fact = DateFact(day.year, day.month, day.day, key, owner, clocks, instant=moment.timestamp())
            self.facts.dates[fact] = None

    def _visit_number(self, value: float, key: str, owner: Owner, siblings: Mapping[str, Any]) -> None:
        currency = next(
            (code for name in ("salary_currency", "currency") if isinstance(code := siblings.get(name), str)), None
        )
        period = next(
            (text for name in ("salary_period", "period") if isinstance(text := siblings.get(name), str)), None
        )
        money = key in ("salary_min", "salary_max", "min", "max")
        self.facts.numbers[
            NumberFact(
                value=Decimal(str(value)),
                field=key,
                owner=owner,
                currencies=frozenset({currency}) if money and currency in CURRENCIES else None,
                period=period if money else None,
            )
        ] = None
        if isinstance(value, int):
            if any(key in words for words in CHOICES.values()):
                self.facts.counts.add(CountFact(value, "application", frozenset({key})))
            elif key == "total":
                self.facts.counts.add(CountFact(value, "total", frozenset()))
            elif key in _SECTIONS or key.rstrip("s") in ("application", "note", "letter", "document", "role"):
                self.facts.counts.add(CountFact(value, key if key in _SECTIONS else key.rstrip("s"), frozenset()))

    def count(self, results: list[Any], today: date | None) -> None:
        """Counts over the documents, roles and items of these results together, each counted once."""
        documents: dict[str, Mapping[str, Any]] = {}
        roles: dict[str, Mapping[str, Any]] = {}
        for result in results:
            if not isinstance(result, Mapping):
                continue
            for entry in _objects(result.get("documents")):
                documents[str(entry.get("id"))] = entry
            for entry in _objects(result.get("roles")):
                roles[str(entry.get("role"))] = entry
            for name in ("operations", "receipts", "items"):
                if isinstance(result.get(name), list):
                    self.facts.counts.add(CountFact(len(result[name]), name, frozenset()))
        if documents:
            self._count_documents(list(documents.values()), today)
        if roles:
            self._count_group("role", list(roles.values()), frozenset(), today)

    def _count_documents(self, documents: list[Mapping[str, Any]], today: date | None) -> None:
        self.facts.counts.add(CountFact(len(documents), "document", frozenset()))
        by_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        by_section: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        dated: list[Mapping[str, Any]] = []
        for document in documents:
            fields = document.get("fields")
            flat = {**(fields if isinstance(fields, Mapping) else {}), "state": document.get("state")}
            by_kind[str(document.get("kind"))].append(flat)
            dated.append(flat)
            sections = document.get("sections")
            for name, items in (sections if isinstance(sections, Mapping) else {}).items():
                entries = list(_objects(items))
                by_section[name] += entries
                dated += entries
                self._count_group(name, entries, frozenset({str(document.get("id"))}), today)
        for kind, members in by_kind.items():
            self._count_group(kind, members, frozenset(), today)
        for name, entries in by_section.items():
            self._count_group(name, entries, frozenset(), today)
        self._count_dates("dated", dated, frozenset(), today)

    def _count_group(self, thing: str, members: list[Mapping[str, Any]], owner: Owner, today: date | None) -> None:
        counts = self.facts.counts
        counts.add(CountFact(len(members), thing, frozenset(), owner))
        for name in _QUALIFYING:
            for value, number in Counter(m.get(name) for m in members if isinstance(m.get(name), str)).items():
                counts.add(CountFact(number, thing, frozenset({str(value)}), owner))
            if any(name in member for member in members):
                for word in CHOICES[name]:
                    if not any(member.get(name) == word for member in members):
                        counts.add(CountFact(0, thing, frozenset({word}), owner))
        for first, second in (("stage", "tier"), ("stage", "work_mode"), ("tier", "work_mode"), ("stage", "state")):
            pairs = Counter((m.get(first), m.get(second)) for m in members)
            for (one, other), number in pairs.items():
                if isinstance(one, str) and isinstance(other, str):
                    counts.add(CountFact(number, thing, frozenset({one, other}), owner))
        for flag, yes, no in (("done", "done", "open"), ("pinned", "pinned", "unpinned")):
            if any(flag in member for member in members):
                number = sum(member.get(flag) is True for member in members)
                counts.add(CountFact(number, thing, frozenset({yes}), owner))
                counts.add(CountFact(len(members) - number, thing, frozenset({no}), owner))
        states = Counter(m["freshness"].get("state") for m in members if isinstance(m.get("freshness"), Mapping))
        for state, number in states.items():
            counts.add(CountFact(number, thing, frozenset({str(state)}), owner))
        self._count_dates(thing, members, owner, today)

    def _count_dates(self, thing: str, members: list[Mapping[str, Any]], owner: Owner, today: date | None) -> None:
        """How many members have a date, in all and within the stretches that people speak of."""
        days_of = [_days(member) for member in members]
        names = {name for days in days_of for name in days}
        for name in [*sorted(names), ""]:
            dated = [[days[name]] if name in days else [] if name else list(days.values()) for days in days_of]
            windows = [sum(bool(days) for days in dated)]
            if today is not None:
                ends = [today + timedelta(reach) for reach in (0, 1, 6, 7, 14, 30, 6 - today.weekday())]
                windows += [sum(any(today <= day <= end for day in days) for days in dated) for end in ends]
                overdue = sum(any(day < today for day in days) for days in dated)
                self.facts.counts.add(CountFact(overdue, thing, frozenset({"overdue"}), owner))
            for number in windows:
                # A narrower count than "all of them": it supports no bare total.
                self.facts.counts.add(CountFact(number, thing, frozenset({"dated"}), owner))
                if name:
                    self.facts.counts.add(CountFact(number, name, frozenset({"dated"}), owner))


def _days(member: Mapping[str, Any]) -> dict[str, date]:
    found = {}
    for name, value in member.items():
        if isinstance(value, str) and len(value) >= 10 and _DATE.match(value[:10]):
            try:
                found[name] = date.fromisoformat(value[:10])
            except ValueError:
                continue
    return found


def _identity(value: Mapping[str, Any]) -> Owner:
    """The entities that an object is: a document or item by `id`, a role by `role`, an operation by its document.

    Events and receipts own nothing: what they say, they say of the documents that they touched.
    """
    found = set()
    for name in ("id", "document", "role"):
        text = value.get(name)
        if isinstance(text, str) and (_OWNING.match(text) or (name == "role" and "title" in value)):
            found.add(text)
    return frozenset(found)


def _pairs(value: list[Any]) -> dict[str, Any] | None:
    """A list of {"field", "value"} as a mapping, or None for another list."""
    if value and all(isinstance(entry, Mapping) and set(entry) == {"field", "value"} for entry in value):
        return {str(entry["field"]): entry["value"] for entry in value}
    return None


def _objects(value: Any) -> Iterable[Mapping[str, Any]]:
    return (entry for entry in value if isinstance(entry, Mapping)) if isinstance(value, list) else ()


def _from_text(number: NumberMention, key: str, owner: Owner) -> NumberFact:
    return NumberFact(
        value=number.value,
        field=key,
        owner=owner,
        currencies=number.currencies,
        period=number.period,
        unit=number.unit,
        from_text=True,
    )
