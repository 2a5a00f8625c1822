"""Housekeeping: what is past its time goes, in batches, and nothing else does."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from assistant import tasks as assistant_tasks
from careervector.celery import app
from tests.factories import open_workspace, set_field
from tests.hypothesis_profiles import examples
from workspaces import clock, facade, queries, tasks
from workspaces.clock import now
from workspaces.commits import service, undo
from workspaces.errors import ReceiptExpired, ReceiptSpent
from workspaces.models import IdempotencyRecord, Receipt, UpkeepRun
from workspaces.upkeep import expiry, runs


@pytest.fixture
def receipts(db) -> list[str]:
    """Five commits, each with its receipt and record; their keys are 1 to 5."""
    writer = open_workspace()
    return [
        str(writer.commit(set_field("profile", "name", f"Ada {number}"), key=str(number)).receipt)
        for number in range(1, 6)
    ]


def test_expired_receipts_lose_their_inverse_and_keep_their_row(
    receipts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "BATCH", 2)
    past = receipts[:3]
    Receipt.objects.filter(id__in=past).update(expires_at=now() - timedelta(seconds=1))
    assert tasks.expire_receipts() == 3
    assert tasks.expire_receipts() == 0
    rows = {row.id: (row.inverse is None, row.changes is None) for row in Receipt.objects.all()}
    assert rows == {receipt: (receipt in past, receipt in past) for receipt in receipts}


def test_expired_records_are_deleted(receipts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "BATCH", 2)
    IdempotencyRecord.objects.filter(key__in=["1", "2", "3"]).update(expires_at=now() - timedelta(seconds=1))
    assert tasks.expire_idempotency_records() == 3
    assert tasks.expire_idempotency_records() == 0
    assert sorted(IdempotencyRecord.objects.values_list("key", flat=True)) == ["4", "5"]


def test_a_task_stops_after_its_most_batches(receipts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "BATCH", 1)
    monkeypatch.setattr(tasks, "MOST_BATCHES", 2)
    Receipt.objects.update(expires_at=now() - timedelta(seconds=1))
    assert tasks.expire_receipts() == 2


def test_expired_sessions_are_deleted(db) -> None:
    for key, days in (("gone", -1), ("kept", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))
    tasks.clear_expired_sessions()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["kept"]


def test_the_schedule_names_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in tasks.BEAT.values()} <= set(app.tasks)


def test_every_task_keeps_a_record_and_says_how_often_it_is_due(db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_unnoted", {})
    app.loader.import_default_modules()
    schedule = {**tasks.BEAT, **assistant_tasks.BEAT}
    for entry in schedule.values():
        app.tasks[entry["task"]]()
    found = {row.task: (row.runs, row.failures, row.every_s) for row in UpkeepRun.objects.all()}
    assert found == {entry["task"]: (1, 0, int(entry["schedule"])) for entry in schedule.values()}
    assert all(entry["options"]["expires"] == entry["schedule"] for entry in schedule.values())
    assert set(schedule) == {
        "workspaces.expire_receipts", "workspaces.expire_idempotency_records", "workspaces.purge_trash",
        "workspaces.compact_logs", "workspaces.seal_typing", "workspaces.end_lost_imports",
        "workspaces.clear_expired_sessions", "workspaces.finish_erasures", "assistant.sweep_turns",
        "assistant.sweep_erasures", "assistant.expire_capabilities",
    }  # fmt: skip


@hypothesis_settings(
    max_examples=examples(15),
    suppress_health_check=[*hypothesis_settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(
    days=st.sampled_from([0, 1, 2, 30, 90]),
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("commit"), st.integers(0, 3)),
            st.tuples(st.just("hours"), st.sampled_from([1, 11, 23, 24, 25, 24 * 29, 24 * 31])),
            st.tuples(st.sampled_from(["receipts", "records", "undo", "purge"]), st.just(0)),
        ),
        max_size=25,
    ),
)
def test_no_record_goes_before_its_receipt_or_within_a_day(db, days: int, steps: list[tuple[str, int]]) -> None:
    """Whatever happens in whatever order: while a receipt can be undone, a repeated request gets its first answer."""
    with pytest.MonkeyPatch.context() as patch, override_settings(CAREERVECTOR_RECEIPT_DAYS=days):
        writer = open_workspace()
        at = [now()]
        for module in (clock, facade, service, undo, queries, expiry):
            if hasattr(module, "now"):
                patch.setattr(module, "now", lambda: at[0])
        made: dict[str, tuple[datetime, str | None]] = {}
        for number, (step, value) in enumerate(steps):
            if step == "commit":
                done = writer.commit(set_field("profile", "name", f"Ada {number} {value}"), key=f"k{number}")
                made[f"k{number}"] = (at[0], done.receipt)
            elif step == "hours":
                at[0] += timedelta(hours=value)
            elif step == "receipts":
                tasks.expire_receipts()
            elif step == "records":
                tasks.expire_idempotency_records()
            elif step == "purge":
                tasks.purge_trash()
            elif made:
                key, (_, receipt) = list(made.items())[-1]
                with contextlib.suppress(ReceiptExpired, ReceiptSpent):
                    writer.undo(receipt, key=f"u{number}")
            kept = set(IdempotencyRecord.objects.values_list("key", flat=True))
            for key, (committed, receipt) in made.items():
                row = Receipt.objects.get(id=receipt)
                if at[0] < max(row.expires_at, committed + timedelta(hours=24)):
                    assert key in kept, f"{key} went after {at[0] - committed}"
        Receipt.objects.all().delete()
        IdempotencyRecord.objects.all().delete()
