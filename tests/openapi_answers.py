"""Holds answers of the API to its OpenAPI document: the status, the media type, the headers and the whole body.

`tests.conftest` puts it behind Django's test client, so that whatever an HTTP test sees is checked on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from workspaces.http.openapi import openapi_document

API = "/api/v1/"
PROBLEM = "application/problem+json"
UNFORESEEN = "internal_error"


class Undocumented(AssertionError):
    """The product gave an answer that its document does not tell of."""


@cache
def _templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each address as a pattern; those without parameters first, since they match more exactly."""
    paths = sorted(openapi_document()["paths"], key=lambda path: path.count("{"))
    return tuple((re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), path) for path in paths)


def template_of(path: str) -> str | None:
    """The document's address that a real one stands under."""
    return next((template for pattern, template in _templates() if pattern.fullmatch(path)), None)


@cache
def validator(pointer: str) -> Draft202012Validator:
    """For the schema at a JSON pointer into the document, whose references lead into the components."""
    found: Any = openapi_document()
    for word in pointer.split("/")[1:]:
        found = found[word.replace("~1", "/").replace("~0", "~")]
    return Draft202012Validator(
        {**found, "components": openapi_document()["components"]}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def flaws_of(pointer: str, value: Any) -> Iterator[str]:
    for error in validator(pointer).iter_errors(value):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:500]


def check_answer(*, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Raises Undocumented."""
    where = f"{method} {path}: {status}"
    media_type = headers.get("Content-Type", "").partition(";")[0]
    template = template_of(path)
    item = openapi_document()["paths"].get(template, {})
    operation = item.get("get" if method == "HEAD" else method.lower())
    if operation is None:
        # No such address, or not by this method.
        wanted = (404, "not_found") if template is None else (405, "method_not_allowed")
        if method != "HEAD" and (status, media_type, json.loads(body)["code"]) != (wanted[0], PROBLEM, wanted[1]):
            raise Undocumented(f"{where} where only {wanted} can be: {body[:300]!r}")
        return
    response = operation["responses"].get(str(status))
    if response is None:
        raise Undocumented(f"{where} is not among the responses of {operation['operationId']}: {body[:300]!r}")
    missing = [
        name for name, header in response.get("headers", {}).items() if header.get("required") and name not in headers
    ]
    if missing:
        raise Undocumented(f"{where} lacks {missing}")
    content = response.get("content", {})
    if method == "HEAD" or (not content and not body):
        return
    if media_type not in content:
        raise Undocumented(f"{where} has the type {media_type!r}, not one of {list(content)}")
    if media_type.endswith("json"):
        escaped = [word.replace("~", "~0").replace("/", "~1") for word in (str(template), media_type)]
        pointer = f"/paths/{escaped[0]}/{method.lower()}/responses/{status}/content/{escaped[1]}/schema"
        flaws = list(flaws_of(pointer, json.loads(body)))
        if flaws:
            raise Undocumented(f"{where} is not of its schema: {flaws[:5]} in {body[:600]!r}")
