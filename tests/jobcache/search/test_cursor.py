"""Cursors: what goes in comes out, and nothing else is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobcache.problems import InvalidRequest
from jobcache.search.cursor import Position, read_cursor, write_cursor
from jobcache.search.plan import Decisions

NUMBERS = st.integers(-(2**60), 2**60)
POSITIONS = st.builds(Position, NUMBERS, NUMBERS, NUMBERS)
DECISIONS = st.builds(
    Decisions,
    weights=st.just("304"),
    stand_ins=st.dictionaries(st.integers(0, 2), st.lists(st.text("abcü東", min_size=1), max_size=8).map(tuple)),
    partial=st.booleans(),
    as_of=NUMBERS,
)
PRINT = "0123456789abcdef"


@given(POSITIONS, DECISIONS)
def test_a_cursor_says_what_was_put_in(position: Position, decisions: Decisions) -> None:
    cursor = write_cursor(position, decisions, fingerprint=PRINT)
    assert read_cursor(cursor, fingerprint=PRINT, terms=3) == (position, decisions)


def _cursor() -> str:
    return write_cursor(Position(9, 8, 7), Decisions("304", {1: ("python",)}, False, 739000), fingerprint=PRINT)


def test_no_single_changed_sign_is_taken() -> None:
    cursor = _cursor()
    for place in range(len(cursor)):
        for sign in "A_":
            changed = cursor[:place] + sign + cursor[place + 1 :]
            if changed != cursor and not _same_bytes(changed, cursor):
                with pytest.raises(InvalidRequest):
                    read_cursor(changed, fingerprint=PRINT, terms=3)


def _same_bytes(one: str, other: str) -> bool:
    # The last sign of base 64 may hold bits that belong to no byte.
    return one[:-1] == other[:-1]


@pytest.mark.parametrize("fingerprint", ["0" * 16, "", PRINT[:-1]])
def test_a_cursor_of_another_question_is_refused(fingerprint: str) -> None:
    with pytest.raises(InvalidRequest):
        read_cursor(_cursor(), fingerprint=fingerprint, terms=3)


def test_a_cursor_for_another_number_of_terms_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        read_cursor(_cursor(), fingerprint=PRINT, terms=2)


@given(st.text(max_size=60) | st.binary(max_size=40).map(lambda raw: raw.hex()))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        read_cursor(text, fingerprint=PRINT, terms=3)
