"""Whether a call may be made is asked anew at every call, and once more under the turn's lock."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import jobcache_client
from assistant.models import Connector, ToolCall, Turn
from workspaces import facade

from .conftest import SEARCH, Corpus, Stage, last_audit


@pytest.mark.parametrize("state", ["queued", "assigned", "completed", "failed", "cancelled"])
def test_a_turn_that_does_not_run_has_no_tools(stage: Stage, state: str) -> None:
    stage.end(state)
    assert stage.read()["code"] == "capability_invalid"
    assert stage.events() == []
    assert last_audit()["outcome"] == "capability_invalid"


def test_a_revoked_link_ends_its_capabilities(stage: Stage) -> None:
    facade.create_link(access=stage.access, label="", role="owner")
    token = stage.capability()
    facade.revoke_link(access=stage.access, link=stage.link)
    assert stage.call("get_workspace_context", {}, capability=token)["code"] == "capability_invalid"


def test_a_deleted_connector_ends_its_capabilities(stage: Stage) -> None:
    Connector.objects.filter(pk=stage.connector).update(deleted_at=facade.now())
    assert stage.read()["code"] == "capability_invalid"


def test_minting_again_voids_the_older_capability(stage: Stage) -> None:
    older = stage.capability()
    Turn.objects.filter(pk=stage.turn).update(nonce="nonce-2")
    assert stage.call("get_workspace_context", {}, capability=older)["code"] == "capability_invalid"
    stage.nonce = "nonce-2"
    assert stage.read()["status"] == "ok"


def test_another_host_may_not_use_the_capability(stage: Stage) -> None:
    assert stage.call("get_workspace_context", {}, host="hst_other")["code"] == "capability_invalid"


def test_a_turn_past_its_deadline_has_no_tools(stage: Stage) -> None:
    Turn.objects.filter(pk=stage.turn).update(deadline_at=facade.now() - timedelta(seconds=1))
    assert stage.read()["code"] == "capability_invalid"


def test_a_view_links_turn_is_refused(stages: Callable[..., Stage]) -> None:
    stage = stages(role="view")
    assert stage.read()["code"] == "view_only"
    assert stage.apply([{"kind": "field.set", "document": "plan", "field": "weekly_goal", "value": 3}], {"plan": 1})[
        "code"
    ] == ("view_only")


def test_a_turn_that_ends_while_jobcache_answers_gets_nothing_more(
    stage: Stage, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(arguments: Any) -> Any:
        stage.end("cancelled")
        return corpus.search(arguments)

    monkeypatch.setattr(jobcache_client, "search", slow)
    assert stage.call("search_jobcache", SEARCH)["code"] == "capability_invalid"
    assert [kind for kind, _ in stage.events()] == ["tool.started"]
    assert last_audit()["outcome"] == "capability_invalid"


def test_a_write_that_finds_its_turn_ended_under_the_lock_commits_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = stage.application(title="Engineer")
    commit = facade.commit

    def late(**given: Any) -> Any:
        stage.end("cancelled")
        return commit(**given)

    monkeypatch.setattr(facade, "commit", late)
    answer = stage.apply(
        [{"kind": "field.set", "document": application, "field": "title", "value": "Lead"}], {application: 1}
    )
    assert answer["code"] == "capability_invalid"
    assert stage.clock(application) == 1
    assert stage.events() == []


def test_when_the_last_row_of_a_write_fails_nothing_of_it_remains(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = stage.application(title="Engineer")

    def broken(**given: Any) -> None:
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr("assistant.tools.delivery.record_call", broken)
        answer = stage.apply(
            [{"kind": "field.set", "document": application, "field": "title", "value": "Lead"}],
            {application: 1},
            call="same",
        )
    assert (answer["code"], answer["retryable"]) == ("internal_error", True)
    assert "disk" not in json.dumps(answer)
    assert (stage.clock(application), stage.events(), ToolCall.objects.count()) == (1, [], 0)
    again = stage.apply(
        [{"kind": "field.set", "document": application, "field": "title", "value": "Lead"}],
        {application: 1},
        call="same",
    )
    assert again["status"] == "ok"
