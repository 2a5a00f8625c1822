"""The answers of threads, turns and connectors as closed JSON Schemas, for OpenAPI. Tests hold the answers to them."""

from __future__ import annotations

from typing import Any, Final

from assistant.connectors import PROVIDERS
from assistant.threads.starting import SURFACES
from workspaces.http.schema import TEXT, TIME, closed, page_of

Schema = dict[str, Any]
_TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
_ANY_OBJECT: Final[Schema] = {"type": "object"}

_THREAD_PROPERTIES: Final[dict[str, Schema]] = {
    "id": TEXT,
    "title": TEXT,
    "connector": TEXT,
    "created_at": TIME,
    "updated_at": TIME,
    "last_seq": _NUMBER,
    "running_turn": _TEXT_OR_NULL,
}
THREAD: Final = closed(_THREAD_PROPERTIES)
ONE_THREAD: Final = closed({**_THREAD_PROPERTIES, "recent_after": _NUMBER})
THREADS: Final = page_of(THREAD)

TURN: Final = closed(
    {
        "id": TEXT,
        "thread": TEXT,
        "connector": TEXT,
        "state": {"type": "string", "enum": ["queued", "assigned", "running", "completed", "failed", "cancelled"]},
        "text": TEXT,
        "surface": {"type": ["string", "null"], "enum": [*SURFACES, None]},
        "document": _TEXT_OR_NULL,
        "created_at": TIME,
        "deadline_at": TIME,
        "ended_at": {"type": ["string", "null"], "format": "date-time"},
        "seq": _NUMBER,
        "event": TEXT,
    }
)

EVENTS: Final = page_of(
    closed({"id": TEXT, "seq": _NUMBER, "turn": TEXT, "kind": TEXT, "at": TIME, "data": _ANY_OBJECT})
)

CONNECTOR: Final = closed(
    {
        "id": TEXT,
        "provider": {"type": "string", "enum": list(PROVIDERS)},
        "state": {"type": "string", "enum": ["ready", "needs_login", "connecting", "unavailable"]},
        "version": _TEXT_OR_NULL,
        "capabilities": _ANY_OBJECT,
        "shared": {"type": "boolean"},
        "login": {
            **closed({"verification_url": _TEXT_OR_NULL, "user_code": _TEXT_OR_NULL, "expires_at": _TEXT_OR_NULL}),
            "type": ["object", "null"],
        },
    }
)
CONNECTORS: Final = page_of(CONNECTOR)
