"""`/ws/workspaces/{ws}/`: the greeting, commits in order, resuming, and what each link hears."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pycrdt import Doc, Map

from workspaces import facade
from workspaces.models import DocumentUpdate
from workspaces.realtime import hub
from workspaces.realtime.consumers import WorkspaceSocket

from .pages import Room

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_greeting_names_the_documents_and_the_newest_commit(room: Room) -> None:
    await room.commit("Ada")
    page = await room.page()
    assert await page.next() == {
        "type": "hello",
        "documents": [{"id": "profile", "kind": "profile", "clock": 2}, {"id": "plan", "kind": "plan", "clock": 1}],
        "seq": 1,
    }


async def test_every_page_gets_the_commit_and_its_receipt(room: Room) -> None:
    view = await room.link("view")
    pages = [await room.page(), await room.page(), await room.page(view.secret)]
    for page in pages:
        await page.next("hello")
    answer = await room.commit("Ada")
    for page in pages:
        message = await page.next()
        assert (message["type"], message["seq"], message["event"]["id"]) == ("commit", 1, answer["event"])
        assert list(message["updates"]) == ["profile"]
        receipt = await page.next()
        assert (receipt["type"], receipt["receipt"]["id"]) == ("receipt", answer["receipt"]["id"])


async def test_the_updates_rebuild_the_document(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    for name in ("Ada", "Eve"):
        await room.commit(name)
    await page.say({"type": "resume", "after": 0})
    doc: Doc[Any] = Doc()
    for seq in (1, 2):
        message = await page.next("commit")
        assert message["seq"] == seq
        doc.apply_update(base64.b64decode(message["updates"]["profile"]))
    stored = await sync_to_async(facade.get_document)(access=room.access, document="profile")
    assert doc.get("fields", type=Map).to_py() == stored["fields"] == {"name": "Eve"}


async def test_commits_arrive_in_order_without_doubles_whatever_the_hub_does(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    messages = []
    listener = await hub.subscribe(f"workspace:{room.id}")
    for number in range(3):
        await room.commit(f"Ada {number}")
    async with asyncio.timeout(10):
        while len(messages) < 3:
            messages += [f.message for f in await listener.batch() if f.message["type"] == "commit"]
    listener.close()
    for message in (messages[0], messages[2], messages[1]):
        hub.publish(topic=f"workspace:{room.id}", message=message)
    await room.commit("Ada 3")
    assert [(await page.next("commit"))["seq"] for _ in range(4)] == [1, 2, 3, 4]


async def test_a_lost_message_is_filled_in_before_the_next(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await room.page()
    await page.next("hello")
    publish = hub._hub.publish
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    await room.commit("lost too")
    monkeypatch.setattr(hub._hub, "publish", publish)
    await room.commit("heard")
    assert [(await page.next("commit"))["seq"] for _ in range(3)] == [1, 2, 3]


async def test_a_gap_between_processes_is_filled_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await room.page()
    await page.next("hello")
    publish = hub._hub.publish
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    monkeypatch.setattr(hub._hub, "publish", publish)
    for inbox in hub._hub._inboxes.values():
        inbox.announce_gap()
    assert (await page.next("commit"))["seq"] == 1


async def test_the_heartbeat_finds_what_nobody_announced(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkspaceSocket, "TICK_S", 0.02)
    monkeypatch.setattr(WorkspaceSocket, "HEARTBEAT_S", 0.02)
    page = await room.page()
    await page.next("hello")
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    assert (await page.next("commit"))["seq"] == 1
    assert await page.next("heartbeat") == {"type": "heartbeat"}


async def test_resuming_gives_what_was_missed_in_order_and_goes_on(room: Room) -> None:
    for number in range(5):
        await room.commit(f"Ada {number}")
    page = await room.page()
    assert (await page.next("hello"))["seq"] == 5
    await page.say({"type": "resume", "after": 2})
    assert [(await page.next("commit"))["seq"] for _ in range(3)] == [3, 4, 5]
    await room.commit("Ada 5")
    assert (await page.next("commit"))["seq"] == 6
    await page.say({"type": "resume", "after": 6})
    await page.say({"type": "heartbeat"})
    assert (await page.next())["type"] in ("receipt", "heartbeat")


async def test_a_resuming_page_equals_a_fresh_one(room: Room) -> None:
    stayed = await room.page()
    await stayed.next("hello")
    for number in range(4):
        await room.commit(f"Ada {number}")
    came_back = await room.page()
    await came_back.say({"type": "resume", "after": 1})
    there = [await stayed.next("commit") for _ in range(4)]
    assert [await came_back.next("commit") for _ in range(3)] == there[1:]


async def test_too_far_behind_is_told_to_read_anew(room: Room) -> None:
    for number in range(3):
        await room.commit(f"Ada {number}")
    await sync_to_async(DocumentUpdate.objects.filter(seq=1).delete)()
    page = await room.page()
    await page.next("hello")
    await page.say({"type": "resume", "after": 0})
    assert await page.next() == {"type": "resync", "seq": 3}
    await room.commit("Ada 3")
    assert (await page.next("commit"))["seq"] == 4


async def test_a_page_from_the_future_is_told_to_read_anew(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    await page.say({"type": "resume", "after": 99})
    assert await page.next() == {"type": "resync", "seq": 0}


async def test_other_workspaces_are_not_heard(room: Room) -> None:
    other = Room(await sync_to_async(facade.create_workspace)())
    page = await room.page()
    await page.next("hello")
    await other.commit("elsewhere")
    await room.commit("here")
    message = await page.next("commit")
    assert message["event"]["affected_paths"] == ["profile/fields/name"]
    assert (await page.next("receipt"))["receipt"]["event"] == message["event"]["id"]


async def test_a_view_link_does_not_hear_of_threads_and_connectors(room: Room) -> None:
    view = await room.link("view")
    watching, owning = await room.page(view.secret), await room.page()
    for page in (watching, owning):
        await page.next("hello")
    topic = f"workspace:{room.id}"
    hub.publish(topic=topic, message={"type": "thread", "thread": {"id": "thr_1"}})
    hub.publish(topic=topic, message={"type": "connector", "id": "con_1", "state": "ready"})
    await room.commit("Ada")
    assert (await watching.next())["type"] == "commit"
    assert [(await owning.next())["type"] for _ in range(3)] == ["thread", "connector", "commit"]
