"""Time ends what nobody ends: unaccepted turns, lost hosts, deadlines."""

from __future__ import annotations

from assistant import facade, tasks
from assistant.models import ProviderEventSeen, Turn, TurnAudit, TurnToolResult
from assistant.wire import ConnectorInfo

from .room import Room, keep_alive, make_host, pass_time, silence


def _end(room: Room) -> tuple[str, dict[str, str]]:
    event = room.events()[-1]
    return event["kind"], event["data"]


def test_a_turn_that_no_host_takes_fails_after_five_seconds(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    pass_time(monkeypatch, 4.5)
    facade.sweep_turns()
    assert room.state(turn) == "queued"

    pass_time(monkeypatch, 1)
    assert (facade.sweep_turns().acted, room.state(turn)) == (1, "failed")
    kind, data = _end(room)
    assert (kind, data["class"]) == ("turn.failed", "connector_unavailable")
    assert facade.sweep_turns().acted == 0


def test_a_turn_that_its_host_does_not_accept_goes_to_another_host(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    other = make_host(name="other")
    first = room.claim(turn)
    pass_time(monkeypatch, 6)
    keep_alive(other)
    facade.sweep_turns()

    assert room.state(turn) == "queued"
    assert room.claim(turn) is None
    second = room.claim(turn, other)
    assert first is not None
    assert second is not None
    assert (first.attempt, second.attempt) == (1, 2)
    assert first.capability != second.capability
    assert not room.accept(turn)
    assert room.accept(turn, other)
    assert room.kinds() == ["turn.queued", "turn.started"]


def test_a_turn_that_no_other_host_could_take_fails_at_once(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    make_host(ConnectorInfo("scripted", "1", "ready"), name="of no use")
    room.claim(turn)
    pass_time(monkeypatch, 6)
    facade.sweep_turns()

    assert _end(room)[1]["class"] == "connector_unavailable"
    assert room.state(turn) == "failed"


def test_a_second_host_that_does_not_accept_either_ends_it(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    other = make_host(name="other")
    room.claim(turn)
    pass_time(monkeypatch, 6)
    keep_alive(other)
    facade.sweep_turns()
    assert room.claim(turn, other) is not None
    pass_time(monkeypatch, 6)
    facade.sweep_turns()

    assert (room.state(turn), _end(room)[1]["class"]) == ("failed", "connector_unavailable")


def test_a_lost_host_fails_its_turns_and_only_its_own(rooms, monkeypatch) -> None:
    lost, well = rooms(), rooms()
    gone, stays = lost.begin().turn, well.begin().turn
    lost.say(gone, "partial")
    pass_time(monkeypatch, 31)
    keep_alive(well.host)
    facade.sweep_turns()

    assert (lost.state(gone), well.state(stays)) == ("failed", "running")
    assert [event["kind"] for event in lost.events()[2:]] == ["message.delta", "turn.failed"]
    assert _end(lost)[1]["class"] == "host_lost"
    assert TurnAudit.objects.get(turn=gone).code == "host_lost"


def test_a_host_that_is_only_slow_keeps_its_turns(room: Room) -> None:
    turn = room.begin().turn
    silence(room.host, 29)
    facade.sweep_turns()
    assert room.state(turn) == "running"


def test_a_host_that_comes_back_in_time_keeps_its_turns(room: Room, monkeypatch) -> None:
    turn = room.begin().turn
    facade.disconnect_host(identity=room.host)
    pass_time(monkeypatch, 25)
    facade.sweep_turns()
    back = facade.connect_host(token=room.token, name="host", connectors=[ConnectorInfo("builtin", "1.0", "ready")])
    pass_time(monkeypatch, 20)
    keep_alive(back)
    facade.sweep_turns()

    assert back.host == room.host.host
    assert facade.list_held_turns(host=back.host) == {turn}
    assert room.say(turn, "still here") == []
    pass_time(monkeypatch, 25)
    keep_alive(back)
    facade.sweep_turns()
    assert room.state(turn) == "running"


def test_a_host_that_comes_back_without_the_turn_loses_it(room: Room, monkeypatch) -> None:
    turn = room.begin().turn
    pass_time(monkeypatch, 5)
    back = facade.connect_host(token=room.token, name="host", connectors=[ConnectorInfo("builtin", "1.0", "ready")])
    pass_time(monkeypatch, 31)
    keep_alive(back)
    facade.sweep_turns()

    assert (room.state(turn), _end(room)[1]["class"]) == ("failed", "host_lost")


def test_another_name_of_the_same_token_is_another_host(room: Room) -> None:
    turn = room.begin().turn
    other = facade.connect_host(token=room.token, name="other", connectors=[ConnectorInfo("builtin", "1.0", "ready")])

    assert other.host != room.host.host
    assert facade.list_held_turns(host=other.host) == frozenset()
    assert [refusal.code for refusal in room.say(turn, "x", host=other.host)] == ["not_held"]


def test_an_older_socket_of_a_host_no_longer_counts(room: Room) -> None:
    newer = facade.connect_host(token=room.token, name="host", connectors=[ConnectorInfo("builtin", "1.0", "ready")])
    assert not facade.note_alive(identity=room.host)
    facade.disconnect_host(identity=room.host)
    assert facade.note_alive(identity=newer)
    assert facade.list_connectors(access=room.access)[0].state == "ready"


def test_a_deadline_ends_a_turn_that_still_runs(room: Room, monkeypatch) -> None:
    turn = room.begin().turn
    pass_time(monkeypatch, 301)
    keep_alive(room.host)
    facade.sweep_turns()

    assert (room.state(turn), _end(room)[1]["class"]) == ("failed", "timeout")


def test_a_sweep_with_nothing_to_do_does_nothing(room: Room) -> None:
    room.begin()
    before = room.events()
    assert facade.sweep_turns().open == 1
    assert room.events() == before


def test_the_scheduled_task_sweeps_and_is_due_every_five_seconds(room: Room, monkeypatch) -> None:
    turn = room.ask().id
    pass_time(monkeypatch, 6)
    tasks.sweep_turns()

    assert room.state(turn) == "failed"
    assert (tasks.sweep_turns.name, 5.0) in [(entry["task"], entry["schedule"]) for entry in tasks.BEAT.values()]


def test_what_an_ending_left_behind_is_voided_and_open_turns_keep_theirs(room: Room, rooms) -> None:
    other = rooms()
    ended, running = room.begin(), other.begin()
    room.complete(ended.turn)
    assert tasks.expire_capabilities() == 0
    # As a fault of ours could leave it: a nonce, an event id, an answer of a turn that is over; an answer of no turn.
    Turn.objects.filter(pk=ended.turn).update(nonce="non_left")
    for turn in (ended.turn, running.turn):
        ProviderEventSeen.objects.create(turn_id=turn, event="e-left")
    for turn in (ended.turn, running.turn, "trn_gone"):
        TurnToolResult.objects.create(turn=turn, call="c-left", tool="t", digest="", arguments="{}", result="{}")
    before = Turn.objects.get(pk=running.turn).nonce
    assert tasks.expire_capabilities() == 2
    assert tasks.expire_capabilities() == 0
    assert (Turn.objects.get(pk=ended.turn).nonce, Turn.objects.get(pk=running.turn).nonce) == ("", before)
    assert list(ProviderEventSeen.objects.values_list("turn", flat=True)) == [running.turn]
    assert list(TurnToolResult.objects.values_list("turn", flat=True)) == [running.turn]
