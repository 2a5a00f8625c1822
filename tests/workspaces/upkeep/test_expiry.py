"""The trash is emptied, long logs are compacted, and nothing that somebody still needs goes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.factories import Writer, append, create, op, open_workspace, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound, replayed
from workspaces import clock, facade
from workspaces.commits.cache import documents
from workspaces.errors import InvalidOperation, NotFound, ReceiptExpired
from workspaces.models import Document, DocumentSnapshot, DocumentUpdate, Event, EventDocument, Receipt
from workspaces.upkeep import expiry

pytestmark = pytest.mark.django_db


def purge() -> int:
    return sum(facade.purge_trash(batch=2))


def compact() -> int:
    return sum(facade.compact_logs(batch=2))


def trash(writer: Writer, document: str, *, days: float) -> str | None:
    """Puts a document into the trash so many days ago; gives the receipt."""
    done = writer.commit(op("document.trash", document))
    Document.objects.filter(workspace_id=writer.workspace, doc_id=document).update(
        trashed_at=clock.now() - timedelta(days=days)
    )
    return done.receipt


def ids(writer: Writer) -> set[str]:
    return set(Document.objects.filter(workspace_id=writer.workspace).values_list("doc_id", flat=True))


def quiet(writer: Writer, **ago: float) -> None:
    Document.objects.filter(workspace_id=writer.workspace).update(updated_at=clock.now() - timedelta(**ago))


# --- the trash -------------------------------------------------------------------------------------------------------


def test_what_has_been_in_the_trash_for_thirty_days_is_gone_and_its_events_stay() -> None:
    writer = open_workspace()
    gone = [writer.new("note", title=f"Gone {n}", texts={"body": "words"}) for n in range(5)]
    kept = writer.new("note", title="Kept")
    fresh = writer.new("note", title="Fresh")
    for document in gone:
        trash(writer, document, days=30.01)
    trash(writer, fresh, days=29.99)
    pks = list(Document.objects.filter(doc_id__in=gone).values_list("pk", flat=True))
    events = list(Event.objects.order_by("pk").values())
    touched = list(EventDocument.objects.order_by("pk").values())
    assert purge() == 5
    assert purge() == 0
    assert ids(writer) == {"profile", "plan", kept, fresh}
    assert not DocumentSnapshot.objects.filter(document_id__in=pks).exists()
    assert not DocumentUpdate.objects.filter(document_id__in=pks).exists()
    assert (list(Event.objects.order_by("pk").values()), list(EventDocument.objects.order_by("pk").values())) == (
        events, touched
    )  # fmt: skip
    assert facade.verify_chain(workspace=writer.workspace).complete
    assert_sound(writer)


def test_a_restored_document_is_not_purged() -> None:
    writer = open_workspace()
    note = writer.new("note", title="Back")
    trash(writer, note, days=40)
    writer.commit(op("document.restore", note))
    assert purge() == 0
    assert note in ids(writer)


def test_a_purged_document_is_like_one_that_never_was() -> None:
    writer = open_workspace()
    note = writer.new("note", title="Gone")
    trash(writer, note, days=31)
    writer.read(note)
    assert purge() == 1
    assert documents.get(writer.workspace, note) is None
    for ask in (
        lambda: writer.read(note),
        lambda: facade.list_document_events(access=writer.access, document=note),
        lambda: writer.commit(op("document.restore", note), clocks={note: 2}),
        lambda: facade.open_live(workspace=writer.workspace, document=note),
    ):
        with pytest.raises(NotFound):
            ask()
    # The workspace's own history still tells that it was there.
    items = facade.list_events(access=writer.access, document=note)["items"]
    assert [item["operation_kinds"] for item in items] == [["document.trash"], ["document.create"]]
    receipts = facade.list_receipts(access=writer.access, document=note)["items"]
    assert [receipt["state"] for receipt in receipts] == ["expired", "expired"]


def test_receipts_that_touched_a_purged_document_have_expired_with_it(settings: Any) -> None:
    settings.CAREERVECTOR_RECEIPT_DAYS = 90
    writer = open_workspace()
    both = writer.commit(
        create("gone", "note", title="Secret of the note"), create("kept", "note", title="Kept"), key="both"
    )
    gone, kept = (both.response["documents"][f"new:{name}"] for name in ("gone", "kept"))
    edited = writer.commit(set_field(gone, "title", "Secret too"), set_field(kept, "title", "Still kept"))
    other = writer.commit(set_field(kept, "title", "Mine"))
    trashed = trash(writer, gone, days=31)
    assert purge() == 1
    for receipt in (both.receipt, edited.receipt, trashed):
        assert facade.get_receipt(access=writer.access, receipt=str(receipt))["state"] == "expired"
        with pytest.raises(ReceiptExpired):
            writer.undo(receipt, clocks={gone: 2, kept: writer.clock(kept)})
        with pytest.raises(ReceiptExpired):
            facade.list_receipt_changes(access=writer.access, receipt=str(receipt))
    told = [(row.inverse or "") + (row.changes or "") for row in Receipt.objects.all()]
    assert not any("Secret" in text for text in told)
    # What did not touch it can be undone as before, and the first answer of a repeated request is still there.
    writer.undo(other.receipt)
    assert writer.read(kept)["fields"]["title"] == "Still kept"
    assert_sound(writer)


def test_what_refers_to_a_purged_application_stays_and_can_be_edited() -> None:
    writer = open_workspace()
    application = writer.new(title="Engineer", stage="applied")
    beside = writer.new(title="Other", stage="applied")
    note = writer.new("note", title="About it", application=application)
    letter = writer.new("letter", title="Dear", application=application)
    task = writer.item("plan", "tasks", title="Call", application=application)
    cleared = writer.commit(set_field(letter, "application", None))
    trash(writer, application, days=31)
    assert purge() == 1
    assert writer.read(note)["fields"]["application"] == application
    writer.commit(set_field(note, "title", "Still about it"))
    writer.commit(op("item.update", "plan", section="tasks", item=task, changes=[{"field": "done", "value": True}]))
    writer.commit(op("application.move_stage", beside, stage="applied", position="start"))
    # An undo that would name it again is refused like any reference to what is not there.
    with pytest.raises(InvalidOperation):
        writer.undo(cleared.receipt)
    context = facade.get_context(workspace=writer.workspace, surface="notes", document=None, job=None, cursor=None)
    assert note in context["clocks"]
    assert_sound(writer)


def test_a_place_for_a_new_document_is_not_taken_by_the_purged() -> None:
    writer = open_workspace()
    first = writer.new(title="One", stage="applied")
    trash(writer, first, days=31)
    purge()
    second = writer.new(title="Two", stage="applied")
    assert writer.column("applied") == [second]


# --- logs ------------------------------------------------------------------------------------------------------------


def long_tail(writer: Writer, updates: int = 20) -> Document:
    note = writer.new("note", title="Long")
    for number in range(updates):
        writer.commit(append(note, "body", f"{number} "))
    row = Document.objects.get(workspace_id=writer.workspace, doc_id=note)
    assert row.tail_updates == updates + 1
    return row


def test_a_cold_document_with_a_long_tail_becomes_a_snapshot() -> None:
    writer = open_workspace()
    row, short = long_tail(writer), writer.new("note", title="Short")
    content = replayed(writer.workspace)
    assert compact() == 0
    quiet(writer, minutes=11)
    assert compact() == 1
    assert compact() == 0
    row.refresh_from_db()
    assert (row.snapshot_clock, row.tail_updates, row.tail_bytes) == (row.clock, 0, 0)
    assert row.snapshot_bytes > 0
    assert Document.objects.get(doc_id=short).tail_updates == 1
    assert replayed(writer.workspace) == content
    # The updates behind it are kept for pages that resume.
    assert DocumentUpdate.objects.filter(document=row).count() == row.clock
    assert len(facade.list_commits_after(workspace=writer.workspace, seq=3) or []) == 19
    documents.clear()
    writer.commit(append(row.doc_id, "body", "more"))
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []


def test_updates_that_nobody_resumes_from_any_more_are_dropped() -> None:
    writer = open_workspace()
    row = long_tail(writer)
    writer.new("note", title="Fresh one")
    quiet(writer, hours=25)
    assert compact() == 1 + row.clock
    assert not DocumentUpdate.objects.filter(document=row).exists()
    assert DocumentUpdate.objects.count() == 1, "what no snapshot holds stays"
    assert facade.list_commits_after(workspace=writer.workspace, seq=3) is None
    assert compact() == 0
    writer.commit(append(row.doc_id, "body", "more"))
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []


def test_a_document_in_which_somebody_types_is_left_alone() -> None:
    writer = open_workspace()
    row = long_tail(writer)
    Browser(writer, row.doc_id).type("now ")
    quiet(writer, hours=25)
    assert compact() == 0
    facade.seal_rested(before=clock.now() + timedelta(minutes=1), limit=10)
    quiet(writer, hours=25)
    assert compact() == 1 + row.clock + 1
    assert_sound(writer)


def test_a_cold_document_that_is_mostly_history_is_rebuilt() -> None:
    writer = open_workspace()
    note = writer.new("note", title="Typed", texts={"body": "start"})
    browser = Browser(writer, note)
    for number in range(0, 600, 2):
        # Backwards, and deleted again: of this Yjs keeps a trace a character.
        browser.send(browser.insert(0, "x"), browser.insert(1, "y"))
        if number % 3 == 0:
            browser.send(browser.delete(0, 1))
    facade.seal_rested(before=clock.now() + timedelta(minutes=1), limit=10)
    content = replayed(writer.workspace)
    row = Document.objects.get(doc_id=note)
    assert row.epoch == 1
    quiet(writer, hours=25)
    compact()
    compact()
    after = Document.objects.get(doc_id=note)
    assert (after.epoch, after.clock, after.firm_clock, after.last_event) == (
        2, row.clock + 1, row.firm_clock, row.last_event
    )  # fmt: skip
    assert after.snapshot_bytes + after.tail_bytes < 0.5 * (row.snapshot_bytes + row.tail_bytes)
    assert replayed(writer.workspace) == content
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []
    quiet(writer, hours=25)
    assert compact() == 0


def test_a_warm_copy_of_another_process_goes_on_after_a_compaction() -> None:
    writer = open_workspace()
    row = long_tail(writer)
    warm = documents.get(writer.workspace, row.doc_id)
    quiet(writer, hours=25)
    compact()
    assert documents.get(writer.workspace, row.doc_id) is warm
    writer.commit(append(row.doc_id, "body", "more"))
    documents.clear()
    assert writer.read(row.doc_id)["texts"]["body"].endswith("19 more")


def test_a_sweep_that_is_killed_anywhere_is_finished_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = open_workspace()
    rows = [long_tail(writer) for _ in range(3)]
    content = replayed(writer.workspace)
    quiet(writer, minutes=11)
    real, calls = expiry.housekeeping.store.write_snapshot, []

    def killed(*arguments: Any, **options: Any) -> None:
        calls.append(1)
        real(*arguments, **options)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(expiry.housekeeping.store, "write_snapshot", killed)
    with pytest.raises(KeyboardInterrupt):
        compact()
    assert Document.objects.filter(pk__in=[row.pk for row in rows], tail_updates=0).count() == 1
    assert replayed(writer.workspace) == content
    assert compact() == 2
    assert replayed(writer.workspace) == content
