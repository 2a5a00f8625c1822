"""Everything that writes, at once with an erasure: each write is wholly before it, or refused; nothing comes after."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import connection

from assistant import facade as assistant
from assistant.wire import Assignment
from tests.assistant.threads.room import Room, make_room
from tests.factories import Writer, append, human, set_field
from tests.live_typing import Browser
from workspaces import facade
from workspaces.commits.cache import documents
from workspaces.contracts import Access
from workspaces.errors import DomainError, LinkInvalid, NotFound, StaleClock, TurnRunning
from workspaces.models import Event, Workspace

from .full_workspace import no_trace_but_the_tombstone

pytestmark = pytest.mark.django_db(transaction=True)

_numbers = count(1)
PATIENCE_S = 60
NOTE = {
    "id": "note:01JZX4N7A1B2C3D4E5F6G7H8J9", "kind": "note", "clock": 1, "state": "active", "archived": False,
    "fields": {"title": "brought"}, "sections": {}, "texts": {"body": "in"}, "role_snapshot": None, "last_event": None,
}  # fmt: skip


class Scene:
    """A workspace in which everybody works until it is gone. `acknowledged` are the events that were answered for."""

    def __init__(self) -> None:
        self.room: Room = make_room(provider="scripted")
        self.owner: Writer = human(self.room.workspace, self.room.access.link)
        self.acknowledged: list[str] = []
        self.gone = threading.Event()
        # Both halves of the work must have begun before the erasure does.
        self.begun = threading.Semaphore(0)

    @property
    def access(self) -> Access:
        return self.room.access

    def work(self, step: Callable[[int], None]) -> int:
        """Repeats a step until it is refused because the workspace is gone. Gives how often it was done."""
        done = 0
        try:
            end = time.monotonic() + PATIENCE_S
            for done in count():
                assert time.monotonic() < end, "the workspace outlived the test"
                if done == 2 or self.gone.is_set():
                    self.begun.release()
                try:
                    step(done)
                except LinkInvalid:
                    return done
                except (StaleClock, TurnRunning):
                    pass
                except NotFound:
                    # Of a thread or turn; once the workspace is gone there is nothing to find.
                    if facade.is_erased(workspace=self.room.workspace):
                        return done
            return done
        finally:
            self.begun.release()
            connection.close()

    # --- who works -------------------------------------------------------------------------------------------

    def commit(self, number: int) -> None:
        clock = self.owner.clock("profile")
        result = self.owner.commit(set_field("profile", "label", f"l{number}"), clocks={"profile": clock})
        self._acknowledge(result.event)

    def undo(self, number: int) -> None:
        result = self.owner.commit(append("plan", "strategy", "x"))
        self._acknowledge(result.event)
        if result.receipt:
            self._acknowledge(self.owner.undo(result.receipt).event)

    def manage_links(self, number: int) -> None:
        made = facade.create_link(access=self.access, label="x", role="edit")
        other = assistant.rotate_link(access=self.access, link=made.id)
        facade.revoke_link(access=self.access, link=other.id)

    def set_up(self, number: int) -> None:
        facade.update_settings(access=self.access, body={"language": ("de", "fr")[number % 2]})
        if number < 20:
            facade.send_diagnostic(access=self.access, text="It broke", consent=True)

    def converse(self, number: int) -> None:
        assistant.list_connectors(access=self.access)
        thread = assistant.create_thread(access=self.access, connector=self.room.connector, title="t").id
        turn = self.room.ask(f"q{number}", thread=thread).id
        if number % 2:
            assistant.cancel_turn(access=self.access, turn=turn)
        if number % 3 == 0:
            assistant.delete_thread(access=self.access, thread=thread)

    def connect(self, number: int) -> None:
        made = assistant.create_connector(access=self.access, provider="scripted")
        assistant.delete_connector(access=self.access, connector=made.id)

    def serve(self, number: int) -> None:
        """The host's part: claims, events, tool calls, ends."""
        thread = assistant.create_thread(access=self.access, connector=self.room.connector).id
        turn = self.room.ask("q", thread=thread).id
        assignment = self.room.claim(turn)
        if assignment is None or not self.room.accept(turn):
            raise LinkInvalid  # the turn is gone
        self.room.say(turn, "beginning")
        self._call(
            assignment, "get_workspace_context", {"surface": None, "document": "plan", "job": None, "cursor": None}
        )
        operations = [append("plan", "strategy", f"a{number} ")]
        clocks = [{"document": "plan", "clock": self.owner.clock("plan")}]
        answer = self._call(
            assignment,
            "apply_workspace_operations",
            {"reason": "as asked", "expected_clocks": clocks, "operations": operations},
        )
        if answer["status"] == "ok":
            self._acknowledge(answer["event"])
        self.room.complete(turn)

    def type_live(self, number: int) -> None:
        browser = Browser(self.owner, "plan")
        [answer] = browser.send(browser.insert(len(browser.content), "y"))
        if isinstance(answer, DomainError):
            raise answer
        facade.seal_rested(before=facade.now(), limit=10)

    def bring_in(self, number: int) -> None:
        """A file now and then; reading what there is else."""
        if number % 5 == 2:
            request = self.owner.request(key=None, route="import", target=self.room.workspace)
            file = io.BytesIO()
            facade.write_json(facade.export_parts(workspace=self.room.workspace, history=False), file)
            data = json.loads(file.getvalue())
            data["documents"].append(NOTE)
            facade.import_file(access=self.access, load=lambda: data, actor=self.owner.actor, request=request)
        else:
            facade.list_imports(access=self.access)
            if facade.is_erased(workspace=self.room.workspace):
                raise LinkInvalid

    def _call(self, assignment: Assignment, tool: str, arguments: Any) -> dict[str, Any]:
        return self.room.use(assignment, tool, arguments, call=f"c{next(_numbers)}")

    def _acknowledge(self, event: str | None) -> None:
        if event is not None:
            self.acknowledged.append(event)

    def erase(self, at_first: int) -> None:
        for _ in range(at_first):
            assert self.begun.acquire(timeout=PATIENCE_S)
        try:
            assistant.erase_workspace(workspace=self.room.workspace, access=self.access)
        finally:
            self.gone.set()
            connection.close()


