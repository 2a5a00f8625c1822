"""How a view tells OpenAPI what it takes and gives: the same declarations that validate, as JSON Schema.

Above: every view's `@describe`. Below: `workspaces.operations.json_schema` (closed objects) and `wire_shapes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from workspaces.operations.json_schema import (
    Schema,
    document_schemas,
    operation_definitions,
    operation_schemas,
    optional_properties,
    serializer_schema,
)
from workspaces.operations.wire_shapes import SHAPES

F = TypeVar("F", bound=Callable[..., Any])
TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "string", "format": "date-time"}
ROLE: Schema = {"type": "string", "enum": ["owner", "edit", "view"]}


def ref(name: str) -> Schema:
    """A shape of `components`."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed(properties: Mapping[str, Schema], *, optional: Iterable[str] = ()) -> Schema:
    left_out = set(optional)
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


def page_of(item: Schema) -> Schema:
    """`{"items", "next_cursor"}`."""
    return closed({"items": {"type": "array", "items": item}, "next_cursor": {"type": ["string", "null"]}})


def body_schema(serializer: type[serializers.Serializer[Any]]) -> Schema:
    """A strict serializer as a request body: what has a default may be left out."""
    instance = serializer()
    schema = serializer_schema(instance)
    return closed(schema["properties"], optional=[n for n, field in instance.fields.items() if not field.required])


def describe(
    summary: str,
    *,
    request: type[serializers.Serializer[Any]] | Schema | None = None,
    answer: type[serializers.Serializer[Any]] | Schema | None = None,
    status: int = 200,
    errors: Iterable[int] = (401, 404),
    query: Iterable[str] = (),
    keyed: bool = False,
) -> Callable[[F], F]:
    """What one method does. `keyed`: it needs an Idempotency-Key. `query`: names of its query parameters."""
    if isinstance(request, type):
        request = body_schema(request)
    if isinstance(answer, type):
        answer = serializer_schema(answer())
    responses: dict[Any, Any] = {(status, "application/json"): answer} if answer is not None else {status: None}
    for code in sorted({*errors, 429}):
        responses[code, "application/problem+json"] = ref("Problem")
    parameters = [_query_parameter(name) for name in query]
    if keyed:
        key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
        parameters.append(OpenApiParameter("Idempotency-Key", key, OpenApiParameter.HEADER, required=True))
    return extend_schema(
        summary=summary,
        description=summary + ".",
        request={"application/json": request} if request is not None else None,
        responses=responses,
        parameters=parameters,
    )


def _query_parameter(name: str) -> OpenApiParameter:
    schemas: dict[str, Schema] = {
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
        "after": {"type": "integer", "minimum": 0},
        "archived": {"type": "boolean", "default": False},
        "actor_class": {"type": "string", "enum": ["human", "agent", "system"]},
        "state": {"type": "string", "enum": ["active", "undone", "expired"]},
    }
    return OpenApiParameter(name, schemas.get(name, TEXT), OpenApiParameter.QUERY)


def add_shapes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A drf-spectacular post-processing hook: our shapes among the components, and the two ways to authenticate."""
    shapes: dict[str, Schema] = {}
    for name, schema in operation_definitions().items():
        shapes[_definition_name(name)] = schema
    optional = optional_properties()
    kinds = []
    for kind, schema in operation_schemas(assistant=False).items():
        name = "Operation." + kind
        shapes[name] = closed(schema["properties"], optional=optional[kind])
        kinds.append(ref(name))
    mapping = {entry["$ref"].rpartition("/Operation.")[2]: entry["$ref"] for entry in kinds}
    shapes["Operation"] = {"oneOf": kinds, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    for kind, schema in document_schemas().items():
        shapes["Document." + kind] = _document(schema["properties"])
    shapes.update(SHAPES)
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update({n: _rewritten(s) for n, s in sorted(shapes.items())})
    components["securitySchemes"] = {
        "link": {"type": "http", "scheme": "bearer", "bearerFormat": "cvl_…"},
        "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
    }
    result["security"] = [{"link": []}, {"session": []}]
    return result


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
    return closed(schema["properties"], optional=[name for name in schema["properties"] if name != "id"])


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
