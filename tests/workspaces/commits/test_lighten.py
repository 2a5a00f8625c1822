"""A history that has outgrown its content is got rid of when a snapshot is taken: nobody loses anything by it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.factories import Writer, append, open_workspace, replace, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound
from workspaces import facade
from workspaces.commits import persist, rebuild
from workspaces.commits.cache import documents
from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import Splice
from workspaces.documents.schema import KINDS
from workspaces.errors import UndoConflict
from workspaces.models import Document

pytestmark = pytest.mark.django_db


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persist, "MAX_TAIL_UPDATES", 8)
    monkeypatch.setattr(rebuild, "MIN_HISTORY_BYTES", 100)


def row_of(writer: Writer, document: str) -> Document:
    return Document.objects.get(workspace_id=writer.workspace, doc_id=document)


def work(writer: Writer, application: str, commits: int, *, start: int = 0) -> None:
    """Changes in turn, of which Yjs keeps each apart for ever."""
    for number in range(start, start + commits):
        match number % 4:
            case 0:
                writer.commit(set_field(application, "next_step", f"call {number}"))
            case 1:
                writer.commit(append(application, "notes", f" {number}."))
            case 2:
                writer.commit(set_field(application, "source", f"friend {number}"))
            case _:
                writer.commit(replace(application, "notes", f" {number - 2}.", ""))


def test_what_is_kept_does_not_grow_with_the_number_of_commits(eager: None) -> None:
    writer = open_workspace()
    application = writer.new(title="Engineer", texts={"notes": "First line. "})
    sizes = []
    for _ in range(6):
        work(writer, application, 60)
        row = row_of(writer, application)
        sizes.append(row.snapshot_bytes + row.tail_bytes)
    assert max(sizes[1:]) < 2 * min(sizes)
    assert row.epoch > 3
    assert_sound(writer)
    assert [flaw for entry in facade.check_documents() for flaw in entry] == []


def test_receipts_from_before_can_be_undone_after(eager: None) -> None:
    writer = open_workspace()
    application = writer.new(title="Engineer", texts={"notes": "one two three four"})
    put_in = writer.commit(append(application, "notes", " five"))
    taken_out = writer.commit(replace(application, "notes", " two", ""))
    also_out = writer.commit(replace(application, "notes", " three", ""))
    field = writer.commit(set_field(application, "company", "Acme"))
    work(writer, application, 80)
    assert row_of(writer, application).epoch > 2
    documents.clear()
    for receipt in (field.receipt, also_out.receipt, taken_out.receipt):
        writer.undo(receipt)
    assert writer.read(application)["texts"]["notes"].startswith("one two three four five")
    writer.undo(put_in.receipt)
    assert writer.read(application)["texts"]["notes"].startswith("one two three four")
    assert "five" not in writer.read(application)["texts"]["notes"]
    changed = writer.commit(append(application, "notes", " six"))
    writer.commit(replace(application, "notes", " six", " sex"))
    work(writer, application, 80)
    with pytest.raises(UndoConflict):
        writer.undo(changed.receipt)
    assert_sound(writer)


def test_a_document_that_is_all_content_keeps_its_epoch(eager: None) -> None:
    writer = open_workspace()
    note = writer.new("note", title="Long")
    for number in range(60):
        writer.commit(append(note, "body", f"{number} and a line that stays where it is\n"))
    assert row_of(writer, note).epoch == 1


def test_nobodys_typing_is_cut_off(eager: None) -> None:
    writer = open_workspace()
    application = writer.new(title="Engineer", texts={"notes": "First"})
    browser = Browser(writer, application)
    for number in range(40):
        browser.type(f"{number}", at=0)
        browser.send(browser.delete(0, 1))
        writer.commit(set_field(application, "source", f"{number}"))
    row = row_of(writer, application)
    assert (row.epoch, browser.epoch) == (1, 1)
    assert row.snapshot_bytes > 700
    # Once it rests, the next ones may.
    work(writer, application, 12)
    assert row_of(writer, application).epoch == 2
    assert_sound(writer)


def test_pages_are_told_of_every_new_epoch(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, dict[str, Any]]] = []
    writer = open_workspace()
    application = writer.new(title="Engineer", texts={"notes": "First"})
    monkeypatch.setattr(facade.hub, "publish", lambda *, topic, message: told.append((topic, message)))
    work(writer, application, 60)
    epochs = [message["epoch"] for topic, message in told if message["type"] == "epoch"]
    assert epochs == list(range(2, row_of(writer, application).epoch + 1))
    assert len([1 for _, message in told if message["type"] == "resync"]) == len(epochs)
    assert all(message.get("rebuilt") in (None, [application]) for _, message in told)


def test_a_rebuild_that_is_rolled_back_leaves_the_old_history(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = open_workspace()
    application = writer.new(title="Engineer", texts={"notes": "First"})
    kept = writer.commit(append(application, "notes", " kept"))
    real = persist.store.write_snapshot
    failed = []

    def fail_once(document: int, clock: int, snapshot: bytes, *, keep_after: int) -> None:
        if keep_after == clock and not failed:
            failed.append(clock)
            raise RuntimeError("the disk is full")
        real(document, clock, snapshot, keep_after=keep_after)

    monkeypatch.setattr(persist.store, "write_snapshot", fail_once)
    with pytest.raises(RuntimeError, match="disk"):
        work(writer, application, 100)
    assert failed
    assert row_of(writer, application).epoch == 1
    assert_sound(writer)
    work(writer, application, 20, start=1000)
    assert row_of(writer, application).epoch > 1
    writer.undo(kept.receipt)
    assert " kept" not in writer.read(application)["texts"]["notes"]
    assert_sound(writer)


@pytest.mark.parametrize("seed", range(4))
def test_many_places_are_found_at_once_as_one_by_one(seed: int) -> None:
    chance = random.Random(seed)
    kind = KINDS["note"]
    ydoc = yjs.load(kind, 7, [yjs.create(kind, 7)[0].encode()])
    ids: list[tuple[int, int]] = []
    for client in (7, 9, 7, 3_000_000_001, 9):
        ydoc = yjs.load(kind, client, [ydoc.encode()])
        for _ in range(25):
            content = str(ydoc.texts["body"])
            at = chance.randint(0, len(content))
            if content and chance.random() < 0.3:
                delete = content[at : at + chance.randint(1, 3)]
                if delete:
                    yjs.apply_edits(ydoc, [Splice("body", at, delete, "", content)])
                continue
            insert = chance.choice(["a", "bc", "Böse", "😀", "\ue000\ue001"])
            splice = Splice("body", at, "", insert, content)
            yjs.apply_edits(ydoc, [splice])
            assert splice.anchor is not None
            ids += [splice.anchor["first"], splice.anchor["last"]]
    together = yjs.locate(ydoc, "body", behind=[*ids, (5, 5)], before=[*ids, (7, 10**6)])
    one_by_one = [yjs.locate(ydoc, "body", behind=[found], before=[]) for found in ids]
    assert together.behind == {found: place.behind[found] for found, place in zip(ids, one_by_one, strict=True)}
    one_by_one = [yjs.locate(ydoc, "body", behind=[], before=[found]) for found in ids]
    assert together.before == {found: place.before[found] for found, place in zip(ids, one_by_one, strict=True)}
    assert together.length == len(str(ydoc.texts["body"]))
