"""Many deliveries at once, and an end in the middle: one commit, one pair of events, or nothing at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from assistant.models import ToolCall, Turn
from assistant.threads import store
from workspaces.models import Event

from .conftest import Stage, make_stage

pytestmark = pytest.mark.django_db(transaction=True)


def together(work: list[Callable[[], Any]]) -> list[Any]:
    """Runs all of `work` at once, each on a thread with its own database connection."""
    barrier = threading.Barrier(len(work))

    def run(one: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=20)
            return one()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(run, work))


def append(stage: Stage, document: str, call: str) -> Callable[[], dict[str, Any]]:
    capability = stage.capability()
    operations = [{"kind": "text.append", "document": document, "text": "notes", "content": "once "}]
    clock = stage.clock(document)
    return lambda: stage.apply(operations, {document: clock}, call=call, capability=capability)


def test_thirty_concurrent_deliveries_of_one_write_are_one_commit() -> None:
    stage = make_stage()
    application = stage.application(title="Engineer")
    answers = together([append(stage, application, "same") for _ in range(30)])
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["status"] == "ok"
    assert stage.clock(application) == 2
    assert Event.objects.filter(actor_class="agent").count() == 1
    assert [kind for kind, _ in stage.events()] == ["tool.started", "tool.completed"]
    assert ToolCall.objects.filter(outcome="ok").count() == 1


def test_concurrent_writes_of_different_calls_lose_nothing() -> None:
    stage = make_stage()
    application = stage.application(title="Engineer")
    answers = together([append(stage, application, f"call-{n}") for n in range(8)])
    done = [answer for answer in answers if answer["status"] == "ok"]
    stale = [answer for answer in answers if answer.get("code") == "stale_clock"]
    assert (len(done), len(stale)) == (1, 7)
    assert {answer["details"]["fresh"]["clocks"][application] for answer in stale} == {2}


def test_a_cancel_waits_for_a_write_and_no_commit_is_without_its_event() -> None:
    for _ in range(5):
        stage = make_stage()
        application = stage.application(title="Engineer")

        def cancel(stage: Stage = stage) -> None:
            with transaction.atomic():
                store.lock_turn(stage.turn)
                Turn.objects.filter(pk=stage.turn).update(state="cancelled")

        answer, _ = together([append(stage, application, "racing"), cancel])
        committed = stage.clock(application) == 2
        assert committed is (answer["status"] == "ok")
        assert [kind for kind, _ in stage.events()] == (["tool.started", "tool.completed"] if committed else [])
