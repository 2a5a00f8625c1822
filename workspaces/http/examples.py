"""The examples of the OpenAPI document, for requests and good answers of the documents' addresses.

Tests hold each to its schema, and send the requests to the real API. One story runs through them: somebody who looks
for work as an engineer has an application at Acme.
"""

from __future__ import annotations

from typing import Any

WORKSPACE = "ws_01JZX4N6W5Y8R3T7K2M9P0QABC"
SECRET = "cvl_" + "EXAMPLE" * 6 + "0"
APPLICATION = "application:01JZX4N7A1B2C3D4E5F6G7H8J9"
EVENT = "evt_01JZX4N8D4E5F6G7H8J9K0M1N2"
RECEIPT = "rcp_01JZX4N8Q3R4S5T6V7W8X9Y0Z1"
LINK = "lnk_01JZX4N6W9A1B2C3D4E5F6G7H8"
AT = "2026-07-01T09:30:00.000Z"
LATER = "2026-07-31T09:30:00.000Z"

NEW_WORKSPACE: dict[str, Any] = {"label": "My laptop", "sample": False}
MADE_WORKSPACE = {
    "workspace": WORKSPACE,
    "link": {"id": LINK, "secret": SECRET, "url": f"https://careervector.example/w/#{SECRET}", "role": "owner"},
}
SESSION = {"link": SECRET}
OPENED = {"workspace": WORKSPACE, "role": "owner"}

NEW_LINK = {"label": "My coach", "role": "view"}
MADE_LINK = {
    "id": LINK,
    "secret": SECRET,
    "url": f"https://careervector.example/w/#{SECRET}",
    "role": "view",
    "label": "My coach",
}
LISTED_LINK = {
    "id": LINK,
    "label": "My coach",
    "role": "view",
    "last4": SECRET[-4:],
    "created_at": AT,
    "last_used_on": "2026-07-02",
    "revoked_at": None,
}

