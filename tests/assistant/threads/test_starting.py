"""A question becomes a turn, or is refused with a reason and a trace."""

from __future__ import annotations

import pytest

from assistant import facade
from assistant.models import Turn, TurnAudit
from workspaces import facade as workspaces
from workspaces.errors import IdempotencyMismatch, InvalidRequest, LinkInvalid, NotFound, TurnRunning, ViewOnly

from .room import Room, make_room


def test_a_question_is_queued_with_its_text_as_the_first_event(room: Room) -> None:
    turn = room.ask("What is next?", surface="board")

    events = room.events()
    assert [(event["seq"], event["turn"], event["kind"], event["data"]) for event in events] == [
        (
            1,
            turn.id,
            "turn.queued",
            {"text": "What is next?", "surface": "board", "document": None, "connector": room.connector},
        )
    ]
    assert turn.state == "queued"
    assert turn.origin_event == events[0]["id"]
    assert (turn.deadline_at - turn.created_at).total_seconds() <= 600


def test_the_first_question_names_the_thread(room: Room) -> None:
    room.ask("Move Acme to interviewing, please, and note that they called me back on Monday morning")

    title = facade.get_thread(access=room.access, thread=room.thread).title
    assert title == "Move Acme to interviewing, please, and note that they calle…"


def test_a_second_question_waits_for_the_first_to_end(room: Room) -> None:
    first = room.begin().turn

    with pytest.raises(TurnRunning) as refusal:
        room.ask("And then?")
    assert refusal.value.details == {"turn": first}
    room.complete(first)
    assert room.ask("And then?").state == "queued"


def test_the_same_id_with_the_same_question_starts_one_turn(room: Room) -> None:
    first = room.ask("Once", turn="trn_from_the_page_1")
    again = room.ask("Once", turn="trn_from_the_page_1")

    assert again == first
    assert room.kinds() == ["turn.queued"]


@pytest.mark.parametrize("changes", [{"text": "Other"}, {"surface": "board"}, {"document": "profile"}])
def test_the_same_id_with_another_question_is_refused(room: Room, changes: dict[str, str]) -> None:
    room.ask("Once", turn="trn_from_the_page_1")

    with pytest.raises(IdempotencyMismatch):
        room.ask(**{"text": "Once", "turn": "trn_from_the_page_1", **changes})
    assert Turn.objects.count() == 1


def test_an_id_that_another_workspace_uses_is_refused_and_nothing_of_it_is_told(room: Room) -> None:
    other = make_room()
    other.ask("Secret", turn="trn_from_the_page_1")

    with pytest.raises(IdempotencyMismatch) as refusal:
        room.ask("Secret", turn="trn_from_the_page_1")
    assert refusal.value.details == {}
    assert room.events() == []


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"text": ""}, "text"),
        ({"text": " \n\t"}, "text"),
        ({"text": "x" * 8_001}, "text"),
        ({"text": "bell \x07"}, "text"),
        ({"text": "half \ud800"}, "text"),
        ({"text": 5}, "text"),
        ({"text": None}, "text"),
        ({"surface": "kitchen"}, "surface"),
        ({"surface": ["board"]}, "surface"),
        ({"document": ""}, "document"),
        ({"document": 7}, "document"),
        ({"turn": "mine"}, "id"),
        ({"turn": "trn_"}, "id"),
        ({"turn": "trn_" + "x" * 37}, "id"),
        ({"turn": "trn_white space"}, "id"),
    ],
)
def test_a_question_that_cannot_be_meant_is_refused(room: Room, changes: dict[str, object], path: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        room.ask(**{"text": "What?", **changes})
    assert [flaw.path for flaw in refusal.value.flaws] == [path]
    assert room.events() == []


def test_everything_that_is_wrong_is_told_at_once(room: Room) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        room.ask("", surface="kitchen", turn="mine")
    assert [flaw.path for flaw in refusal.value.flaws] == ["text", "surface", "id"]


def test_the_longest_question_is_taken(room: Room) -> None:
    assert len(room.ask("ä" * 8_000).text) == 8_000


def test_a_document_of_another_workspace_is_not_found(room: Room) -> None:
    with pytest.raises(NotFound):
        room.ask(document="application:01JAAAAAAAAAAAAAAAAAAAAAAA")
    assert room.ask(document="profile").document == "profile"


def test_another_workspaces_thread_is_not_found(room: Room) -> None:
    other = make_room()

    with pytest.raises(NotFound):
        room.ask(thread=other.thread)
    assert other.events() == []


def test_a_view_link_may_not_ask(room: Room) -> None:
    with pytest.raises(ViewOnly):
        room.ask(access=room.link("view"))


def test_a_revoked_link_may_not_ask(room: Room) -> None:
    edit = room.link("edit")
    workspaces.revoke_link(access=room.access, link=edit.link)

    with pytest.raises(LinkInvalid):
        room.ask(access=edit)
    assert room.events() == []


def test_a_refused_question_leaves_an_audit_row_without_its_words(room: Room) -> None:
    first = room.ask("private words").id
    with pytest.raises(TurnRunning):
        room.ask("more private words", turn="trn_second_question")
    with pytest.raises(InvalidRequest):
        room.ask("", surface="kitchen")

    rows = TurnAudit.objects.order_by("-code").values("workspace", "link", "thread", "turn", "outcome", "code")
    common = {"workspace": room.workspace, "link": room.access.link, "thread": room.thread, "outcome": "refused"}
    assert list(rows) == [
        {**common, "turn": "trn_second_question", "code": "turn_running"},
        {**common, "turn": "", "code": "invalid_request"},
    ]
    assert first not in {row["turn"] for row in rows}
    assert "private" not in str(list(TurnAudit.objects.values()))
