"""Paths: their spelling, and when two of them mean overlapping parts."""

from __future__ import annotations

import pytest

from workspaces.documents import paths


def test_paths_are_spelled_as_the_contract_says() -> None:
    assert paths.state_path("application:X") == "application:X/state"
    assert paths.field_path("profile", "name") == "profile/fields/name"
    assert paths.item_path("plan", "tasks", "itm_1") == "plan/sections/tasks/itm_1"
    assert paths.item_field_path("plan", "tasks", "itm_1", "due") == "plan/sections/tasks/itm_1/due"
    assert paths.text_path("note:X", "body") == "note:X/texts/body"


@pytest.mark.parametrize(
    ("one", "other", "overlapping"),
    [
        ("a/fields/x", "a/fields/x", True),
        ("a", "a/fields/x", True),
        ("a/sections/s/i", "a/sections/s/i/done", True),
        ("a/fields/x", "a/fields/xy", False),
        ("a/fields/x", "ab/fields/x", False),
        ("a/state", "a/fields/x", False),
        ("a", "ab", False),
        ("a/sections/s/i/done", "a/sections/s/i/due", False),
    ],
)
def test_paths_overlap_when_one_contains_the_other(one: str, other: str, overlapping: bool) -> None:
    assert paths.overlap(one, other) is overlapping
    assert paths.overlap(other, one) is overlapping


def test_a_path_is_within_itself_and_its_ancestors_only() -> None:
    assert paths.within("a/sections/s/i/done", ["a/sections/s"])
    assert paths.within("a", ["a"])
    assert not paths.within("a", ["a/fields/x"])
    assert not paths.within("a/fields/xy", ["a/fields/x"])


def test_a_path_knows_its_document_and_whether_it_is_a_text() -> None:
    assert paths.document_of("note:X/texts/body") == "note:X"
    assert paths.document_of("note:X") == "note:X"
    assert paths.is_text_path("note:X/texts/body")
    assert not paths.is_text_path("note:X")
    assert not paths.is_text_path("note:X/fields/texts")
