"""The components of the OpenAPI document: documents, operations, answers, problems, ways to authenticate.

A drf-spectacular post-processing hook. Above: `openapi`. Below: the declarations that the product validates with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workspaces import errors
from workspaces.errors import DomainError, to_problem
from workspaces.operations.json_schema import (
    Schema,
    document_schemas,
    is_nullable,
    operation_definitions,
    operation_schemas,
    optional_properties,
)
from workspaces.operations.wire_shapes import SHAPES

from .examples import AT, EVENT
from .openapi_words import DESCRIPTION, SUMMARY, TAGS, TITLE
from .schema import TIME, closed, ref

_LONG_LIST = 100
_CLOCK: Schema = {"type": "integer", "minimum": 0}
# What `details` holds where a program is meant to use it.
_DETAILS: dict[type[DomainError], Schema] = {
    errors.StaleClock: closed(
        {
            "clocks": {
                "type": "object",
                "additionalProperties": closed({"expected": _CLOCK, "current": _CLOCK}),
            }
        }
    ),
    errors.UndoConflict: closed({"conflicts": {"type": "array", "items": ref("Conflict")}}),
    errors.RateLimited: closed({"retry_after": {"type": "integer", "minimum": 1}}),
}
_ANY_DETAILS: Schema = {"type": "object", "additionalProperties": True}


def add_shapes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The hook."""
    result["info"] = {"title": TITLE, "version": "1", "summary": SUMMARY, "description": DESCRIPTION}
    result["servers"] = [{"url": "/", "description": "This server"}]
    result["tags"] = [{"name": tag.name, "description": tag.description} for tag in TAGS]
    shapes = {**_operation_shapes(), **_document_shapes(), **SHAPES, **_problem_shapes()}
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update({n: _rewritten(s) for n, s in sorted(shapes.items())})
    components["examples"] = {
        problem_name(refusal): {"summary": f"{refusal.title}.", "value": _problem_example(refusal)}
        for refusal in sorted(_refusals(), key=problem_name)
    }
    components["securitySchemes"] = {
        "link": {
            "type": "http", "scheme": "bearer", "bearerFormat": "cvl_…",
            "description": "The secret of a link to the workspace.",
        },
        "session": {
            "type": "apiKey", "in": "cookie", "name": "sessionid",
            "description": "A browser's session that opened a link (`open_session`). `__Host-sessionid` on HTTPS.",
        },
        "csrf": {
            "type": "apiKey", "in": "header", "name": "X-CSRFToken",
            "description": "Beside the session cookie, for writes: the value of the `csrftoken` cookie.",
        },
    }  # fmt: skip
    result["security"] = []
    lists: dict[str, Schema] = {}
    whole = {name: _with_lists_named(part, lists) for name, part in result.items()}
    whole["components"]["schemas"].update(lists)
    return whole


def _with_lists_named(value: Any, found: dict[str, Schema]) -> Any:
    """Long lists of codes stand in the document once, as `Country` and `Currency`."""
    if isinstance(value, list):
        return [_with_lists_named(entry, found) for entry in value]
    if not isinstance(value, dict):
        return value
    codes = value.get("enum", ())
    if len(codes) <= _LONG_LIST:
        return {key: _with_lists_named(entry, found) for key, entry in value.items()}
    name = "Country" if len(codes[0]) == 2 else "Currency"
    found[name] = {"type": "string", "enum": [code for code in codes if code is not None]}
    return {"anyOf": [ref(name), {"type": "null"}]} if None in codes else ref(name)


def problem_name(refusal: type[DomainError]) -> str:
    """The component that describes one refusal."""
    return f"Problem.{refusal.code}"


