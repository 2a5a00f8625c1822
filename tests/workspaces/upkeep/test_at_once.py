"""The same task twice at once: both have found the same rows before either acts, and everything happens once."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from tests.at_once import at_once
from tests.factories import Writer, append, op, open_workspace, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound, replayed
from workspaces import clock, facade, tasks
from workspaces.commits import housekeeping, renewal
from workspaces.models import Document, DocumentUpdate, Event, IdempotencyRecord, Receipt, TypingSession, UpkeepRun
from workspaces.upkeep import epochs

pytestmark = pytest.mark.django_db(transaction=True)


def meet_after(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """Both threads have their first answer of a function before either goes on."""
    real, barrier = getattr(module, name), threading.Barrier(2)
    met = threading.local()

    def wrapped(*arguments: Any, **options: Any) -> Any:
        found = real(*arguments, **options)
        if not getattr(met, "yes", False):
            met.yes = True
            barrier.wait(30)
        return found

    monkeypatch.setattr(module, name, wrapped)


def busy() -> Writer:
    writer = open_workspace()
    for _ in range(3):
        note = writer.new("note", title="Note")
        for number in range(17):
            writer.commit(append(note, "body", f"{number} "))
    return writer


def test_receipts_and_records_expire_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "BATCH", 4)
    busy()
    past = clock.now() - timedelta(seconds=1)
    Receipt.objects.update(expires_at=past)
    IdempotencyRecord.objects.update(expires_at=past)
    receipts, records = Receipt.objects.count(), IdempotencyRecord.objects.count()
    at_once(tasks.expire_receipts)
    at_once(tasks.expire_idempotency_records)
    # One of two that come upon the same rows may leave them to the other and end: the next run finds none or those.
    tasks.expire_receipts()
    tasks.expire_idempotency_records()
    assert not Receipt.objects.filter(inverse__isnull=False).exists()
    assert not IdempotencyRecord.objects.exists()
    handled = dict(UpkeepRun.objects.values_list("task", "handled"))
    assert handled == {
        "workspaces.expire_receipts": receipts, "workspaces.expire_idempotency_records": records
    }  # fmt: skip


def test_the_trash_is_emptied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = busy()
    for document in list(Document.objects.filter(kind="note").values_list("doc_id", flat=True)):
        writer.commit(op("document.trash", document))
    Document.objects.filter(state="trashed").update(trashed_at=clock.now() - timedelta(days=31))
    meet_after(monkeypatch, housekeeping, "documents_in_trash")
    assert sum(at_once(tasks.purge_trash)) == 3
    assert Document.objects.count() == 2
    assert_sound(writer)


def test_a_document_that_is_restored_at_the_same_moment_is_either_there_or_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = open_workspace()
    note = writer.new("note", title="Note")
    writer.commit(op("document.trash", note))
    Document.objects.filter(state="trashed").update(trashed_at=clock.now() - timedelta(days=31))
    real = housekeeping.documents_in_trash

    def found_then_restored(*arguments: Any) -> Any:
        found = real(*arguments)
        if found and found[0][2] == note and Document.objects.get(doc_id=note).state == "trashed":
            writer.commit(op("document.restore", note))
        return found

    monkeypatch.setattr(housekeeping, "documents_in_trash", found_then_restored)
    assert tasks.purge_trash() == 0
    assert writer.read(note)["state"] == "active"
    assert_sound(writer)


def test_logs_are_compacted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = busy()
    content = replayed(writer.workspace)
    Document.objects.update(updated_at=clock.now() - timedelta(hours=25))
    updates = DocumentUpdate.objects.count()
    meet_after(monkeypatch, housekeeping, "documents_with_tails")
    assert sum(at_once(tasks.compact_logs)) == 3 + updates
    assert replayed(writer.workspace) == content
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []


def test_logs_are_compacted_beside_writers() -> None:
    writer = busy()
    notes = list(Document.objects.filter(kind="note").values_list("doc_id", flat=True))
    stop = threading.Event()
    failed: list[BaseException] = []

    def sweep() -> None:
        try:
            while not stop.is_set():
                Document.objects.update(updated_at=clock.now() - timedelta(hours=25))
                tasks.compact_logs()
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=sweep)
    thread.start()
    try:
        for number in range(40):
            writer.commit(append(notes[number % 3], "body", f"more {number} "))
    finally:
        stop.set()
        thread.join(60)
    assert not failed
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []


def test_typing_is_sealed_once() -> None:
    writer = busy()
    for document in Document.objects.filter(kind="note").values_list("doc_id", flat=True):
        Browser(writer, document).type("typed ")
    TypingSession.objects.update(last_at=clock.now() - timedelta(minutes=1))
    assert sum(at_once(tasks.seal_typing)) == 3
    assert Event.objects.filter(operation_kinds='["text.merge"]').count() == 3
    assert_sound(writer)


def test_sessions_are_deleted_once() -> None:
    for number in range(7):
        expires = timezone.now() - timedelta(days=1)
        Session.objects.create(session_key=f"s{number}", session_data="", expire_date=expires)
    assert sum(at_once(tasks.clear_expired_sessions)) == 7
    assert not Session.objects.exists()


def test_a_run_of_new_epochs_taken_twice_renews_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epochs, "MOST_AT_ONCE", 2)
    writer = busy()
    clocks = dict(Document.objects.values_list("doc_id", "clock"))
    assert renewal.MOST_AT_ONCE == 20
    assert sum(at_once(lambda: sum(facade.renew_epochs(run="r")))) == len(clocks)
    assert dict(Document.objects.values_list("doc_id", "clock")) == {d: c + 1 for d, c in clocks.items()}
    writer.commit(set_field("profile", "name", "Ada"))
    assert_sound(writer)
