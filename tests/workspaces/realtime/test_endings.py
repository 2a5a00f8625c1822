"""How a workspace socket ends: revoked links, erased workspaces, slow readers, failures inside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from workspaces import facade
from workspaces.models import Workspace
from workspaces.realtime import hub, socket
from workspaces.realtime.consumers import WorkspaceSocket

from .pages import APPLICATION, Room

pytestmark = pytest.mark.django_db(transaction=True)


async def test_revoking_a_link_closes_its_sockets_and_no_others(room: Room) -> None:
    edit = await room.link("edit")
    theirs, ours = await room.page(edit.secret), await room.page()
    for page in (theirs, ours):
        await page.next("hello")
    await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
    assert await theirs.code() == 4401
    await room.commit("Ada")
    assert (await ours.next("commit"))["seq"] == 1


async def test_a_revocation_that_nobody_heard_of_is_found_by_the_heartbeat(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkspaceSocket, "TICK_S", 0.02)
    monkeypatch.setattr(WorkspaceSocket, "HEARTBEAT_S", 0.02)
    edit = await room.link("edit")
    page = await room.page(edit.secret)
    await page.next("hello")
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
    assert await page.code() == 4401


async def test_a_revocation_during_the_handshake_is_not_missed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = await room.link("edit")
    subscribe = hub.subscribe

    async def late(*topics: str, **options: Any) -> hub.Subscription:
        await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
        return await subscribe(*topics, **options)

    monkeypatch.setattr(socket.hub, "subscribe", late)
    assert await (await room.page(edit.secret)).code() == 4401
    monkeypatch.setattr(socket.hub, "subscribe", subscribe)


async def test_an_erased_workspace_closes_its_sockets(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    hub.publish(topic=f"workspace:{room.id}", message={"type": "workspace.erased"})
    assert await page.code() == 4410
    await Workspace.objects.filter(id=room.id).aupdate(erased_at="2026-11-30T00:00:00Z")
    assert await (await room.page()).code() == 4401


async def _run(room: Room, send: Callable[[dict[str, Any]], Any]) -> tuple[asyncio.Task[None], asyncio.Queue[Any]]:
    """The consumer below a server of our own, for what no well-behaved client does."""
    received: asyncio.Queue[Any] = asyncio.Queue()
    await received.put({"type": "websocket.connect"})
    scope = {
        "type": "websocket", "path": f"/ws/workspaces/{room.id}/", "query_string": b"",
        "headers": [(b"authorization", b"Bearer " + room.secret.encode())],
    }  # fmt: skip
    return asyncio.create_task(APPLICATION(scope, received.get, send)), received


async def test_a_reader_that_stops_is_given_up_and_its_buffer_is_bounded(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TICK_S", 0.02), ("STALL_S", 0.05), ("CLOSE_S", 0.05)):
        monkeypatch.setattr(WorkspaceSocket, name, value)
    greeted, stuck = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send" and '"hello"' in message["text"]:
            greeted.set()
        elif greeted.is_set():
            stuck.set()
            await asyncio.Event().wait()  # the network takes nothing any more

    task, _ = await _run(room, send)
    async with asyncio.timeout(20):
        await greeted.wait()
        await room.commit("Ada")
        await stuck.wait()
        await task


async def test_a_reader_that_is_too_slow_is_closed_and_told_to_come_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []
    gate, holding = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message["type"] == "websocket.send" and '"hold"' in message["text"]:
            holding.set()
            await gate.wait()

    task, received = await _run(room, send)
    topic = f"workspace:{room.id}"
    async with asyncio.timeout(20):
        while not any(m["type"] == "websocket.send" for m in sent):
            await asyncio.sleep(0)
        while not holding.is_set():
            hub.publish(topic=topic, message={"type": "hold"})
            await asyncio.sleep(0)
        for number in range(hub.CAPACITY_FRAMES + 10):
            hub.publish(topic=topic, message={"type": "fill", "n": number})
        await asyncio.sleep(0)
        gate.set()
        while sent[-1]["type"] != "websocket.close":
            await asyncio.sleep(0)
        assert sent[-1]["code"] == 1013
        await received.put({"type": "websocket.disconnect", "code": 1013})
        await task
    assert hub._hub._inboxes == {}


async def test_a_failure_inside_closes_the_socket_instead_of_leaving_it_deaf(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await room.page()
    await page.next("hello")

    def fail(**_: Any) -> None:
        raise RuntimeError("database away")

    monkeypatch.setattr(facade, "list_commits_after", fail)
    hub.publish(topic=f"workspace:{room.id}", message={"type": "commit", "seq": 7})
    assert await page.code() == 1011


async def test_a_change_of_settings_is_told_without_values_and_not_to_view_links(room: Room) -> None:
    view = await room.link("view")
    ours, theirs = await room.page(), await room.page(view.secret)
    for page in (ours, theirs):
        await page.next("hello")
    await sync_to_async(facade.update_settings)(access=room.access, body={"language": "de-CH"})
    assert await ours.next("settings") == {"type": "settings"}
    # Nothing is told when nothing was changed.
    await sync_to_async(facade.update_settings)(access=room.access, body={})
    await room.commit("Ada")
    assert (await ours.next("settings", "commit"))["type"] == "commit"
    assert (await theirs.next("settings", "commit"))["type"] == "commit"
