"""A host that does whatever it likes: several hundred attempts, no effect beyond reversible operations at home.

What is asserted in the end: the other workspace is untouched, row for row; nothing was done to this one but by
operations that an agent may use, each with a receipt; and undoing those receipts brings every document back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import jobcache_client
from assistant.models import Thread, ThreadEvent, ToolCall, Turn, TurnToolResult
from assistant.tools.answers import MAX_RESULT_BYTES
from tests.factories import human
from workspaces import facade
from workspaces.models import Document, DocumentUpdate, Event, IdempotencyRecord, Link, Receipt

from .conftest import Stage
from .hostile_attempts import (
    Yard,
    forbidden_kinds,
    foreign_ids,
    forged_capabilities,
    hostile_tools,
    leaks,
    oversize,
    smuggled,
    wrong_types,
)

ALLOWED = {
    "document.create", "document.archive", "document.unarchive", "field.set", "item.add", "item.update", "item.move",
    "text.append", "text.replace", "application.move_stage",
}  # fmt: skip
CODES = {
    "capability_invalid", "invalid_request", "invalid_operation", "operation_not_allowed", "not_found", "stale_clock",
    "clock_set_mismatch", "too_large", "private_query", "idempotency_mismatch", "cardinality_exceeded",
    "undo_conflict", "receipt_spent", "document_trashed", "not_reversible", "malformed",
}  # fmt: skip


@pytest.fixture(autouse=True)
def public_corpus(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Remembers what left for JobCache."""
    sent: list[dict[str, Any]] = []

    def search(arguments: dict[str, Any]) -> dict[str, Any]:
        sent.append(arguments)
        return {"roles": [], "total": 0, "next_cursor": None, "corpus_version": "v1"}

    monkeypatch.setattr(jobcache_client, "search", search)
    return sent


def rows(stage: Stage) -> dict[str, list[dict[str, Any]]]:
    """Everything that is kept of a workspace, row for row."""
    in_workspace = (Document, Event, Receipt, IdempotencyRecord, Link)
    kept = {
        model.__name__: list(model.objects.filter(workspace=stage.workspace).order_by("pk").values())
        for model in in_workspace
    }
    updates = DocumentUpdate.objects.filter(document__workspace=stage.workspace)
    kept["DocumentUpdate"] = list(updates.order_by("pk").values())
    kept["Thread"] = list(Thread.objects.filter(workspace=stage.workspace).values())
    kept["Turn"] = list(Turn.objects.filter(workspace=stage.workspace).values())
    kept["ThreadEvent"] = list(ThreadEvent.objects.filter(thread__workspace=stage.workspace).values())
    kept["TurnToolResult"] = list(TurnToolResult.objects.filter(turn=stage.turn).values())
    return kept


def contents(stage: Stage) -> dict[str, Any]:
    """What a person sees of every document, but for clocks and who came last."""
    shown = {}
    for document in Document.objects.filter(workspace=stage.workspace).order_by("doc_id"):
        if document.state != "trashed":
            found = facade.get_document(access=stage.access, document=document.doc_id)
            shown[document.doc_id] = {n: found[n] for n in ("fields", "sections", "texts", "archived")}
    return shown


