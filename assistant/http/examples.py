"""The examples of the OpenAPI document for conversations and connectors; tests hold each to its schema."""

from __future__ import annotations

from typing import Any

from workspaces.http.examples import APPLICATION, AT, LATER, RECEIPT, WORKSPACE

THREAD_ID = "thr_01JZX4P1A2B3C4D5E6F7G8H9J0"
TURN_ID = "trn_01JZX4P3K4M5N6P7Q8R9S0T1V2"
CONNECTOR_ID = "con_01JZX4P0W1X2Y3Z4A5B6C7D8E9"

NEW_THREAD = {"title": "Getting ready", "connector": CONNECTOR_ID}
THREAD: dict[str, Any] = {
    "id": THREAD_ID,
    "title": "Getting ready",
    "connector": CONNECTOR_ID,
    "created_at": AT,
    "updated_at": AT,
    "last_seq": 0,
    "running_turn": None,
}
ONE_THREAD = {**THREAD, "recent_after": 0}
QUESTION = {"text": "Move Acme to applied", "surface": "board"}
TURN = {
    "id": TURN_ID,
    "thread": THREAD_ID,
    "connector": CONNECTOR_ID,
    "state": "queued",
    "text": "Move Acme to applied",
    "surface": "board",
    "document": None,
    "created_at": AT,
    "deadline_at": LATER,
    "ended_at": None,
    "seq": 1,
    "event": "tev_01JZX4P3M9N0P1Q2R3S4T5V6W7",
}
EVENT = {
    "id": "tev_01JZX4P3M9N0P1Q2R3S4T5V6W7",
    "seq": 2,
    "turn": TURN_ID,
    "kind": "message.delta",
    "at": AT,
    "data": {"part": "p1", "text": "Acme is now in Applied."},
}
CONNECTOR = {
    "id": CONNECTOR_ID,
    "provider": "builtin",
    "state": "ready",
    "version": "1",
    "capabilities": {},
    "shared": True,
    "login": None,
}
NEW_CONNECTOR = {"provider": "builtin"}
LOGIN = {"method": "device_code"}
UNDO = {"expected_clocks": {APPLICATION: 3}}
PREVIEW = {"receipts": [RECEIPT], "conflicts": [], "expected_clocks": {APPLICATION: 3}, "possible": True}

CONFIRMATION = {"confirm": WORKSPACE}

EXPORT = {
    "format": "careervector.workspace",
    "version": 1,
    "exported_at": AT,
    "workspace": {"id": WORKSPACE, "label": "My laptop", "created_at": AT, "seq": 0},
    "settings": {"assistant_sees_contact_details": False, "time_zone": "UTC", "language": "en"},
    "links": [],
    "documents": [],
    "history": [],
    "receipts": [],
    "threads": [],
}
