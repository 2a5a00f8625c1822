"""The records of regular tasks: what ran, what failed, how much it handled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client

from careervector import upkeep_metrics
from tests.at_once import at_once
from workspaces import clock, facade
from workspaces.models import UpkeepRun
from workspaces.upkeep import runs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_left_unnoted() -> None:
    runs._unnoted.clear()


def record(task: str = "t") -> dict[str, Any]:
    columns = ("every_s", "runs", "failures", "handled", "last_handled", "last_error")
    return UpkeepRun.objects.filter(task=task).values(*columns).get()


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    at = clock.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(runs, "now", lambda: at)


def test_a_run_is_noted_while_it_goes_on_and_when_it_has_ended() -> None:
    seen = []

    def work() -> Iterator[int]:
        for count in (3, 0, 4):
            yield count
            row = record()
            seen.append((row["runs"], row["handled"], row["last_handled"]))

    assert facade.run_upkeep(task="t", every_s=900, work=work) == 7
    assert seen == [(0, 3, 3), (0, 3, 3), (0, 7, 7)]
    assert record() == {
        "every_s": 900, "runs": 1, "failures": 0, "handled": 7, "last_handled": 7, "last_error": ""
    }  # fmt: skip
    assert facade.run_upkeep(task="t", every_s=600, work=lambda: 0) == 0
    assert record() == {
        "every_s": 600, "runs": 2, "failures": 0, "handled": 7, "last_handled": 0, "last_error": ""
    }  # fmt: skip
    row = UpkeepRun.objects.get()
    assert row.finished_at is not None
    assert row.finished_at >= row.started_at


@pytest.mark.parametrize("every_s", [5, 900])
def test_a_failure_is_noted_by_its_class_alone_and_raised(every_s: int) -> None:
    def work() -> Iterator[int]:
        yield 2
        raise ValueError("words of somebody")

    with pytest.raises(ValueError, match="words"):
        facade.run_upkeep(task="t", every_s=every_s, work=work)
    row = UpkeepRun.objects.get()
    assert (row.runs, row.failures, row.handled, row.last_error, row.finished_at) == (1, 1, 2, "ValueError", None)
    facade.run_upkeep(task="t", every_s=every_s, work=lambda: 1)
    row.refresh_from_db()
    assert (row.runs, row.failures, row.last_error, row.finished_at is None) == (2, 1, "", False)


def test_a_killed_run_leaves_its_start_behind() -> None:
    def work() -> Iterator[int]:
        yield 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        facade.run_upkeep(task="t", every_s=900, work=work)
    assert record() == {
        "every_s": 900, "runs": 0, "failures": 0, "handled": 2, "last_handled": 2, "last_error": ""
    }  # fmt: skip
    start = facade.newest_start(task="t")
    assert start is not None
    assert not start.ended_well


def test_a_task_that_is_due_all_the_time_is_noted_now_and_then(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    facade.run_upkeep(task="t", every_s=5, work=lambda: 0)
    with django_assert_num_queries(0):
        for _ in range(4):
            facade.run_upkeep(task="t", every_s=5, work=lambda: 0)
    assert record()["runs"] == 1
    facade.run_upkeep(task="t", every_s=5, work=lambda: 2)
    assert (record()["runs"], record()["handled"]) == (6, 2)
    facade.run_upkeep(task="t", every_s=5, work=lambda: 0)
    later(monkeypatch, 31)
    facade.run_upkeep(task="t", every_s=5, work=lambda: 0)
    assert (record()["runs"], record()["handled"]) == (8, 2)
    later(monkeypatch, -3600)
    facade.run_upkeep(task="t", every_s=5, work=lambda: 0)
    assert record()["runs"] == 9


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_are_added_up() -> None:
    barrier = threading.Barrier(2)

    def work() -> Iterator[int]:
        barrier.wait(20)
        for _ in range(5):
            yield 1

    assert at_once(lambda: facade.run_upkeep(task="t", every_s=900, work=work)) == [5, 5]
    assert (record()["runs"], record()["handled"]) == (2, 10)


def test_overdue_is_what_has_not_ended_well_for_three_intervals() -> None:
    at = clock.now()

    def overdue(every_s: int, finished_s: float | None, started_s: float = 0) -> bool:
        finished = None if finished_s is None else at - timedelta(seconds=finished_s)
        info = facade.UpkeepRunInfo("t", every_s, at - timedelta(seconds=started_s), finished, 0, 0, 0, 0, "")
        return info.is_overdue(at)

    assert not overdue(900, 2700)
    assert overdue(900, 2700 + 61)
    assert not overdue(5, 60)
    assert overdue(5, 80)
    assert overdue(900, None, started_s=3000)
    assert not overdue(0, 10**6)


def test_the_metrics_tell_how_tasks_fare(client: Client) -> None:
    at = clock.now()
    UpkeepRun.objects.create(
        task="a.task", every_s=60, started_at=at, finished_at=at - timedelta(hours=1), runs=3, failures=1, handled=9
    )
    UpkeepRun.objects.create(task="a.new", every_s=60, started_at=at)
    lines = client.get("/metrics").content.decode().splitlines()
    found = dict(line.rsplit(" ", 1) for line in lines if line.startswith("careervector_upkeep_"))
    age = float(found.pop('careervector_upkeep_last_success_age_seconds{task="a.task"}'))
    assert 3600 <= age < 3700
    assert found == {
        "careervector_upkeep_readable": "1.0",
        'careervector_upkeep_overdue{task="a.task"}': "1.0",
        'careervector_upkeep_overdue{task="a.new"}': "0.0",
        'careervector_upkeep_runs_total{task="a.task"}': "3.0",
        'careervector_upkeep_runs_total{task="a.new"}': "0.0",
        'careervector_upkeep_failures_total{task="a.task"}': "1.0",
        'careervector_upkeep_failures_total{task="a.new"}': "0.0",
        'careervector_upkeep_handled_total{task="a.task"}': "9.0",
        'careervector_upkeep_handled_total{task="a.new"}': "0.0",
    }


def test_the_metrics_survive_a_database_that_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> Any:
        raise DatabaseError

    monkeypatch.setattr(upkeep_metrics.facade, "list_upkeep_runs", away)
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert "careervector_upkeep_readable 0.0" in answer.content.decode().splitlines()


def test_reading_the_records_for_the_metrics_is_one_query(client: Client, django_assert_num_queries: Any) -> None:
    for number in range(5):
        UpkeepRun.objects.create(task=f"t{number}", started_at=clock.now())
    with django_assert_num_queries(1):
        client.get("/metrics")
