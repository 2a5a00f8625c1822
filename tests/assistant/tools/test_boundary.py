"""The boundary with a well-meaning host: what is read, searched and written, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import jobcache_client
from assistant.models import Turn
from assistant.tools.answers import MAX_RESULT_BYTES, NOTICE
from workspaces import facade

from .conftest import SEARCH, Corpus, Stage, last_audit, role, size

# --- reading ------------------------------------------------------------------------------------------------------


def test_reading_gives_documents_clocks_and_provenance(stage: Stage) -> None:
    application = stage.application(title="Engineer", company="Acme")
    answer = stage.read(surface="board")
    assert answer["status"] == "ok"
    assert answer["source"] == "workspace"
    assert answer["notice"] == NOTICE
    assert answer["clocks"] == {application: 1}
    assert [(d["id"], d["fields"]["company"]) for d in answer["documents"]] == [(application, "Acme")]
    assert answer["provenance"][application]["actor"] == f"link:{stage.link}"
    assert (answer["truncated"], answer["next_cursor"]) == (False, None)
    assert stage.events() == [
        ("tool.started", {"call": "call-1", "tool": "get_workspace_context", "summary": "Read the board"}),
        (
            "tool.completed",
            {
                "call": "call-1",
                "tool": "get_workspace_context",
                "outcome": "ok",
                "counts": {"documents": 1},
                "truncated": False,
            },
        ),
    ]


def test_absent_nullable_arguments_are_null(stage: Stage) -> None:
    assert stage.call("get_workspace_context", {})["status"] == "ok"


def test_without_a_selector_the_turns_own_surface_and_document_are_read(stage: Stage) -> None:
    one, _ = stage.application(title="One"), stage.application(title="Two")
    Turn.objects.filter(pk=stage.turn).update(surface="application", document=one)
    assert [d["id"] for d in stage.read()["documents"]] == [one]
    assert len(stage.read(surface="board")["documents"]) == 2


def test_a_trashed_default_document_falls_back_to_the_surface(stage: Stage) -> None:
    one, two = stage.application(title="One"), stage.application(title="Two")
    Turn.objects.filter(pk=stage.turn).update(surface="board", document=one)
    stage.by_hand([{"kind": "document.trash", "document": one}], {one: 1})
    assert [d["id"] for d in stage.read()["documents"]] == [two]
    assert stage.read(document=one)["code"] == "not_found"


def test_a_workspace_larger_than_an_answer_is_read_page_by_page_without_a_gap(stage: Stage) -> None:
    made = [stage.application(title=f"Role {number}", next_step="x" * 480) for number in range(90)]
    seen: list[str] = []
    cursor = None
    pages = 0
    while True:
        answer = stage.read(surface="board", cursor=cursor)
        assert size(answer) <= MAX_RESULT_BYTES
        assert answer["truncated"] is (answer["next_cursor"] is not None)
        seen += [document["id"] for document in answer["documents"]]
        pages += 1
        cursor = answer["next_cursor"]
        if cursor is None:
            break
    assert pages > 1
    assert sorted(seen) == sorted(made)


def test_another_workspaces_document_is_not_found_like_one_that_never_was(
    stage: Stage, stages: Callable[..., Stage]
) -> None:
    foreign = stages().application(title="Secret")
    there, nowhere = stage.read(document=foreign), stage.read(document="application:01M8QZZZZZZZZZZZZZZZZZZZZZ")
    assert there == nowhere
    assert there["code"] == "not_found"


# --- searching ----------------------------------------------------------------------------------------------------


def test_a_search_gives_roles_and_sends_its_arguments_only(stage: Stage, corpus: Corpus) -> None:
    answer = stage.call("search_jobcache", SEARCH)
    assert [found["role"] for found in answer["roles"]] == ["rol_00000000", "rol_00000001"]
    assert (answer["total"], answer["next_cursor"], answer["truncated"]) == (5, "2", False)
    assert corpus.asked == [SEARCH]
    assert last_audit()["roles"] == '["rol_00000000", "rol_00000001"]'


def test_roles_that_do_not_fit_are_told_and_the_next_page_goes_on_after_the_last_one(
    stage: Stage, corpus: Corpus
) -> None:
    corpus.roles = [role(number, snippet="s" * 400, url="https://x.example/" + "u" * 1900) for number in range(30)]
    seen: list[str] = []
    cursor = None
    while True:
        answer = stage.call("search_jobcache", {"query": "python", "limit": 25, "cursor": cursor})
        assert size(answer) <= MAX_RESULT_BYTES
        seen += [found["role"] for found in answer["roles"]]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
        assert answer["truncated"] is True
        assert answer["omitted"] > 0
    assert seen == [found["role"] for found in corpus.roles]


def test_a_private_query_is_refused_before_anything_is_sent(stage: Stage, corpus: Corpus) -> None:
    stage.by_hand(
        [{"kind": "field.set", "document": "profile", "field": "name", "value": "Tamsin Oakvale"}], {"profile": 1}
    )
    answer = stage.call("search_jobcache", {**SEARCH, "query": "jobs for oakvale"})
    assert answer["code"] == "private_query"
    assert corpus.asked == []
    assert [kind for kind, _ in stage.events()] == ["tool.started", "tool.completed"]
    assert "oakvale" not in json.dumps(stage.events()[1]).lower()


def test_jobcache_being_down_is_a_refusal_that_may_be_tried_again(
    stage: Stage, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(arguments: Any) -> Any:
        raise jobcache_client.errors.Unavailable("It does not answer.", reason="connect", retry_after=2.0)

    with monkeypatch.context() as patch:
        patch.setattr(jobcache_client, "search", down)
        answer = stage.call("search_jobcache", SEARCH, call="again")
    assert (answer["code"], answer["retryable"], answer["details"]) == (
        "jobcache_unavailable", True, {"retry_after": 2.0},
    )  # fmt: skip
    assert stage.call("search_jobcache", SEARCH, call="again")["status"] == "ok"


# --- writing ------------------------------------------------------------------------------------------------------


def test_a_write_commits_as_the_assistant_and_leaves_a_receipt(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    answer = stage.apply(
        [{"kind": "application.move_stage", "document": application, "stage": "interviewing", "position": None}],
        {application: 1},
    )
    assert answer["status"] == "ok"
    assert answer["clocks"] == {"before": {application: 1}, "after": {application: 2}}
    assert answer["provenance"]["actor"] == f"careervector-assistant:builtin:{stage.connector}"
    assert answer["provenance"]["origin_event"] == Turn.objects.get(pk=stage.turn).origin_event
    assert answer["replayed"] is False
    receipt = facade.get_receipt(access=stage.access, receipt=answer["receipt"]["id"])
    assert (receipt["thread"], receipt["turn"], receipt["reason"]) == (stage.thread, stage.turn, "As asked")
    assert stage.events() == [
        ("tool.started", {"call": "call-1", "tool": "apply_workspace_operations", "summary": "As asked"}),
        (
            "tool.completed",
            {
                "call": "call-1",
                "tool": "apply_workspace_operations",
                "outcome": "ok",
                "receipt": answer["receipt"]["id"],
                "counts": {"operations": 1},
                "truncated": False,
            },
        ),
    ]


def test_the_audit_row_names_ids_and_holds_no_content(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    answer = stage.apply(
        [{"kind": "field.set", "document": application, "field": "next_step", "value": "Call Zephyrine"}],
        {application: 1},
    )
    row = last_audit()
    assert {name: row[name] for name in ("workspace", "connector", "thread", "turn", "link", "tool", "version")} == {
        "workspace": stage.workspace,
        "connector": stage.connector,
        "thread": stage.thread,
        "turn": stage.turn,
        "link": stage.link,
        "tool": "apply_workspace_operations",
        "version": "1",
    }
    assert (row["documents"], row["outcome"], row["event"]) == (f'["{application}"]', "ok", answer["event"])
    assert len(row["argument_digest"]) == len(row["request"]) == 64
    assert row["duration_ms"] > 0
    assert "Zephyrine" not in json.dumps(row, default=str)


def test_a_stale_clock_is_refused_with_a_fresh_projection_of_just_the_touched_documents(stage: Stage) -> None:
    one, _ = stage.application(title="One"), stage.application(title="Two")
    stage.by_hand([{"kind": "field.set", "document": one, "field": "title", "value": "Changed"}], {one: 1})
    answer = stage.apply([{"kind": "field.set", "document": one, "field": "title", "value": "Mine"}], {one: 1})
    assert (answer["status"], answer["code"], answer["retryable"]) == ("refused", "stale_clock", True)
    assert answer["details"]["fresh"]["clocks"] == {one: 2}
    assert [d["fields"]["title"] for d in answer["details"]["fresh"]["documents"]] == ["Changed"]
    assert stage.clock(one) == 2


def test_a_stale_refusal_over_large_documents_stays_bounded(stage: Stage) -> None:
    made = []
    for number in range(12):
        application = stage.application(title=f"Role {number}")
        content = "emoji 🎯 " * 1_500
        stage.by_hand(
            [{"kind": "text.append", "document": application, "text": "notes", "content": content}], {application: 1}
        )
        made.append(application)
    answer = stage.apply(
        [{"kind": "field.set", "document": one, "field": "title", "value": "x"} for one in made],
        dict.fromkeys(made, 1),
    )
    assert answer["code"] == "stale_clock"
    assert size(answer) <= MAX_RESULT_BYTES
    assert answer["details"]["fresh"]["truncated"] is True


def test_a_document_named_twice_in_the_clocks_is_refused(stage: Stage) -> None:
    answer = stage.call(
        "apply_workspace_operations",
        {
            "reason": "x",
            "expected_clocks": [{"document": "plan", "clock": 1}, {"document": "plan", "clock": 1}],
            "operations": [{"kind": "field.set", "document": "plan", "field": "weekly_goal", "value": 3}],
        },
    )
    assert answer["code"] == "invalid_request"
    assert answer["details"]["errors"][0]["path"] == "expected_clocks/1/document"
    assert stage.clock("plan") == 1


def test_a_batch_that_changes_nothing_is_ok_without_a_receipt(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    answer = stage.apply(
        [{"kind": "field.set", "document": application, "field": "title", "value": "Engineer"}], {application: 1}
    )
    assert (answer["status"], answer["event"], answer["receipt"], answer["unchanged"]) == ("ok", None, None, [0])


def test_the_assistant_takes_its_own_change_back_but_not_a_persons(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    made = stage.apply(
        [{"kind": "field.set", "document": application, "field": "title", "value": "Lead"}], {application: 1}
    )
    by_hand = stage.by_hand(
        [{"kind": "field.set", "document": application, "field": "company", "value": "Acme"}], {application: 2}
    )
    clocks = [{"document": application, "clock": 3}]
    refused = stage.call(
        "undo_workspace_receipt",
        {"receipt": by_hand["receipt"]["id"], "expected_clocks": clocks, "reason": None},
    )
    assert refused["code"] == "not_found"
    undone = stage.call(
        "undo_workspace_receipt",
        {"receipt": made["receipt"]["id"], "expected_clocks": clocks, "reason": "They asked"},
    )
    assert undone["status"] == "ok"
    document = facade.get_document(access=stage.access, document=application)
    assert (document["fields"]["title"], document["fields"]["company"]) == ("Engineer", "Acme")


def test_an_undo_after_a_persons_edit_is_refused_and_writes_nothing(stage: Stage) -> None:
    application = stage.application(title="Engineer")
    made = stage.apply(
        [{"kind": "field.set", "document": application, "field": "title", "value": "Lead"}], {application: 1}
    )
    stage.by_hand([{"kind": "field.set", "document": application, "field": "title", "value": "Mine"}], {application: 2})
    answer = stage.call(
        "undo_workspace_receipt",
        {
            "receipt": made["receipt"]["id"],
            "expected_clocks": [{"document": application, "clock": 3}],
            "reason": None,
        },
    )
    assert answer["code"] == "undo_conflict"
    assert [conflict["path"] for conflict in answer["details"]["conflicts"]] == [f"{application}/fields/title"]
    assert stage.clock(application) == 3
