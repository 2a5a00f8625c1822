"""The rail of a thread over real connections: replay, live, and everything that a client may get wrong."""

from __future__ import annotations

import json

import pytest

from assistant import facade
from workspaces import facade as workspaces

from .live import in_thread, is_terminal, open_host, open_wire


async def _finished(server: str, desk, *, words: int = 6) -> list[dict]:
    """A thread with a finished turn."""
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        for number in range(words):
            await host.event(turn, "progress", {"text": f"step {number}"})
        await host.event(turn, "turn.completed", {})
        await host.settled(turn)
    return desk.events()


async def test_a_replay_from_any_seq_is_the_rest_of_the_list(server, desk) -> None:
    events = await _finished(server, desk)
    for after in range(len(events)):
        async with open_wire(f"{server}{desk.rail}?after={after}", bearer=desk.secret) as rail:
            assert await rail.get_until(is_terminal) == events[after:]


async def test_two_browsers_see_the_same_as_the_list(server, desk) -> None:
    async with (
        open_host(server, desk.token) as host,
        open_wire(server + desk.rail, bearer=desk.secret) as early,
    ):
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        await host.say(turn, "one ")
        await early.get_until(lambda message: message["kind"] == "message.delta")
        async with open_wire(server + desk.rail, bearer=desk.secret) as late:
            for number in range(40):
                await host.event(turn, "progress", {"text": str(number)})
            await host.event(turn, "turn.completed", {})
            seen_late = await late.get_until(is_terminal)
            await early.get_until(is_terminal)

    assert seen_late == desk.events()


async def test_a_reload_in_mid_answer_loses_and_doubles_nothing(server, desk) -> None:
    seen: list[dict] = []
    async with open_host(server, desk.token) as host:
        await host.hello()
        turn = desk.ask()
        await host.assigned()
        for number in range(8):
            await host.event(turn, "progress", {"text": str(number)})
            async with open_wire(f"{server}{desk.rail}?after={len(seen)}", bearer=desk.secret) as rail:
                seen += await rail.get_until(lambda message, text=str(number): message["data"].get("text") == text)
        await host.event(turn, "turn.completed", {})
        async with open_wire(f"{server}{desk.rail}?after={len(seen)}", bearer=desk.secret) as rail:
            seen += await rail.get_until(is_terminal)

    assert seen == desk.events()


async def test_a_second_question_is_refused_while_the_first_runs(server, desk) -> None:
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await rail.send({"type": "turn.start", "text": "One?"})
        first = await rail.get()
        await rail.send({"type": "turn.start", "text": "Two?", "id": "trn_second_question"})
        refusal = await rail.get()

    assert first["kind"] == "turn.queued"
    assert (refusal["type"], refusal["problem"]["code"], refusal["problem"]["status"]) == ("error", "turn_running", 409)
    assert refusal["problem"]["details"] == {"asked": "trn_second_question", "turn": first["turn"]}
    assert desk.kinds() == ["turn.queued"]


async def test_a_question_sent_again_starts_one_turn(server, desk) -> None:
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        for _ in range(3):
            await rail.send({"type": "turn.start", "id": "trn_sent_again", "text": "Once?"})
        await rail.send({"type": "heartbeat"})
        await rail.send({"type": "turn.cancel", "turn": "trn_sent_again"})
        seen = await rail.get_until(is_terminal)

    assert [event["kind"] for event in seen] == ["turn.queued", "turn.cancelled"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({}, "invalid_request"),
        ({"type": 5}, "invalid_request"),
        ({"type": "dance"}, "invalid_request"),
        ([], "invalid_request"),
        ({"type": "turn.start"}, "invalid_request"),
        ({"type": "turn.start", "text": ""}, "invalid_request"),
        ({"type": "turn.start", "text": 7}, "invalid_request"),
        ({"type": "turn.start", "text": "x", "surface": "kitchen"}, "invalid_request"),
        ({"type": "turn.start", "text": "x", "workspace": "ws_other"}, "invalid_request"),
        ({"type": "turn.start", "text": "x", "document": "application:01JAAAAAAAAAAAAAAAAAAAAAAA"}, "not_found"),
        ({"type": "turn.cancel"}, "invalid_request"),
        ({"type": "turn.cancel", "turn": 7}, "invalid_request"),
        ({"type": "turn.cancel", "turn": "trn_of_nobody"}, "not_found"),
    ],
)
async def test_a_bad_message_is_answered_and_the_socket_stays_open(server, desk, message, code) -> None:
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await rail.send(message)
        answer = await rail.get()
        assert (answer["type"], answer["problem"]["code"]) == ("error", code)
        await rail.send({"type": "turn.start", "text": "Still here?"})
        assert (await rail.get())["kind"] == "turn.queued"


