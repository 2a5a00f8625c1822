"""Typing sessions: sealed at rest or before anything else is done to the document, and how others' work meets them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from pycrdt import Doc

from tests.factories import Writer, agent, another_human, append, op, replace, set_field
from tests.live_typing import Browser
from tests.replay import apply_messages, assert_sound, content_of, load, replayed, snapshot
from workspaces import facade
from workspaces.clock import now, rfc3339
from workspaces.commits import after_commit, live, store
from workspaces.errors import StaleClock, UndoConflict
from workspaces.models import Document, DocumentUpdate, Event, TypingSession
from workspaces.realtime import hub


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """What the workspace's pages were told."""
    heard: list[dict[str, Any]] = []

    def publish(*, topic: str, message: dict[str, Any]) -> None:
        if topic.startswith("workspace:"):
            heard.append(message)

    monkeypatch.setattr(after_commit.hub, "publish", publish)
    yield heard
    assert hub is after_commit.hub


def events(owner: Writer) -> list[dict[str, Any]]:
    """Oldest first."""
    return list(reversed(facade.list_events(access=owner.access, limit=100)["items"]))


def seal(before: datetime | None = None, limit: int = 100) -> int:
    return facade.seal_rested(before=before or now(), limit=limit)


def typed_event(
    writer: Writer, document: str, first: int, last: int, seq: int, text: str = "strategy"
) -> dict[str, Any]:
    return {
        "seq": seq,
        "actor_class": "human",
        "actor": f"link:{writer.link}",
        "reason": "",
        "origin_event": None,
        "operation_kinds": ["text.merge"],
        "affected_paths": [f"{document}/texts/{text}"],
        "clocks": {document: {"from": first, "to": last}},
        "receipt": None,
    }


def without(event: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}


# --- sealing -----------------------------------------------------------------------------------------------------


def test_typing_at_rest_becomes_one_event_of_its_author(owner: Writer, told: list[dict[str, Any]]) -> None:
    page: Doc[Any] = load([facade.open_live(workspace=owner.workspace, document="plan").encode()])
    browser = Browser(owner, "plan")
    for word in ("Hello", " there", "!"):
        browser.type(word)
    [session] = TypingSession.objects.all()
    assert seal(session.last_at - timedelta(milliseconds=1)) == 0
    assert events(owner) == []
    told.clear()
    assert seal(session.last_at) == 1
    [event] = events(owner)
    assert without(event, "id", "at") == typed_event(owner, "plan", 2, 4, seq=1)
    assert event["at"] == rfc3339(session.last_at)
    read = owner.read("plan")
    assert (read["clock"], read["last_event"]) == (4, event["id"])
    assert list(DocumentUpdate.objects.values_list("seq", flat=True)) == [1, 1, 1]
    assert TypingSession.objects.count() == 0
    # A page that heard only of the workspace ends with the same document.
    assert [message["type"] for message in told] == ["commit"]
    assert told[0]["event"] == event
    apply_messages({"plan": page}, told)
    assert content_of(page) == replayed(owner.workspace)["plan"]
    assert facade.list_document_events(access=owner.access, document="plan")["items"] == [event]
    assert_sound(owner)
    # Sealing again finds nothing; typing again begins a new session.
    before = snapshot(owner.workspace)
    assert seal() == 0
    assert snapshot(owner.workspace) == before
    browser.type(" Again")
    assert seal() == 1
    assert without(events(owner)[1], "id", "at") == typed_event(owner, "plan", 5, 5, seq=2)
    assert_sound(owner)


def test_each_authors_session_is_an_event_of_its_own(owner: Writer) -> None:
    other = another_human(owner)
    mine, theirs = Browser(owner, "plan"), Browser(other, "plan")
    fresh: Doc[Any] = load([facade.open_live(workspace=owner.workspace, document="plan").encode()])
    mine.type("one ")
    theirs.catch_up()
    theirs.type("two ")
    mine.catch_up()
    mine.type("three ")
    rested, awake = TypingSession.objects.order_by("clock_from")
    TypingSession.objects.filter(pk=awake.pk).update(last_at=now() + timedelta(seconds=60))
    assert seal() == 1
    assert Document.objects.get(doc_id="plan").typing == 1
    assert_sound(owner)
    TypingSession.objects.filter(pk=awake.pk).update(last_at=rested.last_at)
    assert seal() == 1
    assert [without(event, "id", "at") for event in events(owner)] == [
        typed_event(owner, "plan", 2, 4, seq=1),
        typed_event(other, "plan", 3, 3, seq=2),
    ]
    messages = facade.list_commits_after(workspace=owner.workspace, seq=0)
    assert messages is not None
    apply_messages({"plan": fresh}, messages)
    assert content_of(fresh) == replayed(owner.workspace)["plan"]
    assert_sound(owner)


