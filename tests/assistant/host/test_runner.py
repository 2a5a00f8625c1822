"""The host: how turns end, what it forgets, what it says in its log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from assistant import facade
from assistant.host.connectors.base import TurnOutcome
from assistant.host.connectors.scripted import (
    Auth,
    Bind,
    Call,
    Complete,
    Crash,
    Fail,
    Limit,
    Model,
    Progress,
    Say,
    ScriptedConnector,
    Together,
    Wait,
    WaitFor,
)
from assistant.host.runner import HostRefused, HostRunner
from assistant.wire import ConnectorInfo

from .running import PATIENCE_S, ended, in_thread, run_host, until

READ = {"surface": "overview", "document": None, "job": None, "cursor": None}


@pytest.fixture
def desk(desks):
    return desks(provider="scripted")


async def _answer(server: str, desk, *steps) -> list[tuple[str, dict]]:
    async with run_host(server, desk.token, ScriptedConnector(steps)):
        await in_thread(desk.ask, "Go")
        events = await ended(desk)
    return [(event["kind"], event["data"]) for event in events[2:]]


async def test_every_step_of_a_script_reaches_the_thread(server, desk) -> None:
    events = await _answer(
        server,
        desk,
        Progress("Reading"),
        Say("Hello "),
        Call("get_workspace_context", READ),
        Limit("requests", None),
        Auth("ready"),
        Bind("native-1"),
        Complete("Hello "),
        Model("m-1"),
    )

    assert [kind for kind, _ in events] == [
        "progress",
        "message.delta",
        "tool.started",
        "tool.completed",
        "limit",
        "auth",
        "message.completed",
        "turn.completed",
    ]
    assert events[-1][1]["provenance"]["model"] == "m-1"


async def test_calls_made_together_are_all_answered(server, desk) -> None:
    connector = ScriptedConnector([Together((Call("get_workspace_context", READ),) * 5)])
    async with run_host(server, desk.token, connector):
        await in_thread(desk.ask, "Go")
        await ended(desk)
    assert [result["status"] for result in connector.results] == ["ok"] * 5


@pytest.mark.parametrize(
    ("step", "failure_class", "message"),
    [
        (Fail("provider_limit", "Come back at 9."), "provider_limit", "Come back at 9."),
        (Crash(), "connector_crash", "The connector stopped unexpectedly."),
        (Call("get_workspace_context", {"$ref": "7/x"}), "provider_error", None),
    ],
)
async def test_a_connector_that_fails_fails_its_turn_and_keeps_the_text(
    server, desk, step, failure_class, message
) -> None:
    events = await _answer(server, desk, Say("partial"), step)

    assert events[0] == ("message.delta", {"part": "answer", "text": "partial"})
    kind, data = events[-1]
    assert (kind, data["class"]) == ("turn.failed", failure_class)
    assert message is None or data["message"] == message


async def test_a_connector_that_takes_too_long_is_stopped_at_the_deadline(server, desk, settings) -> None:
    settings.CAREERVECTOR_TURN_SECONDS = 1
    events = await _answer(server, desk, Wait(60))
    assert (events[-1][0], events[-1][1]["class"]) == ("turn.failed", "timeout")


async def test_a_connector_that_ignores_its_cancel_is_stopped_anyway(server, desk) -> None:
    class Stubborn(ScriptedConnector):
        async def run_turn(self, turn, session) -> TurnOutcome | None:
            await session.delta("Working")
            await asyncio.sleep(3600)
            return None

    async with run_host(server, desk.token, Stubborn()) as runner:
        turn = await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
        await in_thread(facade.cancel_turn, access=desk.access, turn=turn)
        await until(lambda: not runner._tasks)
    assert desk.kinds() == ["turn.queued", "turn.started", "message.delta", "turn.cancelled"]


async def test_a_cancel_ends_a_waiting_tool_call(server, desk) -> None:
    gate = asyncio.Event()
    connector = ScriptedConnector([Say("one"), WaitFor(gate), Call("get_workspace_context", READ), Say("two")])
    async with run_host(server, desk.token, connector) as runner:
        turn = await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
        await in_thread(facade.cancel_turn, access=desk.access, turn=turn)
        await until(lambda: runner._sessions == {} or all(s.cancelled.is_set() for s in runner._sessions.values()))
        gate.set()
        await until(lambda: not runner._tasks)
    assert desk.kinds() == ["turn.queued", "turn.started", "message.delta", "turn.cancelled"]
    assert connector.results == []


async def test_a_host_that_is_stopped_fails_its_turns_at_once(server, desk) -> None:
    async with run_host(server, desk.token, ScriptedConnector([Say("one"), Wait(60)])):
        await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
    events = await ended(desk)
    assert (events[-1]["kind"], events[-1]["data"]["class"]) == ("turn.failed", "connector_crash")


async def test_a_lost_socket_is_made_again_and_the_answer_goes_on(server, desk) -> None:
    gate = asyncio.Event()
    connector = ScriptedConnector([Say("one "), WaitFor(gate), Say("two "), Complete("one two ")])
    async with run_host(server, desk.token, connector) as runner:
        await in_thread(desk.ask, "Go")
        await until(lambda: "message.delta" in desk.kinds())
        # A second socket of this host's name makes the server drop the first.
        from tests.assistant.realtime.live import open_host

        async with open_host(server, desk.token) as thief:
            await thief.hello(host=runner._name, connectors=[])
            await until(lambda: not runner.connected.is_set())
        await until(runner.connected.is_set)
        gate.set()
        events = await ended(desk)

    assert [(event["kind"], event["data"].get("text")) for event in events[2:-1]] == [
        ("message.delta", "one "),
        ("message.delta", "two "),
        ("message.completed", "one two "),
    ]
    assert events[-1]["kind"] == "turn.completed"


async def test_a_token_that_is_not_accepted_ends_the_host(server, desk) -> None:
    runner = HostRunner(url=f"{server}/ws/host/", token="cvh_" + "A" * 43, connectors=[ScriptedConnector()])
    with pytest.raises(HostRefused, match="does not accept this host token"):
        await asyncio.wait_for(runner.run(), PATIENCE_S)


async def test_a_server_that_is_not_there_is_tried_again(desk) -> None:
    runner = HostRunner(url="ws://127.0.0.1:9/ws/host/", token="cvh_" + "A" * 43, connectors=[ScriptedConnector()])
    task = asyncio.ensure_future(runner.run())
    await asyncio.sleep(0.5)
    assert not task.done()
    runner.stop()
    await asyncio.wait_for(task, PATIENCE_S)


async def test_the_log_holds_no_word_of_anybodys(server, desk, caplog) -> None:
    caplog.set_level(logging.DEBUG, logger="assistant.host")
    secret = "my private words"
    async with run_host(server, desk.token, ScriptedConnector([Say(secret), Crash()])):
        await in_thread(desk.ask, secret)
        await ended(desk)
    said = " ".join(record.getMessage() for record in caplog.records if record.name.startswith("assistant"))
    assert "RuntimeError" in said
    assert "private" not in said
    assert desk.token not in said


async def test_connectors_are_started_once_and_stopped_once(server, desk) -> None:
    class Counted(ScriptedConnector):
        calls: list[str] = []

        def describe(self) -> ConnectorInfo:
            return ConnectorInfo("scripted", "2.0", "ready")

        async def start(self) -> None:
            self.calls.append("start")

        async def stop(self) -> None:
            self.calls.append("stop")

    async with run_host(server, desk.token, Counted()):
        await in_thread(desk.ask, "Go")
        events = await ended(desk)
    assert Counted.calls == ["start", "stop"]
    assert events[-1]["data"]["provenance"]["connector_version"] == "2.0"