@pytest.mark.parametrize(
    "frame", ["{", '{"type":"turn.start","type":"x"}', '{"type":NaN}', b"\x00\x01", "x" * 1_048_577]
)
async def test_what_is_no_json_or_too_large_closes_the_socket(server, desk, frame) -> None:
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await rail.socket.send(frame)
        assert await rail.closed() == 4400
    assert desk.events() == []


async def test_who_may_not_read_the_thread_is_shown_why_by_the_code(server, desk, desks) -> None:
    other = desks()
    _, view = desk.new_link("view")
    unknown = f"/ws/workspaces/{desk.workspace}/threads/thr_01JAAAAAAAAAAAAAAAAAAAAAAA/"
    foreign = f"/ws/workspaces/{desk.workspace}/threads/{other.thread}/"
    for path, bearer, code in (
        (desk.rail, view, 4403),
        (desk.rail, "cvl_" + "A" * 43, 4401),
        (desk.rail, other.secret, 4404),
        (unknown, desk.secret, 4404),
        (foreign, desk.secret, 4404),
        (desk.rail + "?after=-1", desk.secret, 4400),
        (desk.rail + "?after=x", desk.secret, 4400),
    ):
        async with open_wire(server + path, bearer=bearer) as rail:
            assert await rail.closed() == code, (path, code)


async def test_a_page_of_another_origin_is_refused(server, desk) -> None:
    for headers in ({}, {"Origin": "https://elsewhere.example"}, {"Origin": "null"}):
        async with open_wire(server + desk.rail, bearer=None, **headers) as rail:
            assert await rail.closed() == 4403


async def test_revoking_the_link_closes_its_rail(server, desk) -> None:
    edit, secret = desk.new_link("edit")
    async with open_wire(server + desk.rail, bearer=secret) as rail:
        await rail.send({"type": "turn.start", "text": "Hello?"})
        await rail.get()
        workspaces.revoke_link(access=desk.access, link=edit.link)
        assert await rail.closed() == 4401


async def test_deleting_the_thread_closes_its_rail(server, desk) -> None:
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        await rail.send({"type": "turn.start", "text": "Hello?"})
        await rail.get()
        await in_thread(facade.delete_thread, access=desk.access, thread=desk.thread)
        assert await rail.closed() == 4404


async def test_too_many_questions_close_the_socket_as_the_contract_says(server, desk, settings) -> None:
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    settings.CAREERVECTOR_RATE_LIMITS = {**settings.CAREERVECTOR_RATE_LIMITS, "turn": 2}
    async with open_wire(server + desk.rail, bearer=desk.secret) as rail:
        for number in range(3):
            await rail.send({"type": "turn.start", "text": f"Question {number}"})
        messages = await rail.get_until(lambda message: message.get("problem", {}).get("code") == "rate_limited")
        assert messages[-1]["problem"]["details"]["retry_after"] >= 1
        assert await rail.closed() == 4429


async def test_thread_changes_are_told_to_the_workspace(server, desk) -> None:
    async with open_wire(f"{server}/ws/workspaces/{desk.workspace}/", bearer=desk.secret) as page:
        assert (await page.get())["type"] == "hello"
        turn = await in_thread(desk.ask, "Hello?")
        await in_thread(facade.cancel_turn, access=desk.access, turn=turn)
        messages = [await page.get() for _ in range(3)]
        told = [message for message in messages if message["type"] == "thread"]

    assert [(message["thread"]["id"], message["thread"]["running_turn"]) for message in told] == [
        (desk.thread, turn),
        (desk.thread, None),
    ]
    assert "Hello?" in json.dumps(told[0])


@pytest.mark.parametrize("odd", ["%00", "a%00b", "x" * 300, "%C3%A9", "%ED%A0%80"])
@pytest.mark.parametrize("place", ["", "threads/{odd}/", "documents/{odd}/", "documents/note:{odd}/"])
async def test_what_can_be_no_id_opens_no_socket(server, desk, place: str, odd: str) -> None:
    """PostgreSQL refuses some of these characters, so no database may be asked for them."""
    workspace = desk.access.workspace if place else odd
    url = f"{server}/ws/workspaces/{workspace}/{place.format(odd=odd)}"
    async with open_wire(url, bearer=desk.secret) as wire:
        assert await wire.closed() == 4404
