"""`/ws/…/documents/…/`: what typists see of each other, of the server's commits and of what is stored."""

from __future__ import annotations

import asyncio
from typing import Any

import pycrdt
import pytest
from asgiref.sync import sync_to_async

from tests.factories import append, human, op, replace, set_field
from workspaces import facade
from workspaces.commits.cache import documents
from workspaces.realtime import document_socket, hub, live_queue, yprotocol
from workspaces.realtime import room as rooms
from workspaces.realtime.live_queue import LiveQueue

from .typists import Desk, Typist

pytestmark = pytest.mark.django_db(transaction=True)


async def test_two_typists_see_each_other_and_the_document_holds_what_they_typed(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    ada.type("notes", 0, "Hello")
    await ada.flush()
    await bob.reads("notes", "Hello")
    bob.type("notes", 5, ", Ada ✓")
    await bob.flush()
    await ada.reads("notes", "Hello, Ada ✓")
    stored = await desk.stored()
    assert (stored["texts"]["notes"], stored["clock"]) == ("Hello, Ada ✓", 3)


async def test_concurrent_typing_ends_alike_everywhere(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    for turn in range(10):
        ada.type("notes", 0, f"a{turn} ")
        bob.type("notes", 0, f"b{turn} ")
    await asyncio.gather(ada.flush(), bob.flush())
    stored = (await desk.settled(21))["texts"]["notes"]
    await ada.reads("notes", stored)
    await bob.reads("notes", stored)
    assert sorted(stored.split()) == sorted(f"{who}{turn}" for who in "ab" for turn in range(10))


async def test_the_servers_commits_reach_typists_and_typing_reaches_pages(desk: Desk) -> None:
    ada, page = await desk.typist(), await desk.room.page()
    await page.next("hello")
    await desk.commit(append(desk.document, "notes", "From the page"))
    await ada.reads("notes", "From the page")
    assert (await page.next("commit"))["event"]["clocks"]["after"] == {desk.document: 2}
    ada.type("notes", 0, "> ")
    await ada.flush()
    assert await page.next("typing") == {"type": "typing", "document": desk.document, "clock": 3}
    await desk.commit(set_field(desk.document, "company", "Acme"))
    fields = ada.doc.get("fields", type=pycrdt.Map)
    await ada.until(lambda: "company" in fields)
    sealed, commit = await page.next("commit"), await page.next("commit")
    assert sealed["event"]["clocks"] == {desk.document: {"from": 3, "to": 3}}
    assert commit["event"]["clocks"]["after"] == {desk.document: 4}


async def test_typing_at_rest_becomes_one_event(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveQueue, "REST_S", 0.2)
    ada, page = await desk.typist(), await desk.room.page()
    for character in range(5):
        ada.type("notes", character, "x")
    await ada.flush()
    event = (await page.next("commit"))["event"]
    assert (event["operation_kinds"], event["actor"]) == (["text.merge"], f"link:{desk.room.access.link}")
    assert event["clocks"] == {desk.document: {"from": 2, "to": 6}}
    assert event["affected_paths"] == [f"{desk.document}/texts/notes"]
    assert [e["id"] for e in await desk.events()][-1] == event["id"]
    bob = await desk.typist()
    assert str(bob.text("notes")) == "xxxxx"


async def test_who_types_on_does_not_keep_anothers_typing_open(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveQueue, "REST_S", 0.3)
    edit = await desk.room.link("edit")
    ada, bob, page = await desk.typist(), await desk.typist(edit.secret), await desk.room.page()
    ada.type("notes", 0, "a")
    await ada.flush()
    await bob.reads("notes", "a")
    sealed = asyncio.create_task(page.next("commit"))
    async with asyncio.timeout(15):
        while not sealed.done():
            bob.type("notes", 0, "b")
            await bob.flush()
            await asyncio.sleep(0.02)
    assert sealed.result()["event"]["actor"] == f"link:{desk.room.access.link}"


async def test_a_client_that_was_away_gets_what_it_missed_and_brings_what_it_typed(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await bob.leave()
    bob.type("notes", 0, "offline ")
    ada.type("notes", 0, "online ")
    await ada.flush()
    await desk.settled(2)
    again = await desk.typist(doc=bob.doc)
    await again.read()
    await ada.until(lambda: "offline" in str(ada.text("notes")))
    stored = (await desk.settled(3))["texts"]["notes"]
    assert sorted(stored.split()) == ["offline", "online"]
    await again.reads("notes", stored)


async def test_an_update_that_is_known_already_raises_no_clock_and_is_told_to_nobody(desk: Desk) -> None:
    ada = await desk.typist()
    ada.type("notes", 0, "Hello")
    await ada.flush()
    await desk.settled(2)
    bob = await desk.typist()
    await bob.send(pycrdt.create_update_message(bob.doc.get_update()))
    await bob.send(yprotocol.sync_step_2(b"\x00\x00"))
    ada.type("notes", 0, "> ")
    await ada.flush()
    await bob.reads("notes", "> Hello")
    assert (await desk.stored())["clock"] == 3


async def test_the_address_is_taken_with_and_without_its_slash_and_escaped(desk: Desk) -> None:
    for ending in ("", "/"):
        typist = await desk.typist(ending=ending)
        assert typist.synced
    path = f"/ws/workspaces/{desk.room.id}/documents/{desk.document}?room=1"
    header = (b"authorization", b"Bearer " + desk.room.secret.encode())
    typist = Typist(path, [header])
    desk.typists.append(typist)
    assert (await typist.open()).synced


async def test_a_cold_document_is_read_once_for_all_who_join(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    documents.clear()
    reads = []
    opening = facade.open_live

    def counted(**where: str) -> Any:
        reads.append(where)
        return opening(**where)

    monkeypatch.setattr(facade, "open_live", counted)
    crowd = await asyncio.gather(*(desk.typist() for _ in range(12)))
    assert [str(typist.text("notes")) for typist in crowd] == [""] * 12
    assert len(reads) == 1


async def test_updates_that_come_together_are_committed_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    merging = facade.merge_live

    def counted(**what: Any) -> Any:
        sizes.append(len(what["updates"]))
        return merging(**what)

    monkeypatch.setattr(facade, "merge_live", counted)
    monkeypatch.setattr(live_queue, "MAX_WAITING", 8)
    ada = await desk.typist()
    for turn in range(60):
        ada.type("notes", turn, "x")
    await ada.flush()
    await desk.settled(61)
    assert sum(sizes) == 60
    assert max(sizes) > 1
    assert max(sizes) <= 9, "what waits is bounded"


async def test_a_lost_message_is_filled_from_the_log(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    ada.type("notes", 0, "first ")
    ada_updates, ada._pending = ada._pending, []
    # Committed by another process whose message never came.
    update = facade_update(desk, ada_updates[0])
    hub_publish, hub._hub.publish = hub._hub.publish, lambda **_: None  # type: ignore[method-assign]
    try:
        await sync_to_async(facade.merge_live)(workspace=desk.room.id, document=desk.document, updates=[update])
    finally:
        hub._hub.publish = hub_publish  # type: ignore[method-assign]
    await desk.commit(set_field(desk.document, "company", "Acme"))
    await bob.reads("notes", "first ")
    fields = bob.doc.get("fields", type=pycrdt.Map)
    await bob.until(lambda: "company" in fields)


def facade_update(desk: Desk, update: bytes) -> Any:
    from workspaces.contracts import LiveUpdate

    return LiveUpdate(f"link:{desk.room.access.link}", desk.room.access.link, update)


@pytest.mark.parametrize("told", ["heartbeat", "gap"])
async def test_a_loss_that_nothing_follows_is_found(desk: Desk, monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setattr(rooms, "CHECK_S", 0.0)
    if told == "heartbeat":
        monkeypatch.setattr(document_socket.DocumentSocket, "TICK_S", 0.02)
        monkeypatch.setattr(document_socket.DocumentSocket, "HEARTBEAT_S", 0.02)
    ada = await desk.typist()
    hub_publish, hub._hub.publish = hub._hub.publish, lambda **_: None  # type: ignore[method-assign]
    try:
        await desk.commit(append(desk.document, "notes", "unheard"))
    finally:
        hub._hub.publish = hub_publish  # type: ignore[method-assign]
    if told == "gap":
        next(iter(hub._hub._inboxes.values())).announce_gap()
    await ada.reads("notes", "unheard")


async def test_an_undo_shows_at_once(desk: Desk) -> None:
    ada = await desk.typist()
    answer = await desk.commit(append(desk.document, "notes", "Taken back"))
    await ada.reads("notes", "Taken back")
    ada.type("notes", 0, "> ")
    await ada.flush()
    await desk.settled(3)
    await desk.undo(answer["receipt"]["id"])
    await ada.reads("notes", "> ")


async def test_typing_in_what_an_edit_replaces_is_merged_by_character(desk: Desk) -> None:
    await desk.commit(append(desk.document, "notes", "one two three"))
    ada = await desk.typist()
    ada.type("notes", 13, "!")
    await desk.commit(replace(desk.document, "notes", "two", "2"))
    await ada.flush()
    await ada.reads("notes", "one 2 three!")
    assert (await desk.settled(4))["texts"]["notes"] == "one 2 three!"


async def test_a_new_document_and_the_singletons_are_typed_in_too(desk: Desk) -> None:
    created = op("document.create", "new:n", document_kind="note", fields=[], texts=[])
    note = (await desk.commit(created))["documents"]["new:n"]
    for document, text in ((note, "body"), ("profile", "summary"), ("plan", "strategy")):
        typist = await desk.typist(document=document)
        typist.type(text, 0, "typed")
        await typist.flush()
        other = await desk.typist(document=document)
        await other.reads(text, "typed")


async def test_awareness_is_seen_by_all_and_goes_with_its_socket(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await ada.say_state({"user": {"name": "Ada"}})
    await bob.until(lambda: bob.others() == {ada.doc.client_id: {"user": {"name": "Ada"}}})
    await bob.say_state({"cursor": 3})
    await ada.until(lambda: ada.others() == {bob.doc.client_id: {"cursor": 3}})
    late = await desk.typist()
    await late.until(lambda: len(late.others()) == 2)
    await ada.leave()
    await bob.until(lambda: ada.doc.client_id not in bob.others())


async def test_who_asks_for_awareness_is_told(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await ada.say_state({"user": {"name": "Ada"}})
    await bob.until(lambda: bob.others())
    bob.awareness.remove_awareness_states([ada.doc.client_id], "test")
    bob.awareness._meta.clear()
    await bob.send(yprotocol.query_awareness())
    await bob.until(lambda: bob.others() == {ada.doc.client_id: {"user": {"name": "Ada"}}})


async def test_a_heartbeat_keeps_stock_clients_from_giving_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_socket.DocumentSocket, "TICK_S", 0.02)
    monkeypatch.setattr(document_socket.DocumentSocket, "HEARTBEAT_S", 0.02)
    ada = await desk.typist()
    output = await ada.socket.receive_output(timeout=10)
    while output["bytes"] != yprotocol.awareness(()):
        output = await ada.socket.receive_output(timeout=10)


async def test_an_edit_link_types_and_its_name_is_on_the_event(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveQueue, "REST_S", 0.1)
    edit = await desk.room.link("edit")
    ada, page = await desk.typist(edit.secret), await desk.room.page()
    ada.type("notes", 0, "mine")
    await ada.flush()
    assert (await page.next("commit"))["event"]["actor"] == f"link:{edit.id}"


async def test_typing_under_way_is_committed_though_its_socket_leaves(desk: Desk) -> None:
    ada = await desk.typist()
    ada.type("notes", 0, "last words")
    await ada.flush()
    await ada.leave()
    assert (await desk.settled(2))["texts"]["notes"] == "last words"
    assert await sync_to_async(human(desk.room.id, desk.room.access.link).commit)(
        set_field(desk.document, "company", "Acme")
    )
