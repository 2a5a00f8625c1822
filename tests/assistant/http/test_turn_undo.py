"""A turn's changes taken back as a whole, over HTTP."""

from __future__ import annotations

import json
from typing import Any

from tests.assistant.threads.room import Room
from tests.workspaces.http.conftest import Api, batch, problem
from workspaces import facade as workspaces


def _json(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


def _changed(room: Room) -> str:
    """A completed turn that has set two fields of the profile."""
    assignment = room.begin("Set my label and city")
    for clock, (field, value) in enumerate([("label", "Engineer"), ("city", "Zurich")], start=1):
        result = room.use(
            assignment,
            "apply_workspace_operations",
            {
                "reason": "As asked",
                "expected_clocks": [{"document": "profile", "clock": clock}],
                "operations": [{"kind": "field.set", "document": "profile", "field": field, "value": value}],
            },
            call=f"c{clock}",
        )
        assert result["status"] == "ok"
    room.complete(assignment.turn)
    return assignment.turn


def _fields(room: Room) -> dict[str, Any]:
    fields = workspaces.get_document(access=room.access, document="profile")["fields"]
    return {name: fields.get(name) for name in ("label", "city", "name")}


def test_a_turn_is_undone_as_a_whole_after_a_preview(room: Room, api: Api) -> None:
    turn = _changed(room)
    preview = _json(api("GET", f"turns/{turn}/undo"))
    assert preview["conflicts"] == []

    done = _json(api("POST", f"turns/{turn}/undo", {"expected_clocks": {"profile": 3}}, key="undo-1"))
    assert done["reversible"]
    assert _fields(room) == {"label": None, "city": None, "name": None}
    again = _json(api("POST", f"turns/{turn}/undo", {"expected_clocks": {"profile": 3}}, key="undo-1"))
    assert again == {**done, "replayed": True}


def test_later_work_by_hand_refuses_the_whole_undo_and_is_named(room: Room, api: Api) -> None:
    turn = _changed(room)
    by_hand = {
        "reason": "",
        "expected_clocks": {"profile": 3},
        "operations": [{"kind": "field.set", "document": "profile", "field": "city", "value": "Bern"}],
    }
    _json(api("POST", "operations", {**by_hand, "reason": "moved"}, key="hand"))

    conflicts = _json(api("GET", f"turns/{turn}/undo"))["conflicts"]
    assert [conflict["path"] for conflict in conflicts] == ["profile/fields/city"]
    refusal = api("POST", f"turns/{turn}/undo", {"expected_clocks": {"profile": 4}}, key="undo-1")
    assert problem(refusal) == (409, "undo_conflict")
    assert _fields(room) == {"label": "Engineer", "city": "Bern", "name": None}


def test_work_elsewhere_does_not_stand_in_the_way(room: Room, api: Api) -> None:
    turn = _changed(room)
    _json(api("POST", "operations", batch("Jo", clock=3), key="hand"))
    _json(api("POST", f"turns/{turn}/undo", {"expected_clocks": {"profile": 4}}, key="undo-1"))
    assert _fields(room) == {"label": None, "city": None, "name": "Jo"}


def test_an_undo_needs_a_key_and_a_turn_of_this_workspace(room: Room, api: Api) -> None:
    turn = _changed(room)
    body = {"expected_clocks": {"profile": 3}}
    assert problem(api("POST", f"turns/{turn}/undo", body)) == (422, "idempotency_key_required")
    assert problem(api("GET", "turns/trn_unknown1/undo")) == (404, "not_found")
    assert problem(api("POST", "turns/trn_unknown1/undo", body, key="k")) == (404, "not_found")
    assert _fields(room)["label"] == "Engineer"


def test_a_turn_that_changed_nothing_has_nothing_to_undo(room: Room, api: Api) -> None:
    turn = room.begin().turn
    room.complete(turn)
    assert _json(api("GET", f"turns/{turn}/undo")) == {
        "receipts": [],
        "conflicts": [],
        "expected_clocks": {},
        "possible": False,
    }
