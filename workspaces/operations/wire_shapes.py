"""The shapes that answers have (receipts, events, commit answers, problems) as JSON Schema, for the TypeScript types.

Source: contract sections 5, 6, 7 and 11. Above: `typescript`. Below: `json_schema`.
"""

from __future__ import annotations

from .json_schema import Schema, closed, document_schemas, nullable

TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "string", "format": "date-time"}
INTEGER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}


def list_of(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def mapping_of(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def named(name: str) -> Schema:
    """A reference to one of the shapes."""
    return {"$ref": f"#/$defs/{name}"}


def choice(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


ACTOR_CLASS = choice("human", "agent", "system")

SHAPES: dict[str, Schema] = {
    "ActorClass": ACTOR_CLASS,
    "Clocks": mapping_of(INTEGER),
    "CommitClocks": closed({"before": named("Clocks"), "after": named("Clocks")}),
    # A live-typing event covers a session and says so with a range.
    "EventClocks": {
        "anyOf": [named("CommitClocks"), mapping_of(closed({"from": INTEGER, "to": INTEGER}))],
    },
    "Provenance": closed({"actor_class": named("ActorClass"), "actor": TEXT, "at": TIME}),
    "CommitAnswer": closed(
        {
            "event": nullable(TEXT),
            "replayed": FLAG,
            "operations": list_of(closed({"id": TEXT, "kind": TEXT})),
            "provenance": closed(
                {"actor_class": named("ActorClass"), "actor": TEXT, "at": TIME, "origin_event": nullable(TEXT)}
            ),
            "clocks": named("CommitClocks"),
            "documents": mapping_of(TEXT),
            "affected_paths": list_of(TEXT),
            "unchanged": list_of(INTEGER),
            "receipt": nullable(closed({"id": TEXT, "expires_at": TIME})),
            "reversible": FLAG,
            "not_reversible_because?": TEXT,
        }
    ),
    "Receipt": closed(
        {
            "id": TEXT,
            "event": TEXT,
            "actor_class": named("ActorClass"),
            "actor": TEXT,
            "reason": TEXT,
            "thread": nullable(TEXT),
            "turn": nullable(TEXT),
            "operation_kinds": list_of(TEXT),
            "affected_paths": list_of(TEXT),
            "clocks": named("CommitClocks"),
            "created_at": TIME,
            "expires_at": TIME,
            "state": choice("active", "undone", "expired"),
            "undone_by": nullable(TEXT),
        }
    ),
    "ReceiptChange": closed({"path": TEXT, "before": ANYTHING, "after": ANYTHING}),
    "HistoryEvent": closed(
        {
            "id": TEXT,
            "seq": INTEGER,
            "at": TIME,
            "actor_class": named("ActorClass"),
            "actor": TEXT,
            "reason": nullable(TEXT),
            "origin_event": nullable(TEXT),
            "operation_kinds": list_of(TEXT),
            "affected_paths": list_of(TEXT),
            "clocks": named("EventClocks"),
            "receipt": nullable(TEXT),
        }
    ),
    "Conflict": closed({"path": TEXT, "later_event": TEXT, "actor_class": named("ActorClass"), "at": TIME}),
    "Flaw": closed({"path": TEXT, "code": TEXT, "message": TEXT}),
    "Problem": closed(
        {
            "type": TEXT,
            "title": TEXT,
            "status": INTEGER,
            "code": TEXT,
            "detail": TEXT,
            "details": mapping_of(ANYTHING),
            "errors": list_of(named("Flaw")),
        }
    ),
}


def document_shapes() -> dict[str, Schema]:
    """`ApplicationFields`, `ApplicationSections`, `ApplicationTexts` and so on: the parts of each document kind.

    A field that was never set may be absent, so all but an item's id may be left out.
    """
    shapes: dict[str, Schema] = {}
    for kind, schema in document_schemas().items():
        parts = schema["properties"]
        shapes[f"{kind.capitalize()}Fields"] = _sparse(parts["fields"])
        sections = parts["sections"]["properties"]
        for name, section in sections.items():
            shapes[_item_name(kind, name)] = _sparse(section["items"])
        shapes[f"{kind.capitalize()}Sections"] = closed(
            {name: list_of(named(_item_name(kind, name))) for name in sections}
        )
        shapes[f"{kind.capitalize()}Texts"] = parts["texts"]
    return shapes


def _item_name(kind: str, section: str) -> str:
    """`ApplicationInterviewsItem`."""
    return kind.capitalize() + "".join(word.capitalize() for word in section.split("_")) + "Item"


def _sparse(schema: Schema) -> Schema:
    return closed({name if name == "id" else f"{name}?": entry for name, entry in schema["properties"].items()})
