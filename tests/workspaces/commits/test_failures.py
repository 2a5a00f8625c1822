"""Whatever fails, wherever it fails: all of the commit stands or none, and the next commit works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from django.db import transaction
from pycrdt import Doc, StickyIndex, Text

from tests.factories import Writer, add_item, agent, append, create, op, set_field
from tests.replay import assert_sound, read_by, replayed, snapshot
from workspaces import facade
from workspaces.commits import after_commit, persist, store, trail
from workspaces.commits.cache import documents
from workspaces.contracts import CommitResult
from workspaces.documents import ydoc as yjs
from workspaces.errors import DomainError, NotReversible, TooLarge
from workspaces.operations.base import Data, Effect, Planned
from workspaces.operations.catalogue import BY_KIND
from workspaces.operations.field_set import FieldSet


class BrokenError(Exception):
    pass


def panic() -> None:
    """A real PanicException of pycrdt, which is a BaseException."""
    doc: Doc[Any] = Doc()
    text = doc.get("text", type=Text)
    StickyIndex.from_json({"item": {"client": 5, "clock": 5}, "assoc": 0}, text).get_index()


def fail() -> None:
    raise BrokenError


def keyboard() -> None:
    raise KeyboardInterrupt


def before(real: Callable[..., Any], how: Callable[[], None]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        how()
        return real(*args, **options)

    return call


def after(real: Callable[..., Any], how: Callable[[], None]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        real(*args, **options)
        how()

    return call


PLACES: list[tuple[Any, str]] = [
    (yjs, "apply_edits"),
    (yjs, "create"),
    (persist, "open_warm"),
    (store, "open_commit"),
    (store, "workspace_row"),
    (store, "read_scene"),
    (store, "update_document"),
    (store, "insert_document"),
    (store, "insert_update"),
    (store, "insert_event"),
    (store, "advance_workspace"),
    (store, "insert_receipt"),
    (store, "finish_record"),
    (trail, "link_mac"),
]


@pytest.mark.parametrize(
    ("when", "how"), [(before, fail), (after, panic), (after, keyboard)], ids=["before", "panic", "interrupt"]
)
@pytest.mark.parametrize(("module", "name"), PLACES, ids=lambda v: v if isinstance(v, str) else "")
def test_a_failure_anywhere_leaves_nothing_behind(
    owner: Writer, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, when: Any, how: Any
) -> None:
    app = owner.new(title="A", texts={"notes": "one"})
    owner.commit(set_field(app, "title", "B"))
    rows, content = snapshot(owner.workspace), read_by(owner, [app, "profile"])
    batch = (
        set_field(app, "title", "C"),
        append(app, "notes", " two \U0001f600"),
        add_item(app, "checklist", title="x"),
        set_field("profile", "name", "Ada"),
        create("n", "note", title="N"),
    )
    clocks = {app: 2, "profile": 1, "new:n": 0}
    with monkeypatch.context() as broken:
        broken.setattr(module, name, when(getattr(module, name), how))
        with pytest.raises(KeyboardInterrupt if how is keyboard else Exception) as failure:
            owner.commit(*batch, key="k", clocks=clocks)
    assert failure.type in (BrokenError, RuntimeError, KeyboardInterrupt)
    assert snapshot(owner.workspace) == rows
    assert documents.get(owner.workspace, app) is None or documents.get(owner.workspace, app).clock == 2  # type: ignore[union-attr]
    assert read_by(owner, [app, "profile"]) == content
    assert_sound(owner)
    done = owner.commit(*batch, key="k", clocks=clocks)
    assert done.replayed is False
    assert owner.read(app)["texts"]["notes"] == "one two \U0001f600"
    assert_sound(owner)
    owner.undo(done.receipt)
    assert owner.read(app)["texts"]["notes"] == "one"
    assert_sound(owner)


def test_a_failing_undo_leaves_the_receipt_active(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    done = owner.commit(append("plan", "strategy", "one"))
    rows = snapshot(owner.workspace)
    with monkeypatch.context() as broken:
        broken.setattr(store, "mark_undone", after(store.mark_undone, fail))
        with pytest.raises(BrokenError):
            owner.undo(done.receipt)
    assert snapshot(owner.workspace) == rows
    owner.undo(done.receipt)
    assert_sound(owner)


class Enclosed:
    """A caller's steps that note how they were called and may fail."""

    def __init__(self, fail_in: str = "") -> None:
        self.fail_in = fail_in
        self.calls: list[Any] = []

    def before(self) -> None:
        assert transaction.get_connection().in_atomic_block
        self.calls.append("before")
        if self.fail_in == "before":
            fail()

    def after(self, result: CommitResult) -> None:
        assert transaction.get_connection().in_atomic_block
        self.calls.append(result)
        if self.fail_in == "after":
            fail()


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_callers_failing_step_takes_the_commit_along(owner: Writer, where: str) -> None:
    app = owner.new(title="A")
    rows = snapshot(owner.workspace)
    with pytest.raises(BrokenError):
        owner.commit(set_field(app, "title", "B"), enclosing=Enclosed(where))
    assert snapshot(owner.workspace) == rows
    assert owner.read(app)["fields"]["title"] == "A"
    assert_sound(owner)


