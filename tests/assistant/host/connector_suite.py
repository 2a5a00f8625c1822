"""What every connector must do, run through the real host, socket, boundary and database.

A connector joins by one `ConnectorCase` in `CASES`; `test_connectors.py` runs the suite over all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assistant import facade
from assistant.host.connectors.base import Connector
from assistant.host.connectors.builtin import BuiltinConnector
from assistant.host.connectors.scripted import ScriptedConnector
from assistant.wire import ConnectorInfo
from workspaces import facade as workspaces

from .running import ended, in_thread, run_host, until

TOOLS = {"get_workspace_context", "search_jobcache", "apply_workspace_operations", "undo_workspace_receipt"}


@dataclass(frozen=True)
class ConnectorCase:
    """`reads` is a question that it answers from the workspace, `writes` one that makes it change something, `odd` one
    that it cannot serve, `lasts` one that it works on until it is cancelled (None where no question takes so long)."""

    provider: str
    make: Callable[[], Connector]
    reads: str
    writes: str
    odd: str
    lasts: str | None = None


def _script(*steps: Any) -> str:
    return "script:" + json.dumps(steps)


_CONTEXT = {"surface": "profile", "document": None, "job": None, "cursor": None}
_RENAME = {
    "reason": "As asked",
    "expected_clocks": [{"document": "profile", "clock": {"$ref": "0/clocks/profile"}}],
    "operations": [{"kind": "field.set", "document": "profile", "field": "label", "value": "Engineer"}],
}

SCRIPTED = ConnectorCase(
    provider="scripted",
    make=ScriptedConnector,
    reads=_script(
        {"say": "Looking "},
        {"call": {"name": "get_workspace_context", "arguments": _CONTEXT}},
        {"say": "done."},
        {"complete": {"text": "Looking done.", "citations": ["profile"]}},
    ),
    writes=_script(
        {"call": {"name": "get_workspace_context", "arguments": _CONTEXT}},
        {"call": {"name": "apply_workspace_operations", "arguments": _RENAME}},
        {"complete": "Changed."},
    ),
    odd="What do you think?",
    lasts=_script({"say": "Working"}, {"wait": "cancel"}),
)

BUILTIN = ConnectorCase(
    provider="builtin",
    make=BuiltinConnector,
    reads="What is next this week?",
    writes="Create an application for Backend Engineer at Acme",
    odd="Send an e-mail to my boss",
)

CASES = [SCRIPTED, BUILTIN]


class ConnectorSuite:
    """Mixed into a test class; `case`, `server` and `desks` are its fixtures."""

    def test_it_describes_itself_in_the_protocols_words(self, case: ConnectorCase) -> None:
        info = case.make().describe()
        assert isinstance(info, ConnectorInfo)
        assert (info.provider, info.state) == (case.provider, "ready")
        assert info.version
        json.dumps(info.as_json())

    async def test_a_question_is_answered_once_with_its_provenance(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            turn = await in_thread(desk.ask, case.reads)
            events = await ended(desk)

        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert {event["turn"] for event in events} == {turn}
        assert [event["kind"] for event in events if event["kind"].startswith("turn.")] == [
            "turn.queued",
            "turn.started",
            "turn.completed",
        ]
        whole = [event["data"]["text"] for event in events if event["kind"] == "message.completed"]
        assert whole
        assert all(whole)
        provenance = events[-1]["data"]["provenance"]
        assert provenance["provider"] == case.provider
        assert {use["name"] for use in provenance["tools"]} <= TOOLS
        assert provenance["ungrounded"] == []

    async def test_what_it_streamed_is_what_it_completed(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            await in_thread(desk.ask, case.reads)
            events = await ended(desk)

        streamed: dict[str, str] = {}
        for event in events:
            if event["kind"] == "message.delta":
                part = event["data"]["part"]
                streamed[part] = streamed.get(part, "") + event["data"]["text"]
        completed = {e["data"]["part"]: e["data"]["text"] for e in events if e["kind"] == "message.completed"}
        assert {part: text for part, text in completed.items() if part in streamed} == streamed

    async def test_each_tool_call_is_a_pair_of_events(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            await in_thread(desk.ask, case.writes)
            events = await ended(desk)

        started = [event["data"]["call"] for event in events if event["kind"] == "tool.started"]
        completed = [event["data"]["call"] for event in events if event["kind"] == "tool.completed"]
        assert started
        assert sorted(started) == sorted(completed)
        assert len(set(started)) == len(started)

    async def test_a_change_leaves_a_receipt_that_a_person_can_undo(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            turn = await in_thread(desk.ask, case.writes)
            await ended(desk)
            receipts = await in_thread(workspaces.list_receipts, access=desk.access, thread=desk.thread)

        assert receipts["items"]
        assert {(r["actor_class"], r["turn"], r["state"]) for r in receipts["items"]} == {("agent", turn, "active")}

    async def test_what_it_cannot_serve_it_says_and_changes_nothing(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            await in_thread(desk.ask, case.odd)
            events = await ended(desk)
            history = await in_thread(workspaces.list_events, access=desk.access)

        assert events[-1]["kind"] == "turn.completed"
        assert [event["data"]["text"] for event in events if event["kind"] == "message.completed"]
        assert history["items"] == []

    async def test_turns_of_several_threads_run_beside_each_other(self, case: ConnectorCase, server, desks) -> None:
        first = desks(provider=case.provider)
        others = [desks(provider=case.provider) for _ in range(3)]
        async with run_host(server, first.token, case.make()):
            for each in [first, *others]:
                await in_thread(each.ask, case.reads)
            ends = [(await ended(each))[-1]["kind"] for each in [first, *others]]
        assert ends == ["turn.completed"] * 4

    async def test_a_second_question_follows_the_first(self, case: ConnectorCase, server, desks) -> None:
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()):
            await in_thread(desk.ask, case.reads)
            await ended(desk)
            await in_thread(desk.ask, case.reads)
            events = await ended(desk, turns=2)
        assert [event["kind"] for event in events].count("turn.completed") == 2

    async def test_a_revoked_link_stops_its_tools_and_the_turn_still_ends(
        self, case: ConnectorCase, server, desks
    ) -> None:
        desk = desks(provider=case.provider)
        edit, _ = desk.new_link("edit")
        connector = desk.connector
        if case.provider != "builtin":
            connector = (await in_thread(facade.create_connector, access=edit, provider=case.provider)).id
        thread = await in_thread(facade.create_thread, access=edit, connector=connector)
        await in_thread(desk.ask, case.writes, access=edit, thread=thread.id)
        await in_thread(workspaces.revoke_link, access=desk.access, link=edit.link)
        async with run_host(server, desk.token, case.make()):

            def terminal() -> list[str]:
                events = facade.list_thread_events(access=desk.access, thread=thread.id, after=0, limit=1000)
                return [e["kind"] for e in events if e["kind"] in ("turn.completed", "turn.failed")]

            assert await until(terminal)
            history = await in_thread(workspaces.list_events, access=desk.access)
        assert history["items"] == []

    async def test_a_cancel_stops_it(self, case: ConnectorCase, server, desks) -> None:
        if case.lasts is None:
            return
        desk = desks(provider=case.provider)
        async with run_host(server, desk.token, case.make()) as runner:
            turn = await in_thread(desk.ask, case.lasts)
            await until(lambda: "message.delta" in desk.kinds())
            await in_thread(facade.cancel_turn, access=desk.access, turn=turn)
            await until(lambda: not runner._sessions)
            assert runner._tasks == {}
        assert desk.kinds()[-1] == "turn.cancelled"
