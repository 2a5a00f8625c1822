"""What a host may add to a turn: the right kinds, the right host, the right time, once."""

from __future__ import annotations

from typing import Any

import pytest

from assistant import facade
from assistant.models import ProviderEventSeen, TurnAudit
from assistant.wire import EventRefused

from .room import Room, make_host


def _codes(refused: list[EventRefused]) -> list[str]:
    return [each.code for each in refused]


def test_a_turn_goes_from_queued_over_text_to_its_provenance(room: Room) -> None:
    turn = room.begin().turn
    assert room.say(turn, "Hel") == []
    assert room.say(turn, "lo") == []
    assert room.send(turn, "message.completed", {"part": "answer", "text": "Hello", "citations": []}) == []
    assert room.complete(turn) == []

    events = room.events()
    assert [event["seq"] for event in events] == [1, 2, 3, 4, 5, 6]
    assert [(event["kind"], event["data"]) for event in events[1:]] == [
        ("turn.started", {"connector": room.connector, "provider": "builtin", "version": "1.0"}),
        ("message.delta", {"part": "answer", "text": "Hel"}),
        ("message.delta", {"part": "answer", "text": "lo"}),
        ("message.completed", {"part": "answer", "text": "Hello", "citations": []}),
        (
            "turn.completed",
            {
                "provenance": {
                    "tools": [],
                    "counts": {},
                    "truncated": False,
                    "provider": "builtin",
                    "model": None,
                    "connector": room.connector,
                    "connector_version": "1.0",
                    "ungrounded": [],
                    "checked": True,
                }
            },
        ),
    ]


def test_deltas_that_come_together_are_one_event_and_keep_their_order(room: Room) -> None:
    turn = room.begin().turn
    pieces = [("a", "1"), ("a", "2"), ("b", "x"), ("a", "3"), ("a", "")]
    events = [room.event(turn, "message.delta", {"part": part, "text": text}) for part, text in pieces]
    assert facade.take_events(turn=turn, host=room.host.host, events=events) == []

    deltas = [event["data"] for event in room.events() if event["kind"] == "message.delta"]
    assert deltas == [{"part": "a", "text": "12"}, {"part": "b", "text": "x"}, {"part": "a", "text": "3"}]


def test_every_kind_a_host_may_send_is_written_as_it_is(room: Room) -> None:
    turn = room.begin().turn
    sent = [
        ("progress", {"text": "Reading the board"}),
        ("limit", {"class": "requests", "retry_at": "2026-12-01T08:00:00Z"}),
        ("limit", {"class": "requests", "retry_at": None}),
        ("auth", {"state": "needs_login"}),
    ]
    for kind, data in sent:
        assert room.send(turn, kind, data) == []

    assert [(event["kind"], event["data"]) for event in room.events()[2:]] == sent


def test_an_event_sent_again_is_dropped_and_counted(room: Room) -> None:
    turn = room.begin().turn
    event = room.event(turn, "message.delta", {"part": "answer", "text": "once"}, id="p1")
    for _ in range(3):
        assert facade.take_events(turn=turn, host=room.host.host, events=[event]) == []
    assert facade.take_events(turn=turn, host=room.host.host, events=[event, event]) == []
    room.complete(turn)

    assert room.kinds() == ["turn.queued", "turn.started", "message.delta", "turn.completed"]
    assert TurnAudit.objects.get(turn=turn).duplicate_events == 4
    assert not ProviderEventSeen.objects.exists()


def test_the_same_event_id_in_two_turns_is_two_events(room: Room) -> None:
    first = room.begin("One").turn
    room.say(first, "a", id="p1")
    room.complete(first, id="p2")
    second = room.begin("Two").turn
    assert room.say(second, "b", id="p1") == []
    assert room.complete(second, id="p2") == []
    assert [event["data"]["text"] for event in room.events() if event["kind"] == "message.delta"] == ["a", "b"]


def test_after_the_end_nothing_is_added_and_late_events_are_counted(room: Room) -> None:
    turn = room.begin().turn
    room.complete(turn)
    before = room.events()

    assert _codes(room.say(turn, "late")) == ["turn_ended"]
    assert _codes(room.complete(turn)) == ["turn_ended"]
    assert _codes(room.send(turn, "turn.failed", {"class": "timeout", "message": ""})) == ["turn_ended"]
    assert room.events() == before
    assert TurnAudit.objects.get(turn=turn).dropped_events == 3


def test_what_comes_behind_the_end_in_one_delivery_is_dropped_too(room: Room) -> None:
    turn = room.begin().turn
    events = [
        room.event(turn, "message.delta", {"part": "answer", "text": "a"}),
        room.event(turn, "turn.cancelled", {}),
        room.event(turn, "message.delta", {"part": "answer", "text": "b"}),
        room.event(turn, "turn.completed", {}),
    ]
    refused = facade.take_events(turn=turn, host=room.host.host, events=events)

    assert [(each.id, each.code) for each in refused] == [(events[2].id, "turn_ended"), (events[3].id, "turn_ended")]
    assert room.kinds() == ["turn.queued", "turn.started", "message.delta", "turn.cancelled"]
    assert TurnAudit.objects.get(turn=turn).dropped_events == 2


def test_another_host_may_add_nothing(room: Room) -> None:
    turn = room.begin().turn
    stranger = make_host(name="stranger")
    before = room.events()

    assert _codes(room.say(turn, "forged", host=stranger.host)) == ["not_held"]
    assert _codes(room.complete(turn, host=stranger.host)) == ["not_held"]
    assert room.events() == before
    assert room.state(turn) == "running"


