"""Undo of a whole turn: its active receipts, newest first, all or nothing; and the preview of what it would meet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, add_item, agent, append, create, move_stage, open_workspace, replace, set_field
from tests.replay import assert_sound, read_by, replayed, snapshot
from workspaces import facade
from workspaces.errors import ClockSetMismatch, NotFound, ReceiptSpent, StaleClock, UndoConflict


def preview(owner: Writer, turn: str = "trn_1") -> dict[str, Any]:
    before = snapshot(owner.workspace)
    found = facade.preview_turn_undo(workspace=owner.workspace, turn=turn)
    assert snapshot(owner.workspace) == before
    return found


@pytest.fixture
def app(owner: Writer) -> str:
    return owner.new(title="A", texts={"notes": "Notes \u00e9."})


def busy_turn(owner: Writer, app: str, turn: str = "trn_1") -> list[str]:
    """A turn that goes over the same places several times."""
    helper = agent(owner, turn=turn)
    results = [
        helper.commit(set_field(app, "title", "B"), append(app, "notes", " One \U0001f600.")),
        helper.commit(set_field(app, "title", "C"), replace(app, "notes", "One", "Two")),
        helper.commit(create("n", "note", application=app, title="N"), add_item("plan", "tasks", application=app)),
        helper.commit(move_stage(app, "applied"), append(app, "notes", " Three.")),
        helper.commit(set_field(app, "title", "D"), set_field("profile", "name", "Ada")),
    ]
    return [str(result.receipt) for result in results]


def test_a_turn_is_taken_back_and_brought_back_in_one_commit_each(owner: Writer, app: str) -> None:
    before = replayed(owner.workspace)
    receipts = busy_turn(owner, app)
    after = replayed(owner.workspace)
    [note] = set(after) - set(before)
    undone = owner.undo_turn("trn_1")
    taken_back = replayed(owner.workspace)
    assert taken_back.pop(note)["state"] == "archived"
    assert taken_back == before
    assert undone.response["reversible"] is True
    states = [facade.get_receipt(access=owner.access, receipt=r) for r in receipts]
    assert [(r["state"], r["undone_by"]) for r in states] == [("undone", undone.event)] * 5
    owner.undo(undone.receipt)
    assert read_by(owner, after) == after
    assert_sound(owner)


def test_documents_rise_by_one_however_many_receipts_touched_them(owner: Writer, app: str) -> None:
    busy_turn(owner, app)
    clock = owner.clock(app)
    undone = owner.undo_turn("trn_1")
    assert undone.response["clocks"]["after"][app] == clock + 1


def test_a_preview_tells_the_receipts_newest_first_and_the_clocks_to_send(owner: Writer, app: str) -> None:
    receipts = busy_turn(owner, app)
    seen = preview(owner)
    assert seen["receipts"] == receipts[::-1]
    assert (seen["conflicts"], seen["possible"]) == ([], True)
    owner.undo_turn("trn_1", clocks=seen["expected_clocks"])


@pytest.mark.parametrize("where", ["field", "text", "item"])
def test_later_work_by_others_refuses_the_whole_turn_and_the_preview_tells_it(
    owner: Writer, app: str, where: str
) -> None:
    busy_turn(owner, app)
    task = owner.read("plan")["sections"]["tasks"][0]["id"]
    later = owner.commit(
        {
            "field": set_field("profile", "name", "Grace"),
            "text": replace(app, "notes", "Two", "2"),
            "item": {
                "kind": "item.update",
                "document": "plan",
                "section": "tasks",
                "item": task,
                "changes": [{"field": "done", "value": True}],
            },
        }[where]
    )
    path = {"field": "profile/fields/name", "text": f"{app}/texts/notes", "item": f"plan/sections/tasks/{task}/done"}
    before = snapshot(owner.workspace)
    with pytest.raises(UndoConflict) as refusal:
        owner.undo_turn("trn_1")
    assert snapshot(owner.workspace) == before
    seen = preview(owner)
    assert seen["possible"] is False
    assert seen["conflicts"] == refusal.value.details["conflicts"]
    assert [(c["path"], c["later_event"]) for c in seen["conflicts"]] == [(path[where], later.event)]


def test_later_work_elsewhere_does_not_block(owner: Writer, app: str) -> None:
    busy_turn(owner, app)
    owner.commit(set_field(app, "company", "Acme"), append(app, "notes", " By hand."))
    assert preview(owner)["possible"] is True
    owner.undo_turn("trn_1")
    document = owner.read(app)
    assert (document["fields"]["title"], document["fields"]["company"]) == ("A", "Acme")
    assert document["texts"]["notes"] == "Notes \u00e9. By hand."


def test_only_what_is_still_active_is_undone(owner: Writer, app: str) -> None:
    receipts = busy_turn(owner, app)
    owner.undo(receipts[4])
    assert preview(owner)["receipts"] == receipts[3::-1]
    owner.undo_turn("trn_1")
    assert owner.read(app)["fields"]["title"] == "A"
    assert_sound(owner)


def test_another_turn_in_between_conflicts_where_it_touched_the_same_and_cancels_when_undone(
    owner: Writer, app: str
) -> None:
    agent(owner, turn="trn_1").commit(set_field(app, "title", "B"))
    agent(owner, turn="trn_2").commit(set_field(app, "title", "C"))
    with pytest.raises(UndoConflict):
        owner.undo_turn("trn_1")
    owner.undo_turn("trn_2")
    owner.undo_turn("trn_1")
    assert owner.read(app)["fields"]["title"] == "A"


def test_a_turn_without_receipts_a_foreign_one_and_a_spent_one_are_refused(owner: Writer, app: str) -> None:
    for call in (facade.preview_turn_undo, None):
        with pytest.raises(NotFound):
            call(workspace=owner.workspace, turn="trn_9") if call else owner.undo_turn("trn_9", clocks={})
    elsewhere = open_workspace()
    agent(elsewhere, turn="trn_5").commit(set_field("profile", "name", "X"))
    with pytest.raises(NotFound):
        owner.undo_turn("trn_5", clocks={"profile": 2})
    agent(owner, turn="trn_1").commit(set_field(app, "title", "B"))
    owner.undo_turn("trn_1")
    with pytest.raises(ReceiptSpent):
        owner.undo_turn("trn_1", clocks={app: 3})
    with pytest.raises(ReceiptSpent):
        facade.preview_turn_undo(workspace=owner.workspace, turn="trn_1")


def test_the_clocks_of_all_its_documents_are_named_exactly(owner: Writer, app: str) -> None:
    busy_turn(owner, app)
    clocks = preview(owner)["expected_clocks"]
    with pytest.raises(ClockSetMismatch):
        owner.undo_turn("trn_1", clocks={app: clocks[app]})
    with pytest.raises(StaleClock):
        owner.undo_turn("trn_1", clocks={**clocks, app: clocks[app] - 1})


def test_a_retried_turns_undo_gets_the_first_answer(owner: Writer, app: str) -> None:
    busy_turn(owner, app)
    clocks = preview(owner)["expected_clocks"]
    first = owner.undo_turn("trn_1", clocks=clocks, key="k")
    again = owner.undo_turn("trn_1", clocks=clocks, key="k")
    assert (again.replayed, again.response) == (True, first.response)


def test_what_a_turn_did_and_took_back_itself_stays_taken_back(owner: Writer, app: str) -> None:
    helper = agent(owner, turn="trn_1")
    done = helper.commit(set_field(app, "title", "B"))
    helper.undo(done.receipt, only_thread="thr_1")
    helper.commit(set_field(app, "company", "Acme"))
    owner.undo_turn("trn_1")
    fields = owner.read(app)["fields"]
    assert fields["title"] == "A"
    assert "company" not in fields
    assert_sound(owner)


def test_a_turn_that_took_an_earlier_turns_work_back_brings_it_back(owner: Writer, app: str) -> None:
    done = agent(owner, turn="trn_1").commit(set_field(app, "title", "B"))
    agent(owner, turn="trn_2").undo(done.receipt, only_thread="thr_1")
    owner.undo_turn("trn_2")
    assert owner.read(app)["fields"]["title"] == "B"
