"""text.merge, the operation: a client's own update over HTTP, an event at once, for people only."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.factories import Writer, agent, append, op, replace, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound, snapshot, stored_updates
from workspaces import facade
from workspaces.commits import persist
from workspaces.errors import InvalidOperation, OperationNotAllowed, StaleClock
from workspaces.models import Document
from workspaces.operations.catalogue import ASSISTANT_KINDS


def events(owner: Writer) -> list[dict[str, Any]]:
    """Oldest first."""
    return list(reversed(facade.list_events(access=owner.access, limit=100)["items"]))


def merge(document: str, text: str, update: bytes | str) -> dict[str, Any]:
    encoded = update if isinstance(update, str) else base64.b64encode(update).decode()
    return op("text.merge", document, text=text, update=encoded)


def test_text_merge_needs_no_clock_and_is_an_event_at_once(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    done = owner.commit(merge("plan", "strategy", browser.insert(0, "Hello")), clocks={})
    assert done.response["clocks"] == {"before": {"plan": 1}, "after": {"plan": 2}}
    assert done.response["affected_paths"] == ["plan/texts/strategy"]
    assert (done.receipt, done.response["reversible"]) == (None, False)
    assert done.response["not_reversible_because"] == "What was typed is not taken back as a whole."
    [event] = events(owner)
    assert (event["id"], event["operation_kinds"]) == (done.event, ["text.merge"])
    assert event["clocks"] == {"before": {"plan": 1}, "after": {"plan": 2}}
    assert owner.read("plan")["last_event"] == done.event
    # It is typing to others: stale is only what touches the text.
    agent(owner).commit(set_field("plan", "weekly_goal", 3), clocks={"plan": 1})
    again = owner.commit(merge("plan", "strategy", browser.doc.get_update()), clocks={})
    assert (again.event, again.response["unchanged"]) == (None, [0])
    browser.catch_up()
    owner.commit(merge("plan", "strategy", browser.insert(0, "Oh. ")), clocks={"plan": 3})
    with pytest.raises(StaleClock):
        owner.commit(append("plan", "strategy", "!"), clocks={"plan": 3})
    with pytest.raises(StaleClock):
        owner.commit(merge("plan", "strategy", browser.insert(0, "x")), clocks={"plan": 3})
    assert owner.read("plan")["texts"] == {"strategy": "Oh. Hello"}
    assert_sound(owner)


def test_text_merge_beside_other_kinds_is_firm_and_sees_what_they_did(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    first, second = browser.insert(0, "Hello"), browser.insert(5, " there")
    owner.commit(
        append("plan", "strategy", "Server. "),
        merge("plan", "strategy", first),
        replace("plan", "strategy", "Hello", "Bye"),
        merge("plan", "strategy", second),
        set_field("plan", "weekly_goal", 3),
    )
    # Yjs decides where: at the same place as the server's own, and behind what has been replaced since.
    assert owner.read("plan")["texts"]["strategy"] == " thereByeServer. "
    with pytest.raises(StaleClock):
        owner.commit(set_field("plan", "weekly_goal", 4), clocks={"plan": 1})
    browser.catch_up()
    assert browser.content == owner.read("plan")["texts"]["strategy"]
    assert_sound(owner)


def test_text_merge_seals_what_is_being_typed_first(owner: Writer) -> None:
    browser = Browser(owner, "plan")
    browser.type("Hello")
    owner.commit(merge("plan", "strategy", browser.insert(5, "!")), clocks={})
    assert [event["clocks"] for event in events(owner)] == [
        {"plan": {"from": 2, "to": 2}},
        {"before": {"plan": 2}, "after": {"plan": 3}},
    ]
    assert_sound(owner)


def test_the_assistant_has_no_text_merge(owner: Writer) -> None:
    with pytest.raises(OperationNotAllowed):
        agent(owner).commit(merge("plan", "strategy", Browser(owner, "plan").insert(0, "x")), clocks={})
    assert "text.merge" in facade.operation_schemas(assistant=False)
    assert "text.merge" not in repr((ASSISTANT_KINDS, facade.operation_union(assistant=True)))


@pytest.mark.parametrize("case", ["base64", "bytes", "field", "other text", "no such text", "gap", "new document"])
def test_a_bad_update_is_an_invalid_operation_with_its_path(owner: Writer, case: str) -> None:
    app = owner.new(title="A", texts={"notes": "x"})
    browser = Browser(owner, app)
    plan = Browser(owner, "plan")
    batch: dict[str, tuple[list[Any], str, str]] = {
        "base64": ([merge(app, "notes", "AAA!")], "operations/0/update", "base64"),
        "bytes": ([merge(app, "notes", b"\x00")], "operations/0/update", "update"),
        "field": (
            [merge(app, "notes", browser.change(lambda: browser.root("fields").update({"title": "B"})))],
            "operations/0/update",
            "update_refused",
        ),
        "other text": ([merge(app, "notes", plan.insert(0, "x"))], "operations/0/update", "update_refused"),
        "no such text": ([merge(app, "body", browser.insert(0, "y"))], "operations/0/text", "unknown_text"),
        "gap": (
            [set_field(app, "title", "C"), merge(app, "notes", gap(browser))],
            "operations/1/update",
            "update_refused",
        ),
        "new document": (
            [
                op("document.create", "new:n", document_kind="note", fields=[], texts=[]),
                merge("new:n", "body", browser.insert(0, "y")),
            ],
            "operations/1/update",
            "update_refused",
        ),
    }
    operations, path, code = batch[case]
    before = snapshot(owner.workspace)
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(*operations)
    assert [(flaw.path, flaw.code) for flaw in refusal.value.flaws] == [(path, code)]
    assert snapshot(owner.workspace) == before


def gap(browser: Browser) -> bytes:
    browser.insert(0, "never sent")
    return browser.insert(3, "y")


def test_a_document_rebuilt_by_a_batch_with_typing_in_it_is_whole(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(owner, "plan")
    browser.type("Hello")
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 900)
    while Document.objects.get(doc_id="plan").epoch == 1:
        owner.commit(append("plan", "strategy", "y"), replace("plan", "strategy", "Hello", "Hell0"))
        owner.commit(replace("plan", "strategy", "Hell0", "Hello"))
    browser.read()
    browser.type("!")
    assert owner.read("plan")["texts"]["strategy"].endswith("y!")
    assert_sound(owner)
    assert stored_updates(Document.objects.get(doc_id="plan"))
