"""Decisions about terms, against a small invented corpus."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jobcache.search.cursor import Position, write_cursor
from jobcache.search.plan import Decisions, decide, make_plan
from jobcache.search.query import read_query

WORDS = {"python": 3, "carpenter": 1, "nurse": 2, "koln": 1, "developer": 60, "c++": 2}


class _Statistics:
    def roles(self) -> int:
        return 100

    def roles_with(self, phrases: Sequence[str], *, place_only: bool, most: int) -> int:
        return min(most, max(WORDS.get(phrase, 0) for phrase in phrases))

    def words_from(self, start: str, *, most: int) -> list[str]:
        return [word for word in WORDS if word.startswith(start)][:most]


def _decide(query: str, location: str = "") -> Decisions:
    return decide(read_query(query), read_query(location), statistics=_Statistics(), as_of=1)


@pytest.mark.parametrize(
    ("query", "stand_ins"),
    [
        ("python", {}),
        ("pyhton", {0: ("python",)}),
        ("carpentr", {0: ("carpenter",)}),
        ("nurce", {0: ("nurse",)}),
        ("koeln", {0: ("koln",)}),
        ("c+", {0: ("c++",)}),
        ("xq", {}),
        ("zzzzzzzz", {}),
    ],
)
def test_an_unknown_word_is_taken_for_the_known_one_that_was_meant(
    query: str, stand_ins: dict[int, tuple[str, ...]]
) -> None:
    assert _decide(query).stand_ins == stand_ins


class _Full(_Statistics):
    """A corpus in which every question of eight signs is the beginning of eight long words."""

    def roles_with(self, phrases: Sequence[str], *, place_only: bool, most: int) -> int:
        return int(any("ü" in phrase for phrase in phrases))

    def words_from(self, start: str, *, most: int) -> list[str]:
        return [f"{start}{number}" + "ü" * 40 for number in range(8)][:most]


def test_however_many_words_are_misspelt_the_cursor_stays_short() -> None:
    query = " ".join(f"{letter}bcdefgh" for letter in "abcdefghijklmnop")
    decisions = decide(read_query(query), (), statistics=_Full(), as_of=739_950)
    assert decisions.stand_ins
    assert "0" in decisions.weights
    cursor = write_cursor(Position(2**61, 739_950, 2**61), decisions, fingerprint="0" * 16)
    assert len(cursor) < 1000


def test_rare_words_weigh_more_and_unknown_ones_nothing() -> None:
    assert _decide("python developer zzzzzzzz").weights == "310"


def test_a_question_of_unknown_words_is_impossible_and_so_is_an_unknown_place() -> None:
    for query, place, impossible in (("zzzzzzzz", "", True), ("python", "zzzzzzzz", True), ("python", "", False)):
        terms, places = read_query(query), read_query(place)
        plan = make_plan(terms, places, _decide(query, place), opposites=())
        assert plan.impossible is impossible