def test_a_callers_steps_stand_around_the_commit_also_when_it_is_replayed(owner: Writer) -> None:
    enclosing = Enclosed()
    first = owner.commit(set_field("profile", "name", "A"), key="k", clocks={"profile": 1}, enclosing=enclosing)
    again = owner.commit(set_field("profile", "name", "A"), key="k", clocks={"profile": 1}, enclosing=enclosing)
    assert enclosing.calls == ["before", first, "before", again]
    assert (first.replayed, again.replayed) == (False, True)


def test_a_callers_steps_are_not_called_for_a_request_refused_before_the_transaction(owner: Writer) -> None:
    enclosing = Enclosed()
    with pytest.raises(DomainError):
        owner.commit(set_field("profile", "nothing", "A"), enclosing=enclosing)
    assert enclosing.calls == []


def test_nothing_is_published_for_a_commit_that_failed(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[Any] = []
    monkeypatch.setattr(after_commit.hub, "publish", lambda **message: published.append(message))
    with pytest.raises(BrokenError):
        owner.commit(set_field("profile", "name", "A"), enclosing=Enclosed("after"))
    assert published == []
    owner.commit(set_field("profile", "name", "A"))
    assert [message["message"]["type"] for message in published] == ["commit", "receipt"]


def test_an_effect_that_fails_undoes_nothing(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def broken(committed: Any) -> None:
        called.append("broken")
        fail()

    def sound(committed: Any) -> None:
        called.append(committed.event["id"])

    monkeypatch.setattr(after_commit, "AFTER_COMMIT", (broken, sound))
    done = owner.commit(set_field("profile", "name", "A"))
    assert called == ["broken", done.event]
    assert owner.read("profile")["fields"]["name"] == "A"


def test_a_document_that_grew_too_large_is_thrown_away_and_read_anew(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 2_000)
    with pytest.raises(TooLarge):
        owner.commit(append("plan", "strategy", "x" * 3_000))
    assert owner.read("plan")["texts"] == {}
    owner.commit(append("plan", "strategy", "y"))
    assert replayed(owner.workspace)["plan"]["texts"] == {"strategy": "y"}


# --- what cannot be taken back -----------------------------------------------------------------------------------


class Irreversible(FieldSet):
    kind: ClassVar[str] = "test.irreversible"

    def apply(self, data: Data, planned: Planned) -> Effect:
        effect = super().apply(data, planned)
        return Effect(effect.changed, not_reversible_because="A test says so." if effect.changed else None)


@pytest.fixture
def irreversible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_KIND, Irreversible.kind, Irreversible())  # type: ignore[arg-type]


def test_a_batch_that_cannot_be_taken_back_whole_is_refused_for_an_agent(owner: Writer, irreversible: None) -> None:
    before_ = snapshot(owner.workspace)
    operations = (
        set_field("plan", "weekly_goal", 1),
        op("test.irreversible", "profile", field="name", value="A"),
    )
    with pytest.raises(NotReversible) as refusal:
        agent(owner).commit(*operations)
    assert refusal.value.detail == "A test says so."
    assert snapshot(owner.workspace) == before_
    assert_sound(owner)


def test_a_person_may_and_gets_no_receipt(owner: Writer, irreversible: None) -> None:
    done = owner.commit(
        set_field("plan", "weekly_goal", 1), op("test.irreversible", "profile", field="name", value="A")
    )
    answer = done.response
    assert (answer["receipt"], answer["reversible"]) == (None, False)
    assert answer["not_reversible_because"] == "A test says so."
    assert facade.list_receipts(access=owner.access)["items"] == []
    assert owner.read("profile")["last_event"] == done.event
    assert_sound(owner)


def test_an_irreversible_kind_that_changes_nothing_is_nothing(owner: Writer, irreversible: None) -> None:
    done = agent(owner).commit(op("test.irreversible", "profile", field="name", value=None))
    assert done.response["unchanged"] == [0]


def test_a_removal_too_large_to_keep_has_no_receipt(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    from workspaces.commits import answer

    monkeypatch.setattr(answer, "MAX_INVERSE_BYTES", 100)
    item = owner.item("plan", "tasks", title="x" * 200)
    done = owner.commit(op("item.remove", "plan", section="tasks", item=item))
    assert (done.receipt, done.response["reversible"]) == (None, False)
