"""`check_documents`: a sound database is clean, and each thing that can differ is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from pycrdt import Doc, Map, Text

from tests.factories import Writer, add_item, append, create, op, open_workspace
from workspaces import facade
from workspaces.clock import now
from workspaces.commits import persist
from workspaces.commits.cache import documents
from workspaces.documents import ydoc as yjs
from workspaces.models import Document, DocumentSnapshot, DocumentUpdate, Event, TypingSession

pytestmark = pytest.mark.django_db


def filled() -> tuple[Writer, Document]:
    """A workspace, and an application of it that has a snapshot, updates behind it and updates after it."""
    writer = open_workspace(sample=True)
    application = writer.new(title="Engineer", company="Acme", texts={"notes": "First"})
    writer.commit(add_item(application, "checklist", title="Call"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(persist, "MAX_TAIL_UPDATES", 5)
        for number in range(5):
            writer.commit(append(application, "notes", f" and {number}"))
    row = Document.objects.get(workspace_id=writer.workspace, doc_id=application)
    assert 0 < row.snapshot_clock < row.clock
    return writer, row


def flaws(writer: Writer) -> set[tuple[str, str]]:
    """(document, what) of everything that differs."""
    found = facade.check_documents(workspace=writer.workspace)
    return {(flaw.document, flaw.what) for entry in found for flaw in entry}


def test_a_sound_workspace_has_no_differences() -> None:
    writer, row = filled()
    writer.commit(op("document.archive", row.doc_id))
    writer.commit(op("document.trash", row.doc_id))
    found = list(facade.check_documents(workspace=writer.workspace))
    assert len(found) == Document.objects.filter(workspace_id=writer.workspace).count()
    assert [flaw for entry in found for flaw in entry] == []


def rows_of(row: Document) -> Any:
    return Document.objects.filter(pk=row.pk)


def put_snapshot(row: Document, change: Callable[[Doc[Any]], None]) -> None:
    """Changes the stored snapshot itself, and the counters with it."""
    snapshot = DocumentSnapshot.objects.get(document=row)
    doc: Doc[Any] = Doc(client_id=5)
    doc.apply_update(bytes(snapshot.state))
    change(doc)
    state = doc.get_update()
    DocumentSnapshot.objects.filter(document=row).update(state=state)
    rows_of(row).update(snapshot_bytes=len(state))


def set_in_snapshot(root: str, name: str, value: Any) -> Callable[[Document], None]:
    def change(doc: Doc[Any]) -> None:
        doc.get(root, type=Map)[name] = value

    return lambda row: put_snapshot(row, change)


def long_text(doc: Doc[Any]) -> None:
    doc.get("texts", type=Map)["notes"].insert(0, "x" * 50_001)


def formatted(doc: Doc[Any]) -> None:
    doc.get("texts", type=Map)["notes"].format(0, 2, {"bold": True})


def another_root(doc: Doc[Any]) -> None:
    doc.get("secret", type=Text).insert(0, "x")


def many_items(doc: Doc[Any]) -> None:
    section = doc.get("sections", type=Map)["contacts"]
    for number in range(101):
        section[f"itm_{number}"] = Map({"name": "Ada", "rank": f"a{number}"})


def under_an_old_epoch(row: Document) -> None:
    rows_of(row).update(epoch=2)


def lost_update(row: Document) -> None:
    """The snapshot was taken without an update that it says to hold."""
    log = [bytes(u.update) for u in DocumentUpdate.objects.filter(document=row).order_by("clock")]
    kind = yjs.load(yjs_kind(row), 1, log[:1]).kind
    short = yjs.load(kind, 1, log[: row.snapshot_clock - 1]).encode()
    DocumentSnapshot.objects.filter(document=row).update(state=short)
    rows_of(row).update(snapshot_bytes=len(short))


def yjs_kind(row: Document) -> Any:
    from workspaces.documents.schema import KINDS

    return KINDS[row.kind]


def drop_updates(**which: Any) -> Callable[[Document], None]:
    def tamper(row: Document) -> None:
        DocumentUpdate.objects.filter(document=row, **which).delete()

    return tamper


def drop_the_newest(row: Document) -> None:
    DocumentUpdate.objects.filter(document=row, clock=row.clock).delete()
    rows_of(row).update(tail_updates=F("tail_updates") - 1)


def drop_one_behind(row: Document) -> None:
    DocumentUpdate.objects.filter(document=row, clock=row.snapshot_clock - 1).delete()


def garble(row: Document) -> None:
    DocumentUpdate.objects.filter(document=row, clock=row.clock).update(update=b"\xff\xfe")


def column(**values: Any) -> Callable[[Document], None]:
    def tamper(row: Document) -> None:
        rows_of(row).update(**values)

    return tamper


def session(**values: Any) -> Callable[[Document], None]:
    def tamper(row: Document) -> None:
        TypingSession.objects.create(
            workspace_id=row.workspace_id, document=row, author="link:x", base_state=b"\0", started_at=now(),
            last_at=now(), **values,
        )  # fmt: skip

    return tamper


def unsealed_without_a_session(row: Document) -> None:
    DocumentUpdate.objects.filter(document=row, clock=row.clock).update(seq=0)


def event_gone(row: Document) -> None:
    Event.objects.filter(id=row.last_event).delete()


TAMPERED: dict[str, tuple[Callable[[Document], None], set[str]]] = {
    "the newest update is gone": (drop_the_newest, {"log_gap", "log_counters"}),
    "an update behind the snapshot is gone": (drop_one_behind, {"log_gap"}),
    "an update is garbage": (garble, {"log_unreadable", "log_counters"}),
    "the snapshot is gone": (lambda row: DocumentSnapshot.objects.filter(document=row).delete() and None,
                             {"log_counters", "epoch", "columns", "snapshot_lacks"}),
    "the snapshot lacks an update": (lost_update, {"snapshot_lacks"}),
    "snapshot bytes": (column(snapshot_bytes=1), {"log_counters"}),
    "tail updates": (column(tail_updates=9), {"log_counters"}),
    "tail bytes": (column(tail_bytes=9), {"log_counters"}),
    "snapshot clock": (column(snapshot_clock=1), {"log_counters"}),
    "clock too high": (column(clock=999), {"log_gap"}),
    "firm clock": (column(firm_clock=999), {"clocks"}),
    "clocks of texts": (column(typed_clocks='{"notes":999}'), {"clocks"}),
    "clocks of other texts": (column(typed_clocks='{"body":1}'), {"clocks"}),
    "clocks of texts, no JSON": (column(typed_clocks="?"), {"clocks"}),
    "typing": (column(typing=2), {"typing"}),
    "a session that is not counted": (session(clock_from=1, clock_to=2), {"typing"}),
    "a session of clocks to come": (session(clock_from=1, clock_to=999), {"typing"}),
    "an unsealed update without a session": (unsealed_without_a_session, {"typing"}),
    "its event": (event_gone, {"trail"}),
    "its last event's id": (column(last_event="evt_none"), {"trail"}),
    "epoch": (under_an_old_epoch, {"epoch"}),
    "kind": (column(kind="note"), {"columns"}),
    "state": (column(state="archived"), {"columns"}),
    "trashed at": (column(trashed_at=now()), {"columns"}),
    "stage": (column(stage="applied"), {"columns"}),
    "rank": (column(rank="zz"), {"columns"}),
    "a field of another type": (set_in_snapshot("fields", "salary_min", "much"), {"content"}),
    "a field out of its spelling": (set_in_snapshot("fields", "title", "Caf" + "e\u0301"), {"content"}),
    "a text too long": (lambda row: put_snapshot(row, long_text), {"limits"}),
    "a formatted text": (lambda row: put_snapshot(row, formatted), {"structure"}),
    "another root": (lambda row: put_snapshot(row, another_root), {"structure"}),
    "too many items": (lambda row: put_snapshot(row, many_items), {"limits"}),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_each_difference_is_named(name: str) -> None:
    writer, row = filled()
    tamper, expected = TAMPERED[name]
    documents.clear()
    tamper(row)
    assert flaws(writer) == {(row.doc_id, what) for what in expected}


def test_what_is_kept_in_memory_is_compared_too() -> None:
    writer, row = filled()
    writer.read(row.doc_id)
    warm = documents.get(writer.workspace, row.doc_id)
    assert warm is not None
    warm.ydoc.fields["title"] = "Something else"
    assert flaws(writer) == {(row.doc_id, "served")}


def run(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("check_documents", *arguments, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_the_command_tells_clean_from_different() -> None:
    writer = open_workspace()
    writer.commit(create("note", "note", title="Secret words"))
    assert run() == (0, "clean: 3 documents, 0 differences\n")
    rows = Document.objects.filter(kind="note")
    rows.update(state="archived", trashed_at=now() - timedelta(days=1))
    status, text = run("--workspace", writer.workspace)
    assert status == 1
    assert text.splitlines()[-1] == "different: 3 documents, 2 differences"
    assert "Secret" not in text
    status, text = run("--json")
    [note] = rows
    says = [
        "its state is another one than the row's",
        "the time at which it was put in the trash does not fit its state",
    ]
    assert (status, json.loads(text)) == (
        1,
        {
            "ok": False, "documents": 3,
            "flaws": [
                {"workspace": writer.workspace, "document": note.doc_id, "what": "columns", "says": line}
                for line in says
            ],
        },
    )  # fmt: skip
    assert run("--workspace", "ws_none") == (2, "There is no such workspace here.")