def test_another_commit_to_the_document_seals_first_and_only_there(owner: Writer, told: list[dict[str, Any]]) -> None:
    note = owner.new("note", title="N")
    Browser(owner, "plan").type("Plan")
    Browser(owner, note).type("Note")
    Browser(another_human(owner), "plan").type("Too")
    told.clear()
    done = owner.commit(set_field("plan", "weekly_goal", 3))
    assert [event["operation_kinds"] for event in events(owner)] == [
        ["document.create"],
        ["text.merge"],
        ["text.merge"],
        ["field.set"],
    ]
    assert [event["seq"] for event in events(owner)] == [1, 2, 3, 4]
    assert [message["type"] for message in told] == ["commit", "commit", "commit", "receipt"]
    assert owner.read("plan")["last_event"] == done.event
    assert done.response["clocks"] == {"before": {"plan": 3}, "after": {"plan": 4}}
    assert [session.document.doc_id for session in TypingSession.objects.all()] == [note]
    assert_sound(owner)


def test_a_refused_or_empty_commit_seals_nothing(owner: Writer) -> None:
    Browser(owner, "plan").type("Plan")
    before = snapshot(owner.workspace)
    with pytest.raises(StaleClock):
        owner.commit(set_field("plan", "weekly_goal", 3), clocks={"plan": 9})
    assert snapshot(owner.workspace) == before
    owner.commit(set_field("plan", "weekly_goal", None))
    assert TypingSession.objects.count() == 1
    assert events(owner) == []


