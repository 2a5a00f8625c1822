"""One operation of the OpenAPI document, from what its view is and what `@describe` says of it.

drf-spectacular finds the addresses and calls this for each method. Above: `base.ApiView.schema`, `openapi`. Below:
`schema.Described`, `refusals`, `openapi_words`.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from itertools import groupby
from typing import Any

from drf_spectacular.openapi import AutoSchema

from workspaces.errors import DomainError
from workspaces.operations.json_schema import Schema

from .openapi_components import problem_name
from .openapi_words import IDEMPOTENCY_KEY, PATH_PARAMETERS, QUERY_PARAMETERS, tag_of
from .refusals import Refusals, need_of, refusals_of, takes_link
from .schema import Described, Link, described_of, ref

PROBLEM = "application/problem+json"
_ROLES = {"read": "any link", "write": "an `edit` or `owner` link", "owner": "an `owner` link"}
_SENTENCES = {
    200: "Done.", 201: "Made.", 202: "Accepted: the work goes on, and its events tell how it ends.",
    204: "Done; there is nothing to say.",
}  # fmt: skip
_HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"description": "Always `Bearer`.", "schema": {"type": "string"}}},
    429: {
        "Retry-After": {
            "description": "Seconds to wait.",
            "required": True,
            "schema": {"type": "integer", "minimum": 1},
        }
    },
}


class UndescribedOperation(Exception):
    """A method of an API view has no `@describe`."""


class ApiSchema(AutoSchema):
    """Our views carry everything that there is to say, so nothing is guessed from serializers or docstrings."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        self.path, self.method, self.registry = path, method.upper(), registry
        if self.is_excluded():
            return None
        described = described_of(self.view, method)
        if described is None:
            raise UndescribedOperation(f"{method} {path}")
        return describe_operation(self.view, path, method.upper(), described)


def describe_operation(view: Any, path: str, method: str, described: Described) -> dict[str, Any]:
    """OpenAPI's Operation Object."""
    refusals = refusals_of(view, method, described)
    operation: dict[str, Any] = {
        "operationId": described.operation,
        "tags": [tag_of(path)],
        "summary": described.summary,
        "description": _description(view, method, described),
        "security": _security(view, method),
        "parameters": _parameters(path, described),
        "responses": {str(described.status): _success(described), **_problems(refusals)},
    }
    if described.request is not None:
        content: dict[str, Any] = {"schema": described.request}
        if described.example is not None:
            content["example"] = described.example
        operation["requestBody"] = {
            "required": not getattr(view, "empty_body", False),
            "content": {"application/json": content},
        }
    return operation


def _description(view: Any, method: str, described: Described) -> str:
    need = need_of(view, method)
    told = described.detail or f"{described.summary}."
    return f"{told}\n\nFor {_ROLES[need]}." if need else f"{told}\n\nNo link is needed."


def _security(view: Any, method: str) -> list[dict[str, list[str]]]:
    if not takes_link(view):
        return []
    return [{"link": []}, {"session": []} if method == "GET" else {"session": [], "csrf": []}]


def _parameters(path: str, described: Described) -> list[dict[str, Any]]:
    found = [
        {"name": name, "in": "path", "required": True, **PATH_PARAMETERS[name]}
        for name in re.findall(r"\{(\w+)\}", path)
    ]
    if described.keyed:
        found.append({**IDEMPOTENCY_KEY, "required": described.keyed != "optional"})
    return found + [{"name": name, "in": "query", **QUERY_PARAMETERS[name]} for name in described.query]


def _success(described: Described) -> dict[str, Any]:
    response: dict[str, Any] = {"description": _SENTENCES[described.status]}
    if described.answer is not None:
        content: dict[str, Any] = {"schema": described.answer}
        if described.answer_example is not None:
            content["example"] = described.answer_example
        response["content"] = {described.media_type: content}
    if described.links:
        response["links"] = {link.operation: _link(link) for link in described.links}
    return response


def _link(link: Link) -> dict[str, Any]:
    body = {} if link.body is None else {"requestBody": link.body}
    return {"operationId": link.operation, "parameters": dict(link.parameters), **body}


def _problems(refusals: Refusals) -> dict[str, Any]:
    """A response for each status, which names the codes that it may carry, with an example of each."""
    responses = {}
    for status, of_status in groupby(refusals, key=lambda refusal: refusal.status):
        found = list(of_status)
        responses[str(status)] = {
            "description": f"{HTTPStatus(status).phrase}: " + ", ".join(f"`{r.code}`" for r in found) + ".",
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
            "content": {
                PROBLEM: {
                    "schema": _problem_schema(found),
                    "examples": {r.code: {"$ref": f"#/components/examples/{problem_name(r)}"} for r in found},
                }
            },
        }
    return responses


def _problem_schema(refusals: list[type[DomainError]]) -> Schema:
    refs = [ref(problem_name(refusal)) for refusal in refusals]
    if len(refs) == 1:
        return refs[0]
    mapping = {refusal.code: ref(problem_name(refusal))["$ref"] for refusal in refusals}
    return {"oneOf": refs, "discriminator": {"propertyName": "code", "mapping": mapping}}
