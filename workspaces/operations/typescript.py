"""TypeScript types from JSON Schema: operations, documents, receipts and events for the page.

`manage.py emit_types` writes them; a test keeps the file in the repository equal to what this gives.
Above: `workspaces.facade`. Below: `json_schema` and `wire_shapes`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from workspaces.documents.schema import KINDS, STAGES, STATES, TIERS

from .catalogue import ASSISTANT_KINDS
from .json_schema import Schema, is_nullable, operation_definitions, operation_schemas, optional_properties
from .wire_shapes import SHAPES, document_shapes

_NAMES = {"value": "FieldValue", "pair": "FieldAndValue", "position": "Position"}
_ENUMS = {STAGES: "Stage", TIERS: "Tier", STATES: "DocumentState"}
_LONGEST_UNION = 20
_IDENTIFIER = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_LINE = 120


def workspace_types() -> str:
    """Everything about documents, operations, commits and receipts, as TypeScript declarations."""
    parts = [
        _constant("STAGES", STAGES),
        "export type Stage = (typeof STAGES)[number];",
        _constant("TIERS", TIERS),
        "export type Tier = (typeof TIERS)[number];",
        _constant("DOCUMENT_STATES", STATES),
        "export type DocumentState = (typeof DOCUMENT_STATES)[number];",
        _constant("ASSISTANT_OPERATION_KINDS", ASSISTANT_KINDS),
    ]
    parts += [declare(_NAMES[name], schema) for name, schema in operation_definitions().items()]
    parts += _operations()
    parts += [declare(name, schema) for name, schema in document_shapes().items()]
    parts += _documents()
    parts += [declare(name, schema) for name, schema in SHAPES.items()]
    return "\n\n".join(parts) + "\n"


def declare(name: str, schema: Schema, *, optional: frozenset[str] = frozenset()) -> str:
    """One exported type: an interface for a closed object, an alias for all else.

    Properties in `optional`, and those whose name ends in `?`, may be left out.
    """
    if _is_closed(schema) and schema["properties"]:
        return f"export interface {name} {_body(schema, '', optional)}"
    return f"export type {name} = {to_type(schema)};"


def to_type(schema: Schema, indent: str = "") -> str:
    """The TypeScript type that accepts what `schema` does, as far as TypeScript can say it."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return _NAMES.get(name, name)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return _enumeration(schema["enum"])
    if "anyOf" in schema:
        return _union([to_type(entry, indent) for entry in schema["anyOf"]])
    declared = schema.get("type")
    if declared is None:
        return "unknown"
    if isinstance(declared, list):
        return _union([to_type({**schema, "type": entry}, indent) for entry in declared])
    match declared:
        case "object":
            if _is_closed(schema):
                return _body(schema, indent, frozenset())
            return f"Record<string, {to_type(schema['additionalProperties'], indent)}>"
        case "array":
            inner = to_type(schema["items"], indent)
            return f"({inner})[]" if "|" in inner and not inner.endswith("}") else f"{inner}[]"
        case "integer" | "number":
            return "number"
        case other:
            return str(other)


def _enumeration(values: list[str | None]) -> str:
    """The values as a union; by name where there is one, and as text for the long code lists of ISO."""
    given = tuple(value for value in values if value is not None)
    shown = [_ENUMS[given]] if given in _ENUMS else [json.dumps(value) for value in given]
    if len(given) > _LONGEST_UNION:
        shown = ["string"]
    return _union([*shown, "null"] if None in values else shown)


def _is_closed(schema: Schema) -> bool:
    return schema.get("type") == "object" and "properties" in schema


def _body(schema: Schema, indent: str, optional: frozenset[str]) -> str:
    properties: Mapping[str, Any] = schema["properties"]
    if not properties:
        return "Record<string, never>"
    inner = indent + "  "
    lines = []
    for name, entry in properties.items():
        bare = name.removesuffix("?")
        mark = "?" if bare != name or name in optional else ""
        shown = bare if _IDENTIFIER.match(bare) else json.dumps(bare)
        lines.append(f"{inner}{shown}{mark}: {to_type(entry, inner)};")
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"


def _union(types: list[str]) -> str:
    unique = list(dict.fromkeys(part for entry in types for part in _members(entry)))
    if "null" in unique:
        unique = [entry for entry in unique if entry != "null"] + ["null"]
    return " | ".join(unique)


def _members(entry: str) -> list[str]:
    return entry.split(" | ") if "{" not in entry and "(" not in entry else [entry]


def _operations() -> list[str]:
    optional = optional_properties()
    schemas = operation_schemas(assistant=False)
    parts = []
    for kind, schema in schemas.items():
        assert all(is_nullable(schema["properties"][name], operation_definitions()) for name in optional[kind])
        parts.append(declare(_class_name(kind), schema, optional=optional[kind]))
    union = "\n".join(f"  | {_class_name(kind)}" for kind in schemas)
    return [*parts, f"export type Operation =\n{union};", 'export type OperationKind = Operation["kind"];']


def _documents() -> list[str]:
    """`GET …/documents/{doc}` and the items of the context projection, by kind."""
    names = {kind: f"{kind.capitalize()}Document" for kind in KINDS}
    parts = [
        "export interface DocumentOf<Kind extends string, Fields, Sections, Texts> {\n"
        "  id: string;\n  kind: Kind;\n  clock: number;\n  fields: Fields;\n  sections: Sections;\n  texts: Texts;\n"
        "  archived: boolean;\n  role_snapshot: Record<string, unknown> | null;\n  last_event: string | null;\n}"
    ]
    for kind, name in names.items():
        title = kind.capitalize()
        parts.append(
            f'export type {name} = DocumentOf<\n  "{kind}",\n  {title}Fields,\n  {title}Sections,\n  {title}Texts\n>;'
        )
    parts.append("export type CareerDocument =\n" + "\n".join(f"  | {name}" for name in names.values()) + ";")
    parts.append('export type DocumentKind = CareerDocument["kind"];')
    return parts


def _constant(name: str, values: tuple[str, ...]) -> str:
    line = f"export const {name} = [{', '.join(map(json.dumps, values))}] as const;"
    if len(line) <= _LINE:
        return line
    return f"export const {name} = [\n" + "".join(f"  {json.dumps(value)},\n" for value in values) + "] as const;"


def _class_name(kind: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[._]", kind))