BATCH = {
    "reason": "Found through a friend",
    "expected_clocks": {"new:acme": 0, "profile": 1},
    "operations": [
        {
            "kind": "document.create",
            "document": "new:acme",
            "document_kind": "application",
            "fields": [{"field": "title", "value": "Engineer"}, {"field": "company", "value": "Acme"}],
            "texts": [{"text": "notes", "content": "Ask how large the team is.\n"}],
        },
        {
            "kind": "item.add",
            "document": "new:acme",
            "section": "checklist",
            "item": [{"field": "title", "value": "Send the CV"}, {"field": "due", "value": "2026-07-03"}],
        },
        {"kind": "application.move_stage", "document": "new:acme", "stage": "preparing", "position": "start"},
        {"kind": "field.set", "document": "profile", "field": "label", "value": "Engineer"},
    ],
}
_PATHS = [APPLICATION, "profile/fields/label"]
_CLOCKS = {"before": {"profile": 1}, "after": {APPLICATION: 2, "profile": 2}}
COMMITTED = {
    "event": EVENT,
    "replayed": False,
    "operations": [
        {"id": "op_01JZX4N8D4E5F6G7H8J9K0M1N3", "kind": "document.create"},
        {"id": "op_01JZX4N8D4E5F6G7H8J9K0M1N4", "kind": "item.add"},
        {"id": "op_01JZX4N8D4E5F6G7H8J9K0M1N5", "kind": "application.move_stage"},
        {"id": "op_01JZX4N8D4E5F6G7H8J9K0M1N6", "kind": "field.set"},
    ],
    "provenance": {"actor_class": "human", "actor": f"link:{LINK}", "at": AT, "origin_event": None},
    "clocks": _CLOCKS,
    "documents": {"new:acme": APPLICATION},
    "affected_paths": _PATHS,
    "unchanged": [],
    "receipt": {"id": RECEIPT, "expires_at": LATER},
    "reversible": True,
}
UNDO = {"expected_clocks": {APPLICATION: 2, "profile": 2}, "reason": "Not for me after all"}
UNDONE = {
    **COMMITTED,
    "event": "evt_01JZX4NB7C8D9E0F1G2H3J4K5M",
    "operations": [
        {"id": "op_01JZX4NB7C8D9E0F1G2H3J4K5N", "kind": "document.archive"},
        {"id": "op_01JZX4NB7C8D9E0F1G2H3J4K5P", "kind": "field.set"},
    ],
    "clocks": {"before": _CLOCKS["after"], "after": {APPLICATION: 3, "profile": 3}},
    "documents": {},
    "affected_paths": [f"{APPLICATION}/state", "profile/fields/label"],
    "receipt": {"id": "rcp_01JZX4NBQ1R2S3T4V5W6X7Y8Z9", "expires_at": LATER},
}
DOCUMENT = {
    "id": APPLICATION,
    "kind": "application",
    "clock": 2,
    "state": "active",
    "archived": False,
    "fields": {"title": "Engineer", "company": "Acme", "stage": "preparing", "rank": "a0"},
    "sections": {"checklist": [{"id": "itm_01JZX4N8H7J8K9M0N1P2Q3R4S5", "title": "Send the CV", "due": "2026-07-03"}]},
    "texts": {"notes": "Ask how large the team is.\n"},
    "role_snapshot": None,
    "last_event": EVENT,
    "created_at": AT,
    "updated_at": AT,
}
RECEIPT_SHOWN = {
    "id": RECEIPT,
    "event": EVENT,
    "actor_class": "human",
    "actor": f"link:{LINK}",
    "reason": "Found through a friend",
    "thread": None,
    "turn": None,
    "operation_kinds": ["document.create", "item.add", "application.move_stage", "field.set"],
    "affected_paths": _PATHS,
    "clocks": _CLOCKS,
    "created_at": AT,
    "expires_at": LATER,
    "state": "active",
    "undone_by": None,
}
CHANGE = {"path": "profile/fields/label", "before": None, "after": "Engineer"}
HISTORY_EVENT = {
    "id": EVENT,
    "seq": 1,
    "at": AT,
    "actor_class": "human",
    "actor": f"link:{LINK}",
    "reason": "Found through a friend",
    "origin_event": None,
    "operation_kinds": RECEIPT_SHOWN["operation_kinds"],
    "affected_paths": _PATHS,
    "clocks": _CLOCKS,
    "receipt": RECEIPT,
}
CONTEXT = {
    "surface": "board",
    "clocks": {APPLICATION: 2},
    "documents": [
        {
            "id": APPLICATION,
            "kind": "application",
            "clock": 2,
            "state": "active",
            "fields": {"title": "Engineer", "company": "Acme", "stage": "preparing"},
            "sections": {},
            "texts": {},
            "cut": [],
        }
    ],
    "provenance": {APPLICATION: {"actor_class": "human", "actor": f"link:{LINK}", "at": AT}},
    "truncated": False,
    "omitted": 0,
    "next_cursor": None,
}
SETTINGS_CHANGE = {"assistant_sees_contact_details": True, "time_zone": "Europe/Berlin"}
SETTINGS = {"assistant_sees_contact_details": True, "time_zone": "Europe/Berlin", "language": "en"}
SEARCH = {"query": "data engineer", "country": "DE", "work_mode": "remote", "limit": 5}
FOUND = {
    "roles": [
        {
            "role": "role_7Q2",
            "title": "Data Engineer",
            "company": "Acme",
            "location": "Berlin",
            "work_mode": "remote",
            "employment_type": "full",
            "salary": {"min": 65000, "max": 80000, "currency": "EUR", "period": "year", "kind": "stated", "raw": None},
            "posted_on": "2026-06-20",
            "valid_through": None,
            "url": "https://jobs.example/data-engineer",
            "snippet": "You build the pipelines that our analysts rely on.",
            "evidence": [{"ad": "ad_91", "source": "jobs.example", "fetched_at": AT, "content_hash": "9f2c" * 16}],
            "freshness": {"state": "fresh", "checked_at": AT},
        }
    ],
    "total": 1,
    "next_cursor": None,
    "corpus_version": "2026-07-01.1",
}

DIAGNOSTIC = {"text": "The board stays empty after I move a card twice.", "consent": True}
SENT_DIAGNOSTIC = {"id": "dia_01JZX4Q5B6C7D8E9F0G1H2J3K4", "created_at": AT}


def page(item: Any) -> dict[str, Any]:
    """A list's only page."""
    return {"items": [item], "next_cursor": None}
