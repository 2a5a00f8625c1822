"""A host with a token of its own tries everything it should not: nothing happens, and the server lives."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest

from assistant import capabilities, facade
from assistant.models import TurnAudit
from workspaces import facade as workspaces

from .live import HELLO, RawHost, open_host

READ = {"surface": "overview", "document": None, "job": None, "cursor": None}
FOREIGN_KINDS = [
    ("message.delta", {"part": "answer", "text": "forged"}),
    ("message.completed", {"part": "answer", "text": "forged", "citations": []}),
    ("progress", {"text": "forged"}),
    ("limit", {"class": "requests", "retry_at": None}),
    ("auth", {"state": "needs_login"}),
    ("turn.completed", {"model": "forged"}),
    ("turn.failed", {"class": "timeout", "message": "forged"}),
    ("turn.cancelled", {}),
    ("tool.started", {"call": "c", "tool": "get_workspace_context", "summary": "forged"}),
    ("tool.completed", {"call": "c", "tool": "x", "outcome": "ok", "counts": {}, "truncated": False}),
    ("turn.queued", {"text": "forged"}),
    ("turn.started", {}),
    ("no.such.kind", {}),
]


def _write(value: str) -> dict[str, Any]:
    return {
        "reason": "forged",
        "expected_clocks": [{"document": "profile", "clock": 1}],
        "operations": [{"kind": "field.set", "document": "profile", "field": "name", "value": value}],
    }


def _everything(desk) -> Any:
    """All that could have changed in a workspace."""
    documents = workspaces.list_documents(access=desk.access)["items"]
    history = workspaces.list_events(access=desk.access)["items"]
    return json.dumps([documents, history, desk.events()], default=str, sort_keys=True)


async def test_another_hosts_turn_is_out_of_reach(server, desks) -> None:
    victim, intruder_desk = desks(), desks()
    narrow = facade.create_host_token(workspace=intruder_desk.workspace)
    attempts = 0
    async with open_host(server, victim.token) as owner, open_host(server, narrow.secret) as intruder:
        await owner.hello(host="owner")
        await intruder.hello(host="intruder")
        assignment = {}
        turn = victim.ask("Mine?")
        assignment = await owner.assigned()
        await owner.say(turn, "Mine.")
        await owner.settled(turn)
        intruder_desk.ask("Own?")
        own = await intruder.assigned()
        await intruder.settled(own["turn"])
        before = _everything(victim), _everything(intruder_desk)

        for claimed in (turn, "trn_01JAAAAAAAAAAAAAAAAAAAAAAA"):
            for kind, data in FOREIGN_KINDS:
                await intruder.event(claimed, kind, data, id=f"f{attempts}")
                attempts += 1
                assert (await intruder.get())["code"] == "not_held"
            await intruder.send({"type": "turn.accept", "turn": claimed})
            assert await intruder.get() == {"type": "turn.cancel", "turn": claimed}
            await intruder.send({"type": "thread.bind", "turn": claimed, "provider_thread": "forged"})
            assert await intruder.get() == {"type": "turn.cancel", "turn": claimed}
            attempts += 2

        scope = capabilities.verify(own["capability"])
        deadline = workspaces.now() + timedelta(minutes=5)
        minted = {
            "stolen": assignment["capability"],
            "own": own["capability"],
            "old nonce": capabilities.mint(
                workspace=scope.workspace, connector=scope.connector, thread=scope.thread, turn=scope.turn,
                link=scope.link, nonce="non_old", deadline=deadline,
            ),
            "mixed": capabilities.mint(
                workspace=victim.workspace, connector=scope.connector, thread=scope.thread, turn=scope.turn,
                link=scope.link, nonce=scope.nonce, deadline=deadline,
            ),
            "cut": own["capability"][:-1],
            "empty head": "." + own["capability"],
            "word": "cvl",
        }  # fmt: skip
        for name, capability in minted.items():
            for claimed in (turn, own["turn"]):
                for tool, arguments in (
                    ("get_workspace_context", READ),
                    ("apply_workspace_operations", _write(name)),
                    ("undo_workspace_receipt", {"receipt": "rcp_x", "expected_clocks": [], "reason": ""}),
                    ("delete_workspace", {}),
                ):
                    if (name, claimed) == ("own", own["turn"]):
                        continue
                    attempts += 1
                    await intruder.send(
                        {
                            "type": "tool.call",
                            "turn": claimed,
                            "call": f"c{attempts}",
                            "capability": capability,
                            "name": tool,
                            "arguments": arguments,
                        }
                    )
                    result = (await intruder.get_until(lambda message: message["type"] == "tool.result"))[-1]
                    assert (result["result"]["status"], result["result"]["code"]) == ("refused", "capability_invalid")

        assert (_everything(victim), _everything(intruder_desk)) == before
        await owner.say(turn, " Still mine.")
        await owner.event(turn, "turn.completed", {})
        await owner.event(turn, "turn.completed", {}, id="again")
        await owner.get_until(lambda message: message.get("id") == "again")

    assert victim.text() == "Mine. Still mine."
    assert attempts == 82


async def test_after_the_end_a_turns_capability_and_events_are_worth_nothing(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        assignment = await host.assigned()
        turn = assignment["turn"]
        await host.event(turn, "turn.completed", {})
        await host.settled(turn)
        before = _everything(desk)
        for number, (kind, data) in enumerate(FOREIGN_KINDS):
            await host.event(turn, kind, data, id=f"late{number}")
            assert (await host.get())["code"] == "turn_ended"
        await host.call(assignment, "late", "apply_workspace_operations", _write("late"))
        assert (await host.get())["result"]["code"] == "capability_invalid"
        await host.send({"type": "turn.accept", "turn": turn})
        assert await host.get() == {"type": "turn.cancel", "turn": turn}

    assert _everything(desk) == before
    # `settled` sent one more.
    assert TurnAudit.objects.get(turn=turn).dropped_events == len(FOREIGN_KINDS) + 1


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "null",
        "[]",
        '"hello"',
        '{"type":"hello","type":"hello"}',
        '{"type":"heartbeat","x":NaN}',
        '{"type":"heartbeat","x":1e999}',
        '{"type":"heartbeat","x":"\\ud800"}',
        '{"type":"heartbeat","x":' + "[" * 500 + "]" * 500 + "}",
        '{"type":"heartbeat","x":' + "[" * 100_000,
        '{"type":"heartbeat","x":' + "9" * 5_000 + "}",
        b"\x00\xff\xfe",
        b'{"type":"heartbeat"}',
        "x" * 1_048_577,
        '{"type":"heartbeat","x":"' + "ä" * 600_000 + '"}',
    ],
    ids=lambda frame: repr(frame[:40]),
)
async def test_frames_that_are_no_messages_end_the_socket_and_nothing_else(server, desk, frame) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        turn = (await host.assigned())["turn"]
        await host.settled(turn)
        await host.socket.send(frame)
        assert await host.closed() == 4400
    assert desk.kinds() == ["turn.queued", "turn.started"]
    async with open_host(server, desk.token) as again:
        assert (await again.hello())["type"] == "welcome"


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": None},
        {"type": "turn.assign"},
        {"type": "welcome", "protocol": 1, "host_id": "hst_x", "heartbeat_s": 1},
        {"type": "workspace.erase"},
        {"type": "heartbeat", "more": 1},
        {"type": "turn.accept"},
        {"type": "turn.accept", "turn": 5},
        {"type": "turn.accept", "turn": ["trn_x"]},
        {"type": "turn.accept", "turn": "trn x"},
        {"type": "turn.accept", "turn": "t" * 201},
        {"type": "event", "turn": "trn_x", "kind": "message.delta", "data": {}},
        {"type": "event", "turn": "trn_x", "id": "", "kind": "message.delta", "data": {}},
        {"type": "event", "turn": "trn_x", "id": "1", "kind": "message.delta", "data": []},
        {"type": "event", "turn": "trn_x", "id": "1", "kind": 5, "data": {}},
        {"type": "tool.call", "turn": "trn_x", "call": "1", "capability": "x", "name": "y"},
        {"type": "tool.call", "turn": "trn_x", "call": {}, "capability": "x", "name": "y", "arguments": {}},
        {"type": "tool.call", "turn": "trn_x", "call": "1", "capability": "x" * 5_000, "name": "y", "arguments": {}},
        {"type": "thread.bind", "turn": "trn_x", "provider_thread": "x" * 501},
        {"type": "login.update", "connector": "con_x", "state": "ready"},
        {"type": "login.update", "connector": "con_x", "state": "maybe"},
        {"type": "connector.erased", "connector": "con_x"},
        {**HELLO},
        {**HELLO, "protocol": "1"},
    ],
    ids=str,
)
async def test_messages_that_are_not_of_the_protocol_are_answered_and_change_nothing(server, desk, message) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.settled(turn)
        before = _everything(desk)
        await host.send(message)
        answer = await host.get()
        assert (answer["type"], answer["problem"]["code"]) == ("error", "invalid_request")
        assert _everything(desk) == before
        await host.event(turn, "turn.completed", {})
        await host.settled(turn)
    assert desk.kinds() == ["turn.queued", "turn.started", "turn.completed"]


@pytest.mark.parametrize(
    "first",
    [
        {"type": "heartbeat"},
        {"type": "turn.accept", "turn": "trn_x"},
        {"type": "event", "turn": "trn_x", "id": "1", "kind": "message.delta", "data": {}},
    ],
    ids=lambda first: first["type"],
)
async def test_a_host_that_does_not_say_hello_first_is_sent_away(server, desk, first) -> None:
    async with open_host(server, desk.token) as host:
        await host.send(first)
        assert (await host.get())["type"] == "error"
        assert await host.closed() == 4400


@pytest.mark.parametrize(
    "hello",
    [
        {**HELLO, "connectors": {}},
        {**HELLO, "connectors": [5]},
        {**HELLO, "connectors": [{"provider": "builtin"}]},
        {**HELLO, "connectors": [{**HELLO["connectors"][0], "state": "superb"}]},
        {**HELLO, "connectors": [{**HELLO["connectors"][0], "secrets": 1}]},
        {**HELLO, "connectors": HELLO["connectors"] * 21},
        {**HELLO, "host": ""},
        {**HELLO, "host": "x" * 101},
        {**HELLO, "more": 1},
        {"type": "hello", "protocol": 1},
    ],
    ids=str,
)
async def test_a_hello_that_is_none_makes_no_host(server, desk, hello) -> None:
    turn = desk.ask()
    async with open_host(server, desk.token) as host:
        await host.send(hello)
        assert (await host.get())["problem"]["code"] == "invalid_request"
        # It may try again on the same socket.
        assert (await host.hello())["type"] == "welcome"
        assert (await host.assigned())["turn"] == turn


async def test_a_provider_that_nobody_switched_on_brings_no_turns(server, desk) -> None:
    turn = desk.ask()
    async with open_host(server, desk.token) as host:
        offered = [{"provider": "codex", "version": "1", "state": "ready", "capabilities": {}}]
        await host.hello(connectors=offered)
        await host.alive()
        assert desk.kinds() == ["turn.queued"]
    async with open_host(server, desk.token) as good:
        await good.hello(host="good")
        assert (await good.assigned())["turn"] == turn


async def test_a_flood_of_bad_messages_ends_the_socket(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        for _ in range(101):
            await host.send({"type": "dance"})
        assert await host.closed() == 4403


async def test_a_flood_of_events_is_bounded_and_the_turn_can_still_end(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        for _ in range(30):
            await host.say(turn, "x" * 50_000)
        await host.event(turn, "turn.completed", {})
        await host.settled(turn)

    assert len(desk.text()) == 800_000
    assert desk.kinds()[-1] == "turn.completed"


async def test_many_hostile_sockets_at_once_leave_the_server_alive(server, desk) -> None:
    async def attack(number: int) -> None:
        async with open_host(server, desk.token) as host:
            await host.hello(host=f"hostile {number}")
            await host.socket.send("{" * number)
            await host.closed()

    await asyncio.gather(*(attack(number) for number in range(1, 21)))
    async with open_host(server, desk.token) as host:
        assert isinstance(host, RawHost)
        await host.hello(host="good")
        turn = desk.ask()
        assert (await host.assigned())["turn"] == turn
