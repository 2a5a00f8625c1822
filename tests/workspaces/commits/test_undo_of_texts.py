"""Undo in texts: only the anchored range decides, and it must still hold exactly what was put there."""

from __future__ import annotations

import pytest

from tests.factories import Writer, agent, another_human, append, op, replace
from tests.replay import assert_sound, snapshot
from workspaces.errors import UndoConflict

SMILE = "\U0001f600"


@pytest.fixture
def note(owner: Writer) -> str:
    return owner.new("note", texts={"body": "Intro \u00e9.\nEnd."})


def body(owner: Writer, note: str) -> str:
    return str(owner.read(note)["texts"].get("body", ""))


def refused(owner: Writer, receipt: str | None, later_event: str | None) -> None:
    before = snapshot(owner.workspace)
    with pytest.raises(UndoConflict) as refusal:
        owner.undo(receipt)
    assert snapshot(owner.workspace) == before
    [conflict] = refusal.value.details["conflicts"]
    assert conflict["later_event"] == later_event
    assert conflict["path"].endswith("/texts/body")


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("Intro", f"{SMILE} Intro", f"{SMILE} Intro \u00e9.\nEnd."),
        ("\u00e9.\n", f"\u00e9. And {SMILE}.\n", f"Intro \u00e9. And {SMILE}.\nEnd."),
        ("End.", "Start of the end.", "Intro \u00e9.\nStart of the end."),
        ("AGENT", f"{SMILE}AGENT", f"Intro \u00e9.\n{SMILE}End."),
        ("End", f"{SMILE}End", f"Intro \u00e9.\n{SMILE}End."),
    ],
)
def test_edits_beside_the_stretch_never_block(owner: Writer, note: str, old: str, new: str, left: str) -> None:
    done = agent(owner).commit(replace(note, "body", "\nEnd", "\nAGENT\nEnd"))
    another_human(owner).commit(replace(note, "body", old, new))
    undone = owner.undo(done.receipt)
    assert body(owner, note) == left
    owner.undo(undone.receipt)
    assert "AGENT\n" in body(owner, note)
    assert_sound(owner)


@pytest.mark.parametrize(
    ("old", "new"), [("GE", "G-E"), ("AGENT", "AGNT"), ("AGENT\n", ""), ("\nAGENT", " CHANGED"), ("A", "\u00c4")]
)
def test_an_edit_inside_the_stretch_blocks_and_is_told(owner: Writer, note: str, old: str, new: str) -> None:
    done = agent(owner).commit(replace(note, "body", "\nEnd", "\nAGENT\nEnd"))
    by = another_human(owner).commit(replace(note, "body", old, new))
    refused(owner, done.receipt, by.event)


