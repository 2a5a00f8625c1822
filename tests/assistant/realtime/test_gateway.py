"""The host socket as a well-behaved host uses it, over real connections."""

from __future__ import annotations

import asyncio
import json

from assistant import facade
from assistant.models import TurnAudit

from .live import is_terminal, open_host, open_wire

READ = {"surface": "overview", "document": None, "job": None, "cursor": None}


async def test_a_host_says_hello_and_is_welcomed(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        welcome = await host.hello()

    assert {**welcome, "host_id": "hst_"} == {
        "type": "welcome",
        "protocol": 1,
        "host_id": "hst_",
        "heartbeat_s": 10,
    }
    assert welcome["host_id"].startswith("hst_")


async def test_a_question_reaches_the_waiting_host_and_its_answer_the_rail(server, desk) -> None:
    async with open_host(server, desk.token) as host, open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await host.hello()
        await rail.send({"type": "turn.start", "id": "trn_from_the_rail", "text": "Hello?", "surface": "board"})
        assignment = await host.assigned()
        assert (assignment["turn"], assignment["input"]) == ("trn_from_the_rail", {"text": "Hello?"})
        await host.say(assignment["turn"], "Hi")
        await host.event(assignment["turn"], "message.completed", {"part": "answer", "text": "Hi", "citations": []})
        await host.event(assignment["turn"], "turn.completed", {"model": None})
        seen = await rail.get_until(is_terminal)

    assert [event["kind"] for event in seen] == [
        "turn.queued",
        "turn.started",
        "message.delta",
        "message.completed",
        "turn.completed",
    ]
    assert seen == desk.events()


async def test_a_turn_that_waited_for_a_host_is_given_to_the_first_that_comes(server, desk) -> None:
    turn = desk.ask()
    async with open_host(server, desk.token) as host:
        await host.hello()
        assert (await host.assigned())["turn"] == turn


async def test_two_hosts_never_get_the_same_turn(server, desk, desks) -> None:
    others = [desks() for _ in range(5)]
    async with open_host(server, desk.token) as one, open_host(server, desk.token) as two:
        await one.hello(host="one")
        await two.hello(host="two")
        turns = [each.ask() for each in [desk, *others]]
        got: list[str] = []

        async def collect(host) -> None:
            while True:
                got.append((await host.assigned())["turn"])

        tasks = [asyncio.ensure_future(collect(host)) for host in (one, two)]
        while len(got) < len(turns):
            await asyncio.sleep(0.02)
        await one.alive()
        await two.alive()
        for task in tasks:
            task.cancel()

    assert sorted(got) == sorted(turns)


async def test_tool_calls_are_answered_also_several_at_once(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        assignment = await host.assigned()
        for number in range(6):
            await host.call(assignment, f"c{number}", "get_workspace_context", READ)
        results = [await host.get() for _ in range(6)]
        await host.event(assignment["turn"], "turn.completed", {})
        await host.settled(assignment["turn"])

    assert {(result["type"], result["turn"], result["result"]["status"]) for result in results} == {
        ("tool.result", assignment["turn"], "ok")
    }
    assert sorted(result["call"] for result in results) == [f"c{number}" for number in range(6)]


async def test_a_call_delivered_again_has_one_effect_and_the_same_answer(server, desk) -> None:
    arguments = {
        "reason": "As asked",
        "expected_clocks": [{"document": "profile", "clock": 1}],
        "operations": [{"kind": "field.set", "document": "profile", "field": "label", "value": "Engineer"}],
    }
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        assignment = await host.assigned()
        for _ in range(3):
            await host.call(assignment, "c1", "apply_workspace_operations", arguments)
        results = [await host.get() for _ in range(3)]

    assert results[0]["result"]["status"] == "ok"
    assert [result["result"]["event"] for result in results] == [results[0]["result"]["event"]] * 3
    assert desk.kinds() == ["turn.queued", "turn.started", "tool.started", "tool.completed"]
    assert desk.events()[-1]["data"]["receipt"] == results[0]["result"]["receipt"]["id"]


async def test_text_before_a_tool_call_stands_before_it(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        assignment = await host.assigned()
        for text in ("Let ", "me ", "look."):
            await host.say(assignment["turn"], text)
        await host.call(assignment, "c1", "get_workspace_context", READ)
        await host.get()

    assert desk.kinds()[-2:] == ["tool.started", "tool.completed"]
    assert desk.text() == "Let me look."


async def test_deltas_are_gathered_and_none_is_lost(server, desk) -> None:
    async with open_host(server, desk.token) as host, open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        words = [f"{number} " for number in range(300)]
        await host.say(turn, words[0])
        first = await rail.get_until(lambda message: message["kind"] == "message.delta")
        for word in words[1:]:
            await host.say(turn, word)
        await host.event(turn, "turn.completed", {})
        await rail.get_until(is_terminal)

    deltas = [event for event in desk.events() if event["kind"] == "message.delta"]
    assert first[-1]["data"]["text"] == words[0]
    assert desk.text() == "".join(words)
    assert len(deltas) < 100


async def test_a_cancel_reaches_the_host_and_nothing_follows_it(server, desk) -> None:
    async with open_host(server, desk.token) as host, open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.say(turn, "partial")
        await rail.get_until(lambda message: message["kind"] == "message.delta")
        await rail.send({"type": "turn.cancel", "turn": turn})
        assert await host.get() == {"type": "turn.cancel", "turn": turn}
        await host.say(turn, "late", id="late-1")
        assert await host.get() == {"type": "event.refused", "turn": turn, "id": "late-1", "code": "turn_ended"}
        await rail.get_until(is_terminal)
        # One running turn a thread: the next may begin at once.
        second = desk.ask("Next?")
        assert (await host.assigned())["turn"] == second
        await host.settled(second)

    assert desk.kinds() == [
        "turn.queued",
        "turn.started",
        "message.delta",
        "turn.cancelled",
        "turn.queued",
        "turn.started",
    ]


async def test_a_host_that_ends_its_turn_is_not_told_to_cancel_it(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.event(turn, "turn.completed", {}, id="end")
        await host.say(turn, "late", id="late")
        assert await host.get() == {"type": "event.refused", "turn": turn, "id": "late", "code": "turn_ended"}
        second = desk.ask("Next?")
        messages = await host.get_until(lambda message: message["type"] == "turn.assign")

    assert [message["type"] for message in messages] == ["turn.assign"]
    assert messages[0]["turn"] == second


async def test_a_host_that_reconnects_keeps_its_turn_and_may_send_everything_again(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        assignment = await host.assigned()
        await host.say(turn, "one ", id="e1")
        await host.say(turn, "two ", id="e2")
        await host.settled(turn)
    async with open_host(server, desk.token) as host:
        await host.hello()
        await host.send({"type": "turn.accept", "turn": turn})
        for number, text in ((1, "one "), (2, "two "), (3, "three")):
            await host.say(turn, text, id=f"e{number}")
        await host.call(assignment, "c1", "get_workspace_context", READ)
        assert (await host.get())["result"]["status"] == "ok"
        await host.event(turn, "turn.completed", {}, id="e4")
        await host.event(turn, "turn.completed", {}, id="e4")
        await host.get_until(lambda message: message["type"] == "event.refused")

    assert desk.text() == "one two three"
    assert [kind for kind in desk.kinds() if kind.startswith("turn.")] == [
        "turn.queued",
        "turn.started",
        "turn.completed",
    ]
    assert TurnAudit.objects.get(turn=turn).duplicate_events == 2


async def test_a_turn_cancelled_while_its_host_was_away_is_cancelled_when_it_comes_back(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.settled(turn)
    facade.cancel_turn(access=desk.access, turn=turn)
    async with open_host(server, desk.token) as host:
        await host.hello()
        await host.send({"type": "turn.accept", "turn": turn})
        assert await host.get() == {"type": "turn.cancel", "turn": turn}


async def test_a_newer_socket_of_the_same_host_replaces_the_older(server, desk) -> None:
    async with open_host(server, desk.token) as old, open_host(server, desk.token) as new:
        await old.hello()
        await new.hello()
        assert await old.closed() == 4403
        turn = desk.ask()
        assert (await new.assigned())["turn"] == turn


async def test_a_companion_gets_only_its_own_workspaces_turns(server, desks) -> None:
    mine, other = desks(token_workspace=True), desks()
    async with open_host(server, mine.token) as companion:
        await companion.hello()
        other.ask()
        turn = mine.ask()
        assert (await companion.assigned())["turn"] == turn
        await companion.settled(turn)
    assert other.kinds() == ["turn.queued"]


async def test_a_provider_thread_is_kept_for_the_next_question(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.send({"type": "thread.bind", "turn": turn, "provider_thread": "native-7"})
        await host.event(turn, "turn.completed", {})
        while desk.kinds()[-1] != "turn.completed":
            await asyncio.sleep(0.01)
        desk.ask("Next?")
        assert (await host.assigned())["provider_thread"] == "native-7"


async def test_the_wrong_protocol_is_refused_with_a_reason(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        answer = await host.hello(protocol=2, anything="new in version two")
        assert answer["type"] == "error"
        assert answer["problem"]["detail"] == "This server speaks host protocol 1; the host offered 2."
        assert answer["problem"]["details"]["class"] == "protocol_mismatch"
        assert await host.closed() == 4400


async def test_without_a_live_token_nobody_is_a_host(server, desk) -> None:
    facade.revoke_host_token(facade.create_host_token().id)
    revoked = facade.create_host_token()
    facade.revoke_host_token(revoked.id)
    for token in (None, "", "nonsense", "cvh_" + "A" * 43, desk.secret, revoked.secret):
        async with open_host(server, token) as host:
            assert await host.closed() == 4401


async def test_a_token_that_is_revoked_ends_its_socket_at_the_next_heartbeat(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        facade.revoke_host_token(desk.token_id)
        await host.send({"type": "heartbeat"})
        assert await host.closed() == 4401


async def test_the_assignment_holds_nothing_that_opens_a_workspace(server, desk) -> None:
    async with open_host(server, desk.token) as host:
        await host.hello()
        desk.ask()
        assignment = await host.assigned()

    text = json.dumps(assignment)
    assert set(assignment) == {
        "type", "turn", "thread", "connector", "provider", "attempt", "capability", "deadline_at", "provider_thread",
        "tools", "instructions", "context", "history", "input",
    }  # fmt: skip
    for secret in (desk.secret, desk.token, "cvl_", "cvh_"):
        assert secret not in text
