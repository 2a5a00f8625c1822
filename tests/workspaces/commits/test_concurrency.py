"""Real threads on a shared database: one event for one request, and no update lost between writers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tests.factories import Writer, agent, another_human, create, open_workspace, set_field
from tests.replay import assert_sound
from workspaces import facade
from workspaces.errors import IdempotencyMismatch, StaleClock
from workspaces.models import DocumentUpdate, Event, IdempotencyRecord, Receipt

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Runs `work(0)` to `work(count - 1)`, each on a thread of its own, all from the same moment."""
    barrier = threading.Barrier(count)

    def run(index: int) -> Any:
        barrier.wait(timeout=30)
        try:
            return work(index)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_fifty_deliveries_of_one_request_are_one_event_and_fifty_equal_answers() -> None:
    owner = open_workspace()
    body = {
        "reason": "once",
        "expected_clocks": {"new:a": 0, "plan": 1},
        "operations": [create("a", title="A"), set_field("plan", "weekly_goal", 5)],
    }
    answers = at_once(50, lambda _: owner.send(body, key="k"))
    assert sum(not answer.replayed for answer in answers) == 1
    assert all(answer.response == answers[0].response for answer in answers)
    counts = [m.objects.filter(workspace_id=owner.workspace).count() for m in (Event, Receipt, IdempotencyRecord)]
    assert counts == [1, 1, 1]
    assert len(facade.list_documents(access=owner.access, kind="application")["items"]) == 1
    assert_sound(owner)


def test_of_two_payloads_under_one_key_one_is_committed_and_the_others_are_told() -> None:
    owner = open_workspace()

    def deliver(index: int) -> Any:
        try:
            return owner.commit(set_field("plan", "weekly_goal", index % 2), key="k", clocks={"plan": 1}).response
        except IdempotencyMismatch:
            return None

    answers = at_once(20, deliver)
    told = [answer for answer in answers if answer is not None]
    assert len(told) == 10
    assert all(answer == told[0] for answer in told)
    assert Event.objects.filter(workspace_id=owner.workspace).count() == 1


def test_fifty_undos_of_one_receipt_are_one_event() -> None:
    owner = open_workspace()
    done = owner.commit(set_field("plan", "weekly_goal", 5))
    answers = at_once(50, lambda _: owner.undo(done.receipt, key="k", clocks={"plan": 2}))
    assert sum(not answer.replayed for answer in answers) == 1
    assert all(answer.response == answers[0].response for answer in answers)
    assert Event.objects.filter(workspace_id=owner.workspace).count() == 2


def test_eight_writers_with_compare_and_set_lose_no_update() -> None:
    """Each adds one to the same number ten times, reading again whenever it is told that it is stale."""
    owner = open_workspace()
    owner.commit(set_field("plan", "weekly_goal", 0))
    writers = [owner, agent(owner), *(another_human(owner) for _ in range(6))]
    refusals: list[dict[str, int]] = []

    def write(index: int) -> None:
        writer: Writer = writers[index]
        done = 0
        while done < 10:
            plan = writer.read("plan")
            try:
                goal = set_field("plan", "weekly_goal", plan["fields"]["weekly_goal"] + 1)
                writer.commit(goal, clocks={"plan": plan["clock"]})
                done += 1
            except StaleClock as refusal:
                refusals.append(refusal.details["clocks"]["plan"])

    at_once(8, write)
    plan = owner.read("plan")
    assert plan["fields"]["weekly_goal"] == 80
    assert plan["clock"] == 82
    assert Event.objects.filter(workspace_id=owner.workspace).count() == 81
    assert refusals
    assert all(told["current"] > told["expected"] for told in refusals)
    assert_sound(owner)


def test_of_eight_writers_at_the_same_clock_one_writes_and_seven_are_stale() -> None:
    owner = open_workspace()

    def write(index: int) -> bool:
        try:
            owner.commit(set_field("plan", "weekly_goal", index), clocks={"plan": 1})
        except StaleClock:
            return False
        return True

    assert sum(at_once(8, write)) == 1
    assert owner.clock("plan") == 2
    assert DocumentUpdate.objects.filter(document__workspace_id=owner.workspace).count() == 1


def test_workspaces_are_written_side_by_side() -> None:
    owners = [open_workspace() for _ in range(6)]

    def write(index: int) -> None:
        for step in range(10):
            owners[index].commit(set_field("plan", "weekly_goal", step + 1), create("n", "note"))

    at_once(6, write)
    for owner in owners:
        assert owner.read("plan")["fields"]["weekly_goal"] == 10
        assert_sound(owner)


def test_readers_meet_only_committed_states() -> None:
    """Two fields of one batch are always equal, whoever looks and whenever."""
    owner = open_workspace()
    owner.commit(set_field("profile", "name", "0"), set_field("profile", "label", "0"))
    stop = threading.Event()

    def work(index: int) -> int:
        if index == 0:
            try:
                for step in range(1, 40):
                    owner.commit(set_field("profile", "name", str(step)), set_field("profile", "label", str(step)))
            finally:
                stop.set()
            return 0
        looked = 0
        last = 0
        while not stop.is_set():
            document = owner.read("profile")
            assert document["fields"]["name"] == document["fields"]["label"]
            assert document["clock"] >= last
            last, looked = document["clock"], looked + 1
        return looked

    assert sum(at_once(4, work)) > 0
    assert_sound(owner)