def test_the_newest_edit_of_the_text_is_told(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", " AGENT"))
    owner.commit(replace(note, "body", "AGENT", "AGE NT"))
    last = owner.commit(replace(note, "body", "Intro", "In"))
    refused(owner, done.receipt, last.event)


def test_edits_of_other_texts_fields_and_state_do_not_matter(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", " AGENT"))
    owner.commit(op("field.set", note, field="title", value="x"), op("document.archive", note))
    owner.undo(done.receipt)
    assert body(owner, note) == "Intro \u00e9.\nEnd."


def test_an_edit_inside_that_was_undone_does_not_block(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", f" {SMILE} AGENT here"))
    by = owner.commit(replace(note, "body", "AGENT here", "nobody"))
    refused(owner, done.receipt, by.event)
    owner.undo(by.receipt)
    owner.undo(done.receipt)
    assert body(owner, note) == "Intro \u00e9.\nEnd."


def test_appends_are_undone_in_any_order(owner: Writer, note: str) -> None:
    done = [owner.commit(append(note, "body", f" {index}{SMILE}")) for index in range(4)]
    undone = {}
    for index in (1, 3, 0, 2):
        undone[index] = owner.undo(done[index].receipt)
        assert_sound(owner)
    assert body(owner, note) == "Intro \u00e9.\nEnd."
    for index in (2, 0, 3, 1):
        owner.undo(undone[index].receipt)
    assert sorted(body(owner, note).removeprefix("Intro \u00e9.\nEnd.").split()) == [f"{i}{SMILE}" for i in range(4)]
    assert_sound(owner)


def test_a_deletion_is_put_back_where_it_was_whatever_was_typed_around(owner: Writer, note: str) -> None:
    done = owner.commit(replace(note, "body", " \u00e9.\n", ""))
    assert body(owner, note) == "IntroEnd."
    owner.commit(replace(note, "body", "Intro", f"{SMILE}Intro"))
    owner.commit(append(note, "body", SMILE))
    owner.undo(done.receipt)
    assert body(owner, note) == f"{SMILE}Intro \u00e9.\nEnd.{SMILE}"
    assert_sound(owner)


def test_the_whole_text_is_deleted_and_put_back(owner: Writer, note: str) -> None:
    done = owner.commit(replace(note, "body", "Intro \u00e9.\nEnd.", ""))
    assert body(owner, note) == ""
    undone = owner.undo(done.receipt)
    assert body(owner, note) == "Intro \u00e9.\nEnd."
    owner.undo(undone.receipt)
    owner.commit(replace(note, "body", "", "New"))
    assert_sound(owner)


def test_the_same_words_typed_elsewhere_are_left_alone(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", " yes"))
    owner.commit(replace(note, "body", "Intro", "yes"))
    owner.undo(done.receipt)
    assert body(owner, note) == "yes \u00e9.\nEnd."


def test_a_deleted_stretch_that_stands_nowhere_any_more_blocks(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", " AGENT"))
    by = owner.commit(replace(note, "body", " AGENT", ""))
    refused(owner, done.receipt, by.event)


def test_a_receipt_of_several_texts_and_fields_is_undone_whole(owner: Writer, note: str) -> None:
    other = owner.new("letter", texts={"body": "Dear"})
    done = owner.commit(
        append(note, "body", " one"),
        op("field.set", note, field="title", value="T"),
        append(other, "body", f" {SMILE}"),
        append(note, "body", " two"),
        replace(other, "body", "Dear", "Hello"),
    )
    owner.commit(append(note, "body", " after"))
    owner.undo(done.receipt)
    assert body(owner, note) == "Intro \u00e9.\nEnd. after"
    assert body(owner, other) == "Dear"
    assert "title" not in owner.read(note)["fields"]
    assert_sound(owner)


def test_an_edit_between_two_hunks_of_a_batch_does_not_block_either(owner: Writer, note: str) -> None:
    done = owner.commit(replace(note, "body", "Intro", f"{SMILE}"), append(note, "body", "\nPS"))
    owner.commit(replace(note, "body", "\u00e9.", "\u00e8."))
    owner.undo(done.receipt)
    assert body(owner, note) == "Intro \u00e8.\nEnd."


def test_what_a_batch_put_in_and_took_out_again_is_undone_as_nothing(owner: Writer, note: str) -> None:
    done = owner.commit(append(note, "body", " x"), replace(note, "body", " x", ""))
    assert done.response["unchanged"] == []
    undone = owner.undo(done.receipt)
    assert undone.event is None
    assert body(owner, note) == "Intro \u00e9.\nEnd."


def test_undoing_never_lets_a_text_outgrow_its_limit_on_the_way(owner: Writer) -> None:
    note = owner.new("note", texts={"body": "a" * 25_000 + "b" * 25_000})
    done = owner.commit(replace(note, "body", "b" * 25_000, "c"), replace(note, "body", "a" * 25_000, "d" * 40_000))
    owner.undo(done.receipt)
    assert body(owner, note) == "a" * 25_000 + "b" * 25_000


def test_undoing_a_shortening_of_a_text_that_has_grown_since_is_refused_by_the_limit(owner: Writer) -> None:
    from workspaces.errors import InvalidOperation

    note = owner.new("note", texts={"body": "a" * 30_000})
    done = owner.commit(replace(note, "body", "a" * 30_000, ""))
    owner.commit(append(note, "body", "b" * 30_000))
    with pytest.raises(InvalidOperation):
        owner.undo(done.receipt)
    assert body(owner, note) == "b" * 30_000
