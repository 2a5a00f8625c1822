"""A turn ends once, whoever ends it, and leaves its trace."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction

from assistant import facade
from assistant.models import TurnAudit
from assistant.threads import store
from workspaces import facade as workspaces
from workspaces.errors import CapabilityInvalid, LinkInvalid, NotFound, ViewOnly

from .room import Room, make_room

READ = {"surface": "overview", "document": None, "job": None, "cursor": None}


def test_a_cancelled_turn_keeps_its_text_and_takes_nothing_more(room: Room) -> None:
    turn = room.begin().turn
    room.say(turn, "partial")
    facade.cancel_turn(access=room.access, turn=turn)

    assert room.kinds() == ["turn.queued", "turn.started", "message.delta", "turn.cancelled"]
    assert [refusal.code for refusal in room.say(turn, "late")] == ["turn_ended"]
    assert room.state(turn) == "cancelled"


def test_a_queued_turn_can_be_cancelled_and_no_host_gets_it(room: Room) -> None:
    turn = room.ask().id
    facade.cancel_turn(access=room.access, turn=turn)

    assert room.claim(turn) is None
    assert room.kinds() == ["turn.queued", "turn.cancelled"]


def test_cancelling_twice_is_cancelling_once(room: Room) -> None:
    turn = room.begin().turn
    for _ in range(3):
        assert facade.cancel_turn(access=room.access, turn=turn).state == "cancelled"
    assert room.kinds().count("turn.cancelled") == 1


def test_cancelling_a_completed_turn_leaves_it_completed(room: Room) -> None:
    turn = room.begin().turn
    room.complete(turn)
    assert facade.cancel_turn(access=room.access, turn=turn).state == "completed"
    assert room.kinds()[-1] == "turn.completed"


def test_only_the_workspaces_own_writing_links_may_cancel(room: Room) -> None:
    turn = room.begin().turn
    edit = room.link("edit")
    workspaces.revoke_link(access=room.access, link=edit.link)

    with pytest.raises(NotFound):
        facade.cancel_turn(access=make_room().access, turn=turn)
    with pytest.raises(ViewOnly):
        facade.cancel_turn(access=room.link("view"), turn=turn)
    with pytest.raises(LinkInvalid):
        facade.cancel_turn(access=edit, turn=turn)
    assert room.state(turn) == "running"


def test_a_cancel_voids_the_capability(room: Room) -> None:
    assignment = room.begin()
    facade.cancel_turn(access=room.access, turn=assignment.turn)

    result = room.use(assignment, "get_workspace_context", READ)
    assert (result["status"], result["code"]) == ("refused", "capability_invalid")
    assert room.kinds()[-1] == "turn.cancelled"


@pytest.mark.django_db(transaction=True)
def test_a_cancel_waits_for_a_write_in_flight_and_comes_after_it(transactional_db: None) -> None:
    room = make_room()
    turn = room.begin().turn
    locked, release = Event(), Event()

    def write() -> None:
        with transaction.atomic():
            store.lock_turn(turn)
            locked.set()
            assert release.wait(10)
            data = {"call": "c1", "tool": "x", "outcome": "ok", "counts": {}, "truncated": False}
            store.append_event(thread=room.thread, turn=turn, kind="tool.completed", data=data)
        connection.close()

    def cancel() -> None:
        facade.cancel_turn(access=room.access, turn=turn)
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(write)
        assert locked.wait(10)
        cancelling = pool.submit(cancel)
        with pytest.raises(TimeoutError):
            cancelling.result(0.3)
        release.set()
        writing.result(10)
        cancelling.result(10)
    assert room.kinds() == ["turn.queued", "turn.started", "tool.completed", "turn.cancelled"]


def test_a_tool_call_without_an_answer_is_closed_before_the_end(room: Room) -> None:
    turn = room.begin().turn
    started = {"call": "c1", "tool": "search_jobcache", "summary": "Searching"}
    store.append_event(thread=room.thread, turn=turn, kind="tool.started", data=started)
    facade.cancel_turn(access=room.access, turn=turn)

    assert [(event["kind"], event["data"]) for event in room.events()[3:]] == [
        (
            "tool.completed",
            {
                "call": "c1",
                "tool": "search_jobcache",
                "outcome": "refused",
                "code": "turn_ended",
                "counts": {},
                "truncated": False,
            },
        ),
        ("turn.cancelled", {}),
    ]


def test_no_event_can_be_appended_to_an_ended_turn(room: Room) -> None:
    turn = room.begin().turn
    room.complete(turn)
    with pytest.raises(CapabilityInvalid):
        store.append_event(thread=room.thread, turn=turn, kind="tool.started", data={})


def test_a_completed_turn_leaves_one_content_free_audit_row(room: Room) -> None:
    assignment = room.begin("Where do I stand with Acme?", surface="board")
    for call in ("c1", "c2"):
        room.use(assignment, "get_workspace_context", READ, call=call)
    room.say(assignment.turn, "You have 17 offers.")
    room.send(assignment.turn, "turn.completed", {"model": "m-1"})

    (row,) = TurnAudit.objects.values()
    fixed = {name: row[name] for name in row if name not in ("id", "at", "started_ms", "first_text_ms", "ended_ms")}
    assert fixed == {
        "workspace": room.workspace,
        "link": room.access.link,
        "thread": room.thread,
        "turn": assignment.turn,
        "connector": room.connector,
        "provider": "builtin",
        "connector_version": "1.0",
        "model": "m-1",
        "host": room.host.host,
        "surface": "board",
        "attempt": 1,
        "outcome": "completed",
        "code": "",
        "tool_calls": 2,
        "records": row["records"],
        "ungrounded": 1,
        "citations_left_out": 0,
        "dropped_events": 0,
        "duplicate_events": 0,
        "refused_events": 0,
    }
    assert 0 <= row["started_ms"] <= row["first_text_ms"] <= row["ended_ms"]
    assert "Acme" not in str(row)


def test_the_provenance_names_tools_counts_and_what_nothing_supports(room: Room) -> None:
    assignment = room.begin()
    room.use(assignment, "get_workspace_context", READ)
    room.say(assignment.turn, "You have 17 offers.")
    room.complete(assignment.turn)

    provenance = room.events()[-1]["data"]["provenance"]
    assert [(use["name"], use["calls"], use["refused"], use["truncated"]) for use in provenance["tools"]] == [
        ("get_workspace_context", 1, 0, False)
    ]
    assert provenance["counts"] == provenance["tools"][0]["counts"]
    assert provenance["counts"]["documents"] >= 1
    assert [claim["text"] for claim in provenance["ungrounded"]] == ["17"]


def test_deleting_a_thread_ends_its_turn_and_keeps_the_audit(room: Room) -> None:
    turn = room.begin().turn
    facade.delete_thread(access=room.access, thread=room.thread)

    assert [row.outcome for row in TurnAudit.objects.filter(turn=turn)] == ["cancelled"]
    with pytest.raises(NotFound):
        facade.get_thread(access=room.access, thread=room.thread)
    assert [refusal.code for refusal in room.say(turn, "late")] == ["not_held"]
