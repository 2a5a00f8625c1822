"""The OpenAPI document is whole: every address, name, refusal, example and link. Answers are held to it everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from jsonschema import Draft202012Validator

from tests.json_schemas import objects
from tests.openapi_answers import Undocumented, check_answer, flaws_of, validator
from workspaces.errors import DomainError
from workspaces.http.openapi import openapi_document
from workspaces.http.refusals import refusals_of
from workspaces.http.schema import described_of
from workspaces.operations.catalogue import CATALOGUE, PUBLIC_KINDS

from .conftest import Opened

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document()


def views(patterns: Any = None, prefix: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address below /api/v1/ of the real URL conf, with its view class."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern) and address.startswith("/api/v1/"):
            yield address.replace("<str:", "{").replace(">", "}"), pattern.callback.view_class


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def test_it_is_served_without_a_link(db: None) -> None:
    answer = Client().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert json.loads(answer.content) == openapi_document()
    assert json.loads(answer.content)["openapi"] == "3.1.0"


def test_its_addresses_and_methods_are_those_of_the_product(document: dict[str, Any]) -> None:
    real = {
        (address, method)
        for address, view in views()
        for method in METHODS
        if hasattr(view, method) and address != "/api/v1/openapi.json"
    }
    assert {(path, method) for path, method, _ in operations(document)} == real


def test_every_operation_is_named_once_grouped_and_told_in_words(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)
    assert [name for name in names if not name.isidentifier() or not name.islower()] == []
    groups = {tag["name"] for tag in document["tags"]}
    assert {tag for _, _, operation in operations(document) for tag in operation["tags"]} == groups
    assert [o["operationId"] for _, _, o in operations(document) if not (o["summary"] and o["description"])] == []
    assert all(tag["description"] for tag in document["tags"])


def test_every_parameter_is_described(document: dict[str, Any]) -> None:
    for path, _, operation in operations(document):
        named = {(p["name"], p["in"]) for p in operation["parameters"]}
        assert len(named) == len(operation["parameters"])
        assert {name for name, place in named if place == "path"} == {
            part[1:-1] for part in path.split("/") if part.startswith("{")
        }
        assert all(p["description"] and p["schema"] for p in operation["parameters"])


def test_who_may_ask_is_told(document: dict[str, Any]) -> None:
    schemes = {"link", "session", "csrf"}
    assert set(document["components"]["securitySchemes"]) == schemes
    public = {o["operationId"] for _, _, o in operations(document) if o["security"] == []}
    assert public == {"open_session", "create_workspace"}
    for _, method, operation in operations(document):
        if operation["operationId"] not in public:
            browser = {"session": []} if method == "get" else {"session": [], "csrf": []}
            assert operation["security"] == [{"link": []}, browser]


def test_every_object_of_ours_is_closed(document: dict[str, Any]) -> None:
    parts = (document["paths"], document["components"]["schemas"])
    open_ones = [o for part in parts for o in objects(part) if o.get("additionalProperties") is not False]
    assert open_ones == []


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    assert "$defs" not in text
    for place in ("schemas", "examples"):
        found = {part.split('"')[0] for part in text.split(f"#/components/{place}/")[1:]}
        assert found <= set(document["components"][place])


def test_every_component_is_a_valid_json_schema(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_refusal_has_its_status_its_shape_and_an_example_that_fits(document: dict[str, Any]) -> None:
    for address, view in views():
        for method in document["paths"].get(address, {}):
            described = described_of(view, method)
            assert described is not None
            told: dict[str, set[str]] = {}
            for refusal in refusals_of(view, method.upper(), described):
                told.setdefault(str(refusal.status), set()).add(refusal.code)
            responses = document["paths"][address][method]["responses"]
            assert {
                status: set(response["content"]["application/problem+json"]["examples"])
                for status, response in responses.items()
                if not status.startswith("2")
            } == told
    for name, example in document["components"]["examples"].items():
        assert list(flaws_of(f"/components/schemas/{name}", example["value"])) == []


def test_every_code_of_the_product_is_described(document: dict[str, Any]) -> None:
    codes = {refusal.code for refusal in DomainError.__subclasses__() if refusal.__module__ == "workspaces.errors"}
    assert {f"Problem.{code}" for code in codes} <= set(document["components"]["schemas"])


def test_a_429_says_when_to_come_back(document: dict[str, Any]) -> None:
    headers = [
        operation["responses"]["429"]["headers"]["Retry-After"]["required"]
        for _, _, operation in operations(document)
        if "429" in operation["responses"]
    ]
    assert headers
    assert all(headers)


def test_every_body_and_every_good_answer_has_an_example_that_fits(document: dict[str, Any]) -> None:
    without = []
    for path, method, operation in operations(document):
        place = f"/paths/{path.replace('/', '~1')}/{method}"
        contents = {f"{place}/requestBody": operation.get("requestBody", {})}
        contents |= {
            f"{place}/responses/{status}": response
            for status, response in operation["responses"].items()
            if status.startswith("2")
        }
        for pointer, entry in contents.items():
            for media_type, content in entry.get("content", {}).items():
                schema = f"{pointer}/content/{media_type.replace('/', '~1')}/schema"
                if "example" not in content:
                    without.append((operation["operationId"], pointer.rpartition("/")[2]))
                else:
                    assert list(flaws_of(schema, content["example"])) == [], operation["operationId"]
    # No provider that this server has asks for a login.
    assert without == [("start_login", "202")]


def test_links_lead_to_operations_with_parameters_that_they_have(document: dict[str, Any]) -> None:
    known = {operation["operationId"]: operation for _, _, operation in operations(document)}
    leading = 0
    for operation in known.values():
        for response in operation["responses"].values():
            for link in response.get("links", {}).values():
                target = known[link["operationId"]]
                assert set(link["parameters"]) <= {p["name"] for p in target["parameters"]}
                required = {p["name"] for p in target["parameters"] if p["in"] == "path"}
                assert required <= set(link["parameters"])
                leading += 1
    assert leading > 20


def test_the_examples_of_all_operations_are_valid_and_others_are_not(document: dict[str, Any]) -> None:
    check = validator("/components/schemas/Operation")
    for operation in CATALOGUE:
        if not operation.internal:
            assert check.is_valid(operation.example), operation.kind
            assert not check.is_valid({**operation.example, "force": True}), operation.kind
    kinds = document["components"]["schemas"]["Operation"]["discriminator"]["mapping"]
    assert sorted(kinds) == sorted(PUBLIC_KINDS)


def test_the_examples_of_writing_work(opened: Opened) -> None:
    """In a new workspace, the batch of the document is applied and its undo takes it back."""
    from workspaces.http import examples

    made = json.loads(opened.owner("POST", "operations", examples.BATCH, key="a").content)
    assert [operation["kind"] for operation in made["operations"]] == [
        operation["kind"] for operation in examples.COMMITTED["operations"]
    ]
    undo = {**examples.UNDO, "expected_clocks": made["clocks"]["after"]}
    undone = opened.owner("POST", f"receipts/{made['receipt']['id']}/undo", undo, key="b")
    assert undone.status_code == 200
    label = json.loads(opened.owner("GET", "documents/profile").content)["fields"].get("label")
    assert label is None


@pytest.mark.parametrize(
    ("status", "content_type", "body"),
    [
        (418, "application/json", b"{}"),
        (200, "text/html", b"<p>"),
        (200, "application/json", b'{"workspace": "ws_1", "role": "owner", "more": 1}'),
        (200, "application/json", b'{"workspace": "ws_1"}'),
        (401, "application/problem+json", b'{"code": "link_invalid"}'),
    ],
)
def test_an_answer_that_is_not_documented_is_found_out(status: int, content_type: str, body: bytes) -> None:
    with pytest.raises(Undocumented):
        check_answer(
            method="POST", path="/api/v1/session", status=status, headers={"Content-Type": content_type}, body=body
        )


def test_a_429_without_its_header_is_found_out() -> None:
    body = json.dumps(openapi_document()["components"]["examples"]["Problem.rate_limited"]["value"]).encode()
    answer = {"method": "POST", "path": "/api/v1/session", "status": 429, "body": body}
    headers = {"Content-Type": "application/problem+json"}
    with pytest.raises(Undocumented):
        check_answer(**answer, headers=headers)
    check_answer(**answer, headers={**headers, "Retry-After": "3"})