def test_one_document_that_cannot_be_sealed_does_not_keep_the_others_open(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Browser(owner, "plan").type("Plan")
    Browser(owner, "profile").type("Profile")
    real = store.close_typing_session
    plan = Document.objects.get(doc_id="plan")

    def broken(document: int, *args: Any, **options: Any) -> None:
        if document == plan.pk:
            raise OSError("a test says so")
        real(document, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(store, "close_typing_session", broken)
        assert seal() == 1
    assert [session.document.doc_id for session in TypingSession.objects.all()] == ["plan"]
    assert_sound(owner)
    assert seal() == 1
    assert_sound(owner)


def test_sealing_takes_about_as_many_as_it_is_told(owner: Writer) -> None:
    for index in range(5):
        Browser(owner, owner.new("note", title=str(index))).type("x")
    assert seal(limit=2) == 2
    assert seal(limit=2) == 2
    assert seal(limit=2) == 1
    assert_sound(owner)


def test_events_say_when_the_typing_ended_and_carry_their_digest(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = now() - timedelta(hours=1)
    with monkeypatch.context() as patch:
        patch.setattr(live, "now", lambda: long_ago)
        Browser(owner, "plan").type("x")
    owner.commit(set_field("plan", "weekly_goal", 3))
    assert events(owner)[0]["at"] == rfc3339(long_ago)
    assert all(len(event.digest) == 64 for event in Event.objects.all())
    assert_sound(owner)


# --- stale clocks ------------------------------------------------------------------------------------------------


def test_typing_makes_stale_only_what_touches_that_text(owner: Writer) -> None:
    app = owner.new(title="A", texts={"notes": "Start"})
    browser = Browser(owner, app)
    assistant = agent(owner)
    browser.type(" typed")
    assistant.commit(set_field(app, "title", "B"), clocks={app: 1})
    browser.catch_up()
    browser.type(" more")
    clock = owner.clock(app)
    before = snapshot(owner.workspace)
    for operation in (append(app, "notes", "!"), replace(app, "notes", "Start", "End")):
        with pytest.raises(StaleClock) as stale:
            assistant.commit(operation, clocks={app: clock - 1})
        assert stale.value.details == {"clocks": {app: {"expected": clock - 1, "current": clock}}}
    # Also beside another change of the same batch.
    with pytest.raises(StaleClock):
        assistant.commit(set_field(app, "title", "C"), append(app, "notes", "!"), clocks={app: clock - 1})
    assert snapshot(owner.workspace) == before
    fresh = facade.project_documents(workspace=owner.workspace, documents=[app])
    assert fresh["documents"][0]["texts"] == {"notes": "Start typed more"}
    assistant.commit(append(app, "notes", "!"), clocks=fresh["clocks"])
    assert owner.read(app)["texts"] == {"notes": "Start typed more!"}
    # What was typed before somebody's firm change is no reason any more, the change itself is.
    with pytest.raises(StaleClock):
        assistant.commit(set_field(app, "title", "D"), clocks={app: clock})
    assert_sound(owner)


def test_a_clock_ahead_is_stale_also_where_somebody_types(owner: Writer) -> None:
    Browser(owner, "plan").type("x")
    with pytest.raises(StaleClock):
        owner.commit(set_field("plan", "weekly_goal", 3), clocks={"plan": 3})


# --- undo --------------------------------------------------------------------------------------------------------


def test_typing_beside_an_anchored_range_does_not_block_its_undo(owner: Writer) -> None:
    owner.commit(append("plan", "strategy", "Start. "))
    done = agent(owner).commit(append("plan", "strategy", "Ask Ada. "))
    browser = Browser(owner, "plan")
    clock = owner.clock("plan")
    browser.type("Hello! ", at=0)
    browser.type("Bye!")
    preview = facade.preview_turn_undo(workspace=owner.workspace, turn="trn_1")
    assert (preview["possible"], preview["conflicts"]) == (True, [])
    assert TypingSession.objects.count() == 1
    # Typing never makes an undo stale.
    owner.undo(done.receipt, clocks={"plan": clock})
    assert owner.read("plan")["texts"] == {"strategy": "Hello! Start. Bye!"}
    assert [event["operation_kinds"] for event in events(owner)][-2:] == [["text.merge"], ["text.restore"]]
    assert_sound(owner)


def test_typing_inside_is_a_conflict_that_names_the_sealed_event(owner: Writer) -> None:
    done = agent(owner).commit(append("plan", "strategy", "Ask Ada."))
    browser = Browser(owner, "plan")
    browser.type(" kindly", at=3)
    [session] = TypingSession.objects.all()
    at = rfc3339(session.last_at)
    before = snapshot(owner.workspace)
    preview = facade.preview_turn_undo(workspace=owner.workspace, turn="trn_1")
    conflict = {"path": "plan/texts/strategy", "later_event": None, "actor_class": "human", "at": at}
    assert (preview["possible"], preview["conflicts"]) == (False, [conflict])
    assert snapshot(owner.workspace) == before
    with pytest.raises(UndoConflict) as refusal:
        owner.undo(done.receipt)
    [event] = [event for event in events(owner) if event["operation_kinds"] == ["text.merge"]]
    assert refusal.value.details == {"conflicts": [{**conflict, "later_event": event["id"]}]}
    assert owner.read("plan")["last_event"] == event["id"]
    assert TypingSession.objects.count() == 0
    assert_sound(owner)


def test_a_creation_in_which_somebody_types_is_not_taken_back(owner: Writer) -> None:
    assistant = agent(owner)
    done = assistant.commit(
        op("document.create", "new:n", document_kind="note", fields=[], texts=[{"text": "body", "content": "x"}])
    )
    note = done.response["documents"]["new:n"]
    Browser(owner, note).type("y")
    preview = facade.preview_turn_undo(workspace=owner.workspace, turn="trn_1")
    assert [(row["path"], row["later_event"]) for row in preview["conflicts"]] == [(f"{note}/texts/body", None)]
    with pytest.raises(UndoConflict) as refusal:
        owner.undo(done.receipt)
    assert [row["later_event"] for row in refusal.value.details["conflicts"]] == [events(owner)[-1]["id"]]
    with pytest.raises(UndoConflict):
        owner.undo_turn("trn_1")
    assert_sound(owner)


def test_typing_that_comes_between_sealing_and_undo_is_sealed_all_the_same(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workspaces.commits import undo

    done = agent(owner).commit(append("plan", "strategy", "Ask Ada."))
    browser = Browser(owner, "plan")
    real = undo.seal_documents
    left = ["between"]

    def seal_then_somebody_types(*args: Any, **options: Any) -> int:
        count = real(*args, **options)
        if left:
            browser.type(left.pop(), at=3)
        return count

    monkeypatch.setattr(undo, "seal_documents", seal_then_somebody_types)
    with pytest.raises(UndoConflict) as refusal:
        owner.undo(done.receipt)
    [event] = [event for event in events(owner) if event["operation_kinds"] == ["text.merge"]]
    assert [row["later_event"] for row in refusal.value.details["conflicts"]] == [event["id"]]
    assert_sound(owner)


def test_an_undo_of_another_field_goes_through_while_somebody_types(owner: Writer) -> None:
    done = owner.commit(set_field("plan", "weekly_goal", 3))
    Browser(owner, "plan").type("x")
    owner.undo(done.receipt)
    read = owner.read("plan")
    assert (read["fields"], read["texts"]) == ({}, {"strategy": "x"})
    assert_sound(owner)
