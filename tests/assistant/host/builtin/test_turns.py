"""Turns as a whole: batches, clocks, undo, answers to questions, streaming, large workspaces, cancelling."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from typing import Any

import pytest

from assistant.host.connectors.base import TurnCancelled
from assistant.host.connectors.builtin import BuiltinConnector
from assistant.host.connectors.builtin.connector import answer_turn, pieces
from assistant.wire import Assignment

from .matching import ROLES, SAMPLE
from .tool_model import TODAY, Session, Thread, ToolModel, load_sample


@pytest.fixture
def sample() -> tuple[ToolModel, dict[str, str]]:
    return load_sample(SAMPLE, roles=ROLES)


def writes(model: ToolModel) -> list[dict[str, Any]]:
    return [arguments for name, arguments in model.calls if name == "apply_workspace_operations"]


async def test_clocks_name_exactly_the_documents_touched(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    session = await Thread(model).say("Move Kestrel to applied and note that they replied")
    assert writes(model)[0]["expected_clocks"] == [
        {"document": ids["kestrel"], "clock": 1},
        {"document": "new:note-2", "clock": 0},
    ]
    made = next(doc_id for doc_id in model.receipts[0]["clocks"]["after"] if doc_id.startswith("note:"))
    assert f"(#{made})" in (session.text or "")
    assert set(session.citations) == {ids["kestrel"], made}


async def test_a_stale_clock_is_thought_over_once_with_what_is_there_now(
    sample: tuple[ToolModel, dict[str, str]],
) -> None:
    model, ids = sample

    def somebody_else(attempt: int) -> None:
        if attempt == 1:
            change = {"kind": "field.set", "document": ids["kestrel"], "field": "next_step", "value": "x"}
            model.commit([change], {ids["kestrel"]: model.documents[ids["kestrel"]]["clock"]}, "by hand")

    model.before_write = somebody_else
    session = await Thread(model).say("Move Kestrel to applied")
    assert [entry["expected_clocks"][0]["clock"] for entry in writes(model)] == [1, 2]
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "applied"
    assert "Moved" in (session.text or "")


async def test_a_change_that_somebody_else_made_first_is_not_repeated(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample

    def somebody_else(attempt: int) -> None:
        if attempt == 1:
            change = {"kind": "application.move_stage", "document": ids["larkspur"], "stage": "offer"}
            model.commit([change], {ids["larkspur"]: model.documents[ids["larkspur"]]["clock"]}, "by hand")

    model.before_write = somebody_else
    session = await Thread(model).say("Move Larkspur to offer")
    assert len(writes(model)) == 1
    assert "already" in (session.text or "")


async def test_writing_stops_after_the_second_stale_clock(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample

    def always(attempt: int) -> None:
        change = {"kind": "field.set", "document": ids["kestrel"], "field": "next_step", "value": f"x{attempt}"}
        model.commit([change], {ids["kestrel"]: model.documents[ids["kestrel"]]["clock"]}, "by hand")

    model.before_write = always
    session = await Thread(model).say("Move Kestrel to applied")
    assert len(writes(model)) == 2
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "preparing"
    assert "changed nothing" in (session.text or "")


async def test_a_line_is_appended_below_what_is_there_though_cards_show_no_texts(
    sample: tuple[ToolModel, dict[str, str]],
) -> None:
    model, ids = sample
    await Thread(model).say("Add to the notes of the Larkspur application: They use Go too.")
    assert model.documents[ids["larkspur"]]["texts"]["notes"] == (
        "Team of six. They run Django and Celery.\nThey use Go too."
    )


async def test_an_empty_text_starts_without_a_blank_line(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    await Thread(model).say("Add to the notes of the Kestrel application: Robots!")
    assert model.documents[ids["kestrel"]]["texts"]["notes"] == "Robots!"


async def test_a_letter_with_paragraphs_gets_a_paragraph(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    await Thread(model).say("Add this line to the Kestrel letter: I have shipped three robots.")
    assert model.documents[ids["letter-kestrel"]]["texts"]["body"].endswith("C++ role.\n\nI have shipped three robots.")


async def test_undo_restores_and_redo_brings_back(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    thread = Thread(model)
    await thread.say("Move Larkspur to offer")
    await thread.say("undo that")
    assert model.documents[ids["larkspur"]]["fields"]["stage"] == "interviewing"
    await thread.say("redo")
    assert model.documents[ids["larkspur"]]["fields"]["stage"] == "offer"


async def test_undo_without_a_change_says_so_and_calls_nothing(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, _ = sample
    session = await Thread(model).say("Undo that")
    assert model.calls == []
    assert "no change of mine" in (session.text or "")


async def test_an_undo_that_later_work_stands_in_the_way_of_is_explained(
    sample: tuple[ToolModel, dict[str, str]],
) -> None:
    model, ids = sample
    thread = Thread(model)
    await thread.say("Move Larkspur to offer")
    real = model.call

    async def call(name: str, arguments: Any) -> dict[str, Any]:
        if name != "undo_workspace_receipt":
            return await real(name, arguments)
        path = f"{ids['larkspur']}/fields/stage"
        return {"status": "refused", "code": "undo_conflict", "message": "", "details": {"conflicts": [{"path": path}]}}

    model.call = call  # type: ignore[method-assign]
    session = await thread.say("undo that")
    assert "later work" in (session.text or "")
    assert "Nothing was changed" in (session.text or "")


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("the data engineer one", "quillmark-data"),
        ("Data Engineer", "quillmark-data"),
        ("the second", "quillmark-analytics"),
        ("the first one please", "quillmark-data"),
        ("analytics", "quillmark-analytics"),
        ("I mean the Analytics Engineer", "quillmark-analytics"),
    ],
)
async def test_the_answer_to_a_question_back_settles_it(
    sample: tuple[ToolModel, dict[str, str]], reply: str, name: str
) -> None:
    model, ids = sample
    thread = Thread(model)
    await thread.say("Move Quillmark to interviewing")
    assert writes(model) == []
    await thread.say(reply)
    assert [operation["document"] for operation in writes(model)[0]["operations"]] == [ids[name]]


async def test_no_to_a_question_back_changes_nothing(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, _ = sample
    thread = Thread(model)
    await thread.say("Move Quillmark to interviewing")
    session = await thread.say("neither")
    assert writes(model) == []
    assert session.text == "All right, I have changed nothing."


async def test_yes_confirms_a_guess(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    thread = Thread(model)
    session = await thread.say("Move Larkspur Robotics Worldwide to offer")
    assert "Did you mean" in (session.text or "")
    await thread.say("yes")
    assert model.documents[ids["larkspur"]]["fields"]["stage"] == "offer"


async def test_it_means_the_open_document(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    await Thread(model, document=ids["kestrel"]).say("move this to applied")
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "applied"


async def test_it_means_what_was_last_spoken_of(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    thread = Thread(model)
    await thread.say("show the Kestrel application")
    await thread.say("move it to applied")
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "applied"


async def test_it_without_anything_before_is_asked_about(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, _ = sample
    session = await Thread(model).say("move it to applied")
    assert writes(model) == []
    assert "Which application" in (session.text or "")


async def test_the_same_for_another_repeats_the_request(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    thread = Thread(model)
    await thread.say("Move Larkspur to offer")
    await thread.say("same for Kestrel")
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "offer"


async def test_five_hundred_applications_are_all_read() -> None:
    model, _ = load_sample(SAMPLE)
    for number in range(488):
        fields = [
            {"field": "title", "value": f"Role {number}"},
            {"field": "company", "value": f"Firm{number:03d} Works"},
            {"field": "stage", "value": "saved"},
            {"field": "tier", "value": "target"},
        ]
        create = {
            "kind": "document.create",
            "document": "new:a",
            "document_kind": "application",
            "fields": fields,
            "texts": [],
        }
        model.commit([create], {"new:a": 0}, "more")
    model.calls.clear()
    session = await Thread(model).say("Move Firm487 to applied")
    assert "Firm487 Works" in (session.text or "")
    assert writes(model)[0]["operations"][0]["stage"] == "applied"
    assert len(model.calls) < 30
    listed = await Thread(model).say("show all my applications")
    assert "You have 500 applications" in (listed.text or "")
    assert "truncated" in (listed.text or "")


async def test_the_answer_is_streamed_in_pieces_that_make_up_the_whole(
    sample: tuple[ToolModel, dict[str, str]],
) -> None:
    model, _ = sample
    session = await Thread(model).say("What should I do next?")
    assert len(session.deltas) > 3
    assert "".join(session.deltas) == session.text
    assert pieces("One. Two!\n\n- three\n") == ["One. ", "Two!\n\n", "- three\n"]


async def test_a_cancelled_turn_stops_at_its_next_step(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample

    class Cancelled(Session):
        async def call_tool(self, name: str, arguments: Any, *, call: str | None = None) -> dict[str, Any]:
            if len(self.model.calls) == 1:
                raise TurnCancelled
            return await super().call_tool(name, arguments, call=call)

    turn = _turn("Move Kestrel to applied")
    session = Cancelled(model)
    with pytest.raises(TurnCancelled):
        await BuiltinConnector().run_turn(turn, session)
    assert session.text is None
    assert model.documents[ids["kestrel"]]["fields"]["stage"] == "preparing"


@pytest.mark.parametrize("code", ["view_only", "rate_limited", "too_large", "capability_invalid", "something_new"])
async def test_a_refusal_is_said_plainly(sample: tuple[ToolModel, dict[str, str]], code: str) -> None:
    model, _ = sample

    async def call(name: str, arguments: Any) -> dict[str, Any]:
        return {"status": "refused", "code": code, "message": "internal words", "details": {}}

    model.call = call  # type: ignore[method-assign]
    session = await Thread(model).say("Move Kestrel to applied")
    assert session.text
    assert "internal words" not in session.text


async def test_turns_run_side_by_side(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, _ = sample
    sessions = await asyncio.gather(*(Thread(model).say("What should I do next?") for _ in range(5)))
    assert len({session.text for session in sessions}) == 1


async def test_without_zone_or_clock_the_answer_is_still_given(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, _ = sample
    turn = _turn("What is due this week?", context={})
    answer = await answer_turn(turn, Session(model))
    assert answer.text


async def test_this_week_holds_nothing_later_than_seven_days(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    session = await Thread(model).say("What is due this week?")
    text = session.text or ""
    assert all(ids[name] in text for name in ("halcyon", "kestrel", "tideline-labs", "tideline-maritime"))
    assert ids["quillmark-analytics"] not in text
    assert "Practise system design" not in text
    assert date(2026, 12, 7) > TODAY


async def test_what_next_starts_with_the_nearest_dated_action(sample: tuple[ToolModel, dict[str, str]]) -> None:
    model, ids = sample
    for question in ("What should I do next?", "what's next this week?"):
        session = await Thread(model).say(question)
        first = (session.text or "").partition("Halcyon")[0]
        assert ids["brackenfield"] in first


def _turn(text: str, context: dict[str, Any] | None = None) -> Assignment:
    if context is None:
        context = {
            "surface": "board",
            "document": None,
            "now": "2026-11-30T09:30:00Z",
            "time_zone": "UTC",
            "language": "en",
            "receipts": [],
        }
    return Assignment(
        turn="trn_1", thread="thr_1", connector="con_1", provider="builtin", attempt=1, capability="", deadline_at="",
        provider_thread=None, tools=(), instructions="", context=json.loads(json.dumps(context)), history=(), text=text,
    )  # fmt: skip
