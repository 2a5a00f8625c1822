"""Random typing by several clients, typed operations, undos, restarts, reconnects and resumes: the same everywhere.

What is typed at the same time is merged by Yjs, so Yjs is the model of it: whatever a client typed must be part of the
stored document, and nothing else. Everything but the texts is held against the plain model. An edit of a text by the
server is held against the text as it was, and its undo against a plain rule: it takes back a stretch that stands whole,
whatever was typed beside it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import event as tell
from hypothesis import strategies as st
from pycrdt import Doc

from tests.factories import append, create, replace
from tests.hypothesis_profiles import examples
from tests.properties.live_clients import Desk, Listener
from tests.properties.model_parts import Run
from tests.properties.strategies import LINES
from tests.properties.trial import Client, Trial
from tests.replay import assert_sound, content_of, load, snapshot
from workspaces import facade
from workspaces.commits.cache import documents
from workspaces.contracts import Access
from workspaces.errors import StaleClock, UndoConflict
from workspaces.realtime import room as rooms
from workspaces.realtime.live_queue import LiveQueue

KINDS = ("field.set", "item.add", "item.move", "item.update", "item.remove", "application.move_stage")
STEPS = (
    *["type"] * 8, *["race"] * 2, *["edit"] * 4, *["undo edit"] * 4, *["operations"] * 3, "undo", "undo turn", "stale",
    "leave", "leave", "come", "come", "restart", "cold", "seal", "listener",
)  # fmt: skip
# What is drawn must not depend on what has arrived by then: places are parts of a text's length. No content: delete.
STROKES = st.tuples(st.floats(0, 1), st.integers(1, 4), st.just("") | LINES)
_tokens = itertools.count(1)


class LiveTrial(Trial):
    """The product and the model side by side; texts are looked at apart."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__(data, KINDS)
        self.send("owner", [create("a", title="A", texts={"notes": "ab"}), create("b", title="B")])
        # Never taken back: any typing is in the way of that, and the plain model does not hear of typing.
        self.model.events.clear()
        a, b = [doc for doc in self.model.documents if doc.startswith("application:")]
        access = Access(workspace=self.owner.workspace, link=self.owner.link or "", role="owner")
        secrets = [facade.create_link(access=access, label="", role="edit").secret for _ in range(2)]
        places = [(a, "notes", 0), (a, "notes", 1), (a, "notes", 1), (b, "notes", 0), ("profile", "summary", 1)]
        self.desks = [Desk(self.owner, secrets[who], document, text) for document, text, who in places]
        self.listener = Listener(self.owner, secrets[0])
        self._queues: set[LiveQueue] = set()
        # Edits of texts by the server: receipt, document, text, what was put in, what it took out.
        self.edits: list[tuple[str, str, str, str, str]] = []

    def check(self) -> None:
        world = self.world()
        for document in (*world.values(), *self.model.documents.values()):
            (document["texts"] if isinstance(document, dict) else document.texts).clear()
        self.compare(world)

    # --- waiting --------------------------------------------------------------------------------------------------

    def queues(self) -> set[LiveQueue]:
        self._queues |= {room.typing for room in rooms._rooms.values()}
        return self._queues

    def stored(self, desk: Desk) -> Doc[Any]:
        """The document as it is committed now; others may be writing."""
        return load([facade.open_live(workspace=self.owner.workspace, document=desk.document).encode()])

    def lacks(self, desk: Desk) -> bool:
        """Whether something that was typed there is not part of the stored document."""
        doc = self.stored(desk)
        before = doc.get_update()
        for update in desk.typed:
            doc.apply_update(update)
        return doc.get_update() != before

    async def settle(self) -> None:
        """Until everything that connected desks have sent is committed, and they show what is."""
        for desk in self.desks:
            await desk.flush()
        async with asyncio.timeout(30):
            while any(desk.connected and self.lacks(desk) for desk in self.desks):
                for desk in self.desks:
                    await desk.read_all()
                await asyncio.sleep(0.005)
            # Also what somebody sent who has left since.
            while any(queue._committing is not None for queue in self.queues()):
                await asyncio.sleep(0.005)
        for desk in self.desks:
            if desk.connected:
                await desk.catch_up(content_of(self.stored(desk)))

    def seal(self) -> None:
        """As if everybody had rested."""
        facade.seal_rested(before=facade.now() + timedelta(minutes=1), limit=100)

    # --- steps ----------------------------------------------------------------------------------------------------

    async def live_step(self) -> None:
        choice = self.data.draw(st.sampled_from(STEPS))
        self.queues()
        if choice in ("edit", "undo edit", "operations", "undo", "undo turn", "stale"):
            # These are held against the rows and the texts as they were: nothing may be under way.
            await self.settle()
        if choice in ("undo edit", "undo", "undo turn"):
            # An undo seals what is being typed first of all, so that a conflict can name its event.
            self.seal()
        match choice:
            case "type":
                await self.type()
            case "race":
                await self.race()
            case "edit":
                self.edit()
            case "undo edit":
                self.undo_edit()
            case "operations":
                self.work(retry=self.data.draw(st.booleans()))
            case "undo":
                self.undo()
            case "undo turn":
                self.undo_turn()
            case "stale":
                self.stale()
            case "leave":
                await self.data.draw(st.sampled_from(self.desks)).leave()
            case "come":
                await self.data.draw(st.sampled_from(self.desks)).connect()
            case "restart":
                for desk in self.desks:
                    await desk.leave()
                await self.listener.leave()
                documents.clear()
            case "cold":
                documents.clear()
            case "seal":
                self.seal()
            case "listener":
                await (self.listener.leave() if self.listener.connected else self.listener.connect())

    async def type(self) -> None:
        desk = self.data.draw(st.sampled_from(self.desks))
        strokes = self.data.draw(st.lists(STROKES, min_size=1, max_size=3))
        sent = self.data.draw(st.integers(0, 3))
        if not desk.seen:
            return
        for where, count, content in strokes:
            length = len(desk.content)
            at = min(int(where * (length + 1)), length)
            if not content and at < length:
                desk.delete(at, min(count, length - at))
            elif content:
                desk.insert(at, content)
        if sent:
            await desk.flush()
        tell("typed online" if desk.connected else "typed offline")

    async def race(self) -> None:
        """Typing and an operation on another part of the same document at once: both stand, neither is stale."""
        desk = self.data.draw(st.sampled_from(self.desks))
        await self.type()
        await asyncio.sleep(0)
        document = desk.document
        name = {"profile": "label"}.get(document, "next_step")
        value = f"race {next(_tokens)}"
        clocks = {document: self.clocks()[document]}
        await asyncio.sleep(0)
        run, trial = Run(), self.model
        operation = {"kind": "field.set", "document": document, "field": name, "value": value}
        done = await asyncio.to_thread(self.owner.commit, operation, clocks=clocks)
        assert trial.apply(operation, {}, lambda *_: "", run)
        self.record(trial, self.owner, done, run)

    def text_of(self, desk: Desk) -> str:
        return str(self.owner.read(desk.document)["texts"].get(desk.name, ""))

    def edit(self) -> None:
        desk = self.data.draw(st.sampled_from(self.desks))
        before = self.text_of(desk)
        # Two tokens share neither beginning nor end: a replacement puts in the whole of the new one.
        mark = chr(0x4E00 + next(_tokens) % 0x5000)
        token = f"{mark}-{mark}"
        standing = [put for _, place, _, put, _ in self.edits if place == desk.document and before.count(put) == 1]
        if self.data.draw(st.booleans()) and standing:
            old = standing[-1]
            done = self.owner.commit(replace(desk.document, desk.name, old, token))
            assert self.text_of(desk) == before.replace(old, token)
        else:
            old = ""
            done = self.owner.commit(append(desk.document, desk.name, token))
            assert self.text_of(desk) == before + token
        assert done.receipt is not None
        self.edits.append((done.receipt, desk.document, desk.name, token, old))

    def undo_edit(self) -> None:
        where = self.data.draw(st.floats(0, 1, exclude_max=True))
        if not self.edits:
            return
        receipt, document, name, put, took = self.edits[int(where * len(self.edits))]
        note(f"undo of {put} in {document}")
        rows = snapshot(self.owner.workspace)
        before = str(self.owner.read(document)["texts"].get(name, ""))
        whole = before.count(put) == 1
        back = any(other[4] == put for other in self.edits)
        try:
            self.owner.undo(receipt)
        except UndoConflict:
            tell("undo of an edit refused")
            # What was taken out and put back by an undo may be found again, or not.
            assert not whole or back
            assert snapshot(self.owner.workspace) == rows
        else:
            tell("undo of an edit")
            assert whole
            assert str(self.owner.read(document)["texts"].get(name, "")) == before.replace(put, took)
            self.edits = [edit for edit in self.edits if edit[0] != receipt]

    def stale(self) -> None:
        """Clocks that cannot be right, whoever types meanwhile: from before the document was, and of the future."""
        desk = self.data.draw(st.sampled_from(self.desks))
        future = self.data.draw(st.integers(0, 2))
        clock = self.clocks()[desk.document] + future if future else 0
        rows = snapshot(self.owner.workspace)
        with pytest.raises(StaleClock):
            self.owner.commit(append(desk.document, desk.name, "x"), clocks={desk.document: clock})
        self.same(rows)

    # --- the end --------------------------------------------------------------------------------------------------

    async def finish(self) -> None:
        for desk in self.desks:
            await desk.connect()
        await self.settle()
        assert not any(self.lacks(desk) for desk in self.desks)
        self.seal()
        await self.settle()
        self.check()
        world = self.world()
        await self.listener.connect()
        assert await self.listener.catch_up() == world
        self.client.resume()
        assert self.client.seen() == world
        assert Client(self.owner.workspace).seen() == world
        for desk in self.desks:
            await desk.catch_up(world[desk.document])
        assert_sound(self.owner)

    async def leave(self) -> None:
        for desk in self.desks:
            await desk.leave()
        await self.listener.leave()


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """One loop for all examples, and so one set of database threads."""
    with asyncio.Runner() as made:
        yield made


async def live(data: st.DataObject) -> None:
    trial = LiveTrial(data)
    try:
        for desk in trial.desks[: data.draw(st.integers(1, len(trial.desks)))]:
            await desk.connect()
        for _ in range(data.draw(st.integers(8, 20))):
            await trial.live_step()
        await trial.finish()
    finally:
        await trial.leave()


@settings(
    max_examples=examples(8),
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_what_is_typed_committed_and_undone_is_the_same_everywhere(
    transactional_db: None, runner: asyncio.Runner, data: st.DataObject
) -> None:
    runner.run(live(data))
