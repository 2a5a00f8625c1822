"""Threads, events and turns over HTTP."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tests.assistant.threads.room import Room, make_room
from tests.workspaces.http.conftest import Api, problem

from .conftest import api_of


def _json(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


def _begin(api: Api, room: Room, **body: Any) -> Any:
    return api("POST", f"threads/{room.thread}/turns", {"text": "What is next?", **body})


def test_a_thread_is_made_shown_listed_and_deleted(room: Room, api: Api) -> None:
    made = _json(api("POST", "threads", {"title": "Acme", "connector": room.connector}), 201)
    assert {name: made[name] for name in ("title", "connector", "last_seq", "running_turn")} == {
        "title": "Acme",
        "connector": room.connector,
        "last_seq": 0,
        "running_turn": None,
    }
    assert _json(api("GET", f"threads/{made['id']}")) == {**made, "recent_after": 0}
    page = _json(api("GET", "threads"))
    assert [item["id"] for item in page["items"]] == [made["id"], room.thread]
    assert page["next_cursor"] is None
    assert api("DELETE", f"threads/{made['id']}").status_code == 204
    assert problem(api("GET", f"threads/{made['id']}")) == (404, "not_found")
    assert problem(api("DELETE", f"threads/{made['id']}")) == (404, "not_found")


def test_threads_are_listed_in_pages_newest_first(room: Room, api: Api) -> None:
    made = [_json(api("POST", "threads", {"connector": room.connector}), 201)["id"] for _ in range(4)]
    expected = [*reversed(made), room.thread]
    seen, cursor = [], ""
    for _ in range(3):
        page = _json(api("GET", f"threads?limit=2{cursor}"))
        seen += [item["id"] for item in page["items"]]
        cursor = f"&cursor={page['next_cursor']}"
    assert (seen, page["next_cursor"]) == (expected, None)


def test_a_question_is_accepted_and_its_events_can_be_read(room: Room, api: Api) -> None:
    turn = _json(_begin(api, room, id="trn_of_the_page", surface="board"), 202)
    events = _json(api("GET", f"threads/{room.thread}/events?after=0"))

    assert {name: turn[name] for name in ("id", "thread", "state", "text", "surface", "document", "seq")} == {
        "id": "trn_of_the_page",
        "thread": room.thread,
        "state": "queued",
        "text": "What is next?",
        "surface": "board",
        "document": None,
        "seq": 1,
    }
    (event,) = events["items"]
    assert set(event) == {"id", "seq", "turn", "kind", "at", "data"}
    assert (event["id"], event["kind"], events["next_cursor"]) == (turn["event"], "turn.queued", None)
    assert _json(api("GET", "turns/trn_of_the_page")) == turn
    assert _json(_begin(api, room, id="trn_of_the_page", surface="board"), 202) == turn


def test_a_second_question_is_a_conflict_while_the_first_runs(room: Room, api: Api) -> None:
    first = _json(_begin(api, room), 202)
    answer = _begin(api, room)
    assert problem(answer) == (409, "turn_running")
    assert json.loads(answer.content)["details"] == {"turn": first["id"]}


def test_a_cancel_answers_with_the_turn_as_it_ended(room: Room, api: Api) -> None:
    turn = _json(_begin(api, room), 202)
    for body in (None, {}):
        ended = _json(api("POST", f"turns/{turn['id']}/cancel", body))
        assert (ended["state"], ended["ended_at"] is not None) == ("cancelled", True)
    assert [event["kind"] for event in room.events()] == ["turn.queued", "turn.cancelled"]


def test_events_are_read_forwards_and_backwards_in_pages(room: Room, api: Api) -> None:
    turn = room.begin().turn
    for number in range(7):
        room.send(turn, "progress", {"text": str(number)})
    whole = room.events()

    seen, address = [], "after=0"
    while address:
        page = _json(api("GET", f"threads/{room.thread}/events?limit=4&{address}"))
        seen += page["items"]
        address = f"after={page['next_cursor']}" if page["next_cursor"] else ""
    assert seen == whole

    back: list[dict] = []
    address = "before=100"
    while address:
        page = _json(api("GET", f"threads/{room.thread}/events?limit=4&{address}"))
        back[:0] = page["items"]
        address = f"before={page['next_cursor']}" if page["next_cursor"] else ""
    assert back == whole
    assert problem(api("GET", f"threads/{room.thread}/events?after=1&before=5")) == (422, "invalid_request")


def test_a_page_may_start_at_the_newest_turns(room: Room, api: Api) -> None:
    for number in range(52):
        turn = room.begin(f"Question {number}").turn
        room.complete(turn)
    start = _json(api("GET", f"threads/{room.thread}"))["recent_after"]

    first = _json(api("GET", f"threads/{room.thread}/events?after={start}&limit=1"))["items"][0]
    assert first["data"]["text"] == "Question 2"


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("threads", {}, (422, "invalid_request")),
        ("threads", {"connector": 5}, (422, "invalid_request")),
        ("threads", {"connector": "con_unknown"}, (404, "not_found")),
        ("threads", {"connector": "CONNECTOR", "title": "x" * 201}, (422, "invalid_request")),
        ("threads", {"connector": "CONNECTOR", "title": "a\nb"}, (422, "invalid_request")),
        ("threads", {"connector": "CONNECTOR", "workspace": "ws_x"}, (422, "invalid_request")),
        ("threads/THREAD/turns", {}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": ""}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": "x" * 8_001}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": "x", "surface": "kitchen"}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": "x", "id": "not-mine"}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": "x", "capability": "y"}, (422, "invalid_request")),
        ("threads/THREAD/turns", {"text": "x", "document": "note:01JAAAAAAAAAAAAAAAAAAAAAAA"}, (404, "not_found")),
        ("threads/thr_unknown/turns", {"text": "x"}, (404, "not_found")),
        ("turns/trn_unknown/cancel", {}, (404, "not_found")),
        ("connectors", {"provider": "skynet"}, (422, "invalid_request")),
        ("connectors", {"provider": "codex"}, (503, "connector_unavailable")),
        ("connectors/CONNECTOR/login", {"method": "device"}, (422, "invalid_request")),
        ("connectors/con_unknown/login", {"method": "device"}, (404, "not_found")),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    room: Room, api: Api, path: str, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    filled = {name: room.connector if value == "CONNECTOR" else value for name, value in body.items()}
    real = path.replace("THREAD", room.thread).replace("CONNECTOR", room.connector)
    assert problem(api("POST", real, filled)) == expected
    assert room.events() == []
    assert len(_json(api("GET", "threads"))["items"]) == 1


def test_another_workspaces_things_look_like_things_that_never_existed(room: Room) -> None:
    other = make_room()
    stranger = Api(other.workspace, other.secret)
    turn = room.begin().turn
    for method, path in (
        ("GET", f"threads/{room.thread}"),
        ("DELETE", f"threads/{room.thread}"),
        ("GET", f"threads/{room.thread}/events"),
        ("POST", f"threads/{room.thread}/turns"),
        ("GET", f"turns/{turn}"),
        ("POST", f"turns/{turn}/cancel"),
        ("DELETE", f"connectors/{room.connector}"),
    ):
        body = {"text": "x"} if path.endswith("/turns") else {} if method == "POST" else None
        assert problem(stranger(method, path, body)) == (404, "not_found"), path
    assert room.state(turn) == "running"


def test_a_view_link_has_no_threads_and_no_connectors(room: Room) -> None:
    view = api_of(room, "view")
    turn = room.begin().turn
    for method, path, body in (
        ("GET", "threads", None),
        ("POST", "threads", {"connector": room.connector}),
        ("GET", f"threads/{room.thread}", None),
        ("DELETE", f"threads/{room.thread}", None),
        ("GET", f"threads/{room.thread}/events", None),
        ("POST", f"threads/{room.thread}/turns", {"text": "x"}),
        ("GET", f"turns/{turn}", None),
        ("POST", f"turns/{turn}/cancel", {}),
        ("POST", f"turns/{turn}/undo", {"expected_clocks": {}}),
        ("GET", f"turns/{turn}/undo", None),
        ("GET", "connectors", None),
        ("POST", "connectors", {"provider": "builtin"}),
        ("DELETE", f"connectors/{room.connector}", None),
    ):
        assert problem(view(method, path, body, key="k")) == (403, "view_only"), path
    assert room.state(turn) == "running"


def test_a_page_needs_its_csrf_token_to_ask(room: Room, browser) -> None:
    browser.open(room.secret)
    path = f"/api/v1/workspaces/{room.workspace}/threads/{room.thread}/turns"
    assert problem(browser.send("POST", path, {"text": "x"}, csrf=False)) == (403, "csrf_failed")
    assert problem(browser.send("POST", path, {"text": "x"}, origin="https://elsewhere.example")) == (
        403,
        "origin_refused",
    )
    assert browser.send("POST", path, {"text": "x"}).status_code == 202


def test_questions_have_a_rate_of_their_own(room: Room, api: Api, settings) -> None:
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    settings.CAREERVECTOR_RATE_LIMITS = {**settings.CAREERVECTOR_RATE_LIMITS, "turn": 2}
    statuses = [_begin(api, room).status_code for _ in range(3)]
    assert statuses == [202, 409, 429]
    # Stopping is never rationed.
    running = _json(api("GET", f"threads/{room.thread}"))["running_turn"]
    assert api("POST", f"turns/{running}/cancel", {}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_many_questions_at_once_one_is_taken(transactional_db) -> None:
    room = make_room()
    api = Api(room.workspace, room.secret)

    def ask(number: int) -> int:
        try:
            return _begin(api, room, text=f"Question {number}").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(ask, range(16)))
    assert statuses == [202] + [409] * 15
    assert room.kinds() == ["turn.queued"]
