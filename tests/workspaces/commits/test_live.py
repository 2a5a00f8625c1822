"""Live typing: browsers' updates become clocks, log rows and messages at once, and events when they are sealed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, another_human, append, open_workspace, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound, content_of, load, read_by, replayed, snapshot
from workspaces import facade
from workspaces.commits import after_commit, live, lookups, persist, store
from workspaces.commits.cache import documents
from workspaces.contracts import LiveApplied, LiveUpdate
from workspaces.documents import live_update
from workspaces.errors import (
    DocumentTrashed,
    DomainError,
    EpochGone,
    LinkInvalid,
    LiveUpdateRefused,
    NotFound,
    TooLarge,
    ViewOnly,
)
from workspaces.models import DocumentUpdate, TypingSession


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What the hub was given, as (topic without the workspace, message)."""
    heard: list[tuple[str, dict[str, Any]]] = []

    def publish(*, topic: str, message: dict[str, Any]) -> None:
        name, _, rest = topic.partition(":")
        heard.append((f"{name}:{rest.partition(':')[2]}".rstrip(":"), message))

    monkeypatch.setattr(after_commit.hub, "publish", publish)
    return heard


def kinds(outcomes: list[Any]) -> list[Any]:
    return [outcome.clock if isinstance(outcome, LiveApplied) else type(outcome) for outcome in outcomes]


def events(owner: Writer) -> list[dict[str, Any]]:
    return list(facade.list_events(access=owner.access, limit=100)["items"])


def test_typing_is_committed_under_the_next_clock_and_told_at_once(
    owner: Writer, told: list[tuple[str, dict[str, Any]]]
) -> None:
    browser = Browser(owner, "plan")
    updates = [browser.insert(0, "Hello"), browser.insert(5, " \U0001f600"), browser.delete(0, 1)]
    outcomes = browser.send(*updates)
    assert kinds(outcomes) == [2, 3, 4]
    read = owner.read("plan")
    assert (read["clock"], read["texts"], read["last_event"]) == (4, {"strategy": "ello \U0001f600"}, None)
    assert [(topic, {**message, "update": None} if "update" in message else message) for topic, message in told] == [
        *[("document:plan", {"type": "typed", "clock": n, "epoch": 1, "update": None}) for n in (2, 3, 4)],
        ("workspace", {"type": "typing", "document": "plan", "clock": 4}),
    ]
    assert facade.get_hello(workspace=owner.workspace)["documents"][1] == {"id": "plan", "kind": "plan", "clock": 4}
    [session] = TypingSession.objects.all()
    assert (session.author, session.texts, session.clock_from, session.clock_to) == (
        f"link:{owner.link}",
        '["strategy"]',
        2,
        4,
    )
    assert list(DocumentUpdate.objects.order_by("clock").values_list("clock", "seq")) == [(2, 0), (3, 0), (4, 0)]
    assert facade.get_hello(workspace=owner.workspace)["seq"] == 0
    assert_sound(owner)


def test_a_bad_update_does_not_spoil_the_others_of_its_group(owner: Writer) -> None:
    other = another_human(owner)
    mine, theirs = Browser(owner, "plan"), Browser(other, "plan")
    evil = mine.change(lambda: mine.root("fields").update({"weekly_goal": 9}))
    mine.read()
    good, gap = theirs.insert(0, "two "), theirs.insert(4, "more ")
    theirs.read()
    updates = [mine.live(evil), mine.live(mine.insert(0, "one ")), theirs.live(gap), theirs.live(good)]
    outcomes = facade.merge_live(workspace=owner.workspace, document="plan", updates=updates)
    assert kinds(outcomes) == [LiveUpdateRefused, 2, LiveUpdateRefused, 3]
    assert sorted(owner.read("plan")["texts"]["strategy"].split()) == ["one", "two"]
    assert owner.read("plan")["fields"] == {}
    assert TypingSession.objects.count() == 2
    assert_sound(owner)


