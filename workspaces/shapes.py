"""The JSON shapes of the contract, made from rows and states: documents, events, receipts. Sections 6 and 7.

What is empty is absent: a field without a value, a section without items, a text without characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .clock import rfc3339
from .commits import json_text
from .documents.schema import DocumentKind
from .documents.state import DocumentState, ordered_items
from .models import Document, Event, Receipt


def fields_json(state: DocumentState) -> dict[str, Any]:
    return dict(state.fields)


def items_json(items: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A section's items in order, each with its id and without its rank."""
    return [
        {"id": item, **{name: value for name, value in values.items() if name != "rank"}}
        for item, values in ordered_items(items)
    ]


def document_json(row: Document, kind: DocumentKind, state: DocumentState, clock: int) -> dict[str, Any]:
    return {
        "id": row.doc_id,
        "kind": kind.name,
        "clock": clock,
        "state": state.state,
        "archived": state.state == "archived",
        "fields": fields_json(state),
        "sections": {name: items_json(items) for name, items in state.sections.items() if items},
        "texts": {name: text for name, text in state.texts.items() if text},
        "role_snapshot": None,
        "last_event": row.last_event or None,
        "created_at": rfc3339(row.created_at),
        "updated_at": rfc3339(row.updated_at),
    }


def event_json(row: Event) -> dict[str, Any]:
    return {
        "id": row.id,
        "seq": row.seq,
        "at": rfc3339(row.at),
        "actor_class": row.actor_class,
        "actor": row.actor,
        "reason": row.reason,
        "origin_event": row.origin_event,
        "operation_kinds": json_text.decode(row.operation_kinds),
        "affected_paths": json_text.decode(row.affected_paths),
        "clocks": json_text.decode(row.clocks),
        "receipt": row.receipt,
    }


def receipt_state(row: Receipt, at: datetime) -> str:
    """`active`, `undone` or `expired`: decided by `expires_at` at the moment of asking."""
    if row.undone_by is not None:
        return "undone"
    return "expired" if row.expires_at <= at else "active"


def receipt_json(row: Receipt, at: datetime) -> dict[str, Any]:
    return {
        "id": row.id,
        "event": row.event,
        "actor_class": row.actor_class,
        "actor": row.actor,
        "reason": row.reason,
        "thread": row.thread,
        "turn": row.turn,
        "operation_kinds": json_text.decode(row.operation_kinds),
        "affected_paths": json_text.decode(row.affected_paths),
        "clocks": json_text.decode(row.clocks),
        "created_at": rfc3339(row.created_at),
        "expires_at": rfc3339(row.expires_at),
        "state": receipt_state(row, at),
        "undone_by": row.undone_by,
    }
