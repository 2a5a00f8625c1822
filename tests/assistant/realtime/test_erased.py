"""An erasure over real connections: sockets close with 4410, hosts are told, homes are erased until it is said so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assistant import facade
from assistant.host.connectors.scripted import Say, ScriptedConnector, WaitFor
from assistant.host.homes import Homes
from assistant.models import Connector, ConnectorErasure, Host, HostToken, Turn
from assistant.realtime import gateway
from assistant.tools.boundary import call_tool
from tests.assistant.host.running import run_host, until
from workspaces import facade as workspaces
from workspaces.realtime import hub, socket

from .live import in_thread, open_host, open_wire


async def _erase(desk) -> None:
    await in_thread(facade.erase_workspace, workspace=desk.workspace, access=desk.access)


def _homes(desk, host: str, count: int = 1) -> list[str]:
    """Connectors of this workspace that live on the host."""
    made = [
        Connector.objects.create(
            id=workspaces.new_id("con"), workspace=desk.workspace, provider="codex", link=desk.access.link,
            home_host=host, created_at=workspaces.now(),
        )
        for _ in range(count)
    ]  # fmt: skip
    return [row.id for row in made]


async def test_every_socket_of_the_workspace_closes_with_4410_and_no_other(server, desk, desks) -> None:
    other = desks()
    _, edit = desk.new_link("edit")
    paths = (f"/ws/workspaces/{desk.workspace}/", desk.rail, f"/ws/workspaces/{desk.workspace}/documents/plan/")
    async with (
        open_wire(server + paths[0], bearer=desk.secret) as page,
        open_wire(server + paths[0], bearer=edit) as another,
        open_wire(server + paths[1], bearer=edit) as rail,
        open_wire(server + paths[2], bearer=desk.secret) as document,
        open_wire(f"{server}/ws/workspaces/{other.workspace}/", bearer=other.secret) as elsewhere,
    ):
        for wire in (page, another, elsewhere):
            await wire.get_until(lambda message: message["type"] == "hello")
        for wire in (rail, document):
            await wire.alive()
        await asyncio.sleep(0)
        await _erase(desk)
        assert [await wire.closed() for wire in (page, another, rail, document)] == [4410] * 4
        await elsewhere.alive()
    for path in paths:
        async with open_wire(server + path, bearer=desk.secret) as again:
            assert await again.closed() == 4401


async def test_a_rotated_link_closes_its_sockets_and_voids_its_capabilities(server, desks) -> None:
    desk = desks(provider="scripted")
    never = asyncio.Event()
    connector = ScriptedConnector([Say("Hello "), WaitFor(never)])
    async with (
        run_host(server, desk.token, connector) as runner,
        open_wire(f"{server}/ws/workspaces/{desk.workspace}/", bearer=desk.secret) as page,
        open_wire(server + desk.rail, bearer=desk.secret) as rail,
    ):
        turn = await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
        capability = runner._sessions[turn].assignment.capability
        host = await in_thread(lambda: Turn.objects.get(pk=turn).claimed_by)
        made = await in_thread(facade.rotate_link, access=desk.access, link=desk.access.link)
        assert [await page.closed(), await rail.closed()] == [4401, 4401]
        read = {"surface": "board", "document": None, "job": None, "cursor": None}
        told = {"name": "get_workspace_context", "arguments": read, "call": "c", "turn": turn, "host": host}
        answer = await in_thread(lambda: call_tool(capability=capability, **told))
        assert answer["code"] == "capability_invalid"
        async with open_wire(server + desk.rail, bearer=made.secret) as again:
            assert (await again.get())["kind"] == "turn.queued"


async def test_an_erasure_that_nobody_heard_of_is_found_by_the_heartbeat(
    server, desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket.LinkSocket, "TICK_S", 0.05)
    monkeypatch.setattr(socket.LinkSocket, "HEARTBEAT_S", 0.05)
    async with (
        open_wire(f"{server}/ws/workspaces/{desk.workspace}/", bearer=desk.secret) as page,
        open_wire(server + desk.rail, bearer=desk.secret) as rail,
    ):
        await page.get()
        await rail.alive()
        monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
        await _erase(desk)
        assert [await page.closed(), await rail.closed()] == [4410, 4410]


async def test_a_running_turn_ends_on_its_host_and_leaves_nothing(server, desks) -> None:
    desk = desks(provider="scripted")
    never = asyncio.Event()
    connector = ScriptedConnector([Say("Hello "), WaitFor(never)])
    async with run_host(server, desk.token, connector) as runner:
        turn = await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
        await _erase(desk)
        async with asyncio.timeout(10):
            while turn in runner._sessions:
                await asyncio.sleep(0.02)
        assert runner.connected.is_set()


async def test_a_host_is_asked_at_once_and_its_word_ends_the_erasure(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        host_id = (await host.hello())["host_id"]
        homes = await in_thread(_homes, desk, host_id, 2)
        await _erase(desk)
        asked = [await host.get() for _ in range(2)]
        assert sorted(message["connector"] for message in asked) == sorted(homes)
        assert {tuple(message) for message in asked} == {("type", "connector")}
        for home in homes:
            await host.send({"type": "connector.erased", "connector": home})
        await until(lambda: not ConnectorErasure.objects.exists())
        # Said again, or of another: no effect but an answer.
        await host.send({"type": "connector.erased", "connector": homes[0]})
        assert (await host.get())["problem"]["code"] == "invalid_request"
        await host.alive()


async def test_a_host_that_was_away_is_asked_when_it_comes_back_and_again_until_it_answers(
    server, desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(gateway, "ASK_AGAIN_SECONDS", 0.1)
    async with open_host(server, desk.token) as host:
        host_id = (await host.hello())["host_id"]
    [home] = await in_thread(_homes, desk, host_id)
    await _erase(desk)
    async with open_host(server, desk.token) as host:
        assert (await host.hello())["host_id"] == host_id
        for _ in range(3):
            assert await host.get() == {"type": "connector.erase", "connector": home}
    assert await in_thread(ConnectorErasure.objects.count) == 1


async def test_another_host_cannot_say_that_a_home_is_gone(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        host_id = (await host.hello())["host_id"]
        [home] = await in_thread(_homes, desk, host_id)
        await _erase(desk)
        await host.get()
        async with open_host(server, desk.token) as stranger:
            await stranger.hello(host="stranger")
            await stranger.send({"type": "connector.erased", "connector": home})
            assert (await stranger.get())["type"] == "error"
        assert await in_thread(ConnectorErasure.objects.count) == 1


async def test_a_real_host_erases_the_home_and_a_companion_goes_with_its_workspace(
    server, desks, tmp_path: Path
) -> None:
    desk = desks(provider="scripted", token_workspace=True)
    homes = Homes(tmp_path / "homes")
    async with run_host(server, desk.token, ScriptedConnector([Say("x")]), name="laptop", homes=homes):
        host_id = await in_thread(lambda: Host.objects.get(name="laptop").id)
        mine, other = await in_thread(_homes, desk, host_id, 2)
        for connector in (mine, other):
            (homes.open(connector) / "auth.json").write_text("secret")
        await in_thread(facade.delete_connector, access=desk.access, connector=mine)
        await until(lambda: not (tmp_path / "homes" / mine).exists() and not ConnectorErasure.objects.exists())
        assert (tmp_path / "homes" / other / "auth.json").read_text() == "secret"
        await _erase(desk)
        await until(lambda: not HostToken.objects.exists())
    assert list((tmp_path / "homes").iterdir()) == []
