"""New epochs for every document: the content stays, undo still works, stale histories are told apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.factories import Writer, append, op, open_workspace, replace
from tests.replay import assert_sound, replayed
from workspaces import facade
from workspaces.clock import now, rfc3339
from workspaces.commits import renewal
from workspaces.commits.persist import renewed_epoch
from workspaces.models import Document, Event, UpkeepRun
from workspaces.upkeep import epochs

pytestmark = pytest.mark.django_db


def renew(*arguments: str) -> str:
    out = StringIO()
    call_command("renew_epochs", *arguments, stdout=out)
    return out.getvalue()


def rows(writer: Writer) -> dict[str, Document]:
    return {row.doc_id: row for row in Document.objects.filter(workspace_id=writer.workspace)}


def test_every_document_has_a_new_epoch_and_its_old_content() -> None:
    writer, other = open_workspace(sample=True), open_workspace()
    gone = writer.new("note", title="Gone", texts={"body": "Böse 😀"})
    writer.commit(op("document.trash", gone))
    before, content = rows(writer), replayed(writer.workspace)
    assert renew() == f"renewed {len(before) + 2} documents\n"
    after = rows(writer)
    assert replayed(writer.workspace) == content
    assert {doc: (row.clock, row.firm_clock) for doc, row in after.items()} == {
        doc: (row.clock + 1, row.firm_clock) for doc, row in before.items()
    }
    expected = renewed_epoch(1, now())
    assert expected > 1000
    assert {row.epoch for row in (*after.values(), *rows(other).values())} == {expected}
    assert {doc: row.last_event for doc, row in after.items()} == {doc: row.last_event for doc, row in before.items()}
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []
    assert all(verdict.complete for verdict in facade.verify_chains())


def test_a_renewal_is_the_systems_and_makes_nothing_stale() -> None:
    writer = open_workspace()
    note = writer.new("note", title="A", texts={"body": "one two three"})
    clock = writer.clock(note)
    changed = writer.commit(replace(note, "body", "two", "2"))
    renew()
    newest = Event.objects.filter(workspace_id=writer.workspace).order_by("seq").last()
    assert newest is not None
    assert (newest.actor_class, newest.actor, newest.affected_paths, newest.receipt) == (
        "system", "system:renew_epochs", "[]", None
    )  # fmt: skip
    # What somebody read before is not stale, and what they did can be taken back: its anchor was remade.
    writer.commit(append(note, "body", "!"), clocks={note: clock + 1})
    writer.undo(changed.receipt)
    assert writer.read(note)["texts"] == {"body": "one two three!"}


def test_pages_and_rooms_are_told_to_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, dict[str, Any]]] = []
    writer = open_workspace()
    seq = facade.get_hello(workspace=writer.workspace)["seq"]
    monkeypatch.setattr(facade.hub, "publish", lambda *, topic, message: told.append((topic, message)))
    renew()
    epoch = rows(writer)["plan"].epoch
    topics = {(topic, message["type"]) for topic, message in told}
    assert {(f"document:{writer.workspace}:{doc}", "epoch") for doc in ("plan", "profile")} <= topics
    assert (f"workspace:{writer.workspace}", "resync") in topics
    assert all(message["epoch"] == epoch for _, message in told if message["type"] == "epoch")
    # A page that resumes reads the documents anew: the log does not lead there.
    assert facade.list_commits_after(workspace=writer.workspace, seq=seq) is None
    assert facade.live_updates_after(workspace=writer.workspace, document="plan", clock=1, epoch=1) is None
    assert 1 not in {facade.open_live(workspace=writer.workspace, document="plan").epoch}


def test_whoever_holds_a_history_from_before_or_one_that_was_lost_is_told_apart() -> None:
    from workspaces.documents.ydoc import client_id_of

    writer = open_workspace()
    renew()
    state = facade.open_live(workspace=writer.workspace, document="plan")
    lost = [client_id_of(writer.workspace, "plan", epoch) for epoch in (1, 2, 3, state.epoch - 1, state.epoch - 48)]
    assert set(lost) <= state.retired_client_ids
    assert state.server_client_id not in state.retired_client_ids
    assert len(state.retired_client_ids) < 1_000


def test_a_later_restore_never_comes_to_an_epoch_that_was_used_before() -> None:
    at = datetime(2027, 5, 1, 12, tzinfo=UTC)
    first = renewed_epoch(1, at)
    # Rebuilt for its size three times, then lost; the same backup comes back an hour later.
    assert renewed_epoch(1, at + timedelta(hours=4)) > first + 3
    assert renewed_epoch(first, at) == first + 1
    assert renewed_epoch(1, datetime(2000, 1, 1, tzinfo=UTC)) == 2
    assert renewed_epoch(1, datetime(2200, 1, 1, tzinfo=UTC)) < 2**31


def test_a_run_that_was_cut_off_is_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epochs, "MOST_AT_ONCE", 2)
    writers = [open_workspace(sample=True) for _ in range(2)]
    real, done = renewal.renew_documents, []

    def killed_at_the_third(**arguments: Any) -> bool:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(arguments)
        return real(**arguments)

    monkeypatch.setattr(epochs, "renew_documents", killed_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        renew()
    renewed = {row.pk for row in Document.objects.filter(epoch__gt=1)}
    clocks = {row.pk: row.clock for row in Document.objects.all()}
    assert len(renewed) == 6
    monkeypatch.setattr(epochs, "renew_documents", real)
    assert renew("--resume") == f"renewed {len(clocks) - 6} documents\n"
    assert {row.pk: row.clock for row in Document.objects.all()} == {
        pk: clock + (pk not in renewed) for pk, clock in clocks.items()
    }
    for writer in writers:
        assert_sound(writer)
    with pytest.raises(CommandError, match="no run that was cut off"):
        renew("--resume")


def test_a_new_run_renews_everything_again() -> None:
    writer = open_workspace()
    renew()
    first = rows(writer)["plan"].epoch
    assert renew() == "renewed 2 documents\n"
    assert rows(writer)["plan"].epoch == first + 1
    run = UpkeepRun.objects.get(task="renew_epochs")
    assert (run.runs, run.failures, run.handled, run.last_handled) == (2, 0, 4, 2)


def test_erased_workspaces_and_repeated_commits_are_passed_over() -> None:
    writer = open_workspace()
    run = rfc3339(now())
    assert list(facade.renew_epochs(run=run)) == [2]
    assert list(facade.renew_epochs(run=run)) == [0]
    from workspaces.models import Workspace

    Workspace.objects.filter(id=writer.workspace).update(erased_at=now())
    assert list(facade.renew_epochs(run="another")) == []
