"""The server is killed in mid-answer and started again: nothing is lost, nothing doubled."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from assistant.host.connectors.scripted import Call, Complete, Say, ScriptedConnector, Step, WaitFor
from assistant.wire import LOST_AFTER_SECONDS
from tests.assistant.host.running import run_host, until
from tests.databases import name_for_other_processes
from workspaces import facade as workspaces

from .live import in_thread, is_terminal, open_wire

ROOT = Path(__file__).resolve().parents[3]
RENAME = {
    "reason": "As asked",
    "expected_clocks": [{"document": "profile", "clock": 1}],
    "operations": [{"kind": "field.set", "document": "profile", "field": "label", "value": "Engineer"}],
}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(port: int, *, later_s: float = 0.0, server: str = "daphne") -> Iterator[subprocess.Popen[bytes]]:
    """A web process; `later_s` sets its clock forward."""
    env = {
        **os.environ,
        "CAREERVECTOR_TEST_DB": name_for_other_processes(),
        "CAREERVECTOR_TESTING": "1",
        "CAREERVECTOR_RATE_LIMITS": "off",
        "CAREERVECTOR_CLOCK_OFFSET": str(later_s),
    }
    command = [sys.executable, "-m", "tests.assistant.realtime.server_process", str(port), server]
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        with suppress(ProcessLookupError):
            child.send_signal(signal.SIGKILL)
        child.wait(10)


async def _listening(port: int, child: subprocess.Popen[bytes]) -> None:
    async with asyncio.timeout(30):
        while True:
            assert child.poll() is None, "the server ended"
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
async def test_an_answer_goes_on_over_a_restart_and_is_whole(desks, kind: str) -> None:
    desk = desks(provider="scripted")
    port, gates = _free_port(), [asyncio.Event(), asyncio.Event()]
    server = f"ws://127.0.0.1:{port}"
    steps: list[Step] = [
        Say("before "),
        Call("apply_workspace_operations", RENAME),
        Say("between "),
        WaitFor(gates[0]),
        Say("while away "),
        Call("get_workspace_context", {"surface": None, "document": None, "job": None, "cursor": None}),
        WaitFor(gates[1]),
        Say("after"),
        Complete("before between while away after", ("profile",)),
    ]
    seen: list[dict] = []
    with process(port, server=kind) as first:
        await _listening(port, first)
        async with run_host(server, desk.token, ScriptedConnector(steps)) as runner:
            async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
                await rail.send({"type": "turn.start", "text": "Go"})
                seen += await rail.get_until(lambda event: event["data"].get("text") == "between ")
            first.send_signal(signal.SIGKILL)
            first.wait(10)
            await until(lambda: not runner.connected.is_set())
            gates[0].set()
            with process(port, server=kind) as second:
                await _listening(port, second)
                async with open_wire(f"{server}{desk.rail}?after={len(seen)}", bearer=desk.secret) as rail:
                    await until(runner.connected.is_set)
                    gates[1].set()
                    seen += await rail.get_until(is_terminal)

    assert seen == desk.events()
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert desk.text() == "before between while away after"
    assert [kind for kind in desk.kinds() if kind != "message.delta"] == [
        "turn.queued",
        "turn.started",
        "tool.started",
        "tool.completed",
        "tool.started",
        "tool.completed",
        "message.completed",
        "turn.completed",
    ]
    assert len(workspaces.list_receipts(access=desk.access, thread=desk.thread)["items"]) == 1


async def test_a_turn_whose_host_never_comes_back_fails_and_the_next_question_works(desks) -> None:
    desk = desks(provider="scripted")
    port = _free_port()
    server = f"ws://127.0.0.1:{port}"
    with process(port) as first:
        await _listening(port, first)
        async with run_host(server, desk.token, ScriptedConnector([Say("partial "), WaitFor(asyncio.Event())])):
            await in_thread(desk.ask, "Go")
            await until(lambda: "message.delta" in desk.kinds())
            # The server first, so that the host's own farewell reaches nobody.
            first.send_signal(signal.SIGKILL)
            first.wait(10)
    assert desk.kinds()[-1] == "message.delta"

    with process(port, later_s=LOST_AFTER_SECONDS + 5) as second:
        await _listening(port, second)
        async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
            seen = await rail.get_until(is_terminal)
        assert (seen[-1]["kind"], seen[-1]["data"]["class"]) == ("turn.failed", "host_lost")
        async with run_host(server, desk.token, ScriptedConnector([Complete("Here again.")])):
            async with open_wire(f"{server}{desk.rail}?after={len(seen)}", bearer=desk.secret) as rail:
                await rail.send({"type": "turn.start", "text": "Again?"})
                answer = await rail.get_until(is_terminal)

    assert answer[-1]["kind"] == "turn.completed"
    assert seen + answer == desk.events()
