"""expected_clocks: exactly the documents touched, compared and set."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, agent, another_human, create, op, open_workspace, set_field
from tests.replay import snapshot
from workspaces.errors import ClockSetMismatch, NotFound, StaleClock, to_problem


@pytest.mark.parametrize("clock", [0, 1, 3, 2**53 - 1])
def test_another_clock_than_the_current_is_stale(owner: Writer, clock: int) -> None:
    app = owner.new()
    owner.commit(set_field(app, "title", "A"))
    before = snapshot(owner.workspace)
    with pytest.raises(StaleClock) as refusal:
        owner.commit(set_field(app, "title", "B"), clocks={app: clock})
    assert refusal.value.details == {"clocks": {app: {"expected": clock, "current": 2}}}
    problem = to_problem(refusal.value)
    assert (problem["code"], problem["status"]) == ("stale_clock", 409)
    assert snapshot(owner.workspace) == before


def test_all_stale_documents_are_told(owner: Writer) -> None:
    a, b, c = owner.new(), owner.new(), owner.new()
    with pytest.raises(StaleClock) as refusal:
        owner.commit(*(set_field(d, "title", "x") for d in (a, b, c)), clocks={a: 5, b: 1, c: 6})
    assert refusal.value.details == {"clocks": {a: {"expected": 5, "current": 1}, c: {"expected": 6, "current": 1}}}


@pytest.mark.parametrize("clocks", [{}, {"profile": 1}, {"plan": 1}, {"plan": 1, "profile": 1, "new:x": 0}])
def test_the_set_must_be_exact(owner: Writer, clocks: dict[str, int]) -> None:
    with pytest.raises(ClockSetMismatch):
        owner.commit(set_field("plan", "weekly_goal", 1), set_field("profile", "name", "x"), clocks=clocks)


def test_documents_only_referred_to_and_neighbours_are_not_in_the_set(owner: Writer) -> None:
    a, b = owner.new(), owner.new()
    owner.commit(create("n", "note", application=a), clocks={"new:n": 0})
    owner.commit(
        op("application.move_stage", a, stage="saved", position={"after": b}),
        clocks={a: 1},
    )
    with pytest.raises(ClockSetMismatch):
        owner.commit(create("n", "note", application=a), clocks={"new:n": 0, a: 2})
    assert owner.clock(b) == 1


def test_an_unchanged_document_is_in_the_set_and_compared(owner: Writer) -> None:
    app = owner.new(title="A")
    with pytest.raises(StaleClock):
        owner.commit(set_field(app, "title", "A"), clocks={app: 2})


def test_a_new_document_must_be_expected_at_zero(owner: Writer) -> None:
    with pytest.raises(StaleClock) as refusal:
        owner.commit(create("x"), clocks={"new:x": 1})
    assert refusal.value.details == {"clocks": {"new:x": {"expected": 1, "current": 0}}}


def test_what_is_not_there_is_not_found_whatever_clock_is_expected(owner: Writer) -> None:
    unknown, foreign = "application:01J" + "0" * 23, open_workspace().new()
    details: list[Any] = []
    for document in (unknown, foreign):
        for clock in (0, 1):
            with pytest.raises(NotFound) as refusal:
                owner.commit(set_field(document, "title", "x"), clocks={document: clock})
            details.append(to_problem(refusal.value) | {"details": list(refusal.value.details)})
    assert all(entry == details[0] for entry in details)


def test_of_two_writers_with_the_same_clock_the_second_is_stale_and_the_third_reads_first(owner: Writer) -> None:
    app, other, helper = owner.new(), another_human(owner), agent(owner)
    owner.commit(set_field(app, "title", "A"), clocks={app: 1})
    for late in (other, helper):
        with pytest.raises(StaleClock):
            late.commit(set_field(app, "company", "B"), clocks={app: 1})
    helper.commit(set_field(app, "company", "B"), clocks={app: 2})
    fields = owner.read(app)["fields"]
    assert (fields["title"], fields["company"]) == ("A", "B")
