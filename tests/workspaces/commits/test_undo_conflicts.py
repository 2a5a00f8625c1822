"""What stands in the way of an undo, by paths, and which later work cancels."""

from __future__ import annotations

import pytest

from tests.factories import (
    Writer,
    agent,
    another_human,
    append,
    create,
    move_stage,
    op,
    pairs,
    set_field,
    system,
)
from tests.replay import assert_sound
from tests.workspaces.commits.undoing import conflicts, receipt, refused
from workspaces.errors import (
    DocumentTrashed,
    NotFound,
    UndoConflict,
)
from workspaces.models import Event


@pytest.fixture
def app(owner: Writer) -> str:
    return owner.new(title="A", company="Acme", texts={"notes": "Notes."})


# --- paths -------------------------------------------------------------------------------------------------------


def test_each_later_event_on_the_path_is_told(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"), set_field(app, "company", "C"))
    one = agent(owner).commit(set_field(app, "title", "D"))
    two = system(owner).commit(set_field(app, "company", "E"))
    error = refused(owner, done.receipt, UndoConflict)
    assert conflicts(error) == [
        (f"{app}/fields/title", one.event, "agent"),
        (f"{app}/fields/company", two.event, "system"),
    ]


def test_the_same_value_set_again_by_somebody_else_changed_nothing_and_is_no_conflict(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    owner.commit(set_field(app, "title", "B"))
    owner.undo(done.receipt)
    assert owner.read(app)["fields"]["title"] == "A"


def test_a_value_that_went_and_came_back_is_still_later_work(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    owner.commit(set_field(app, "title", "C"))
    owner.commit(set_field(app, "title", "B"))
    refused(owner, done.receipt, UndoConflict)


def test_an_item_below_and_above_conflicts_and_a_sibling_does_not(owner: Writer) -> None:
    one, two = (owner.item("plan", "tasks", title=title) for title in "AB")
    updated = owner.commit(op("item.update", "plan", section="tasks", item=one, changes=pairs(title="A2")))
    removed_other = owner.commit(op("item.remove", "plan", section="tasks", item=two))
    sibling = owner.commit(op("item.update", "plan", section="tasks", item=one, changes=pairs(done=True)))
    owner.undo(updated.receipt)
    assert owner.read("plan")["sections"]["tasks"] == [{"id": one, "title": "A", "done": True}]
    removed = owner.commit(op("item.remove", "plan", section="tasks", item=one))
    error = refused(owner, sibling.receipt, UndoConflict)
    assert conflicts(error) == [(f"plan/sections/tasks/{one}", removed.event, "human")]
    owner.undo(removed_other.receipt)
    owner.undo(removed.receipt)
    owner.undo(sibling.receipt)
    assert {item["title"] for item in owner.read("plan")["sections"]["tasks"]} == {"A", "B"}


def test_a_creation_is_not_undone_once_anybody_edited_it(owner: Writer) -> None:
    for edit in (
        lambda note: set_field(note, "title", "x"),
        lambda note: append(note, "body", "x"),
        lambda note: op("document.archive", note),
    ):
        done = owner.commit(create("n", "note", texts={"body": "b"}))
        note = done.response["documents"]["new:n"]
        by = another_human(owner).commit(edit(note))
        error = refused(owner, done.receipt, UndoConflict)
        assert conflicts(error)[0][1:] == (by.event, "human")
        owner.undo(by.receipt)
        owner.undo(done.receipt)
        assert owner.read(note)["state"] == "archived"


def test_a_reference_to_a_new_document_does_not_block_undoing_its_creation(owner: Writer) -> None:
    done = owner.commit(create("a"))
    app = done.response["documents"]["new:a"]
    owner.new("note", application=app)
    owner.undo(done.receipt)
    assert owner.read(app)["state"] == "archived"


def test_archive_and_trash_touch_only_the_state(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    archived = owner.commit(op("document.archive", app))
    owner.undo(done.receipt)
    trashed = owner.commit(op("document.trash", app))
    edited = owner.commit(op("document.restore", app))
    error = refused(owner, archived.receipt, UndoConflict)
    assert {row[0] for row in conflicts(error)} == {f"{app}/state"}
    owner.undo(edited.receipt)
    owner.undo(trashed.receipt)
    owner.undo(archived.receipt)
    assert (owner.read(app)["state"], owner.read(app)["fields"]["title"]) == ("active", "A")
    assert_sound(owner)


def test_work_in_a_trashed_document_is_undone_after_a_restore_only(owner: Writer, app: str) -> None:
    done = agent(owner).commit(set_field(app, "title", "B"))
    owner.commit(op("document.trash", app))
    refused(owner, done.receipt, DocumentTrashed)
    refused(agent(owner), done.receipt, NotFound, only_thread="thr_1")
    owner.commit(op("document.restore", app))
    agent(owner).undo(done.receipt, only_thread="thr_1")
    assert owner.read(app)["fields"]["title"] == "A"


# --- what cancels ------------------------------------------------------------------------------------------------


def test_later_work_that_was_undone_cancels_with_its_undo(owner: Writer, app: str) -> None:
    first = owner.commit(set_field(app, "title", "B"))
    second = another_human(owner).commit(set_field(app, "title", "C"))
    refused(owner, first.receipt, UndoConflict)
    owner.undo(second.receipt)
    owner.undo(first.receipt)
    assert owner.read(app)["fields"]["title"] == "A"


def test_a_redone_later_work_blocks_again_and_an_undone_redo_does_not(owner: Writer, app: str) -> None:
    first = owner.commit(set_field(app, "title", "B"))
    second = owner.commit(set_field(app, "title", "C"))
    undone = owner.undo(second.receipt)
    redone = owner.undo(undone.receipt)
    error = refused(owner, first.receipt, UndoConflict)
    assert conflicts(error) == [(f"{app}/fields/title", second.event, "human")]
    owner.undo(redone.receipt)
    owner.undo(first.receipt)
    assert owner.read(app)["fields"]["title"] == "A"
    assert_sound(owner)


def test_an_undo_of_older_work_is_later_work_for_what_came_between(owner: Writer, app: str) -> None:
    """The undo of the company's change does not touch the title; that of the title's does."""
    title, company = (owner.commit(set_field(app, f, "B")) for f in ("title", "company"))
    undone = owner.undo(title.receipt)
    owner.undo(company.receipt)
    redone = owner.undo(undone.receipt)
    assert owner.read(app)["fields"] | {"rank": "", "stage": ""} == {
        "title": "B", "company": "Acme", "rank": "", "stage": ""
    }  # fmt: skip
    owner.undo(redone.receipt)
    assert_sound(owner)


def test_a_stack_of_changes_is_undone_from_the_top_and_redone_from_the_bottom(owner: Writer, app: str) -> None:
    values = ["A", "B", "C", "D", "E"]
    done = [owner.commit(set_field(app, "title", value)) for value in values[1:]]
    refused(owner, done[0].receipt, UndoConflict)
    undos = [owner.undo(result.receipt) for result in reversed(done)]
    assert owner.read(app)["fields"]["title"] == "A"
    refused(owner, undos[0].receipt, UndoConflict)
    redone = [owner.undo(result.receipt) for result in reversed(undos)]
    assert owner.read(app)["fields"]["title"] == "E"
    for result in reversed(redone):
        owner.undo(result.receipt)
    assert owner.read(app)["fields"]["title"] == "A"
    assert_sound(owner)


def test_moves_of_a_card_by_stage_and_place_are_each_others_later_work(owner: Writer, app: str) -> None:
    other = owner.new(title="Other", stage="applied")
    staged = owner.commit(set_field(app, "stage", "applied"))
    placed = owner.commit(move_stage(app, "applied", "start"))
    refused(owner, staged.receipt, UndoConflict)
    owner.commit(move_stage(other, "offer"))
    owner.undo(placed.receipt)
    owner.undo(staged.receipt)
    assert owner.column("saved") == [app]


def test_an_undo_by_the_assistant_is_recorded_as_its_own(owner: Writer, app: str) -> None:
    done = agent(owner, turn="trn_1").commit(set_field(app, "title", "B"))
    undone = agent(owner, turn="trn_2").undo(done.receipt, only_thread="thr_1")
    event = Event.objects.get(id=undone.event)
    assert (event.actor_class, event.actor) == ("agent", "careervector-assistant:builtin:con_1")
    assert receipt(owner, undone.receipt)["turn"] == "trn_2"
