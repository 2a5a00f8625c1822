"""The write path as a client sees it: commit, retry, conflict, receipt, undo, history, settings, context."""

from __future__ import annotations

import json
from typing import Any

import pytest
from prometheus_client import REGISTRY

from .conftest import Opened, batch, problem


def content(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


def test_a_commit_answers_as_the_contract_says(opened: Opened) -> None:
    made = content(opened.edit("POST", "operations", batch("Ada"), key="k1"))
    assert set(made) == {
        "event", "replayed", "operations", "provenance", "clocks", "documents", "affected_paths", "unchanged",
        "receipt", "reversible",
    }  # fmt: skip
    assert made["replayed"] is False
    assert made["clocks"] == {"before": {"profile": 1}, "after": {"profile": 2}}
    assert made["affected_paths"] == ["profile/fields/name"]
    assert made["provenance"]["actor"] == f"link:{opened.links['edit']}"
    assert made["provenance"]["actor_class"] == "human"
    document = content(opened.view("GET", "documents/profile"))
    assert (document["clock"], document["fields"]["name"], document["last_event"]) == (2, "Ada", made["event"])


def test_a_retry_is_the_first_answer_and_another_payload_is_a_mismatch(opened: Opened) -> None:
    first = content(opened.edit("POST", "operations", batch("Ada"), key="k"))
    again = content(opened.edit("POST", "operations", batch("Ada"), key="k"))
    assert again == {**first, "replayed": True}
    other = opened.edit("POST", "operations", batch("Eve"), key="k")
    assert problem(other) == (422, "idempotency_mismatch")
    # Each link has its own keys.
    assert problem(opened.owner("POST", "operations", batch("Eve"), key="k")) == (409, "stale_clock")


def test_a_refusal_frees_the_key(opened: Opened) -> None:
    assert problem(opened.edit("POST", "operations", batch("Ada", clock=5), key="k")) == (409, "stale_clock")
    assert content(opened.edit("POST", "operations", batch("Ada"), key="k"))["replayed"] is False


def test_conflicts_are_counted_without_content(opened: Opened) -> None:
    def counted() -> float:
        return REGISTRY.get_sample_value("careervector_conflicts_total", {"code": "stale_clock"}) or 0.0

    before = counted()
    opened.edit("POST", "operations", batch("Ada", clock=5), key="k")
    assert counted() == before + 1


def test_a_receipt_can_be_read_and_undone_and_the_undo_undone(opened: Opened) -> None:
    made = content(opened.edit("POST", "operations", batch("Ada"), key="k"))
    receipt = made["receipt"]["id"]
    shown = content(opened.view("GET", f"receipts/{receipt}"))
    assert shown["state"] == "active"
    assert content(opened.view("GET", "receipts?state=active&document=profile"))["items"] == [shown]
    assert content(opened.view("GET", f"receipts/{receipt}/changes"))["items"] == [
        {"path": "profile/fields/name", "before": None, "after": "Ada"}
    ]
    undo = {"expected_clocks": {"profile": 2}, "reason": "changed my mind"}
    undone = content(opened.edit("POST", f"receipts/{receipt}/undo", undo, key="u"))
    assert undone["clocks"]["after"] == {"profile": 3}
    assert content(opened.edit("POST", f"receipts/{receipt}/undo", undo, key="u"))["replayed"] is True
    assert problem(
        opened.edit("POST", f"receipts/{receipt}/undo", {**undo, "expected_clocks": {"profile": 3}}, key="v")
    ) == (
        409,
        "receipt_spent",
    )
    redo = {"expected_clocks": {"profile": 3}}
    again = content(opened.edit("POST", f"receipts/{undone['receipt']['id']}/undo", redo, key="r"))
    assert again["clocks"]["after"] == {"profile": 4}
    assert content(opened.view("GET", "documents/profile"))["fields"]["name"] == "Ada"


def test_the_same_key_serves_another_route(opened: Opened) -> None:
    receipt = content(opened.edit("POST", "operations", batch("Ada"), key="k"))["receipt"]["id"]
    answer = opened.edit("POST", f"receipts/{receipt}/undo", {"expected_clocks": {"profile": 2}}, key="k")
    # One key names one request of a link: another route is another payload.
    assert problem(answer) == (422, "idempotency_mismatch")


@pytest.mark.parametrize(
    "body",
    [{}, {"expected_clocks": []}, {"expected_clocks": {"profile": 2}, "force": True},
     {"expected_clocks": {"profile": 2}, "reason": 5}, {"expected_clocks": {"profile": "2"}}],
)  # fmt: skip
def test_a_bad_undo_changes_nothing(opened: Opened, body: Any) -> None:
    receipt = content(opened.edit("POST", "operations", batch("Ada"), key="k"))["receipt"]["id"]
    assert problem(opened.edit("POST", f"receipts/{receipt}/undo", body, key="u")) == (422, "invalid_request")
    assert content(opened.view("GET", f"receipts/{receipt}"))["state"] == "active"


def test_history_is_paged_and_filtered(opened: Opened) -> None:
    for number in range(1, 6):
        content(opened.edit("POST", "operations", batch(f"Ada {number}", clock=number), key=str(number)))
    seen: list[int] = []
    where = "events?limit=2"
    while where:
        page = content(opened.view("GET", where))
        seen += [event["seq"] for event in page["items"]]
        where = f"events?limit=2&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert seen == [5, 4, 3, 2, 1]
    assert [e["seq"] for e in content(opened.view("GET", "events?after=3"))["items"]] == [5, 4]
    assert content(opened.view("GET", "events?actor_class=agent"))["items"] == []
    assert len(content(opened.view("GET", "events?actor_class=human&document=profile"))["items"]) == 5
    assert content(opened.view("GET", "events?document=plan"))["items"] == []
    assert len(content(opened.view("GET", "documents/profile/events"))["items"]) == 5


def test_documents_are_listed_by_kind_and_archived_only_when_asked(opened: Opened) -> None:
    create = {
        "expected_clocks": {"new:acme": 0},
        "operations": [{"kind": "document.create", "document": "new:acme", "document_kind": "application",
                        "fields": [{"field": "title", "value": "Engineer"}], "texts": []}],
        "reason": "",
    }  # fmt: skip
    made = content(opened.edit("POST", "operations", create, key="c"))["documents"]["new:acme"]
    assert [d["id"] for d in content(opened.view("GET", "documents?kind=application"))["items"]] == [made]
    archive = {
        "expected_clocks": {made: 1}, "reason": "",
        "operations": [{"kind": "document.archive", "document": made}],
    }  # fmt: skip
    content(opened.edit("POST", "operations", archive, key="a"))
    assert content(opened.view("GET", "documents?kind=application"))["items"] == []
    archived = content(opened.view("GET", "documents?kind=application&archived=true"))["items"]
    assert [(d["id"], d["archived"]) for d in archived] == [(made, True)]


def test_the_context_is_readable(opened: Opened) -> None:
    content(opened.edit("POST", "operations", batch("Ada"), key="k"))
    page = content(opened.view("GET", "context?surface=profile"))
    assert page["clocks"] == {"profile": 2}
    assert content(opened.view("GET", "context?document=profile"))["clocks"] == {"profile": 2}
    assert problem(opened.view("GET", "context?document=note:01ARZ3NDEKTSV4RRFFQ69G5FAV")) == (404, "not_found")


def test_settings_are_read_and_changed_by_the_owner(opened: Opened) -> None:
    before = {"assistant_sees_contact_details": False, "time_zone": "UTC", "language": "en"}
    assert content(opened.owner("GET", "settings")) == before
    after = {**before, "time_zone": "Europe/Zurich", "assistant_sees_contact_details": True}
    change = {"time_zone": "Europe/Zurich", "assistant_sees_contact_details": True}
    assert content(opened.owner("PATCH", "settings", change)) == after
    for bad in (
        {"time_zone": "Mars/Olympus"},
        {"language": 5},
        {"colour": "red"},
        {"assistant_sees_contact_details": 1},
    ):
        assert problem(opened.owner("PATCH", "settings", bad)) == (422, "invalid_request")
    assert content(opened.owner("GET", "settings")) == after
