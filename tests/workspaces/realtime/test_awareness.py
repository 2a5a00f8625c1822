"""Awareness of one room: whose state is whose, what is told on, and how much there may be."""

from __future__ import annotations

import pytest

from workspaces.realtime import awareness as module
from workspaces.realtime.awareness import Awareness, Told
from workspaces.realtime.yprotocol import Entry, Unreadable


class Clock:
    at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(clock: Clock) -> Awareness:
    return Awareness(clock)


def entry(client: int, clock: int = 1, text: str | None = "{}") -> Entry:
    return Entry(client, clock, text)


def told(room: Awareness) -> list[Entry]:
    return [each.entry for each in room.take_changes()]


def test_what_a_socket_says_of_itself_is_told_once_and_of_each_client_the_newest(room: Awareness) -> None:
    assert room.say("socket 1", "lnk_1", [entry(7, 1, '{"a":1}')])
    assert room.say("socket 1", "lnk_1", [entry(7, 2, '{"a":2}')])
    assert room.say("socket 1", "lnk_1", [entry(7, 1, '{"a":0}')])
    assert told(room) == [entry(7, 2, '{"a":2}')]
    assert told(room) == []
    assert room.everything() == [entry(7, 2, '{"a":2}')]


def test_an_echo_of_anothers_state_is_neither_told_nor_believed(room: Awareness) -> None:
    for socket, client in (("socket 1", 7), ("socket 2", 8)):
        room.say(socket, "lnk_1", [entry(client)])
    told(room)
    assert not room.say("socket 2", "lnk_1", [entry(7), entry(7, 9, '{"forged":true}'), entry(7, 9, None)])
    assert room.everything() == [entry(7), entry(8)]


def test_an_echo_need_not_even_be_readable(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7)])
    room.say("socket 2", "lnk_2", [entry(8), entry(7, 2, "not json")])
    assert room.everything() == [entry(7), entry(8)]


def test_a_socket_that_leaves_takes_its_states_along_and_no_others(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7, 3)])
    room.say("socket 2", "lnk_2", [entry(8)])
    told(room)
    assert room.leave("socket 1")
    assert told(room) == [entry(7, 3, None)]
    assert room.everything() == [entry(8)]
    assert not room.leave("socket 1")


def test_a_late_echo_does_not_bring_back_who_has_left(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7, 3)])
    room.say("socket 2", "lnk_1", [entry(8)])
    room.leave("socket 1")
    told(room)
    assert not room.say("socket 2", "lnk_1", [entry(7, 3)])
    assert not room.say("socket 3", "lnk_2", [entry(7, 9)])
    assert room.everything() == [entry(8)]


@pytest.mark.parametrize("broken", [True, False], ids=["before it is missed", "after it has left"])
def test_a_client_that_comes_back_on_a_new_socket_keeps_its_id(room: Awareness, broken: bool) -> None:
    room.say("old", "lnk_1", [entry(7, 3)])
    if not broken:
        room.leave("old")
    assert room.say("new", "lnk_1", [entry(7, 3)])
    told(room)
    assert not room.leave("old")
    assert room.everything() == [entry(7, 3)]
    assert room.leave("new")


def test_another_link_cannot_take_an_id_over(room: Awareness) -> None:
    room.say("old", "lnk_1", [entry(7, 3, '{"a":1}')])
    told(room)
    assert not room.say("new", "lnk_2", [entry(7, 4, '{"a":2}')])
    assert room.everything() == [entry(7, 3, '{"a":1}')]


def test_a_client_takes_its_state_back(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7)])
    told(room)
    assert room.say("socket 1", "lnk_1", [entry(7, 2, None)])
    assert told(room) == [entry(7, 2, None)]
    assert room.say("socket 1", "lnk_1", [entry(7, 3)])
    assert room.everything() == [entry(7, 3)]


@pytest.mark.parametrize(
    "text", ["", "5", '"x"', "[]", "{", '{"a":NaN}', '{"a":1,"a":2}', '{"a":"\\ud800"}', " null",
             '{"a":"' + "x" * module.MAX_STATE + '"}', '{"a":"' + "é" * (module.MAX_STATE // 2) + '"}']
)  # fmt: skip
def test_a_state_that_is_no_modest_object_is_refused(room: Awareness, text: str) -> None:
    with pytest.raises(Unreadable):
        room.say("socket 1", "lnk_1", [entry(7, 1, text)])
    assert room.everything() == []


def test_a_socket_has_a_few_states_and_a_room_has_many(room: Awareness, monkeypatch: pytest.MonkeyPatch) -> None:
    room.say("socket 1", "lnk_1", [entry(client) for client in range(20)])
    assert len(room.everything()) == module.MAX_OWN
    monkeypatch.setattr(module, "MAX_STATES", module.MAX_OWN + 1)
    room.say("socket 2", "lnk_2", [entry(100), entry(101)])
    assert room.everything()[-1] == entry(100)


def test_a_room_holds_so_much_and_no_more(room: Awareness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL", 25)
    room.say("socket 1", "lnk_1", [entry(1, 1, '{"a":"0123456789"}'), entry(2, 1, '{"a":"0123456789"}')])
    assert room.everything() == [entry(1, 1, '{"a":"0123456789"}')]
    room.say("socket 1", "lnk_1", [entry(1, 2, "{}"), entry(2, 2, '{"a":"0123456789"}')])
    assert room.everything() == [entry(1, 2, "{}"), entry(2, 2, '{"a":"0123456789"}')]


def test_rooms_of_other_processes_are_heard_and_told_apart(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7)])
    assert told(room) == [entry(7)]
    assert room.hear("there", [Told(entry(8), "lnk_2"), Told(entry(7, 5, '{"forged":true}'), "lnk_2")]) == [entry(8)]
    assert room.hear("there", [Told(entry(8), "lnk_2")]) == []
    assert [each.entry for each in room.local()] == [entry(7)]
    assert not room.say("socket 1", "lnk_1", [entry(8)]), "an echo of a client elsewhere"
    assert room.hear("there", [Told(entry(8, 1, None), "lnk_2")]) == [entry(8, 1, None)]
    assert room.everything() == [entry(7)]
    assert told(room) == []


def test_a_client_that_moves_to_another_process_is_not_missed_here(room: Awareness) -> None:
    room.say("socket 1", "lnk_1", [entry(7, 3)])
    told(room)
    assert room.hear("there", [Told(entry(7, 3), "lnk_1")]) == [entry(7, 3)]
    assert not room.leave("socket 1")
    assert room.everything() == [entry(7, 3)]


def test_a_process_that_says_nothing_any_more_is_forgotten(room: Awareness, clock: Clock) -> None:
    room.say("socket 1", "lnk_1", [entry(7)])
    room.hear("there", [Told(entry(8), "lnk_2"), Told(entry(9), "lnk_2")])
    clock.at += module.FORGET_S - 1
    assert room.hear("there", [Told(entry(9), "lnk_2")]) == []
    clock.at += 2
    assert room.forget_silent() == [entry(8, 1, None)]
    assert room.everything() == [entry(7), entry(9)]
