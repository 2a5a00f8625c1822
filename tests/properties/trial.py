"""The product beside the plain model: random batches and undos by everybody, and what a page that resumes sees.

Subclasses add what else may happen in between.
"""

from __future__ import annotations

import copy
import itertools
from typing import Any, ClassVar

import pytest
from hypothesis import event as tell
from hypothesis import note
from hypothesis import strategies as st
from pycrdt import Doc

from tests.factories import Writer, agent, another_human, open_workspace, system
from tests.properties import model as plain
from tests.properties.model_parts import PEOPLE_ONLY, Event, NewItem, Refused, Run
from tests.properties.strategies import operations
from tests.properties.text_model import Hunk, hunks_between
from tests.replay import apply_messages, content_of, read_by, snapshot, stored_updates
from workspaces import facade
from workspaces.commits.cache import documents
from workspaces.commits.lookups import receipt_rows_of_turn
from workspaces.contracts import CommitResult
from workspaces.documents import paths
from workspaces.errors import DomainError, StaleClock, UndoConflict
from workspaces.models import Document
from workspaces.operations.catalogue import ASSISTANT_KINDS, PUBLIC_KINDS

# A batch with text.merge in it is not taken back; typing goes over the document sockets here.
MODEL_KINDS = tuple(kind for kind in PUBLIC_KINDS if kind != "text.merge")


class Client:
    """A page that holds Yjs documents, misses messages while it is away and resumes."""

    def __init__(self, workspace: str) -> None:
        self.workspace = workspace
        self.docs: dict[str, Doc[Any]] = {}
        self.seq = 0
        self.start()

    def start(self) -> None:
        """The singletons are there before any event: read them as a fresh page would."""
        for row in Document.objects.filter(workspace_id=self.workspace):
            doc: Doc[Any] = Doc()
            for update in stored_updates(row):
                doc.apply_update(update)
            self.docs[row.doc_id] = doc
        self.seq = facade.get_hello(workspace=self.workspace)["seq"]

    def resume(self) -> None:
        messages = facade.list_commits_after(workspace=self.workspace, seq=self.seq)
        assert messages is not None
        assert [m["seq"] for m in messages] == list(range(self.seq + 1, self.seq + 1 + len(messages)))
        apply_messages(self.docs, messages)
        self.seq += len(messages)

    def seen(self) -> dict[str, Any]:
        return {doc_id: content_of(doc) for doc_id, doc in self.docs.items()}


