"""How a question will be answered: how much each term counts, what stands in for a misspelt one, must all match.

Above: service. Below: query, and a `WordStatistics` for what the corpus holds. The decisions depend on the corpus as
it is at the first page; the cursor carries them, so that later pages follow them while the corpus grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rapidfuzz.distance import OSA

from jobcache.search.query import Term

MAXIMUM_WEIGHT = 4
MAXIMUM_STAND_INS = 8
# Stand-ins travel in the cursor, which stays under a thousand characters: bytes of all of them together.
STAND_INS_BUDGET = 400
# (share of all roles up to which, weight): a rare word tells more than a common one.
_WEIGHTS = ((0.02, 4), (0.06, 3), (0.15, 2), (1.0, 1))


class WordStatistics(Protocol):
    """What a plan needs to know about the corpus."""

    def roles(self) -> int:
        """How many roles there are."""

    def roles_with(self, phrases: Sequence[str], *, place_only: bool, most: int) -> int:
        """In how many roles one of the phrases stands, counted up to `most`."""

    def words_from(self, start: str, *, most: int) -> list[str]:
        """Words of the corpus that begin with `start`, commonest first."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What was decided at the first page. Keys and positions count the query's terms, then the location's.

    `weights` is one digit a term, 0 leaves the term out. `stand_ins` are words in place of an unknown one.
    `partial`: no role matches all terms, so the greater part is enough. `as_of` is the day number of "today".
    """

    weights: str
    stand_ins: dict[int, tuple[str, ...]]
    partial: bool
    as_of: int


@dataclass(frozen=True, slots=True)
class PlannedTerm:
    """A term with its weight (1 to 4) and all phrases that match it, exact ones apart from looser ones."""

    exact: tuple[str, ...]
    loose: tuple[str, ...]
    weight: int
    optional: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be found. `impossible`: the question holds words, but none that any role has."""

    terms: tuple[PlannedTerm, ...]
    places: tuple[PlannedTerm, ...]
    partial: bool
    as_of: int
    impossible: bool = False
    seniority: tuple[str, ...] = field(default=())


def decide(terms: Sequence[Term], places: Sequence[Term], *, statistics: WordStatistics, as_of: int) -> Decisions:
    """Weigh the terms and find stand-ins for those that the corpus does not know; `partial` is decided later."""
    count = max(1, statistics.roles())
    weights: list[str] = []
    stand_ins: dict[int, tuple[str, ...]] = {}
    narrow = sum(not term.optional for term in terms) > 1
    budget = STAND_INS_BUDGET
    for position, term in enumerate([*terms, *places]):
        place_only = position >= len(terms)
        phrases = [*term.spellings, *term.forms, *(term.wider if narrow and not place_only else ())]
        found = statistics.roles_with(phrases, place_only=place_only, most=count // 5 + 1)
        if found == 0:
            others = _within(budget, _stand_ins(term.plain, statistics))
            if others:
                found = statistics.roles_with(others, place_only=place_only, most=count // 5 + 1)
            if found:
                stand_ins[position] = others
                budget -= _size(others)
        weights.append("0" if found == 0 else str(_weight(found / count)))
    return Decisions("".join(weights), stand_ins, partial=False, as_of=as_of)


def make_plan(
    terms: Sequence[Term], places: Sequence[Term], decisions: Decisions, *, opposites: tuple[str, ...]
) -> Plan:
    """The plan that follows from the decisions. `opposites` are title words that speak against a role."""
    narrow = sum(not term.optional for term in terms) > 1
    planned: list[PlannedTerm | None] = []
    for position, term in enumerate([*terms, *places]):
        weight = int(decisions.weights[position])
        if weight == 0:
            planned.append(None)
            continue
        loose = [*term.forms, *decisions.stand_ins.get(position, ())]
        if narrow and position < len(terms):
            loose.extend(term.wider)
        planned.append(PlannedTerm(term.spellings, tuple(dict.fromkeys(loose)), weight, term.optional))
    known_terms = tuple(term for term in planned[: len(terms)] if term is not None)
    known_places = tuple(term for term in planned[len(terms) :] if term is not None)
    return Plan(
        terms=known_terms,
        places=known_places,
        partial=decisions.partial,
        as_of=decisions.as_of,
        impossible=_nothing_known(terms, known_terms) or _nothing_known(places, known_places),
        seniority=opposites,
    )


def make_partial(decisions: Decisions) -> Decisions:
    """The same decisions, but the greater part of the terms is enough."""
    return replace(decisions, partial=True)


def _nothing_known(asked: Sequence[Term], known: Sequence[PlannedTerm]) -> bool:
    """Whether something was asked and no needed part of it is known."""
    return bool(asked) and all(term.optional for term in known)


def _weight(share: float) -> int:
    return next(weight for most, weight in _WEIGHTS if share <= most or most == 1.0)


def _within(budget: int, words: tuple[str, ...]) -> tuple[str, ...]:
    return next((words[:count] for count in range(len(words), 0, -1) if _size(words[:count]) <= budget), ())


def _size(words: tuple[str, ...]) -> int:
    return 8 + sum(len(word.encode()) + 3 for word in words)


def _stand_ins(word: str, statistics: WordStatistics) -> tuple[str, ...]:
    """Known words that an unknown one may be meant as: another spelling of an umlaut, a cut word, a slip."""
    if len(word) < 2:
        return ()
    for digraph, letter in (("ue", "u"), ("oe", "o"), ("ae", "a")):
        if digraph in word and statistics.words_from(word.replace(digraph, letter), most=1):
            return (word.replace(digraph, letter),)
    longer = statistics.words_from(word, most=MAXIMUM_STAND_INS)
    if longer:
        return tuple(longer)
    if len(word) < 4:
        return ()
    furthest = 1 if len(word) < 6 else 2
    near: dict[str, int] = {}
    for start in dict.fromkeys((word[0], word[1])):
        for other in statistics.words_from(start, most=200_000):
            if abs(len(other) - len(word)) <= furthest and len(other) > 2:
                distance = OSA.distance(word, other, score_cutoff=furthest)
                if distance <= furthest:
                    near[other] = distance
    if not near:
        return ()
    nearest = min(near.values())
    return tuple(other for other, distance in near.items() if distance == nearest)[:MAXIMUM_STAND_INS]
