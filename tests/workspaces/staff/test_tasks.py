"""Housekeeping: what is past its time goes, in batches, and nothing else does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from careervector.celery import app
from tests.factories import open_workspace, set_field
from workspaces import tasks
from workspaces.clock import now
from workspaces.models import IdempotencyRecord, Receipt


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
