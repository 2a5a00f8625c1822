"""An export is of one moment, holds nobody up, and stays small in memory however long the history is."""

from __future__ import annotations

import io
import json
import threading
import tracemalloc
from collections.abc import Callable

import pytest
from django.db import connection

from assistant import facade as assistant
from tests.factories import Writer, open_workspace, set_field
from tests.workspaces.http.conftest import Opened, make_workspace
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import NotFound
from workspaces.http.downloads import FileAnswer, file_answer
from workspaces.models import Event, Workspace

from .conftest import exported


class Sink:
    """Calls back once, at the first bytes."""

    def __init__(self, then: Callable[[], None] = lambda: None, *, keep: bool = True) -> None:
        self.size = 0
        self.kept = io.BytesIO()
        self.then = then
        self.keep = keep

    def write(self, data: bytes) -> None:
        if not self.size:
            self.then()
        self.size += len(data)
        if self.keep:
            self.kept.write(data)


def export(owner: Writer, into: Sink) -> None:
    with facade.sql.snapshot():
        assistant.export_workspace(workspace=owner.workspace, into=into)


@pytest.mark.django_db(transaction=True)
def test_what_is_written_meanwhile_is_not_in_it_and_does_not_wait_for_it() -> None:
    owner = open_workspace()
    notes = [owner.new("note", title=f"N{n}", texts={"body": "x" * 40_000}) for n in range(3)]
    before = exported(owner)

    def write_meanwhile() -> None:
        def write() -> None:
            try:
                owner.commit(set_field(notes[-1], "title", "Later"))
            finally:
                connection.close()

        writer = threading.Thread(target=write)
        writer.start()
        writer.join(20)
        assert not writer.is_alive()

    into = Sink(write_meanwhile)
    export(owner, into)
    found = json.loads(into.kept.getvalue())
    assert {**found, "exported_at": ""} == {**before, "exported_at": ""}
    assert exported(owner)["documents"][-1]["fields"]["title"] == "Later"


def test_after_a_failure_the_connection_is_as_before(owner: Writer) -> None:
    with pytest.raises(NotFound), facade.sql.snapshot():
        assistant.export_workspace(workspace="ws_nobody", into=Sink())

    def fail(_: object) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        file_answer(fail, media_type="text/plain", name="x")
    owner.commit(set_field("profile", "name", "Ada"))
    assert exported(owner)["documents"][0]["fields"] == {"name": "Ada"}


def peak_of_export(owner: Writer) -> int:
    tracemalloc.start()
    try:
        export(owner, Sink(keep=False))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def add_events(owner: Writer, first: Event, seqs: range) -> None:
    Event.objects.bulk_create(
        Event(
            id=f"evt_{seq}", workspace_id=owner.workspace, seq=seq, at=first.at, actor_class="human",
            actor=first.actor, affected_paths=first.affected_paths, clocks=first.clocks,
            operation_kinds=first.operation_kinds,
        )
        for seq in seqs
    )  # fmt: skip
    Workspace.objects.filter(id=owner.workspace).update(seq=seqs.stop - 1)


def test_memory_does_not_grow_with_the_history(owner: Writer) -> None:
    owner.commit(set_field("profile", "name", "Ada"))
    first = Event.objects.get()
    add_events(owner, first, range(2, 1_001))
    few = peak_of_export(owner)
    add_events(owner, first, range(1_001, 8_001))
    many = peak_of_export(owner)
    assert len(exported(owner)["history"]) == 8_000
    assert many < few * 1.5


async def test_it_is_sent_piece_by_piece_under_asgi() -> None:
    file = io.BytesIO(b"x" * 200_000)
    answer = FileAnswer(file, size=200_000, media_type="text/plain", name="x.txt")
    sizes = [len(piece) async for piece in answer]
    answer.close()
    assert (sum(sizes), max(sizes), file.closed) == (200_000, 64 * 1024, True)


def test_threads_are_in_it_with_their_events(db: None) -> None:
    opened: Opened = make_workspace()
    access: Access = opened.access
    connector = assistant.list_connectors(access=access)[0].id
    thread = assistant.create_thread(access=access, connector=connector, title="Hello")
    assistant.start_turn(access=access, thread=thread.id, text="What is next?", surface="overview", document=None)
    into = Sink()
    export(Writer(opened.workspace, None, ""), into)  # type: ignore[arg-type]
    [found] = json.loads(into.kept.getvalue())["threads"]
    assert (found["id"], found["title"]) == (thread.id, "Hello")
    assert [event["kind"] for event in found["events"]] == ["turn.queued"]
    assert "What is next?" in json.dumps(found["events"])
