"""JSON Schema (draft 2020-12) from the declarations: operation serializers, document kinds and value types.

One emitter for the assistant's tools, OpenAPI and TypeScript. Every object is closed, every property required, and what
may be left out is nullable instead. Above it: `workspaces.facade`. Below it: the catalogue and the document schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from workspaces.documents.schema import KINDS, MAX_ITEMS, STATES, DocumentKind, Fields
from workspaces.documents.values import (
    MAX_LINE,
    MAX_MULTILINE,
    MAX_STRINGS,
    MAX_TEXT,
    SEARCH_FILTERS,
    ValueType,
    countries,
    currencies,
)

from .catalogue import CATALOGUE
from .fields import FieldValueSerializer

Schema = dict[str, Any]
ULID = "[0-9A-HJKMNP-TV-Z]{26}"


def closed(properties: Mapping[str, Schema]) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def nullable(schema: Schema) -> Schema:
    """`schema` or null, in the shortest form."""
    if "enum" in schema and isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"], "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str) and "const" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}


def is_nullable(schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    """True when null is among what `schema` accepts."""
    if "$ref" in schema:
        return is_nullable(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    declared = schema.get("type")
    return (
        declared == "null"
        or (isinstance(declared, list) and "null" in declared)
        or any(is_nullable(entry, definitions) for entry in schema.get("anyOf", ()))
    )


def value_schema(kind: ValueType) -> Schema:
    """What a value of this type looks like, without null."""
    match kind.name:
        case "integer":
            return {"type": "integer", "minimum": kind.minimum, "maximum": kind.maximum}
        case "boolean":
            return {"type": "boolean"}
        case "enum":
            return {"type": "string", "enum": list(kind.of)}
        case "currency":
            return {"type": "string", "enum": sorted(currencies())}
        case "country":
            return {"type": "string", "enum": sorted(countries())}
        case "date":
            return {"type": "string", "format": "date"}
        case "partial_date":
            return {"type": "string", "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"}
        case "time":
            return {"type": "string", "format": "date-time"}
        case "url":
            return {"type": "string", "format": "uri", "maxLength": MAX_LINE}
        case "multiline":
            return {"type": "string", "maxLength": MAX_MULTILINE}
        case "strings":
            longest = MAX_MULTILINE if kind.multiline_items else MAX_LINE
            return {"type": "array", "items": {"type": "string", "maxLength": longest}, "maxItems": MAX_STRINGS}
        case "reference":
            return {"type": "string", "pattern": f"^(?:{'|'.join(kind.of)}):{ULID}$"}
        case "filters":
            return closed({name: nullable(schema) for name, schema in search_filter_schemas().items()})
        case "language":
            return {"type": "string", "maxLength": 35}
        case _:  # line, time_zone, rank, role
            return {"type": "string", "maxLength": MAX_LINE}


def search_filter_schemas() -> dict[str, Schema]:
    """The filters of a job search by name, without null."""
    return {name: value_schema(kind) for name, kind in SEARCH_FILTERS.items()}


def operation_definitions() -> dict[str, Schema]:
    """`$defs` that operation schemas refer to: any field value, a position, a field and its value."""
    filters = closed(
        {
            name: {"type": ["integer" if kind.name == "integer" else "string", "null"]}
            for name, kind in SEARCH_FILTERS.items()
        }
    )
    return {
        "value": {
            "anyOf": [
                {"type": ["string", "integer", "boolean", "null"]},
                {"type": "array", "items": {"type": "string"}},
                filters,
            ]
        },
        "pair": closed({"field": {"type": "string"}, "value": {"$ref": "#/$defs/value"}}),
        "position": {
            "anyOf": [
                {"type": ["string", "null"], "enum": ["start", "end", None]},
                closed({"after": {"type": "string"}}),
            ]
        },
    }


def operation_schemas(*, assistant: bool) -> dict[str, Schema]:
    """Each operation that a request may hold, by kind; with `assistant`, only those an agent may use."""
    return {
        operation.kind: closed(
            {"kind": {"type": "string", "const": operation.kind}, **_properties(operation.Serializer())}
        )
        for operation in CATALOGUE
        if not operation.internal and (operation.assistant or not assistant)
    }


def operation_union(*, assistant: bool) -> Schema:
    """Any one operation. Kinds that differ in nothing but their name share an alternative, to keep it short."""
    alternatives: dict[str, list[str]] = {}
    properties: dict[str, Schema] = {}
    for kind, schema in operation_schemas(assistant=assistant).items():
        rest = {name: entry for name, entry in schema["properties"].items() if name != "kind"}
        alternatives.setdefault(json.dumps(rest), []).append(kind)
        properties[json.dumps(rest)] = rest
    return {
        "anyOf": [
            closed(
                {
                    "kind": {"type": "string", **({"const": kinds[0]} if len(kinds) == 1 else {"enum": kinds})},
                    **properties[key],
                }
            )
            for key, kinds in alternatives.items()
        ]
    }


def optional_properties() -> dict[str, frozenset[str]]:
    """For each operation kind, the properties that the tools' schema makes nullable and a request may leave out."""
    return {
        operation.kind: frozenset(name for name, field in operation.Serializer().fields.items() if not field.required)
        for operation in CATALOGUE
        if not operation.internal
    }


