"""Calls delivered twice, and what is kept of a call while its turn runs."""

from __future__ import annotations

import hashlib
import json

import pytest

from assistant.models import ToolCall, Turn, TurnToolResult
from assistant.threads import provenance
from assistant.tools import boundary, results

from .conftest import Stage, last_audit


def test_the_same_call_delivered_twice_is_one_commit_one_pair_of_events_and_one_answer(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    operations = [{"kind": "text.append", "document": application, "text": "notes", "content": "once"}]
    first = stage.apply(operations, {application: 1}, call="same")
    again = stage.apply(operations, {application: 1}, call="same")
    assert first == again
    assert stage.clock(application) == 2
    assert len(stage.events()) == 2
    assert ToolCall.objects.count() == 1


def test_the_same_write_is_one_commit_even_when_its_answer_was_lost(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    operations = [{"kind": "text.append", "document": application, "text": "notes", "content": "once"}]
    first = stage.apply(operations, {application: 1}, call="same")
    TurnToolResult.objects.all().delete()
    again = stage.apply(operations, {application: 1}, call="same")
    assert {**again, "replayed": False} == first
    assert stage.clock(application) == 2


def test_a_read_delivered_twice_is_answered_as_the_first_time(stage: Stage) -> None:
    first = stage.call("get_workspace_context", {"surface": "board"}, call="same")
    stage.application(title="New since")
    assert stage.call("get_workspace_context", {"surface": "board"}, call="same") == first
    assert len(stage.events()) == 2


def test_the_same_call_id_with_other_arguments_is_a_mismatch(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    operation = {"kind": "field.set", "document": application, "field": "title", "value": "Lead"}
    stage.apply([operation], {application: 1}, call="same")
    answer = stage.apply([{**operation, "value": "Other"}], {application: 2}, call="same")
    assert answer["code"] == "idempotency_mismatch"
    assert stage.read(surface="board", cursor=None)["clocks"][application] == 2
    other_tool = stage.call("get_workspace_context", {}, call="same")
    assert other_tool["code"] == "idempotency_mismatch"
    assert [kind for kind, data in stage.events() if data["call"] == "same"] == ["tool.started", "tool.completed"]


def test_a_refused_call_frees_its_id(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    operation = {"kind": "field.set", "document": application, "field": "title", "value": "Lead"}
    assert stage.apply([operation], {application: 9}, call="same")["code"] == "stale_clock"
    assert stage.apply([operation], {application: 1}, call="same")["status"] == "ok"


def test_the_request_id_is_the_digest_of_workspace_connector_thread_turn_and_call(stage: Stage) -> None:
    stage.call("get_workspace_context", {}, call="c-1")
    text = json.dumps([stage.workspace, stage.connector, stage.thread, stage.turn, "c-1"], separators=(",", ":"))
    assert last_audit()["request"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_turns_results_are_kept_until_it_ends(stage: Stage) -> None:
    stage.read(surface="plan")
    stage.call("get_workspace_context", {"surface": "nowhere"})
    kept = results.turn_results(stage.turn)
    assert [answer["status"] for answer in kept.results] == ["ok", "refused"]
    assert [arguments["surface"] for arguments in kept.arguments] == ["plan"]
    results.forget_results(stage.turn)
    assert results.turn_results(stage.turn).results == ()


def test_a_turn_can_only_make_so_many_calls(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "MAX_CALLS_A_TURN", 3)
    codes = [stage.read(surface="plan").get("code") for _ in range(5)]
    assert codes == [None, None, None, "rate_limited", "rate_limited"]
    assert ToolCall.objects.count() == 3


FOREIGN = "application:01JAAAAAAAAAAAAAAAAAAAAAAA"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_workspace_context", {"document": FOREIGN}),
        ("get_workspace_context", {"job": FOREIGN}),
        (
            "apply_workspace_operations",
            {
                "expected_clocks": [{"document": FOREIGN, "clock": 1}],
                "operations": [{"kind": "field.set", "document": FOREIGN, "field": "title", "value": "x"}],
            },
        ),
        (
            "apply_workspace_operations",
            {
                "expected_clocks": [{"document": "profile", "clock": 1}, {"document": FOREIGN, "clock": 1}],
                "operations": [{"kind": "field.set", "document": "profile", "field": "name", "value": "x"}],
            },
        ),
        ("undo_workspace_receipt", {"receipt": FOREIGN, "expected_clocks": [{"document": FOREIGN, "clock": 1}]}),
    ],
)
def test_asking_for_an_id_does_not_make_it_citable(stage: Stage, tool: str, arguments: dict[str, object]) -> None:
    assert stage.call(tool, arguments)["status"] == "refused"

    assert FOREIGN not in json.dumps(results.turn_results(stage.turn).results)
    assert FOREIGN not in provenance.known_ids(Turn.objects.get(pk=stage.turn))


def test_what_a_stale_writer_is_told_may_be_cited(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    stage.apply([{"kind": "field.set", "document": application, "field": "title", "value": "x"}], {application: 9})

    [refusal] = results.turn_results(stage.turn).results
    assert refusal["details"]["fresh"]["clocks"] == {application: 1}
    assert application in provenance.known_ids(Turn.objects.get(pk=stage.turn))
