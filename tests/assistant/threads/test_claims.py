"""A queued turn goes to one host that may have it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from assistant import capabilities, facade
from assistant.wire import ConnectorInfo

from .room import BUILTIN, SCRIPTED, Room, make_host, make_room, pass_time, revoke


def test_a_host_is_given_the_question_its_context_and_a_capability_for_this_turn_alone(room: Room) -> None:
    turn = room.ask("What is next?", surface="board", document="profile").id
    assignment = room.claim(turn)

    assert assignment is not None
    assert (assignment.turn, assignment.thread, assignment.connector) == (turn, room.thread, room.connector)
    assert (assignment.provider, assignment.attempt, assignment.text) == ("builtin", 1, "What is next?")
    assert assignment.provider_thread is None
    assert [tool["name"] for tool in assignment.tools] == [
        "get_workspace_context",
        "search_jobcache",
        "apply_workspace_operations",
        "undo_workspace_receipt",
    ]
    now = assignment.context["now"]
    assert assignment.context == {
        "surface": "board",
        "document": "profile",
        "now": now,
        "time_zone": "UTC",
        "language": "en",
        "receipts": [],
    }
    scope = capabilities.verify(assignment.capability)
    assert (scope.workspace, scope.thread, scope.turn, scope.link) == (
        room.workspace,
        room.thread,
        turn,
        room.access.link,
    )
    assert datetime.fromisoformat(assignment.deadline_at).timestamp() <= scope.exp + 0.001
    assert room.secret not in str(assignment.as_json())
    assert room.workspace not in str({**assignment.as_json(), "capability": ""})


def test_a_turn_is_claimed_once(room: Room) -> None:
    turn = room.ask().id
    other = make_host(name="other")

    assert room.claim(turn) is not None
    assert room.claim(turn, other) is None
    assert not room.accept(turn, other)
    assert room.accept(turn)


def test_accepting_again_after_a_reconnect_starts_nothing_twice(room: Room) -> None:
    turn = room.begin().turn
    assert room.accept(turn)
    assert room.kinds() == ["turn.queued", "turn.started"]


def test_an_ended_turn_is_not_accepted(room: Room) -> None:
    turn = room.begin().turn
    room.complete(turn)
    assert not room.accept(turn)


@pytest.mark.parametrize(
    "make",
    [
        lambda room: make_host(SCRIPTED, name="without the provider"),
        lambda room: make_host(ConnectorInfo("builtin", "1", "needs_login"), name="not ready"),
        lambda room: make_host(BUILTIN, name="narrowed by its token", providers=["scripted"]),
        lambda room: make_host(BUILTIN, name="another's companion", workspace=make_room().workspace),
    ],
)
def test_a_host_that_may_not_have_the_turn_does_not_get_it(room: Room, make) -> None:
    turn = room.ask().id
    host = make(room)

    assert facade.list_claimable(identity=host) == []
    assert room.claim(turn, host) is None
    assert room.state(turn) == "queued"


def test_a_companion_gets_its_own_workspaces_turns_only(room: Room) -> None:
    other = make_room()
    mine, theirs = room.ask().id, other.ask().id
    companion = make_host(name="companion", workspace=room.workspace)

    assert facade.list_claimable(identity=companion) == [mine]
    assert room.claim(theirs, companion) is None
    assert room.claim(mine, companion) is not None


def test_a_provider_that_was_switched_off_is_offered_by_nobody(room: Room, settings) -> None:
    settings.CAREERVECTOR_PROVIDERS = ["scripted"]
    assert make_host(BUILTIN, name="late").providers == frozenset()


def test_waiting_turns_are_listed_oldest_first(room: Room) -> None:
    other = make_room()
    first, second = room.ask().id, other.ask().id
    assert facade.list_claimable(identity=room.host) == [first, second]


def test_a_turn_past_its_deadline_is_not_given_away(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    pass_time(monkeypatch, 601)
    assert room.claim(turn) is None
    assert facade.list_claimable(identity=room.host) == []


def test_the_history_holds_earlier_questions_and_answers(room: Room) -> None:
    first = room.begin("One?").turn
    room.send(first, "message.completed", {"part": "answer", "text": "First.", "citations": []})
    room.complete(first)
    second = room.begin("Two?").turn
    room.say(second, "partial")
    facade.cancel_turn(access=room.access, turn=second)
    room.begin("Three?")
    facade.cancel_turn(access=room.access, turn=room.events()[-1]["turn"])

    assert room.begin("Four?").history == (
        {"role": "user", "text": "One?"},
        {"role": "assistant", "text": "First."},
        {"role": "user", "text": "Two?"},
        {"role": "assistant", "text": "partial"},
        {"role": "user", "text": "Three?"},
    )


def test_a_long_history_is_cut_at_its_old_end(room: Room) -> None:
    for number in range(12):
        turn = room.begin(f"Question {number} " + "x" * 5_000).turn
        room.complete(turn)

    texts = [line["text"].split(" x")[0] for line in room.begin("Last").history]
    assert texts == ["Question 8", "Question 9", "Question 10", "Question 11"]


def test_a_bound_provider_thread_comes_back_with_the_next_question(room: Room) -> None:
    turn = room.begin().turn
    assert facade.bind_thread(turn=turn, host=room.host.host, provider_thread="native-1")
    assert not facade.bind_thread(turn=turn, host="hst_other", provider_thread="forged")
    room.complete(turn)
    assert not facade.bind_thread(turn=turn, host=room.host.host, provider_thread="late")

    assert room.begin().provider_thread == "native-1"


def test_a_deleted_connector_takes_no_turns(rooms) -> None:
    room = rooms(provider="scripted")
    turn = room.begin().turn
    waiting = facade.create_thread(access=room.access, connector=room.connector)
    facade.start_turn(access=room.access, thread=waiting.id, text="Wait")
    facade.delete_connector(access=room.access, connector=room.connector)

    assert room.state(turn) == "cancelled"
    assert facade.list_claimable(identity=room.host) == []


def test_the_deadline_is_never_later_than_a_capability_may_live(room: Room, settings) -> None:
    settings.CAREERVECTOR_TURN_SECONDS = 100_000
    turn = room.ask()
    assert turn.deadline_at - turn.created_at <= timedelta(seconds=600)
    assert room.claim(turn.id) is not None


def test_a_revoked_token_connects_no_more(room: Room) -> None:
    from workspaces.errors import Unauthorized

    revoke(room.host)
    assert not facade.note_alive(identity=room.host)
    with pytest.raises(Unauthorized):
        facade.connect_host(token=room.token, name="host", connectors=[BUILTIN])