class Trial:
    """The product and the model side by side."""

    STEPS: ClassVar[list[str]] = ["work"] * 5 + ["undo"] * 4 + ["turn", "retry", "stale", "resume", "cold"]

    def __init__(self, data: st.DataObject, kinds: tuple[str, ...] = MODEL_KINDS) -> None:
        self.data = data
        self.kinds = kinds
        self.owner = open_workspace()
        other = another_human(self.owner)
        self.writers = {
            "owner": self.owner,
            "other": other,
            "turn 1": agent(self.owner, turn="trn_1"),
            "turn 2": agent(self.owner, turn="trn_2"),
            "system": system(self.owner),
        }
        self.model = plain.Workspace()
        self.client = Client(self.owner.workspace)

    def world(self) -> dict[str, Any]:
        rows = Document.objects.filter(workspace_id=self.owner.workspace).order_by("id")
        return read_by(self.owner, rows.values_list("doc_id", flat=True))

    def check(self) -> None:
        self.compare(self.world())

    def compare(self, world: dict[str, Any]) -> None:
        """Holds what the product shows against the model; ranks count by the order that they make."""
        columns: dict[str, list[tuple[str, str]]] = {}
        for doc_id, document in world.items():
            if "rank" in document["fields"]:
                columns.setdefault(document["fields"]["stage"], []).append((document["fields"].pop("rank"), doc_id))
        seen = {"documents": world, "columns": {s: [d for _, d in sorted(c)] for s, c in columns.items()}}
        assert seen == self.model.seen()

    def clocks(self) -> dict[str, int]:
        # In the order of creation: ids of one millisecond are in no order that a rerun would repeat.
        rows = Document.objects.filter(workspace_id=self.owner.workspace).order_by("id")
        return dict(rows.values_list("doc_id", "clock"))

    def same(self, rows: dict[str, Any]) -> None:
        assert snapshot(self.owner.workspace) == rows
        self.check()

    # --- steps ------------------------------------------------------------------------------------------------

    def step(self) -> None:
        self.take(self.data.draw(st.sampled_from(self.STEPS)))

    def take(self, choice: str) -> None:
        match choice:
            case "work":
                self.work()
            case "undo":
                self.undo()
            case "turn":
                self.undo_turn()
            case "retry":
                self.work(retry=True)
            case "stale":
                self.stale()
            case "resume":
                self.let_rest()
                self.client.resume()
                assert self.client.seen() == self.world()
            case "cold":
                documents.clear()

    def let_rest(self) -> None:
        """Before an undo or a page's resume: typing comes to rest, where there is any."""

    def note_sealed(self) -> None:
        """After a commit: tells the model of typing that has become events, where there is any."""

    def batch(self, writer: Writer) -> list[dict[str, Any]]:
        # Now and then an agent asks for what only people may do.
        polite = writer.thread and self.data.draw(st.integers(0, 9))
        allowed = [kind for kind in self.kinds if kind in ASSISTANT_KINDS or not polite]
        world = self.world()
        if self.kinds is not MODEL_KINDS:
            del world["profile"]
        batch: list[dict[str, Any]] = []
        for index in range(self.data.draw(st.integers(1, 4))):
            for operation in operations(self.data.draw, self.data.draw(st.sampled_from(allowed)), world):
                if operation["document"] == "new:made":
                    operation["document"] = f"new:made-{index}"
                batch.append(operation)
        return batch

    def work(self, *, retry: bool = False) -> None:
        name = self.data.draw(st.sampled_from(sorted(self.writers)))
        writer = self.writers[name]
        batch = self.batch(writer)
        if batch:
            self.send(name, batch, retry=retry)

    def send(self, name: str, batch: list[dict[str, Any]], *, retry: bool = False) -> None:
        writer = self.writers[name]
        note(f"{name}: {batch}")
        rows, clocks = snapshot(self.owner.workspace), self.clocks()
        named = {o["document"]: clocks.get(o["document"], 0) for o in batch}
        key = f"retry-{len(self.model.events)}-{len(str(batch))}" if retry else None
        try:
            done = writer.commit(*batch, clocks=named, key=key)
        except DomainError as refusal:
            tell(f"batch refused: {refusal.code}")
            assert self.refused(copy.deepcopy(self.model), writer, batch)
            self.same(rows)
            return
        self.note_sealed()
        trial = copy.deepcopy(self.model)
        run = Run()
        items = self.added(done)
        changed = [trial.apply(o, done.response["documents"], items, run) for o in batch]
        assert done.response["unchanged"] == [i for i, c in enumerate(changed) if not c]
        assert not writer.thread or not {o["kind"] for o in batch} & PEOPLE_ONLY
        tell("batch committed")
        self.record(trial, writer, done, run)
        self.check()
        self.rose(clocks, done)
        if retry:
            rows = snapshot(self.owner.workspace)
            again = writer.commit(*batch, clocks=named, key=key)
            assert (again.replayed, again.response) == (True, done.response)
            self.same(rows)

    def refused(self, trial: plain.Workspace, writer: Writer, batch: list[dict[str, Any]]) -> bool:
        if writer.thread and {o["kind"] for o in batch} & PEOPLE_ONLY:
            return True
        numbers = itertools.count()
        made = lambda document, section: f"itm_{next(numbers)}"  # noqa: E731
        new = {
            o["document"]: f"{o['document_kind']}:{i}" for i, o in enumerate(batch) if o["kind"] == "document.create"
        }
        try:
            for operation in batch:
                trial.apply(operation, new, made, Run())
        except Refused:
            return True
        return False

    def added(self, done: CommitResult) -> NewItem:
        """Tells the model the ids of added items: the new ones among the affected paths, in their order."""
        known = {
            item
            for document in self.model.documents.values()
            for items in document.sections.values()
            for item, _ in items
        }
        waiting: dict[tuple[str, str], list[str]] = {}
        for path in done.response["affected_paths"]:
            parts = path.split("/")
            if len(parts) == 4 and parts[1] == "sections" and parts[3] not in known:
                waiting.setdefault((parts[0], parts[2]), []).append(parts[3])
        return lambda document, section: waiting[(document, section)].pop(0)

    def record(self, trial: plain.Workspace, writer: Writer, done: CommitResult, run: Run, undoes: Any = ()) -> None:
        before = self.model
        self.model = trial
        if done.event is None:
            return
        hunks: dict[tuple[str, str], list[Hunk]] = {}
        for path in sorted(run.paths):
            parts = path.split("/")
            if len(parts) == 3 and parts[1] == "texts" and parts[0] not in run.created:
                old = before.documents[parts[0]].texts.get(parts[2], []) if parts[0] in before.documents else []
                hunks[(parts[0], parts[2])] = hunks_between(old, trial.documents[parts[0]].texts.get(parts[2], []))
        told = set(done.response["affected_paths"])
        assert all(paths.within(path, told) for path in run.paths)
        assert all(paths.within(path, run.paths) for path in told)
        assert done.receipt is not None
        event = Event(
            id=done.event,
            receipt=done.receipt,
            paths=run.paths,
            agent=writer.thread is not None,
            turn=writer.turn,
            thread=writer.thread,
            undoes=[e.id for e in undoes],
            inverse=run.inverse,
            hunks=hunks,
        )
        for undone in undoes:
            next(e for e in trial.events if e.id == undone.id).undone_by = done.event
        trial.events.append(event)

    def rose(self, before: dict[str, int], done: CommitResult) -> None:
        touched = {paths.document_of(path) for path in done.response["affected_paths"]}
        expected = {doc_id: clock + (doc_id in touched) for doc_id, clock in before.items()}
        expected |= dict.fromkeys(touched - before.keys(), 1)
        assert self.clocks() == expected
        assert done.response["clocks"]["after"] == {
            d: c for d, c in expected.items() if d in done.response["clocks"]["after"]
        }

    def undo(self) -> None:
        self.let_rest()
        with_receipts = [event for event in self.model.events if event.receipt]
        if not with_receipts:
            return
        writer = self.writers[self.data.draw(st.sampled_from(sorted(self.writers)))]
        event = self.data.draw(st.sampled_from(with_receipts[-6:]))
        tool = writer.thread is not None
        note(f"{writer.actor.actor} undoes {event.receipt} ({event.paths})")
        rows, clocks = snapshot(self.owner.workspace), self.clocks()
        in_the_way = self.model.in_the_way([event])
        certain = self.model.certain([event])
        trial = copy.deepcopy(self.model)
        try:
            done = writer.undo(event.receipt, only_thread=writer.thread if tool else None)
        except DomainError as refusal:
            tell(f"undo refused: {refusal.code}")
            self.same(rows)
            if isinstance(refusal, UndoConflict) and in_the_way:
                told = {row["later_event"] for row in refusal.details["conflicts"]}
                assert told <= in_the_way
                return
            excused = (
                event.undone_by is not None
                or bool(in_the_way)
                or (tool and not event.agent)
                or not certain
                or self.hindered(trial, event)
            )
            assert excused
            return
        tell(f"undo committed, {'certain' if certain else 'judged'}, {'text' if event.hunks else 'other'}")
        assert event.undone_by is None
        assert not in_the_way
        assert not tool or event.agent
        run = Run()
        trial.take_back([trial.event(event.receipt)], self.texts(), run)
        if done.event is None:
            # What the batch had put in and taken out again.
            self.check()
            return
        self.record(trial, writer, done, run, undoes=[event])
        self.check()
        self.rose(clocks, done)

    def hindered(self, trial: plain.Workspace, event: Event) -> bool:
        """Something else than later work: the document is in the trash, or a value names one that is."""
        for doc_id, _ in event.hunks:
            if trial.documents[doc_id].state == "trashed":
                return True
        try:
            for step in event.inverse:
                trial._step(step, Run())
        except Refused:
            return True
        return False

    def undo_turn(self) -> None:
        self.let_rest()
        turn = self.data.draw(st.sampled_from(["trn_1", "trn_2"]))
        receipts = {row.id for row in receipt_rows_of_turn(self.owner.workspace, turn)}
        rows, clocks = snapshot(self.owner.workspace), self.clocks()
        going = [e for e in reversed(self.model.events) if e.receipt in receipts and self.counts(e)]
        in_the_way = self.model.in_the_way(going)
        trial = copy.deepcopy(self.model)
        note(f"undo of {turn}: {[e.receipt for e in going]}")
        try:
            seen = facade.preview_turn_undo(workspace=self.owner.workspace, turn=turn)
        except DomainError:
            assert not going
            self.same(rows)
            return
        assert seen["receipts"] == [event.receipt for event in going]
        assert not (in_the_way and seen["possible"])
        try:
            done = self.owner.undo_turn(turn, clocks=seen["expected_clocks"])
        except DomainError as refusal:
            tell(f"turn refused: {refusal.code}")
            assert not seen["possible"]
            self.same(rows)
            return
        tell(f"turn undone: {len(going)} receipts")
        assert seen["possible"]
        run = Run()
        trial.take_back([trial.event(event.receipt) for event in going], self.texts(), run)
        if done.event is None:
            self.check()
            return
        self.record(trial, self.owner, done, run, undoes=going)
        self.check()
        self.rose(clocks, done)

    def counts(self, event: Event) -> bool:
        """Still to be taken back: not undone, and not itself the taking back of what the same turn had done."""
        if event.undone_by is not None:
            return False
        depth, current = 0, event
        while current.undoes:
            [undone] = [e for e in self.model.events if e.id == current.undoes[0]]
            if undone.turn != event.turn:
                break
            depth, current = depth + 1, undone
        return depth % 2 == 0

    def texts(self) -> dict[str, dict[str, str]]:
        return {doc_id: document["texts"] for doc_id, document in self.world().items()}

    def stale(self) -> None:
        clocks = self.clocks()
        document = self.data.draw(st.sampled_from([d for d in clocks if self.model.documents[d].state != "trashed"]))
        clock = self.data.draw(st.integers(0, clocks[document] + 2).filter(lambda c: c != clocks[document]))
        rows = snapshot(self.owner.workspace)
        operation = {"kind": "text.append", "document": document, "text": "notes", "content": "x"}
        if document in ("profile", "plan"):
            operation["text"] = {"profile": "summary", "plan": "strategy"}[document]
        elif not document.startswith("application:"):
            operation["text"] = "body"
        with pytest.raises(StaleClock):
            self.owner.commit(operation, clocks={document: clock})
        self.same(rows)
