"""The arguments of a search."""

from __future__ import annotations

from typing import Any

import pytest

from jobcache.problems import InvalidRequest
from jobcache.search.arguments import SearchArguments, read_arguments


def test_null_absent_and_nothing_at_all_are_the_same_question() -> None:
    nothing = SearchArguments()
    assert read_arguments({}) == nothing
    assert read_arguments(dict.fromkeys(SearchArguments.__dataclass_fields__)) == nothing


def test_all_arguments_are_read() -> None:
    wishes = {
        "query": "  python\n developer ", "location": "Zurich", "country": "ch", "work_mode": "hybrid",
        "employment_type": "full", "posted_within_days": 180, "salary_min": 0, "currency": "chf", "limit": 25,
        "cursor": "x",
    }  # fmt: skip
    assert read_arguments(wishes) == SearchArguments(
        "python developer", "Zurich", "CH", "hybrid", "full", 180, 0, "CHF", 25, "x"
    )


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("query", "x" * 201, "too_long"),
        ("query", 5, "invalid_type"),
        ("location", ["Zurich"], "invalid_type"),
        ("country", "XX", "invalid_choice"),
        ("country", "Switzerland", "invalid_choice"),
        ("work_mode", "Remote", "invalid_choice"),
        ("work_mode", ["remote"], "invalid_choice"),
        ("employment_type", "full-time", "invalid_choice"),
        ("posted_within_days", 0, "out_of_range"),
        ("posted_within_days", 181, "out_of_range"),
        ("posted_within_days", True, "invalid_type"),
        ("posted_within_days", "7", "invalid_type"),
        ("salary_min", -1, "out_of_range"),
        ("salary_min", 1.5, "invalid_type"),
        ("currency", "XYZ", "invalid_choice"),
        ("limit", 0, "out_of_range"),
        ("limit", 26, "out_of_range"),
        ("cursor", "", "invalid_cursor"),
        ("cursor", 7, "invalid_cursor"),
        ("workspace", "ws_1", "unknown_field"),
    ],
)
def test_a_wrong_argument_is_named(name: str, value: Any, code: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_arguments({name: value})
    assert [(flaw.path, flaw.code) for flaw in caught.value.flaws] == [(name, code)]


@pytest.mark.parametrize("body", [None, [], "query", 3, True])
def test_a_body_that_is_no_object_is_refused(body: Any) -> None:
    with pytest.raises(InvalidRequest):
        read_arguments(body)


def test_the_fingerprint_is_the_question_without_its_page() -> None:
    question = SearchArguments(query="python", limit=5)
    assert question.fingerprint() == SearchArguments(query="python", limit=9, cursor="x").fingerprint()
    assert question.fingerprint() != SearchArguments(query="python", country="CH").fingerprint()
