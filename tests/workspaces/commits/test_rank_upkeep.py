"""Keys past 64 characters are rebalanced in a commit of its own: nobody's later work, and no clock is stale."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Operation, Writer, move_stage, op, set_field
from tests.replay import assert_sound
from workspaces import facade
from workspaces.commits.cache import documents
from workspaces.errors import StaleClock
from workspaces.models import Document, Event


def row(owner: Writer, document: str) -> Document:
    return Document.objects.get(workspace_id=owner.workspace, doc_id=document)


def upkeeps(owner: Writer) -> int:
    return Event.objects.filter(workspace_id=owner.workspace, actor="system:rank_upkeep").count()


def squeeze(owner: Writer, steps: list[Operation]) -> None:
    """Moves two neighbours past each other, which halves their gap each time, until the system rebalances."""
    for _ in range(40):
        if upkeeps(owner):
            return
        owner.commit(*steps * 10)
    raise AssertionError("never rebalanced")


@pytest.fixture
def tasks(owner: Writer) -> list[str]:
    return [owner.item("plan", "tasks", title=title) for title in "ABC"]


def squeeze_tasks(owner: Writer, tasks: list[str]) -> None:
    a, b, c = tasks
    step: Any = lambda item: op("item.move", "plan", section="tasks", item=item, position={"after": a})  # noqa: E731
    squeeze(owner, [step(c), step(b)])


def test_items_keep_their_order_and_get_short_keys(owner: Writer, tasks: list[str]) -> None:
    squeeze_tasks(owner, tasks)
    assert [item["id"] for item in owner.read("plan")["sections"]["tasks"]] == tasks
    state = documents.get(owner.workspace, "plan").state  # type: ignore[union-attr]
    assert [state.sections["tasks"][item]["rank"] for item in tasks] == ["a0", "a1", "a2"]
    assert upkeeps(owner) == 1
    assert_sound(owner)


def test_the_clock_rises_but_what_a_client_expects_is_not_stale(owner: Writer, tasks: list[str]) -> None:
    squeeze_tasks(owner, tasks)
    plan = row(owner, "plan")
    assert (plan.clock, plan.firm_clock) == (plan.firm_clock + 1, plan.clock - 1)
    [last] = Event.objects.filter(workspace_id=owner.workspace, actor="system:rank_upkeep")
    assert (last.actor_class, last.receipt, last.reason) == ("system", None, "")
    # The client has not heard of the rebalance yet.
    owner.commit(set_field("plan", "weekly_goal", 5), clocks={"plan": plan.firm_clock})
    with pytest.raises(StaleClock):
        owner.commit(set_field("plan", "weekly_goal", 6), clocks={"plan": plan.clock})
    assert row(owner, "plan").clock == row(owner, "plan").firm_clock == plan.clock + 1


def test_older_than_the_last_firm_change_is_stale_all_the_same(owner: Writer, tasks: list[str]) -> None:
    squeeze_tasks(owner, tasks)
    with pytest.raises(StaleClock):
        owner.commit(set_field("plan", "weekly_goal", 5), clocks={"plan": row(owner, "plan").firm_clock - 1})


def test_moves_from_before_can_still_be_taken_back(owner: Writer, tasks: list[str]) -> None:
    other = owner.item("plan", "tasks", title="D")
    moved = owner.commit(op("item.move", "plan", section="tasks", item=other, position="start"))
    removed = owner.commit(op("item.remove", "plan", section="tasks", item=owner.item("plan", "tasks", title="E")))
    added = owner.commit(op("item.add", "plan", section="tasks", item=[], position="start"))
    squeeze_tasks(owner, tasks)
    clock = row(owner, "plan").firm_clock
    owner.undo(added.receipt, clocks={"plan": clock})
    owner.undo(moved.receipt)
    owner.undo(removed.receipt)
    assert [item.get("title") for item in owner.read("plan")["sections"]["tasks"]] == list("ABCED")
    assert_sound(owner)


def test_a_column_is_rebalanced_with_all_its_cards_but_those_in_the_trash(owner: Writer) -> None:
    a, b, c, archived, trashed, d = (owner.new(title=title) for title in "ABCXYD")
    owner.commit(op("document.archive", archived), op("document.trash", trashed))
    moved = owner.commit(move_stage(d, "applied"))
    squeeze(
        owner,
        [move_stage(c, "saved", {"after": a}), move_stage(b, "saved", {"after": a})],
    )
    assert owner.column("saved") == [a, b, c]
    ranks = [row(owner, card).rank for card in (a, b, c, archived)]
    assert ranks == ["a0", "a1", "a2", "a3"]
    for card in (b, c):
        assert row(owner, card).clock == row(owner, card).firm_clock + 1
    assert row(owner, trashed).clock == row(owner, trashed).firm_clock
    owner.commit(set_field(b, "title", "B2"), clocks={b: row(owner, b).firm_clock})
    owner.undo(moved.receipt)
    assert owner.column("saved") == [a, b, c, d]
    owner.commit(op("document.unarchive", archived))
    assert owner.column("saved") == [a, b, c, archived, d]
    assert_sound(owner)


def test_the_last_one_to_work_on_a_document_is_not_the_system(owner: Writer, tasks: list[str]) -> None:
    squeeze_tasks(owner, tasks)
    [newest] = facade.list_events(access=owner.access, limit=1, actor_class="human")["items"]
    plan = owner.read("plan")
    assert (plan["last_event"], plan["updated_at"]) == (newest["id"], newest["at"])
    found = facade.project_documents(workspace=owner.workspace, documents=["plan"])
    assert found["provenance"]["plan"]["actor_class"] == "human"


def test_a_rebalance_is_told_like_any_commit(owner: Writer, tasks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from workspaces.commits import rebuild

    # So many moves are a history to get rid of otherwise, and nobody resumes across that.
    monkeypatch.setattr(rebuild, "MIN_HISTORY_BYTES", 10**6)
    seq = facade.get_hello(workspace=owner.workspace)["seq"]
    squeeze_tasks(owner, tasks)
    messages = facade.list_commits_after(workspace=owner.workspace, seq=seq)
    assert messages is not None
    [told] = [m for m in messages if m["event"]["actor"] == "system:rank_upkeep"]
    assert set(told["updates"]) == {"plan"}


def test_a_rebalance_that_fails_harms_nobody_and_comes_with_the_next_move(
    owner: Writer, tasks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from workspaces.commits import rank_upkeep

    a, b, c = tasks
    steps = [op("item.move", "plan", section="tasks", item=i, position={"after": a}) for i in (c, b)]
    with monkeypatch.context() as broken:
        broken.setattr(rank_upkeep, "rebalance", lambda **_: 1 / 0)
        for _ in range(25):
            owner.commit(*steps * 10)
    assert upkeeps(owner) == 0
    assert_sound(owner)
    owner.commit(*steps)
    assert upkeeps(owner) == 1
    assert_sound(owner)
