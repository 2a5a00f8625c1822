"""Rank keys: always between their neighbours, well-formed, short where growth is at an end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspaces.documents.ranks import between, is_rank, spread


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=120))
def test_any_sequence_of_insertions_keeps_the_order(places: list[float]) -> None:
    keys: list[str] = []
    for place in places:
        index = round(place * len(keys))
        before = keys[index - 1] if index > 0 else None
        after = keys[index] if index < len(keys) else None
        made = between(before, after)
        assert is_rank(made)
        assert before is None or before < made
        assert after is None or made < after
        keys.insert(index, made)
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("at_the_end", [True, False])
def test_growing_at_one_end_stays_short(at_the_end: bool) -> None:
    keys = [between(None, None)]
    for _ in range(5000):
        keys.append(between(keys[-1], None) if at_the_end else between(None, keys[-1]))
    assert all(a < b if at_the_end else a > b for a, b in pairwise(keys))
    assert max(map(len, keys)) <= 4


def test_splitting_the_same_gap_again_and_again_grows_slowly() -> None:
    low, high = between(None, None), between(between(None, None), None)
    for _ in range(300):
        high = between(low, high)
    assert low < high
    assert 50 < len(high) < 70


def test_equal_or_crossed_neighbours_count_as_an_open_end() -> None:
    assert between("a5", "a5") == between("a5", None)
    assert between("a7", "a5") == between("a7", None)


def test_a_spread_is_rising_and_short() -> None:
    keys = spread(500)
    assert len(keys) == 500
    assert list(keys) == sorted(set(keys))
    assert max(map(len, keys)) <= 3
    assert spread(0) == []


@pytest.mark.parametrize("key", ["a0", "Zz", "a0V", "b00"])
def test_well_formed_keys_are_known(key: str) -> None:
    assert is_rank(key)


@pytest.mark.parametrize("key", ["", "a", "0", "a0V0", "a!", None, 5, "b0", "A" + "0" * 26])
def test_other_keys_are_not(key: object) -> None:
    assert not is_rank(key)
