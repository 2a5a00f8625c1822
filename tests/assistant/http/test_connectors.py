"""Connectors over HTTP: which there are, whose they are, whether they work now."""

from __future__ import annotations

import json
from typing import Any

from assistant import facade
from tests.assistant.threads.room import Room, make_host, pass_time
from tests.workspaces.http.conftest import Api, problem

from .conftest import api_of


def _json(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


def test_every_workspace_has_one_builtin_connector(room: Room, api: Api) -> None:
    (item,) = _json(api("GET", "connectors"))["items"]
    assert item == {
        "id": room.connector,
        "provider": "builtin",
        "state": "ready",
        "version": "1.0",
        "capabilities": {"offline": True},
        "shared": True,
        "login": None,
    }
    assert _json(api("POST", "connectors", {"provider": "builtin"}), 201) == item
    assert problem(api("DELETE", f"connectors/{room.connector}")) == (403, "operation_not_allowed")
    assert _json(api_of(room, "edit")("GET", "connectors"))["items"] == [item]


def test_the_state_follows_the_hosts(room: Room, api: Api, monkeypatch) -> None:
    def state() -> str:
        return _json(api("GET", "connectors"))["items"][0]["state"]

    facade.disconnect_host(identity=room.host)
    assert state() == "connecting"
    pass_time(monkeypatch, 31)
    assert state() == "unavailable"
    make_host(name="another")
    assert state() == "ready"


def test_a_companion_of_another_workspace_does_not_make_it_ready(room: Room, api: Api) -> None:
    facade.revoke_host_token(room.token)
    make_host(workspace="ws_another", name="companion")
    assert _json(api("GET", "connectors"))["items"][0]["state"] == "unavailable"


def test_a_made_connector_belongs_to_the_link_that_made_it(room: Room, api: Api) -> None:
    edit, other = api_of(room, "edit"), api_of(room, "edit")
    mine = _json(edit("POST", "connectors", {"provider": "scripted"}), 201)

    assert (mine["provider"], mine["shared"], mine["state"]) == ("scripted", False, "ready")
    assert mine["id"] in [item["id"] for item in _json(edit("GET", "connectors"))["items"]]
    assert mine["id"] not in [item["id"] for item in _json(other("GET", "connectors"))["items"]]
    assert mine["id"] in [item["id"] for item in _json(api("GET", "connectors"))["items"]]
    assert problem(other("DELETE", f"connectors/{mine['id']}")) == (403, "owner_only")
    assert problem(other("POST", "threads", {"connector": mine["id"]})) == (404, "not_found")
    assert edit("DELETE", f"connectors/{mine['id']}").status_code == 204
    assert problem(edit("DELETE", f"connectors/{mine['id']}")) == (404, "not_found")


def test_a_thread_of_a_deleted_connector_takes_no_questions(room: Room, api: Api) -> None:
    made = _json(api("POST", "connectors", {"provider": "scripted"}), 201)
    thread = _json(api("POST", "threads", {"connector": made["id"]}), 201)
    api("DELETE", f"connectors/{made['id']}")
    assert problem(api("POST", f"threads/{thread['id']}/turns", {"text": "x"})) == (404, "not_found")


def test_scripted_is_there_only_when_it_is_switched_on(room: Room, api: Api, settings) -> None:
    settings.CAREERVECTOR_PROVIDERS = ["builtin"]
    assert problem(api("POST", "connectors", {"provider": "scripted"})) == (503, "connector_unavailable")


def test_a_builtin_connector_that_is_switched_off_is_unavailable(room: Room, api: Api, settings) -> None:
    settings.CAREERVECTOR_PROVIDERS = ["scripted"]
    assert [item["state"] for item in _json(api("GET", "connectors"))["items"]] == ["unavailable"]
