"""The item operations: places, values, inverses, and the internal kinds that take an addition and a removal back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, add_item, op, pairs
from tests.replay import assert_sound
from workspaces.errors import CardinalityExceeded, InvalidOperation, UndoConflict


def titles(owner: Writer) -> list[str]:
    return [item.get("title", "") for item in owner.read("plan")["sections"].get("tasks", [])]


def flaws(refusal: pytest.ExceptionInfo[Any]) -> list[tuple[str, str]]:
    return [(flaw.path, flaw.code) for flaw in refusal.value.flaws]


@pytest.fixture
def tasks(owner: Writer) -> dict[str, str]:
    """Three tasks: A, B, C."""
    return {title: owner.item("plan", "tasks", title=title) for title in "ABC"}


@pytest.mark.parametrize(
    ("position", "order"), [("end", "ABCX"), (None, "ABCX"), ("start", "XABC"), ("A", "AXBC"), ("C", "ABCX")]
)
def test_an_item_goes_where_it_should_and_away_again(
    owner: Writer, tasks: dict[str, str], position: Any, order: str
) -> None:
    where = {"after": tasks[position]} if position in tasks else position
    done = owner.commit(add_item("plan", "tasks", where, title="X"))
    assert titles(owner) == list(order)
    [path] = done.response["affected_paths"]
    assert path.startswith("plan/sections/tasks/itm_")
    undone = owner.undo(done.receipt)
    assert titles(owner) == list("ABC")
    owner.undo(undone.receipt)
    assert titles(owner) == list(order)
    assert [i["id"] for i in owner.read("plan")["sections"]["tasks"]][order.index("X")] == path.rsplit("/", 1)[1]
    assert_sound(owner)


def test_a_position_may_be_left_out(owner: Writer, tasks: dict[str, str]) -> None:
    owner.commit(op("item.add", "plan", section="tasks", item=pairs(title="X")))
    assert titles(owner) == list("ABCX")


def test_values_of_an_item_are_kept_and_null_is_absent(owner: Writer) -> None:
    item = owner.item("plan", "tasks", title="A", due="2026-12-01", done=False, application=None)
    assert owner.read("plan")["sections"]["tasks"] == [{"id": item, "title": "A", "due": "2026-12-01", "done": False}]


def test_an_item_is_updated_and_back_value_by_value(owner: Writer) -> None:
    item = owner.item("plan", "tasks", title="A", due="2026-12-01")
    done = owner.commit(
        op("item.update", "plan", section="tasks", item=item, changes=pairs(due=None, done=True, title="A"))
    )
    assert owner.read("plan")["sections"]["tasks"] == [{"id": item, "title": "A", "done": True}]
    base = f"plan/sections/tasks/{item}"
    assert done.response["affected_paths"] == [f"{base}/due", f"{base}/done"]
    owner.undo(done.receipt)
    assert owner.read("plan")["sections"]["tasks"] == [{"id": item, "title": "A", "due": "2026-12-01"}]


@pytest.mark.parametrize("changes", [[], pairs(title="A"), pairs(due=None)])
def test_an_update_to_what_stands_there_is_unchanged(owner: Writer, changes: Any) -> None:
    item = owner.item("plan", "tasks", title="A")
    done = owner.commit(op("item.update", "plan", section="tasks", item=item, changes=changes))
    assert done.response["unchanged"] == [0]
    assert done.event is None


@pytest.mark.parametrize(
    ("moved", "position", "order"),
    [("A", "end", "BCA"), ("C", "start", "CAB"), ("A", "B", "BAC"), ("C", "A", "ACB"), ("B", None, "ACB")],
)
def test_an_item_moves_and_back(owner: Writer, tasks: dict[str, str], moved: str, position: Any, order: str) -> None:
    where = {"after": tasks[position]} if position in tasks else position
    done = owner.commit(op("item.move", "plan", section="tasks", item=tasks[moved], position=where))
    assert titles(owner) == list(order)
    assert done.response["affected_paths"] == [f"plan/sections/tasks/{tasks[moved]}/rank"]
    owner.undo(done.receipt)
    assert titles(owner) == list("ABC")


@pytest.mark.parametrize(("moved", "position"), [("A", "start"), ("C", "end"), ("B", "A"), ("C", None)])
def test_a_move_to_where_it_stands_is_unchanged(
    owner: Writer, tasks: dict[str, str], moved: str, position: Any
) -> None:
    where = {"after": tasks[position]} if position in tasks else position
    done = owner.commit(op("item.move", "plan", section="tasks", item=tasks[moved], position=where))
    assert done.response["unchanged"] == [0]


def test_an_items_own_id_or_a_stranger_is_no_neighbour(owner: Writer, tasks: dict[str, str]) -> None:
    for neighbour in (tasks["A"], "itm_" + "0" * 26, "plan"):
        with pytest.raises(InvalidOperation) as refusal:
            owner.commit(op("item.move", "plan", section="tasks", item=tasks["A"], position={"after": neighbour}))
        assert flaws(refusal) == [("operations/0/position/after", "neighbour")]


def test_an_undone_move_stands_beside_its_old_neighbours_wherever_those_went(
    owner: Writer, tasks: dict[str, str]
) -> None:
    done = owner.commit(op("item.move", "plan", section="tasks", item=tasks["B"], position="end"))
    owner.commit(op("item.move", "plan", section="tasks", item=tasks["A"], position="end"))
    assert titles(owner) == list("CBA")
    owner.undo(done.receipt)
    assert titles(owner) == list("CAB")


def test_a_removed_item_comes_back_whole_under_its_id_and_at_its_place(owner: Writer, tasks: dict[str, str]) -> None:
    before = owner.read("plan")["sections"]
    done = owner.commit(op("item.remove", "plan", section="tasks", item=tasks["B"]))
    assert titles(owner) == ["A", "C"]
    assert done.response["affected_paths"] == [f"plan/sections/tasks/{tasks['B']}"]
    undone = owner.undo(done.receipt)
    assert owner.read("plan")["sections"] == before
    owner.undo(undone.receipt)
    assert titles(owner) == ["A", "C"]


def test_several_removals_of_one_batch_come_back_in_order(owner: Writer, tasks: dict[str, str]) -> None:
    done = owner.commit(*(op("item.remove", "plan", section="tasks", item=tasks[t]) for t in "BAC"))
    assert titles(owner) == []
    owner.undo(done.receipt)
    assert titles(owner) == list("ABC")


@pytest.mark.parametrize("change", ["update", "move"])
def test_an_addition_that_somebody_touched_is_not_withdrawn(owner: Writer, tasks: dict[str, str], change: str) -> None:
    done = owner.commit(add_item("plan", "tasks", title="X"))
    item = done.response["affected_paths"][0].rsplit("/", 1)[1]
    fields: dict[str, Any] = {"changes": pairs(done=True)} if change == "update" else {"position": "start"}
    owner.commit(op(f"item.{change}", "plan", section="tasks", item=item, **fields))
    with pytest.raises(UndoConflict):
        owner.undo(done.receipt)
    assert "X" in titles(owner)


def test_a_move_of_a_neighbour_does_not_block_withdrawing(owner: Writer, tasks: dict[str, str]) -> None:
    done = owner.commit(add_item("plan", "tasks", {"after": tasks["A"]}, title="X"))
    owner.commit(op("item.move", "plan", section="tasks", item=tasks["A"], position="end"))
    owner.undo(done.receipt)
    assert titles(owner) == list("BCA")


@pytest.mark.parametrize(
    ("operation", "flaw"),
    [
        (add_item("plan", "nothing", title="x"), ("section", "unknown_section")),
        (add_item("plan", "tasks", nothing="x"), ("item/0/field", "unknown_field")),
        (add_item("plan", "tasks", rank="a0"), ("item/0/field", "unknown_field")),
        (add_item("plan", "tasks", done="yes"), ("item/0/value", "type")),
        (add_item("plan", "tasks", "middle", title="x"), ("position", "position")),
        (add_item("plan", "tasks", {"before": "x"}, title="x"), ("position", "position")),
        (add_item("plan", "tasks", {"after": "itm_" + "0" * 26}, title="x"), ("position/after", "neighbour")),
        (add_item("plan", "tasks", {"between": [None, None]}), ("position", "position")),
        (op("item.add", "plan", section="tasks", item={"title": "x"}), ("item", "not_a_list")),
        (op("item.add", "plan", section="tasks", item=[{"field": "title"}]), ("item/0/value", "required")),
        (op("item.update", "plan", section="tasks", item="itm_1", changes=[]), ("item", "pattern")),
        (
            op("item.update", "plan", section="tasks", item="itm_" + "0" * 26, changes=pairs(title="x")),
            ("item", "unknown_item"),
        ),
        (op("item.move", "plan", section="tasks", item="itm_" + "0" * 26, position="end"), ("item", "unknown_item")),
        (op("item.remove", "plan", section="tasks", item="itm_" + "0" * 26), ("item", "unknown_item")),
        (op("item.remove", "plan", section="tasks"), ("item", "required")),
        (
            op("item.update", "plan", section="tasks", item="itm_" + "0" * 26, changes=pairs(title="x") * 2),
            ("changes/1/field", "duplicate"),
        ),
    ],
)
def test_an_item_operation_that_cannot_be_so_is_refused(owner: Writer, operation: Any, flaw: tuple[str, str]) -> None:
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(operation)
    assert flaws(refusal) == [(f"operations/0/{flaw[0]}", flaw[1])]
    assert owner.clock("plan") == 1


def test_a_section_holds_a_hundred_items_and_not_one_more(owner: Writer) -> None:
    for _ in range(5):
        owner.commit(*(add_item("plan", "tasks", title="x") for _ in range(20)))
    first = owner.read("plan")["sections"]["tasks"][0]["id"]
    with pytest.raises(CardinalityExceeded) as refusal:
        owner.commit(add_item("plan", "tasks", title="x"))
    assert refusal.value.details == {"document": "plan", "section": "tasks", "maximum": 100}
    removed = owner.commit(op("item.remove", "plan", section="tasks", item=first))
    owner.commit(add_item("plan", "tasks", title="x"))
    with pytest.raises(CardinalityExceeded):
        owner.undo(removed.receipt)
    assert len(titles(owner)) == 100
    assert_sound(owner)


def test_whole_numbers_in_filters_are_whole_after_a_reload(owner: Writer) -> None:
    from workspaces.commits.cache import documents

    filters = {"posted_within_days": 14, "salary_min": 80_000, "work_mode": "remote"}
    owner.item("plan", "saved_searches", name="x", filters=filters)
    documents.clear()
    kept = owner.read("plan")["sections"]["saved_searches"][0]["filters"]
    assert kept == filters
    assert all(type(kept[name]) is type(value) for name, value in filters.items())
