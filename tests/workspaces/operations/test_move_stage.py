"""application.move_stage and field.set on the stage: columns, places, and inverses that name neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, create, move_stage, op, set_field
from tests.replay import assert_sound
from workspaces.errors import InvalidOperation, UndoConflict


def flaws(refusal: pytest.ExceptionInfo[Any]) -> list[tuple[str, str]]:
    return [(flaw.path, flaw.code) for flaw in refusal.value.flaws]


@pytest.fixture
def cards(owner: Writer) -> dict[str, str]:
    """Three saved applications: A, B, C; and X, which has been applied for."""
    made = {title: owner.new(title=title) for title in "ABC"}
    return {**made, "X": owner.new(title="X", stage="applied")}


def column(owner: Writer, cards: dict[str, str], stage: str) -> str:
    names = {card: name for name, card in cards.items()}
    return "".join(names[card] for card in owner.column(stage))


@pytest.mark.parametrize("position", [None, "end", "start", "X"])
def test_a_card_changes_its_stage_and_comes_back_to_its_place(
    owner: Writer, cards: dict[str, str], position: Any
) -> None:
    where = {"after": cards["X"]} if position == "X" else position
    done = owner.commit(move_stage(cards["B"], "applied", where))
    assert column(owner, cards, "applied") == ("BX" if position == "start" else "XB")
    assert column(owner, cards, "saved") == "AC"
    assert done.response["affected_paths"] == [f"{cards['B']}/fields/stage", f"{cards['B']}/fields/rank"]
    undone = owner.undo(done.receipt)
    assert column(owner, cards, "saved") == "ABC"
    owner.undo(undone.receipt)
    assert column(owner, cards, "applied") == ("BX" if position == "start" else "XB")
    assert_sound(owner)


def test_setting_the_stage_is_a_move_to_the_columns_end(owner: Writer, cards: dict[str, str]) -> None:
    done = owner.commit(set_field(cards["A"], "stage", "applied"))
    assert column(owner, cards, "applied") == "XA"
    assert done.response["affected_paths"] == [f"{cards['A']}/fields/stage", f"{cards['A']}/fields/rank"]
    owner.undo(done.receipt)
    assert column(owner, cards, "saved") == "ABC"


def test_both_paths_are_affected_even_where_the_key_stays_the_same(owner: Writer, cards: dict[str, str]) -> None:
    """The first card of a column has the same key as the first of another; its place is another all the same."""
    before = owner.read(cards["A"])["fields"]["rank"]
    done = owner.commit(set_field(cards["A"], "stage", "offer"))
    assert owner.read(cards["A"])["fields"]["rank"] == before
    assert done.response["affected_paths"] == [f"{cards['A']}/fields/stage", f"{cards['A']}/fields/rank"]
    owner.commit(set_field(cards["B"], "stage", "offer"))
    owner.commit(move_stage(cards["A"], "offer", "end"))
    with pytest.raises(UndoConflict):
        owner.undo(done.receipt)


@pytest.mark.parametrize(
    ("moved", "position", "order"), [("A", "end", "BCA"), ("C", "start", "CAB"), ("A", "B", "BAC"), ("C", "A", "ACB")]
)
def test_a_card_moves_within_its_column_and_back(
    owner: Writer, cards: dict[str, str], moved: str, position: Any, order: str
) -> None:
    where = {"after": cards[position]} if position in cards else position
    done = owner.commit(move_stage(cards[moved], "saved", where))
    assert column(owner, cards, "saved") == order
    assert done.response["affected_paths"] == [f"{cards[moved]}/fields/rank"]
    owner.undo(done.receipt)
    assert column(owner, cards, "saved") == "ABC"


@pytest.mark.parametrize(("moved", "position"), [("A", "start"), ("C", "end"), ("B", "A"), ("A", None), ("B", None)])
def test_a_move_to_where_the_card_stands_is_unchanged(
    owner: Writer, cards: dict[str, str], moved: str, position: Any
) -> None:
    where = {"after": cards[position]} if position in cards else position
    assert owner.commit(move_stage(cards[moved], "saved", where)).response["unchanged"] == [0]
    assert owner.commit(set_field(cards[moved], "stage", "saved")).response["unchanged"] == [0]


def test_a_card_may_go_behind_one_made_in_the_same_batch_which_is_not_touched(
    owner: Writer, cards: dict[str, str]
) -> None:
    done = owner.commit(
        create("new", title="N", stage="applied"), move_stage(cards["A"], "applied", {"after": "new:new"})
    )
    made = done.response["documents"]["new:new"]
    assert owner.column("applied") == [cards["X"], made, cards["A"]]
    assert set(done.response["clocks"]["after"]) == {made, cards["A"]}


@pytest.mark.parametrize("neighbour", ["in another column", "itself", "unknown", "trashed", "no application"])
def test_another_neighbour_is_refused(owner: Writer, cards: dict[str, str], neighbour: str) -> None:
    match neighbour:
        case "in another column":
            name = cards["X"]
        case "itself":
            name = cards["A"]
        case "unknown":
            name = "new:nobody"
        case "trashed":
            owner.commit(op("document.trash", cards["B"]))
            name = cards["B"]
        case _:
            name = "plan"
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(move_stage(cards["A"], "saved", {"after": name}))
    assert flaws(refusal) == [("operations/0/position/after", "neighbour")]


def test_only_an_application_has_a_stage(owner: Writer) -> None:
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(move_stage("plan", "applied"))
    assert flaws(refusal) == [("operations/0/document", "wrong_kind")]
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(move_stage(owner.new(), "hired"))
    assert flaws(refusal) == [("operations/0/stage", "choice")]


@pytest.mark.parametrize("hidden", ["archive", "trash"])
def test_a_hidden_card_keeps_its_place_between_its_neighbours(
    owner: Writer, cards: dict[str, str], hidden: str
) -> None:
    owner.commit(op(f"document.{hidden}", cards["B"]))
    assert column(owner, cards, "saved") == "AC"
    owner.commit(create("new", title="N"))
    owner.commit(move_stage(cards["X"], "saved", {"after": cards["A"]}))
    assert column(owner, {**cards, "N": owner.column("saved")[-1]}, "saved") == "AXCN"
    owner.commit(op("document.unarchive" if hidden == "archive" else "document.restore", cards["B"]))
    ranks = [owner.read(card)["fields"]["rank"] for card in owner.column("saved")]
    assert len(set(ranks)) == len(ranks)
    assert column(owner, {**cards, "N": owner.column("saved")[-1]}, "saved") == "AXBCN"


def test_the_only_card_of_a_column_and_one_that_comes_back_do_not_share_a_key(owner: Writer) -> None:
    first = owner.new(title="A")
    owner.commit(op("document.archive", first))
    second = owner.new(title="B")
    owner.commit(op("document.unarchive", first))
    assert owner.column("saved") == [first, second]
    third = owner.new(title="C", stage="applied")
    owner.commit(move_stage(third, "saved", {"after": first}))
    assert owner.column("saved") == [first, third, second]


def test_an_archived_card_moves_and_comes_back_to_its_place(owner: Writer, cards: dict[str, str]) -> None:
    owner.commit(op("document.archive", cards["B"]))
    done = owner.commit(move_stage(cards["B"], "applied"))
    owner.undo(done.receipt)
    owner.commit(op("document.unarchive", cards["B"]))
    assert column(owner, cards, "saved") == "ABC"


def test_an_undone_move_finds_its_place_by_neighbours_that_have_moved(owner: Writer, cards: dict[str, str]) -> None:
    done = owner.commit(move_stage(cards["B"], "applied"))
    owner.commit(move_stage(cards["A"], "offer"))
    owner.undo(done.receipt)
    assert column(owner, cards, "saved") == "BC"
    gone = owner.commit(move_stage(cards["B"], "applied"))
    owner.commit(move_stage(cards["C"], "offer"))
    owner.undo(gone.receipt)
    assert column(owner, cards, "saved") == "B"