def serializer_schema(serializer: serializers.Serializer[Any]) -> Schema:
    """A strict serializer as a closed object."""
    return closed(_properties(serializer))


def _properties(serializer: serializers.Serializer[Any]) -> dict[str, Schema]:
    return {name: _field_schema(field) for name, field in serializer.fields.items()}


def _field_schema(field: serializers.Field[Any, Any, Any, Any]) -> Schema:
    schema = _bare_field_schema(field)
    if (field.allow_null or not field.required) and not is_nullable(schema, operation_definitions()):
        return nullable(schema)
    return schema


def _bare_field_schema(field: Any) -> Schema:
    declared: Schema | None = getattr(field, "json_schema", None)
    if declared is not None:
        return dict(declared)
    if isinstance(field, serializers.ListField):
        schema: Schema = {"type": "array", "items": _field_schema(field.child)}
        if field.max_length is not None:
            schema["maxItems"] = field.max_length
        return schema
    if isinstance(field, FieldValueSerializer):
        return {"$ref": "#/$defs/pair"}
    if isinstance(field, serializers.Serializer):
        return serializer_schema(field)
    if isinstance(field, serializers.BooleanField):
        return {"type": "boolean"}
    if isinstance(field, serializers.IntegerField):
        limits = {"minimum": field.min_value, "maximum": field.max_value}
        return {"type": "integer"} | {name: limit for name, limit in limits.items() if limit is not None}
    if isinstance(field, serializers.ChoiceField):
        return {"type": "string", "enum": list(field.choices)}
    if isinstance(field, serializers.CharField):
        return {"type": "string"} if field.max_length is None else {"type": "string", "maxLength": field.max_length}
    raise TypeError(f"{type(field).__name__} says nothing about its JSON: give it a `json_schema`")


def document_schemas() -> dict[str, Schema]:
    """Each document kind as `GET …/documents/{doc}` shows it: all fields present or null, items with their ids."""
    return {kind.name: _document_schema(kind) for kind in KINDS.values()}


def _document_schema(kind: DocumentKind) -> Schema:
    identity: Schema = (
        {"type": "string", "const": kind.name}
        if kind.singleton
        else {"type": "string", "pattern": f"^{kind.name}:{ULID}$"}
    )
    return closed(
        {
            "id": identity,
            "kind": {"type": "string", "const": kind.name},
            "clock": {"type": "integer", "minimum": 1},
            "state": {"type": "string", "enum": list(STATES)},
            "fields": _fields(kind.fields),
            "sections": closed(
                {
                    name: {"type": "array", "items": _item(fields), "maxItems": MAX_ITEMS}
                    for name, fields in kind.sections.items()
                }
            ),
            "texts": closed({name: {"type": "string", "maxLength": MAX_TEXT} for name in kind.texts}),
        }
    )


def _fields(fields: Fields) -> Schema:
    return closed({name: nullable(value_schema(kind)) for name, kind in fields.items()})


def _item(fields: Fields) -> Schema:
    return closed({"id": {"type": "string"}, **{n: nullable(value_schema(k)) for n, k in fields.items()}})


def describe_documents() -> str:
    """The document kinds in a few lines for a model: fields, sections{items}, texts, and what values they take."""
    told: set[str] = set()
    # The application first: it is what most questions are about, so its hints stand where they are looked for.
    kinds = sorted(KINDS.values(), key=lambda kind: kind.name != "application")
    lines = [_describe(kind, told) for kind in kinds]
    return "Documents (* is YYYY, YYYY-MM or YYYY-MM-DD):\n" + "\n".join(lines)


def _describe(kind: DocumentKind, told: set[str]) -> str:
    parts = [_names(kind.fields, told)]
    parts += [f"{name}{{{_names(fields, told)}}}" for name, fields in kind.sections.items()]
    parts += [f"text {','.join(kind.texts)}"] if kind.texts else []
    return f"{kind.name}: {'; '.join(parts)}"


def _names(fields: Fields, told: set[str]) -> str:
    """Names with hints; a choice that was spelled out before, under the same name, is not spelled out again."""
    shown = []
    for name, kind in fields.items():
        if kind.name in ("rank", "role"):
            continue
        text = f"{name}{_hint(kind)}"
        shown.append(name if text in told and kind.name == "enum" else text)
        told.add(text)
    return ",".join(shown)


def _hint(kind: ValueType) -> str:
    match kind.name:
        case "enum":
            return f"({'|'.join(kind.of)})"
        case "strings":
            return "[]"
        case "boolean" | "date":
            return f"({kind.name})"
        case "partial_date":
            return "*"
        case "reference":
            return "(id)"
        case _:
            return ""