def _race(scene: Scene, *steps: Callable[[int], None]) -> None:
    with ThreadPoolExecutor(len(steps) + 1) as pool:
        workers = [pool.submit(partial(scene.work, step)) for step in steps]
        pool.submit(scene.erase, len(steps)).result(timeout=PATIENCE_S)
        done = [worker.result(timeout=2 * PATIENCE_S) for worker in workers]
    assert min(done) >= 2
    no_trace_but_the_tombstone(scene.room.workspace)
    assert scene.room.workspace not in documents.workspaces()
    seq = Workspace.objects.get(pk=scene.room.workspace).seq
    events = set(Event.objects.filter(workspace=scene.room.workspace).values_list("id", flat=True))
    assert set(scene.acknowledged) <= events
    assert len(events) == seq


@pytest.mark.parametrize("round_", range(2))
def test_an_erasure_amid_commits_and_links_leaves_nothing_half(round_: int) -> None:
    scene = Scene()
    _race(scene, scene.commit, scene.undo, scene.manage_links, scene.set_up, scene.connect)


@pytest.mark.parametrize("round_", range(2))
def test_an_erasure_amid_typing_and_imports_leaves_nothing_half(round_: int) -> None:
    scene = Scene()
    _race(scene, scene.type_live, scene.type_live, scene.bring_in, scene.commit, scene.undo)


@pytest.mark.parametrize("round_", range(2))
def test_an_erasure_amid_conversations_and_tool_calls_leaves_nothing_half(round_: int) -> None:
    scene = Scene()
    _race(scene, scene.converse, scene.serve, scene.commit, scene.serve)


def test_of_two_erasures_at_once_one_is_done_and_the_other_is_told() -> None:
    scene = Scene()
    barrier = threading.Barrier(2)

    def erase() -> str:
        barrier.wait(timeout=PATIENCE_S)
        try:
            assistant.erase_workspace(workspace=scene.room.workspace, access=scene.access)
            return "done"
        except LinkInvalid:
            return "gone"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(erase) for _ in range(2)]
        assert sorted(answer.result(timeout=PATIENCE_S) for answer in answers) == ["done", "gone"]
    no_trace_but_the_tombstone(scene.room.workspace)


def test_two_owners_who_revoke_each_other_at_once_do_not_lock_everybody_out() -> None:
    """The rule of the last owner link holds over two requests as over one."""
    for _ in range(5):
        owner = make_room()
        second = facade.create_link(access=owner.access, label="", role="owner")
        accesses = [owner.access, Access(owner.workspace, second.id, "owner")]
        barrier = threading.Barrier(2)

        def revoke(index: int, accesses: list[Access] = accesses, barrier: threading.Barrier = barrier) -> bool:
            barrier.wait(timeout=PATIENCE_S)
            try:
                facade.revoke_link(access=accesses[index], link=accesses[1 - index].link)
                return True
            except LinkInvalid:
                return False
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(revoke, range(2)))
        assert sorted(answers) == [False, True]
        survivor = accesses[answers.index(True)]
        assert facade.check_link_alive(workspace=owner.workspace, link=survivor.link) == "owner"