def _refusals(of: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    for refusal in of.__subclasses__():
        if refusal.__module__ == errors.__name__:
            # One without a code of its own goes by its parent's.
            if "code" in vars(refusal):
                yield refusal
            yield from _refusals(refusal)


def _problem_shapes() -> dict[str, Schema]:
    return {problem_name(refusal): _problem(refusal) for refusal in _refusals()}


def _problem(refusal: type[DomainError]) -> Schema:
    plain = SHAPES["Problem"]["properties"]
    return {
        **closed(
            {
                **plain,
                "type": {"type": "string", "const": f"urn:careervector:problem:{refusal.code}"},
                "status": {"type": "integer", "const": refusal.status},
                "code": {"type": "string", "const": refusal.code},
                "details": _DETAILS.get(refusal, _ANY_DETAILS),
            }
        ),
        "description": f"{refusal.title}.",
    }


_EXAMPLE_DETAILS: dict[type[DomainError], dict[str, Any]] = {
    errors.StaleClock: {"clocks": {"profile": {"expected": 7, "current": 8}}},
    errors.UndoConflict: {
        "conflicts": [
            {"path": "profile/fields/label", "later_event": EVENT, "actor_class": "human", "at": AT},
        ]
    },
    errors.RateLimited: {"retry_after": 12},
}


def _problem_example(refusal: type[DomainError]) -> dict[str, Any]:
    """What the mapping to problems really gives, with the details that this refusal has."""
    return to_problem(refusal(details=_EXAMPLE_DETAILS.get(refusal)))


def _operation_shapes() -> dict[str, Schema]:
    shapes = {_definition_name(name): _with_parts_left_out(s) for name, s in operation_definitions().items()}
    optional = optional_properties()
    kinds = []
    for kind, schema in operation_schemas(assistant=False).items():
        name = "Operation." + kind
        shapes[name] = closed(schema["properties"], optional=optional[kind])
        kinds.append(ref(name))
    mapping = {entry["$ref"].rpartition("/Operation.")[2]: entry["$ref"] for entry in kinds}
    shapes["Operation"] = {"oneOf": kinds, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    return shapes


def _document_shapes() -> dict[str, Schema]:
    return {"Document." + kind: _document(schema["properties"]) for kind, schema in document_schemas().items()}


def _document(parts: Mapping[str, Schema]) -> Schema:
    """As `shapes.document_json` gives it: what is empty is absent."""
    return closed(
        {
            **{name: parts[name] for name in ("id", "kind", "clock", "state")},
            "archived": {"type": "boolean"},
            "fields": _sparse(parts["fields"]),
            "sections": _sparse(
                {
                    **parts["sections"],
                    "properties": {
                        name: {**section, "items": _sparse(section["items"])}
                        for name, section in parts["sections"]["properties"].items()
                    },
                }
            ),
            "texts": _sparse(parts["texts"]),
            "role_snapshot": {"type": ["object", "null"]},
            "last_event": {"type": ["string", "null"]},
            "created_at": TIME,
            "updated_at": TIME,
        }
    )


def _sparse(schema: Schema) -> Schema:
    parts = {name: _with_parts_left_out(part) for name, part in schema["properties"].items()}
    return closed(parts, optional=[name for name in parts if name != "id"])


def _with_parts_left_out(schema: Any) -> Any:
    """A value that is an object itself (a search's filters): over HTTP, what is null in it may be absent.

    Objects all of whose properties may be null are meant, so that an item's id and the like stay required.
    """
    if isinstance(schema, list):
        return [_with_parts_left_out(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _with_parts_left_out(entry) for key, entry in schema.items()}
    parts = schema.get("properties")
    if isinstance(parts, dict) and all(is_nullable(part, {}) for part in parts.values() if "$ref" not in part):
        if not any("$ref" in part for part in parts.values()):
            found["required"] = []
    return found


def _definition_name(name: str) -> str:
    return {"value": "FieldValue", "position": "Position", "pair": "FieldAndValue"}.get(name, name)


def _rewritten(schema: Any) -> Any:
    """`$defs` become components; a property that ends in `?` may be left out."""
    if isinstance(schema, list):
        return [_rewritten(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    if set(schema) == {"$ref"}:
        return ref(_definition_name(schema["$ref"].rpartition("/")[2]))
    found = {key: _rewritten(entry) for key, entry in schema.items()}
    if isinstance(schema.get("properties"), dict):
        found["properties"] = {n.removesuffix("?"): _rewritten(s) for n, s in schema["properties"].items()}
        if isinstance(schema.get("required"), list):
            found["required"] = [name for name in schema["required"] if not name.endswith("?")]
    return found