def test_a_view_link_may_send_what_is_known_and_nothing_more(owner: Writer) -> None:
    Browser(owner, "plan").type("Hello")
    viewer = Browser(another_human(owner, role="view"), "plan")
    before = snapshot(owner.workspace)
    assert viewer.send(viewer.doc.get_update(), b"\x00\x00") == [LiveApplied(None, b"")] * 2
    assert kinds(viewer.send(viewer.insert(0, "x"))) == [ViewOnly]
    assert snapshot(owner.workspace) == before


def test_who_may_not_is_told_why_and_changes_nothing(owner: Writer) -> None:
    app = owner.new(title="A")
    browser = Browser(owner, app)
    update = browser.insert(0, "x")
    stranger = open_workspace()
    revoked = another_human(owner)
    facade.revoke_link(access=owner.access, link=str(revoked.link))
    before = snapshot(owner.workspace)

    def merge(document: str, link: str | None) -> list[Any]:
        sent = LiveUpdate(author=f"link:{link}", link=link or "", update=update)
        return kinds(facade.merge_live(workspace=owner.workspace, document=document, updates=[sent]))

    assert merge(app, revoked.link) == merge(app, stranger.link) == merge("application:none", "") == [LinkInvalid]
    assert merge("application:none", owner.link) == [NotFound]
    assert facade.merge_live(workspace=owner.workspace, document=app, updates=[]) == []
    assert snapshot(owner.workspace) == before
    owner.commit({"kind": "document.trash", "document": app})
    before = snapshot(owner.workspace)
    assert merge(app, owner.link) == [DocumentTrashed]
    assert snapshot(owner.workspace) == before


def test_another_documents_typing_is_refused(owner: Writer) -> None:
    note, letter = owner.new("note", texts={"body": "Note"}), owner.new("letter", texts={"body": "Letter"})
    one, two = Browser(owner, note), Browser(owner, letter)
    before = snapshot(owner.workspace)
    outcomes = facade.merge_live(
        workspace=owner.workspace, document=letter, updates=[one.live(one.insert(2, "x")), one.live(one.delete(0, 1))]
    )
    assert kinds(outcomes) == [LiveUpdateRefused] * 2
    assert kinds(two.send(one.doc.get_update())) == [LiveUpdateRefused]
    assert snapshot(owner.workspace) == before


