"""`/api/`: the OpenAPI document as a page that people read. Rendered here, whole: no script, nothing from elsewhere.

Above: `careervector.urls`. Below: `workspaces.http.openapi` (the document), `templates/api/`, `api_snippets`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from careervector.api_snippets import curl, python
from careervector.pages import FrontEndMissing, built_files
from workspaces.http.openapi import openapi_document

PROGRAM = "examples/watch_and_undo.py"
_REF = "#/components/schemas/"


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    try:
        _, styles = built_files("src/start.ts")
    except FrontEndMissing:
        styles = ()  # the page is readable without
    return render(request, "api/page.html", {"styles": styles, **_content()})


@require_safe
def add_slash(request: HttpRequest) -> HttpResponse:
    return redirect("/api/")


urlpatterns: list[URLPattern] = [path("api", add_slash), path("api/", page, name="api")]


@lru_cache(maxsize=1)
def _content() -> dict[str, Any]:
    """Everything on the page but the style sheets' names; the same for the life of the process."""
    document = openapi_document()
    operations = list(_operations(document))
    program = settings.BASE_DIR / PROGRAM
    return {
        "title": document["info"]["title"],
        "summary": document["info"]["summary"],
        "introduction": prose(document["info"]["description"]),
        "groups": [
            {**tag, "id": _anchor(tag["name"]), "operations": [o for o in operations if o["tag"] == tag["name"]]}
            for tag in document["tags"]
        ],
        "problems": [
            {"code": name.partition(".")[2], "status": schema["properties"]["status"]["const"],
             "title": schema["description"]}
            for name, schema in document["components"]["schemas"].items() if name.startswith("Problem.")
        ],
        "shapes": [
            {"name": name, "id": f"shape-{name}", "type": type_of(schema), "rows": rows_of(schema)}
            for name, schema in document["components"]["schemas"].items() if not name.startswith("Problem.")
        ],
        "program": program.read_text(encoding="utf-8") if program.is_file() else "",
        "program_name": PROGRAM,
    }  # fmt: skip


def _operations(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    origin = settings.CAREERVECTOR_PUBLIC_URL
    for address, item in document["paths"].items():
        for method, operation in item.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            responses = operation["responses"]
            [status] = [code for code in responses if code.startswith("2")]
            [(media_type, answer)] = list(responses[status].get("content", {}).items()) or [("", {})]
            yield {
                "id": operation["operationId"],
                "tag": operation["tags"][0],
                "method": method.upper(),
                "path": address,
                "summary": operation["summary"],
                "description": prose(operation["description"]),
                "parameters": [_parameter(parameter) for parameter in operation["parameters"]],
                "body_rows": rows_of(body.get("schema", {})),
                "body_type": type_of(body["schema"]) if body else "",
                "status": status,
                "answer_says": responses[status]["description"],
                "media_type": media_type,
                "answer_rows": rows_of(answer.get("schema", {})),
                "answer_type": type_of(answer["schema"]) if answer else "",
                "answer_example": _shown(answer.get("example"), media_type),
                "refusals": [
                    {"status": code, "codes": list(response["content"]["application/problem+json"]["examples"])}
                    for code, response in responses.items() if code != status
                ],
                "next": list(responses[status].get("links", {})),
                "curl": curl(origin, method.upper(), address, operation, body.get("example")),
                "python": python(origin, method, address, operation, body.get("example")),
            }  # fmt: skip


def _parameter(parameter: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter["name"],
        "place": parameter["in"],
        "required": parameter.get("required", False),
        "type": type_of(parameter["schema"]),
        "description": prose(parameter["description"], block=False),
    }


def _shown(example: Any, media_type: str) -> str:
    if example is None:
        return ""
    return json.dumps(example, indent=2, ensure_ascii=False) if media_type.endswith("json") else str(example)


def rows_of(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The properties of an object, one a row."""
    required = schema.get("required", ())
    return [
        {"name": name, "required": name in required, "type": type_of(entry)}
        for name, entry in schema.get("properties", {}).items()
    ]


def type_of(schema: Mapping[str, Any]) -> SafeString:
    """A schema in a few words, with links to the shapes that it names."""
    return mark_safe(_type(schema))  # noqa: S308  `_type` escapes what it takes from the document


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].removeprefix(_REF))
        return f'<a href="#shape-{name}">{name}</a>'
    for words in ("anyOf", "oneOf"):
        if words in schema:
            return " or ".join(dict.fromkeys(_type(entry) for entry in schema[words]))
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        return " ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    declared = schema.get("type", "anything")
    names = declared if isinstance(declared, list) else [declared]
    return " or ".join(_named(name, schema) for name in names)


def _named(name: str, schema: Mapping[str, Any]) -> str:
    match name:
        case "array":
            return f"list of {_type(schema.get('items', {}))}"
        case "object" if schema.get("properties"):
            inner = ", ".join(f"{escape(key)}: {_type(entry)}" for key, entry in schema["properties"].items())
            return f"{{{inner}}}"
        case "object":
            more = schema.get("additionalProperties")
            return f"object of {_type(more)}" if isinstance(more, dict) and more else "object"
        case "string" if schema.get("format"):
            return escape(schema["format"])
    limits = [
        f"{word} {schema[key]:,}"
        for key, word in (("minimum", "from"), ("maximum", "to"), ("minLength", "at least"), ("maxLength", "at most"))
        if key in schema
    ]
    return escape(" ".join([name, *limits]) + (" characters" if "minLength" in schema or "maxLength" in schema else ""))


def prose(text: str, *, block: bool = True) -> SafeString:
    """Our descriptions' few marks (`code`, **strong**, paragraphs) as HTML."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    marked = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)
    if block:
        marked = "".join(f"<p>{part}</p>" for part in marked.split("\n\n"))
    return mark_safe(marked)  # noqa: S308  escaped before it was marked up


def _anchor(name: str) -> str:
    return "group-" + re.sub(r"[^a-z]+", "-", name.lower())