def test_a_turn_that_does_not_exist_looks_like_one_that_is_not_held(room: Room) -> None:
    assert _codes(room.say("trn_01JAAAAAAAAAAAAAAAAAAAAAAA", "x")) == ["not_held"]


def test_nothing_is_added_before_the_turn_was_accepted(room: Room) -> None:
    turn = room.ask().id
    assert _codes(room.say(turn, "x")) == ["not_held"]
    room.claim(turn)
    assert _codes(room.say(turn, "x")) == ["not_accepted"]
    room.accept(turn)
    assert room.say(turn, "x") == []


@pytest.mark.parametrize(
    ("kind", "data", "code"),
    [
        ("tool.started", {"call": "c", "tool": "get_workspace_context", "summary": ""}, "unknown_kind"),
        ("tool.completed", {"call": "c", "tool": "x", "outcome": "ok"}, "unknown_kind"),
        ("turn.queued", {}, "unknown_kind"),
        ("turn.started", {}, "unknown_kind"),
        ("receipt", {}, "unknown_kind"),
        ("", {}, "unknown_kind"),
        ("message.delta", {}, "invalid_request"),
        ("message.delta", {"part": "answer"}, "invalid_request"),
        ("message.delta", {"part": "answer", "text": 5}, "invalid_request"),
        ("message.delta", {"part": "answer", "text": "\x00"}, "invalid_request"),
        ("message.delta", {"part": "a b", "text": "x"}, "invalid_request"),
        ("message.delta", {"part": "answer", "text": "x", "more": 1}, "invalid_request"),
        ("message.delta", {"part": "answer", "text": "x" * 50_001}, "too_large"),
        ("message.completed", {"part": "answer", "text": "x"}, "invalid_request"),
        ("message.completed", {"part": "answer", "text": "x", "citations": [5]}, "invalid_request"),
        ("message.completed", {"part": "answer", "text": "x", "citations": "profile"}, "invalid_request"),
        ("message.completed", {"part": "answer", "text": "x", "citations": ["p"] * 101}, "invalid_request"),
        ("progress", {"text": "x" * 301}, "too_large"),
        ("progress", {}, "invalid_request"),
        ("limit", {"class": "Not A Class", "retry_at": None}, "invalid_request"),
        ("limit", {"class": "requests", "retry_at": "soon"}, "invalid_request"),
        ("limit", {"class": "requests", "retry_at": "2026-12-01"}, "invalid_request"),
        ("auth", {"state": "logged in"}, "invalid_request"),
        ("auth", {"state": ["ready"]}, "invalid_request"),
        ("turn.failed", {"class": "host_lost", "message": ""}, "invalid_request"),
        ("turn.failed", {"class": "connector_unavailable", "message": ""}, "invalid_request"),
        ("turn.failed", {"class": "timeout"}, "invalid_request"),
        ("turn.failed", {"class": "timeout", "message": "x" * 501}, "too_large"),
        ("turn.completed", {"model": 5}, "invalid_request"),
        ("turn.completed", {"model": "m" * 101}, "too_large"),
    ],
)
def test_an_event_that_a_host_may_not_send_changes_nothing(room: Room, kind: str, data: Any, code: str) -> None:
    turn = room.begin().turn
    before = room.events()

    assert _codes(room.send(turn, kind, data, id="p1")) == [code]
    assert room.events() == before
    assert room.state(turn) == "running"
    # The refused id is free: the host may put it right.
    assert room.say(turn, "right", id="p1") == []


def test_a_turn_has_room_for_so_much_text_and_no_more(room: Room) -> None:
    turn = room.begin().turn
    piece = "x" * 50_000
    codes = [code for _ in range(20) for code in _codes(room.say(turn, piece))]

    assert codes == ["too_large"] * 4
    assert room.complete(turn) == []
    assert room.state(turn) == "completed"


def test_only_ids_of_the_turns_own_may_be_cited(room: Room) -> None:
    turn = room.begin(document="profile").turn
    cited = ["profile", "application:01JAAAAAAAAAAAAAAAAAAAAAAA", "profile", "plan"]
    room.send(turn, "message.completed", {"part": "answer", "text": "So.", "citations": cited})
    room.complete(turn)

    assert room.events()[2]["data"]["citations"] == ["profile"]
    assert TurnAudit.objects.get(turn=turn).citations_left_out == 2


@pytest.mark.parametrize(
    ("kind", "data", "state", "shown"),
    [
        ("turn.cancelled", {}, "cancelled", {}),
        (
            "turn.failed",
            {"class": "provider_limit", "message": "Come back at 9."},
            "failed",
            {"class": "provider_limit", "message": "Come back at 9."},
        ),
    ],
)
def test_a_host_ends_its_turn_in_other_ways_too(
    room: Room, kind: str, data: dict[str, str], state: str, shown: dict[str, str]
) -> None:
    turn = room.begin().turn
    room.say(turn, "partial")
    assert room.send(turn, kind, data) == []

    assert room.state(turn) == state
    assert [(event["kind"], event["data"]) for event in room.events()[2:]] == [
        ("message.delta", {"part": "answer", "text": "partial"}),
        (kind, shown),
    ]


def test_the_model_is_what_the_host_says_and_nothing_else_is(room: Room) -> None:
    turn = room.begin().turn
    claimed = {"provenance": {"model": "m-1", "tools": [{"name": "forged"}], "ungrounded": [], "provider": "other"}}
    assert room.send(turn, "turn.completed", claimed) == []

    provenance = room.events()[-1]["data"]["provenance"]
    assert (provenance["model"], provenance["tools"], provenance["provider"]) == ("m-1", [], "builtin")