def test_a_hostile_host_does_nothing_that_cannot_be_taken_back(
    stages: Callable[..., Stage], public_corpus: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    yard = Yard(stages)
    home = yard.home
    foreign_before, before = rows(yard.stranger), contents(home)
    human_events = set(Event.objects.filter(workspace=home.workspace).values_list("id", flat=True))
    kinds: dict[str, int] = {}
    outcomes: dict[str, int] = {}

    def attempt(kind: str, name: Any, arguments: Any, **changes: Any) -> dict[str, Any]:
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = home.call(name, arguments, **changes)
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        assert len(text.encode()) <= MAX_RESULT_BYTES
        for secret in ("Their secret", "Their plan", yard.stranger.link, "Traceback", "SELECT "):
            assert secret not in text
        code = answer.get("code", "ok")
        assert code == "ok" or code in CODES, (kind, name, str(arguments)[:200], code)
        outcomes[code] = outcomes.get(code, 0) + 1
        return answer

    for kind, attempts in (
        ("unknown tools", hostile_tools(yard)),
        ("wrong types", wrong_types(yard)),
        ("foreign ids", foreign_ids(yard)),
        ("forbidden kinds", forbidden_kinds(yard)),
        ("smuggled", smuggled(yard)),
        ("oversize", oversize(yard)),
        ("private searches", leaks(yard)),
    ):
        for name, arguments in attempts:
            attempt(kind, name, arguments)
    for token in forged_capabilities(yard):
        for name, arguments in (
            ("get_workspace_context", {}),
            yard.batch([{"kind": "field.set", "document": yard.card, "field": "title", "value": "Forged"}]),
        ):
            assert attempt("forged capabilities", name, arguments, capability=token)["code"] == "capability_invalid"
    for call in ("", "\x00", "x" * 201, None, 7, [], "\ud800"):
        assert attempt("call ids", "get_workspace_context", {}, call=call)["code"] == "invalid_request"
    for turn in ("", None, 7, yard.stranger.turn, "trn_x", "x" * 5_000, "\x00"):
        assert attempt("turn ids", "get_workspace_context", {}, turn=turn)["code"] == "capability_invalid"
    for host in ("", yard.stranger.host, "hst_x"):
        assert attempt("hosts", "get_workspace_context", {}, host=host)["code"] == "capability_invalid"

    # Replays: one sound write, then its id again and again with something else.
    sound = yard.batch([{"kind": "text.append", "document": yard.card, "text": "notes", "content": "Hello."}])
    first = attempt("replays", *sound, call="replayed")
    assert first["status"] == "ok"
    clock = home.clock(yard.card)
    for content in ("Other.", "Hello. ", "", "x" * 100):
        other = yard.batch([{"kind": "text.append", "document": yard.card, "text": "notes", "content": content}])
        assert attempt("replays", *other, call="replayed")["code"] == "idempotency_mismatch"
    assert attempt("replays", "get_workspace_context", {}, call="replayed")["code"] == "idempotency_mismatch"
    for _ in range(10):
        assert attempt("replays", *sound, call="replayed") == first
    assert home.clock(yard.card) == clock

    # After the end: everything again, with a capability that was good a moment ago.
    token = home.capability()
    home.end()
    state_at_end = rows(home)
    for kind_attempts in (foreign_ids(yard), forbidden_kinds(yard), smuggled(yard), hostile_tools(yard)):
        for name, arguments in kind_attempts:
            assert attempt("after the end", name, arguments, capability=token)["code"] == "capability_invalid"
    assert attempt("after the end", *sound, capability=token, call="replayed")["code"] == "capability_invalid"
    assert rows(home) == state_at_end

    # The stranger's workspace is as it was, row for row.
    assert rows(yard.stranger) == foreign_before
    # Nothing private and nothing but the tool's arguments ever left for JobCache.
    for sent in public_corpus:
        assert set(sent) <= {
            "query", "location", "country", "work_mode", "employment_type", "posted_within_days", "salary_min",
            "currency", "limit", "cursor",
        }  # fmt: skip
        assert "oakvale" not in json.dumps(sent).lower()
        assert home.workspace not in json.dumps(sent)
    # At home: only the agent's own kinds, each commit with a receipt of this thread.
    agent_events = [event for event in Event.objects.filter(workspace=home.workspace) if event.id not in human_events]
    for event in agent_events:
        assert event.actor_class == "agent"
        assert set(json.loads(event.operation_kinds)) <= ALLOWED
        receipt = Receipt.objects.get(pk=event.receipt)
        assert (receipt.thread, receipt.turn) == (home.thread, home.turn)
    # And all of it can be taken back.
    for event in sorted(agent_events, key=lambda event: -event.seq):
        touched = json.loads(event.clocks)["after"]
        clocks = {document: home.clock(document) for document in touched}
        human(home.workspace, home.link).undo(event.receipt, clocks=clocks)
    after = contents(home)
    for document, shown in after.items():
        if document in before:
            assert shown == before[document]
        else:
            assert shown["archived"] is True
    assert before.keys() <= after.keys()
    # Every attempt on the turn while it ran left its audit row, duplicates of one call aside.
    assert ToolCall.objects.filter(turn=home.turn).exclude(outcome="capability_invalid").count() > 500

    total = sum(kinds.values())
    with capsys.disabled():
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        ended = ", ".join(f"{number} {code}" for code, number in sorted(outcomes.items(), key=lambda item: -item[1]))
        print(f"\nhostile host: {total} attempts ({told}); answered {ended}; {len(agent_events)} reversible commits")
    assert total > 800
