"""How a view tells OpenAPI what it takes and gives: the same declarations that validate, as JSON Schema.

Above: every view's `@describe`, which `openapi_schema` reads. Below: `workspaces.operations.json_schema`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from rest_framework import serializers

from workspaces.errors import DomainError
from workspaces.operations.json_schema import Schema, serializer_schema

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
    properties = {
        name: schema["properties"][name] if field.allow_null else _without_null(schema["properties"][name])
        for name, field in instance.fields.items()
    }
    return closed(properties, optional=[n for n, field in instance.fields.items() if not field.required])


def _without_null(schema: Schema) -> Schema:
    """What the tools' schema lets be null instead of absent; over HTTP it is simply left out."""
    declared = schema.get("type")
    if not isinstance(declared, list):
        return schema
    [kept] = [name for name in declared if name != "null"]
    values = {"enum": [value for value in schema["enum"] if value is not None]} if "enum" in schema else {}
    return {**schema, "type": kept, **values}


@dataclass(frozen=True, slots=True)
class Link:
    """What an answer makes possible next: `operation` with these parameters, as OpenAPI's runtime expressions."""

    operation: str
    parameters: Mapping[str, str]
    body: Any = None


@dataclass(frozen=True, slots=True)
class Described:
    """What one method of a view does; `describe` takes the same words."""

    summary: str
    operation: str
    detail: str
    request: Schema | None
    answer: Schema | None
    status: int
    media_type: str
    query: tuple[str, ...]
    keyed: bool | Literal["optional"]
    refuses: tuple[type[DomainError], ...]
    example: Any
    answer_example: Any
    links: tuple[Link, ...]


def describe(
    summary: str,
    *,
    operation: str,
    detail: str = "",
    request: type[serializers.Serializer[Any]] | Schema | None = None,
    answer: type[serializers.Serializer[Any]] | Schema | None = None,
    status: int = 200,
    media_type: str = "application/json",
    query: Iterable[str] = (),
    keyed: bool | Literal["optional"] = False,
    refuses: Iterable[type[DomainError]] = (),
    example: Any = None,
    answer_example: Any = None,
    links: Iterable[Link] = (),
) -> Callable[[F], F]:
    """What one method does, under the name `operation`.

    `query`: names of its query parameters. `keyed`: it needs an Idempotency-Key. `refuses`: what its facade raises
    beyond what follows from the view (see `refusals`). `example`, `answer_example`: of the body and of a good answer.
    """
    if isinstance(request, type):
        request = body_schema(request)
    if isinstance(answer, type):
        answer = serializer_schema(answer())
    described = Described(
        summary=summary, operation=operation, detail=detail, request=request, answer=answer, status=status,
        media_type=media_type, query=tuple(query), keyed=keyed, refuses=tuple(refuses), example=example,
        answer_example=answer_example, links=tuple(links),
    )  # fmt: skip

    def attach(method: F) -> F:
        method.described = described  # type: ignore[attr-defined]
        return method

    return attach


def described_of(view: Any, method: str) -> Described | None:
    """What a view says of one of its methods, if it says anything."""
    found = getattr(getattr(view, method.lower(), None), "described", None)
    return found if isinstance(found, Described) else None
