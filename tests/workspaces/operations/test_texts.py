"""text.append and text.replace: verbatim, in characters, with an inverse of exactly that range."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, append, op, replace
from tests.replay import assert_sound
from workspaces.errors import InvalidOperation


def body(owner: Writer) -> str:
    return str(owner.read("plan")["texts"].get("strategy", ""))


def flaws(refusal: pytest.ExceptionInfo[Any]) -> list[tuple[str, str]]:
    return [(flaw.path, flaw.code) for flaw in refusal.value.flaws]


def test_an_append_is_verbatim_and_taken_back_exactly(owner: Writer) -> None:
    owner.commit(append("plan", "strategy", "One."))
    done = owner.commit(append("plan", "strategy", "\n\nTwo \U0001f600 "))
    assert body(owner) == "One.\n\nTwo \U0001f600 "
    assert done.response["affected_paths"] == ["plan/texts/strategy"]
    undone = owner.undo(done.receipt)
    assert body(owner) == "One."
    owner.undo(undone.receipt)
    assert body(owner) == "One.\n\nTwo \U0001f600 "
    assert_sound(owner)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("", "", "All", "All"),
        ("one two three", "two", "2", "one 2 three"),
        ("one two three", "one two three", "", ""),
        ("Zürich \U0001f600 Köln", "\U0001f600", "\U0001f680\U0001f680", "Zürich \U0001f680\U0001f680 Köln"),
        ("aXa", "X", "aXa", "aaXaa"),
        ("abc", "abc", "abXc", "abXc"),
        ("abc", "b", "", "ac"),
        ("e\u0301clair", "\u00e9", "E", "Eclair"),
    ],
)
def test_a_replacement_and_its_reverse_and_its_redo(owner: Writer, before: str, old: str, new: str, after: str) -> None:
    if before:
        owner.commit(append("plan", "strategy", before))
    start = body(owner)
    done = owner.commit(replace("plan", "strategy", old, new))
    assert body(owner) == after
    undone = owner.undo(done.receipt)
    assert body(owner) == start
    owner.undo(undone.receipt)
    assert body(owner) == after
    assert_sound(owner)


@pytest.mark.parametrize("operation", [append("plan", "strategy", ""), replace("plan", "strategy", "One", "One")])
def test_what_would_change_nothing_is_unchanged(owner: Writer, operation: Any) -> None:
    owner.commit(append("plan", "strategy", "One"))
    done = owner.commit(operation)
    assert done.response["unchanged"] == [0]
    assert owner.clock("plan") == 2


def test_nothing_replaced_by_nothing_in_an_empty_text_is_unchanged(owner: Writer) -> None:
    assert owner.commit(replace("plan", "strategy", "", "")).response["unchanged"] == [0]


@pytest.mark.parametrize(
    ("text", "old", "code"),
    [
        ("abc", "x", "not_found"),
        ("abcabc", "abc", "not_unique"),
        ("aaa", "aa", "not_unique"),
        ("abc", "", "not_empty"),
        ("", "x", "not_found"),
    ],
)
def test_old_must_occur_exactly_once(owner: Writer, text: str, old: str, code: str) -> None:
    if text:
        owner.commit(append("plan", "strategy", text))
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(replace("plan", "strategy", old, "new"))
    assert flaws(refusal) == [("operations/0/old", code)]
    assert body(owner) == text


@pytest.mark.parametrize(
    ("operation", "flaw"),
    [
        (append("plan", "summary", "x"), ("text", "unknown_text")),
        (append("plan", "strategy", "\r\n"), ("content", "control_character")),
        (append("plan", "strategy", "\ud83d"), ("content", "control_character")),
        (append("plan", "strategy", "x" * 50_001), ("content", "too_long")),
        (op("text.append", "plan", text="strategy", content=5), ("content", "type")),
        (op("text.append", "plan", text="strategy"), ("content", "required")),
        (op("text.replace", "plan", text="strategy", old="a", new=None), ("new", "null")),
    ],
)
def test_a_text_operation_that_cannot_be_so_is_refused(owner: Writer, operation: Any, flaw: tuple[str, str]) -> None:
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(operation)
    assert flaws(refusal) == [(f"operations/0/{flaw[0]}", flaw[1])]


def test_a_text_holds_fifty_thousand_characters_and_not_one_more(owner: Writer) -> None:
    owner.commit(append("plan", "strategy", "\U0001f600" * 49_999))
    owner.commit(append("plan", "strategy", "x"))
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(append("plan", "strategy", "y"))
    assert flaws(refusal) == [("operations/0/content", "too_long")]
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(replace("plan", "strategy", "x", "yy"))
    assert flaws(refusal) == [("operations/0/new", "too_long")]
    owner.commit(replace("plan", "strategy", "x", "z"))
    assert len(body(owner)) == 50_000
    assert_sound(owner)


def test_a_batch_sees_what_its_earlier_operations_wrote_and_is_taken_back_whole(owner: Writer) -> None:
    owner.commit(append("plan", "strategy", "\u00e4 base. "))
    done = owner.commit(
        append("plan", "strategy", "One \U0001f600. "),
        replace("plan", "strategy", "One", "Two"),
        append("plan", "strategy", "Three."),
        replace("plan", "strategy", "base. Two", "B2"),
    )
    assert body(owner) == "\u00e4 B2 \U0001f600. Three."
    assert_sound(owner)
    undone = owner.undo(done.receipt)
    assert body(owner) == "\u00e4 base. "
    owner.undo(undone.receipt)
    assert body(owner) == "\u00e4 B2 \U0001f600. Three."
    assert_sound(owner)


def test_twenty_edits_of_a_full_text_can_be_taken_back(owner: Writer) -> None:
    """The inverse keeps what changed, not the text around it."""
    owner.commit(append("plan", "strategy", "x" * 49_000))
    done = owner.commit(*(append("plan", "strategy", f"{n:02} " + "y" * 40) for n in range(20)))
    assert done.response["reversible"] is True
    owner.undo(done.receipt)
    assert body(owner) == "x" * 49_000
