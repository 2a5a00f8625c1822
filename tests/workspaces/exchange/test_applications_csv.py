"""Applications as a table: rows and columns, what spreadsheet programs make of cells, and what is known of the past."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import Writer, add_item, move_stage, op
from workspaces import facade
from workspaces.exchange.applications_csv import COLUMNS, cell
from workspaces.exchange.stage_history import PastEvent, Step, stage_steps
from workspaces.models import Receipt


def table(owner: Writer) -> list[dict[str, str]]:
    text = "".join(facade.applications_csv(workspace=owner.workspace))
    assert text.startswith("\ufeffid,title,company,")
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_a_row_holds_an_application_and_columns_stay_in_their_order(owner: Writer) -> None:
    app = owner.new(title='A "quoted", long\u2028title', company="Acme", salary_min=5, deadline="2026-12-24")
    owner.commit(add_item(app, "contacts", name="Mia"), add_item(app, "contacts", name="Noa, HR"))
    owner.commit(add_item(app, "interviews", kind="video", starts_at="2026-12-01T09:00:00Z"))
    hidden, gone = owner.new(title="Hidden"), owner.new(title="Gone")
    owner.commit(op("document.archive", hidden), op("document.trash", gone))
    rows = table(owner)
    assert [(row["id"], row["archived"]) for row in rows] == [(app, "no"), (hidden, "yes")]
    assert list(rows[0]) == list(COLUMNS)
    assert {name: rows[0][name] for name in ("title", "company", "salary_min", "salary_max", "deadline")} == {
        "title": 'A "quoted", long\u2028title', "company": "Acme", "salary_min": "5", "salary_max": "",
        "deadline": "2026-12-24",
    }  # fmt: skip
    assert rows[0]["contacts"] == "Mia; Noa, HR"
    assert rows[0]["interviews"] == "2026-12-01T09:00:00Z video"


def test_an_empty_workspace_gives_the_head_alone(owner: Writer) -> None:
    assert table(owner) == []


@pytest.mark.parametrize(
    "value", ["=1+1", "+41 44", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "\uff1d1"]
)
def test_a_cell_that_would_run_as_a_formula_begins_with_an_apostrophe(owner: Writer, value: str) -> None:
    assert cell(value) == f"'{value}"
    if not any(c in value for c in "\r\n"):
        owner.new(title=value)
        assert table(owner)[0]["title"] == f"'{value}"


@given(value=st.text())
def test_no_cell_begins_like_a_formula(value: str) -> None:
    assert not cell(value).lstrip(" \u00a0").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"))
    assert cell(value).removeprefix("'") == value.removeprefix("'") or cell(value) == value


def test_the_stages_are_told_in_order_with_their_first_days(owner: Writer) -> None:
    app = owner.new(title="A")
    owner.commit(move_stage(app, "applied"))
    moved = owner.commit(move_stage(app, "interviewing"))
    owner.undo(moved.receipt)
    today = facade.now().date().isoformat()
    [row] = table(owner)
    stages = ["saved", "applied", "interviewing", "applied"]
    assert row["stage_history"] == "; ".join(f"{today} {stage}" for stage in stages)
    assert (row["stage_history_complete"], row["first_interviewing_on"], row["first_offer_on"]) == ("yes", today, "")


def test_what_expired_receipts_knew_is_said_to_be_unknown_unless_a_neighbour_tells_it(owner: Writer) -> None:
    app = owner.new(title="A")
    owner.commit(move_stage(app, "applied"))
    owner.commit(move_stage(app, "screening"))
    owner.commit(move_stage(app, "interviewing"))
    rows = list(Receipt.objects.filter(workspace_id=owner.workspace).order_by("seq"))
    # The last one still tells what it was before; the others are past their time, one of them not swept yet.
    for row in rows[:-1]:
        Receipt.objects.filter(id=row.id).update(expires_at=facade.now() - timedelta(seconds=1))
    Receipt.objects.filter(id=rows[0].id).update(changes=None)
    today = facade.now().date().isoformat()
    [found] = table(owner)
    assert found["stage_history"] == f"{today} unknown; {today} unknown; {today} screening; {today} interviewing"
    assert (found["stage_history_complete"], found["first_applied_on"]) == ("no", "")


AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_moves_within_a_stage_and_other_changes_are_no_steps() -> None:
    events = [
        PastEvent(AT, ["a"], [{"path": "a", "before": None, "after": {"fields": {"stage": "saved"}}}]),
        PastEvent(AT, ["a/fields/rank"], None),
        PastEvent(AT, ["a/fields/title", "b/fields/stage"], None),
    ]
    assert stage_steps(events, {"a": "saved"}) == {"a": [Step(AT, "saved")]}
