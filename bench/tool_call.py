"""What `apply_workspace_operations` costs through the boundary (capability, checks, audit, events) ÷ the bare commit.

The same one-field change, on two applications of one workspace, in alternating rounds. Each round has its own turn,
claimed by a host as in life.
"""

from __future__ import annotations

import argparse
import json
import statistics

from bench.product import Writer, facade, median_us, migrate, new_application, say

from assistant import facade as assistant  # isort: skip
from assistant.tools.boundary import call_tool  # isort: skip
from assistant.wire import ConnectorInfo, ProviderEvent  # isort: skip


class Agent:
    """A host with one thread; `begin` starts a turn on it."""

    def __init__(self, secret: str) -> None:
        self._access = facade.open_link(secret=secret)
        token = assistant.create_host_token()
        offered = [ConnectorInfo("builtin", "1", "ready", {})]
        self._host = assistant.connect_host(token=token.id, name="bench", connectors=offered)
        connector = next(view for view in assistant.list_connectors(access=self._access) if view.provider == "builtin")
        self._thread = assistant.create_thread(access=self._access, connector=connector.id)

    def begin(self) -> None:
        self._turn = assistant.start_turn(access=self._access, thread=self._thread.id, text="change it").id
        assignment = assistant.claim_turn(turn=self._turn, identity=self._host)
        assert assignment is not None
        assert assistant.accept_turn(turn=self._turn, host=self._host.host)
        self._capability = assignment.capability

    def end(self) -> None:
        event = ProviderEvent(turn=self._turn, id="end", kind="turn.completed", data={})
        assistant.take_events(turn=self._turn, host=self._host.host, events=[event])

    def set_field(self, document: str, clock: int, field: str, value: str, call: str) -> int:
        """The document's new clock."""
        arguments = {
            "reason": "measure",
            "expected_clocks": [{"document": document, "clock": clock}],
            "operations": [{"kind": "field.set", "document": document, "field": field, "value": value}],
        }
        answer = call_tool(
            capability=self._capability,
            name="apply_workspace_operations",
            arguments=arguments,
            call=call,
            turn=self._turn,
            host=self._host.host,
        )
        assert answer["status"] == "ok", answer
        return int(answer["clocks"]["after"][document])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    rounds, times = (2, 20) if parser.parse_args().quick else (8, 100)
    migrate()
    made = facade.create_workspace()
    bare, other = new_application(made), new_application(made, name="other")
    agent = Agent(made.link.secret)
    taken: dict[str, list[float]] = {"commit": [], "tool": []}
    for turn in range(rounds):
        taken["commit"].append(
            median_us(lambda index, turn=turn: bare.set_field("next_step", f"call {turn} {index}"), times)
        )
        agent.begin()
        taken["tool"].append(median_us(lambda index, turn=turn: _call(agent, other, turn, index), times))
        agent.end()
        say(f"round {turn + 1} of {rounds}: {taken['tool'][-1]:.0f} µs, {taken['commit'][-1]:.0f} µs")
    commit_us, tool_us = statistics.median(taken["commit"]), statistics.median(taken["tool"])
    print(json.dumps({"ratio": tool_us / commit_us, "commit_us": commit_us, "tool_us": tool_us}))


def _call(agent: Agent, writer: Writer, turn: int, index: int) -> None:
    value = f"call {turn} {index}"
    writer.clock = agent.set_field(writer.document, writer.clock, "next_step", value, f"call-{turn}-{index}")


if __name__ == "__main__":
    main()