def test_the_same_update_twice_is_one_clock(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    update = browser.insert(0, "once")
    assert kinds(browser.send(update, update)) == [2, None]
    before = snapshot(owner.workspace)
    assert kinds(browser.send(update)) == [None]
    assert snapshot(owner.workspace) == before


def test_what_yjs_makes_something_else_of_is_refused_and_the_rest_stands(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = Browser(owner, "plan"), Browser(another_human(owner), "plan")
    bad, good = mine.insert(0, "bad"), theirs.insert(0, "good")
    real = live_update.apply_live

    def apply(ydoc: Any, change: Any, before: str) -> str:
        content = real(ydoc, change, before)
        if "bad" in content:
            raise live_update.LiveMismatch
        return content

    monkeypatch.setattr(live, "apply_live", apply)
    updates = [theirs.live(good), mine.live(bad)]
    assert kinds(facade.merge_live(workspace=owner.workspace, document="plan", updates=updates)) == [
        2,
        LiveUpdateRefused,
    ]
    assert owner.read("plan")["texts"] == {"strategy": "good"}
    assert_sound(owner)


def fail(*_: Any, **__: Any) -> Any:
    raise OSError("a test says so")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (lookups, "lock_workspace"),
        (lookups, "link_roles"),
        (live, "open_warm"),
        (live, "read_live_update"),
        (live, "apply_live"),
        (store, "insert_update"),
        (store, "put_typing_session"),
        (store, "update_document"),
        (store, "write_snapshot"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_failure_anywhere_leaves_nothing(
    owner: Writer, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, after: bool
) -> None:
    monkeypatch.setattr(persist, "MAX_TAIL_UPDATES", 2)
    browser = Browser(owner, "plan")
    browser.type("Hello")
    update = browser.insert(5, " there")
    before, content = snapshot(owner.workspace), read_by(owner, ["plan"])
    served = facade.open_live(workspace=owner.workspace, document="plan").encode()
    real = getattr(module, name)

    def broken(*args: Any, **options: Any) -> Any:
        if after:
            real(*args, **options)
        return fail()

    with monkeypatch.context() as patch:
        patch.setattr(module, name, broken)
        with pytest.raises(OSError, match="a test says so"):
            browser.send(update)
    assert snapshot(owner.workspace) == before
    assert read_by(owner, ["plan"]) == content
    assert facade.open_live(workspace=owner.workspace, document="plan").encode() == served
    assert kinds(browser.send(update)) == [3]
    assert owner.read("plan")["texts"] == {"strategy": "Hello there"}
    assert_sound(owner)


def test_typing_is_compacted_like_every_change(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persist, "MAX_TAIL_UPDATES", 8)
    monkeypatch.setattr(persist, "KEPT_UPDATES", 4)
    browser = Browser(owner, "plan")
    for index in range(30):
        browser.type(f"{index} ")
        assert_sound(owner)
    kept = list(DocumentUpdate.objects.order_by("clock").values_list("clock", flat=True))
    assert len(kept) <= 12
    updates = facade.live_updates_after(workspace=owner.workspace, document="plan", clock=kept[0] - 1, epoch=1)
    assert updates is not None
    assert [clock for clock, _ in updates] == kept
    assert facade.live_updates_after(workspace=owner.workspace, document="plan", clock=kept[0] - 2, epoch=1) is None
    owner.commit(set_field("plan", "weekly_goal", 1))
    # The typing's own updates are no longer all there: read anew.
    assert facade.list_commits_after(workspace=owner.workspace, seq=0) is None
    assert_sound(owner)


def test_a_document_that_has_grown_too_large_is_rebuilt_and_its_typing_sealed(
    owner: Writer, monkeypatch: pytest.MonkeyPatch, told: list[tuple[str, dict[str, Any]]]
) -> None:
    done = owner.commit(append("plan", "strategy", "kept "))
    mine, theirs = Browser(owner, "plan"), Browser(another_human(owner), "plan")
    theirs.type("theirs ")
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 1_500)
    mine.catch_up()
    index = 0
    while owner.read("plan")["clock"] < 400 and facade.open_live(workspace=owner.workspace, document="plan").epoch == 1:
        # Pieces that no two can be joined into one.
        mine.type(f"{index % 10}", at=0)
        told.clear() if index % 2 else None
        index += 1
    state = facade.open_live(workspace=owner.workspace, document="plan")
    assert state.epoch == 2
    assert [message["type"] for topic, message in told if topic == "workspace"][-4:] == [
        "typing", "commit", "commit", "resync",
    ]  # fmt: skip
    assert [message for topic, message in told if topic == "document:plan"][-1] == {"type": "epoch", "epoch": 2}
    assert TypingSession.objects.count() == 0
    assert [event["operation_kinds"] for event in events(owner)] == [["text.merge"], ["text.merge"], ["text.append"]]
    assert owner.read("plan")["texts"]["strategy"] == mine.content
    assert mine.content.endswith("kept theirs ")
    # A tab of before must reload, whatever it says.
    before = snapshot(owner.workspace)
    for update in (
        mine.live(mine.insert(0, "x")),
        theirs.live(theirs.insert(0, "x")),
        theirs.live(theirs.delete(0, 2)),
    ):
        [outcome] = facade.merge_live(workspace=owner.workspace, document="plan", updates=[update])
        assert type(outcome) is EpochGone
    assert snapshot(owner.workspace) == before
    assert facade.live_updates_after(workspace=owner.workspace, document="plan", clock=state.clock, epoch=1) is None
    assert facade.live_updates_after(workspace=owner.workspace, document="plan", clock=state.clock, epoch=2) == []
    assert state.retired_client_ids == {facade_client_id(owner, 1)}
    mine.read()
    mine.type("!")
    owner.undo(done.receipt)
    assert "kept" not in owner.read("plan")["texts"]["strategy"]
    assert_sound(owner)


def facade_client_id(owner: Writer, epoch: int) -> int:
    from workspaces.documents.ydoc import client_id_of

    return client_id_of(owner.workspace, "plan", epoch)


def test_who_outgrows_the_document_is_refused_and_the_others_stand(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 2_000)
    mine, theirs = Browser(owner, "plan"), Browser(another_human(owner), "plan")
    updates = [mine.live(mine.insert(0, "x" * 3_000)), theirs.live(theirs.insert(0, "fine"))]
    assert kinds(facade.merge_live(workspace=owner.workspace, document="plan", updates=updates)) == [TooLarge, 2]
    assert owner.read("plan")["texts"] == {"strategy": "fine"}
    assert_sound(owner)


# --- what is served ----------------------------------------------------------------------------------------------


def test_what_is_served_is_the_committed_state_at_one_clock(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    browser.type("Hello")
    state = facade.open_live(workspace=owner.workspace, document="plan")
    browser.type(" there")
    assert (state.clock, state.epoch, state.retired_client_ids) == (2, 1, frozenset())
    assert content_of(load([state.encode()]))["texts"] == {"strategy": "Hello"}
    fresh = Browser(owner, "plan")
    assert fresh.content == "Hello there"
    old = load([state.encode()])
    newer = facade.open_live(workspace=owner.workspace, document="plan")
    old.apply_update(newer.encode(old.get_state()))
    assert old.get_state() == newer.state_vector() == fresh.doc.get_state()
    # The older state goes on being what it was.
    assert state.encode(newer.state_vector()) == state.encode(state.state_vector())
    assert replayed(owner.workspace)["plan"]["texts"] == {"strategy": "Hello there"}


@pytest.mark.parametrize("vector", [b"", b"\x01", b"\xff" * 20, b"\x05\x01"])
def test_bytes_that_are_no_state_vector_are_told(owner: Writer, vector: bytes) -> None:
    state = facade.open_live(workspace=owner.workspace, document="plan")
    with pytest.raises(ValueError):
        state.encode(vector)


def test_an_unknown_document_is_not_served(owner: Writer) -> None:
    with pytest.raises(NotFound):
        facade.open_live(workspace=owner.workspace, document="note:01")
    with pytest.raises(NotFound):
        facade.live_updates_after(workspace=owner.workspace, document="note:01", clock=1, epoch=1)


def test_updates_after_a_clock_bring_a_page_forward(owner: Writer) -> None:
    page, browser = Browser(owner, "plan"), Browser(owner, "plan")
    browser.type("Hello")
    owner.commit(append("plan", "strategy", " there"))
    browser.catch_up()
    browser.type("!")
    updates = facade.live_updates_after(workspace=owner.workspace, document="plan", clock=1, epoch=1)
    assert updates is not None
    assert [clock for clock, _ in updates] == [2, 3, 4]
    for _, update in updates:
        page.doc.apply_update(update)
    assert page.content == "Hello there!"
    assert facade.live_updates_after(workspace=owner.workspace, document="plan", clock=4, epoch=1) == []
    assert facade.live_updates_after(workspace=owner.workspace, document="plan", clock=5, epoch=1) is None


def test_the_warm_document_counts_for_the_next_update_after_every_kind_of_change(owner: Writer) -> None:
    app = owner.new(title="A", texts={"notes": "One"})
    browser = Browser(owner, app)
    steps: list[Any] = [
        lambda: browser.type(" two"),
        lambda: owner.commit(append(app, "notes", " three"), set_field(app, "title", "B")),
        lambda: browser.type("Zero ", at=0),
        lambda: owner.item(app, "checklist", title="x"),
        lambda: documents.evict(owner.workspace, app),
        lambda: browser.type("!"),
    ]
    for step in steps:
        browser.catch_up()
        step()
        assert_sound(owner)
    assert owner.read(app)["texts"] == {"notes": "Zero One two three!"}


def test_refusals_carry_no_content(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    [refusal] = browser.send(browser.insert(0, "secret\r"))
    assert isinstance(refusal, DomainError)
    assert "secret" not in f"{refusal.detail}{refusal.details}"
