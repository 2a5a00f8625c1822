"""The table of true and false answers: what is supported is left alone, what is not is marked, and only that."""

from __future__ import annotations

import pytest

from assistant.grounding import check

from . import answers, cases


def claims(text: str) -> list[str]:
    found = check(
        text=text,
        results=cases.RESULTS,
        arguments=cases.ARGUMENTS,
        known_ids=frozenset(),
        now=cases.NOW,
        time_zone=cases.ZONE,
    )
    for claim in found:
        assert text[claim.start : claim.end].strip() == claim.text
    return [claim.text for claim in found]


@pytest.mark.parametrize("text", answers.TRUE)
def test_a_true_answer_is_left_alone(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(("text", "marked"), answers.FALSE)
def test_what_the_tools_did_not_return_is_marked(text: str, marked: list[str]) -> None:
    assert claims(text) == marked


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(answers.TRUE) + len(answers.FALSE) >= 60
