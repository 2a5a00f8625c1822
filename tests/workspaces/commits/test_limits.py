"""How many there may be and how large: documents of a kind, the encoded state, and the rebuild near its limit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, append, create, op, pairs, replace
from tests.replay import assert_sound, replayed, snapshot, stored_updates
from workspaces import facade
from workspaces.commits import after_commit, persist
from workspaces.documents.schema import KINDS, MAX_STATE_BYTES
from workspaces.errors import CardinalityExceeded, StaleClock, TooLarge, UndoConflict
from workspaces.models import Document


def fill(owner: Writer, kind: str, count: int) -> list[str]:
    made: list[str] = []
    while len(made) < count:
        names = [f"n{i}" for i in range(min(20, count - len(made)))]
        made += owner.commit(*(create(name, kind) for name in names)).response["documents"].values()
    return made


@pytest.mark.parametrize("kind", ["application", "note", "letter"])
def test_a_kind_has_room_for_its_maximum_and_not_one_more(owner: Writer, kind: str) -> None:
    maximum = {"application": 500, "note": 1000, "letter": 300}[kind]
    assert KINDS[kind].maximum == maximum
    ids = fill(owner, kind, maximum - 1)
    before = snapshot(owner.workspace)
    with pytest.raises(CardinalityExceeded) as refusal:
        owner.commit(create("a", kind), create("b", kind))
    assert refusal.value.details == {"kind": kind, "maximum": maximum}
    assert snapshot(owner.workspace) == before
    owner.commit(create("a", kind))
    # Archived ones count, trashed ones do not.
    owner.commit(op("document.archive", ids[0]))
    with pytest.raises(CardinalityExceeded):
        owner.commit(create("b", kind))
    trashed = owner.commit(op("document.trash", ids[0]))
    owner.commit(op("document.trash", ids[1]), create("b", kind), create("c", kind))
    for refused in (
        lambda: owner.commit(op("document.restore", ids[0])),
        lambda: owner.undo(trashed.receipt),
    ):
        with pytest.raises(CardinalityExceeded):
            refused()
    # One leaves and one returns in the same batch; two do not return where there is room for one.
    owner.commit(op("document.trash", ids[2]), op("document.restore", ids[0]))
    owner.commit(op("document.trash", ids[3]))
    with pytest.raises(CardinalityExceeded):
        owner.commit(op("document.restore", ids[1]), op("document.restore", ids[2]))
    count = Document.objects.filter(workspace_id=owner.workspace, kind=kind).exclude(state="trashed").count()
    assert count == maximum - 1


def test_limits_are_each_workspaces_own(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.factories import open_workspace

    fill(owner, "letter", 300)
    assert open_workspace().new("letter")


# --- the encoded state -------------------------------------------------------------------------------------------

LINES = ["x" * 4_900] * 20


def grow(owner: Writer, items: int) -> None:
    """Work entries of about 98 kB each."""
    for index in range(items):
        owner.commit(op("item.add", "profile", section="work", item=pairs(name=str(index), highlights=LINES)))


def churn(owner: Writer, times: int) -> None:
    """Content that comes and goes: Yjs keeps a trace of it."""
    item = owner.item("profile", "awards", title="x")
    for index in range(times):
        letter = "abcdefghij"[index % 10]
        owner.commit(
            op(
                "item.update",
                "profile",
                section="awards",
                item=item,
                changes=pairs(summary=letter * 4_900, title=letter * 400),
            )
        )


def test_a_document_beyond_its_limit_is_refused_and_nothing_changes(owner: Writer) -> None:
    grow(owner, 5)
    before = snapshot(owner.workspace)
    with pytest.raises(TooLarge) as refusal:
        grow(owner, 1)
    assert refusal.value.details == {"document": "profile", "maximum": MAX_STATE_BYTES}
    assert snapshot(owner.workspace) == before
    owner.commit(op("field.set", "profile", field="name", value="Still works"))
    assert_sound(owner)


def test_a_new_document_beyond_the_limit_is_refused(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 1_000)
    with pytest.raises(TooLarge):
        owner.commit(create("x", "note", texts={"body": "x" * 1_000}))
    assert facade.list_documents(access=owner.access, kind="note")["items"] == []


def rebuilt(owner: Writer, document: str) -> bool:
    return Document.objects.get(workspace_id=owner.workspace, doc_id=document).epoch > 1


def fill_with_history(owner: Writer, document: str) -> None:
    """Types backwards, of which Yjs keeps a trace a character, until the document is rebuilt."""
    for _ in range(40):
        if rebuilt(owner, document):
            return
        owner.commit(*[replace(document, "body", "<", "<x")] * 5)
    raise AssertionError("never rebuilt")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that a short history passes."""
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 1_000)


def test_a_document_near_the_limit_is_rebuilt_and_its_receipts_still_work(owner: Writer, small: None) -> None:
    note = owner.new("note", texts={"body": "<>"})
    begun = owner.commit(op("text.append", note, text="body", content="\nZ\u00fcrich \U0001f600"))
    gone = owner.commit(append(note, "body", "\n- one - two"))
    deleted = owner.commit(replace(note, "body", " one -", ""))
    inside = owner.commit(replace(note, "body", "Z\u00fcrich", "Bern"))
    fill_with_history(owner, note)
    row = Document.objects.get(workspace_id=owner.workspace, doc_id=note)
    assert (row.epoch, row.snapshot_clock, row.tail_updates) == (2, row.clock, 0)
    assert row.snapshot_bytes < 1_000
    head = owner.read(note)["texts"]["body"].partition("\n")[0]
    assert_sound(owner)
    # Beside every stretch there is something new before the undo.
    owner.commit(replace(note, "body", "\n- two", "\n\u20ac- two"), append(note, "body", "!"))
    owner.undo(deleted.receipt)
    assert owner.read(note)["texts"]["body"] == f"{head}\nBern \U0001f600\n\u20ac- one - two!"
    owner.undo(inside.receipt)
    assert owner.read(note)["texts"]["body"] == f"{head}\nZ\u00fcrich \U0001f600\n\u20ac- one - two!"
    owner.undo(begun.receipt)
    with pytest.raises(UndoConflict):
        owner.undo(gone.receipt)
    assert owner.read(note)["texts"]["body"] == f"{head}\n\u20ac- one - two!"
    assert_sound(owner)


def test_the_receipt_of_the_rebuilding_commit_works_too(owner: Writer, small: None) -> None:
    note = owner.new("note", texts={"body": "<>"})
    fill_with_history(owner, note)
    [receipt] = facade.list_receipts(access=owner.access, limit=1)["items"]
    before = owner.read(note)["texts"]["body"]
    undone = owner.undo(receipt["id"])
    assert owner.read(note)["texts"]["body"] != before
    owner.undo(undone.receipt)
    assert owner.read(note)["texts"]["body"] == before
    assert_sound(owner)


def test_an_edit_inside_a_stretch_blocks_its_undo_across_a_rebuild_until_it_is_undone(
    owner: Writer, small: None
) -> None:
    note = owner.new("note", texts={"body": "<>"})
    begun = owner.commit(append(note, "body", "alpha beta"))
    inside = owner.commit(replace(note, "body", "alpha", "omega"))
    fill_with_history(owner, note)
    with pytest.raises(UndoConflict):
        owner.undo(begun.receipt)
    owner.undo(inside.receipt)
    owner.undo(begun.receipt)
    assert "beta" not in owner.read(note)["texts"]["body"]
    assert_sound(owner)


def test_clients_are_told_to_resync_after_a_rebuild(
    owner: Writer, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live ones by a message, resuming ones because the old updates are gone."""
    note = owner.new("note", texts={"body": "<>"})
    seq = facade.get_hello(workspace=owner.workspace)["seq"]
    published: list[Any] = []
    monkeypatch.setattr(after_commit.hub, "publish", lambda *, topic, message: published.append((topic, message)))
    fill_with_history(owner, note)
    hello = facade.get_hello(workspace=owner.workspace)
    assert published[-1] == (f"workspace:{owner.workspace}", {"type": "resync", "seq": hello["seq"]})
    assert [message["type"] for _, message in published].count("resync") == 1
    assert facade.list_commits_after(workspace=owner.workspace, seq=seq, limit=1000) is None
    assert facade.list_commits_after(workspace=owner.workspace, seq=hello["seq"]) == []


def test_the_clock_goes_on_through_a_rebuild(owner: Writer, small: None) -> None:
    note = owner.new("note", texts={"body": "<>"})
    fill_with_history(owner, note)
    clock = owner.clock(note)
    owner.commit(op("field.set", note, field="title", value="x"), clocks={note: clock})
    with pytest.raises(StaleClock):
        owner.commit(op("field.set", note, field="title", value="y"), clocks={note: clock})
    assert owner.clock(note) == clock + 1


# --- compaction --------------------------------------------------------------------------------------------------


def test_a_long_tail_is_compacted_and_resuming_still_works_for_a_while(owner: Writer) -> None:
    note = owner.new("note")
    for index in range(persist.MAX_TAIL_UPDATES + 5):
        owner.commit(op("field.set", note, field="title", value=str(index)))
    row = Document.objects.get(workspace_id=owner.workspace, doc_id=note)
    assert row.snapshot_clock > 100
    assert row.tail_updates < 10
    assert replayed(owner.workspace)[note]["fields"]["title"] == str(persist.MAX_TAIL_UPDATES + 4)
    seq = facade.get_hello(workspace=owner.workspace)["seq"]
    kept = facade.list_commits_after(workspace=owner.workspace, seq=seq - persist.KEPT_UPDATES)
    assert kept is not None
    assert len(kept) == persist.KEPT_UPDATES
    assert facade.list_commits_after(workspace=owner.workspace, seq=0) is None


def test_the_state_stays_small_however_often_a_field_is_set(owner: Writer) -> None:
    churn(owner, 150)
    row = Document.objects.get(workspace_id=owner.workspace, doc_id="profile")
    assert sum(map(len, stored_updates(row))) < 60_000
    assert_sound(owner)
