"""The OpenAPI document says what the API really takes and gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from tests.json_schemas import objects
from workspaces.http.openapi import openapi_document
from workspaces.http.urls import urlpatterns
from workspaces.operations.catalogue import CATALOGUE, PUBLIC_KINDS

from .conftest import Opened, batch


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document()


def validator(document: dict[str, Any], schema: Any) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": document["components"]})


def test_it_is_served_without_a_link(db) -> None:
    answer = Client().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert json.loads(answer.content)["openapi"] == "3.1.0"


def test_every_address_is_described(document: dict[str, Any]) -> None:
    ours = {"/api/v1/" + str(p.pattern).replace("<str:", "{").replace(">", "}") for p in urlpatterns}
    assert ours - {"/api/v1/openapi.json"} <= set(document["paths"])


def test_every_object_of_ours_is_closed(document: dict[str, Any]) -> None:
    ours = {path: entry for path, entry in document["paths"].items() if "thread" not in path and "turn" not in path}
    ours = {path: entry for path, entry in ours.items() if "connector" not in path}
    open_ones = [o for part in (ours, document["components"]["schemas"]) for o in objects(part)
                 if o.get("additionalProperties") is not False]  # fmt: skip
    assert open_ones == []


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    names = set(document["components"]["schemas"])
    found = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert found <= names
    assert "$defs" not in text


def test_the_examples_of_all_operations_are_valid_and_others_are_not(document: dict[str, Any]) -> None:
    check = validator(document, {"$ref": "#/components/schemas/Operation"})
    for operation in CATALOGUE:
        if not operation.internal:
            assert check.is_valid(operation.example), operation.kind
            assert not check.is_valid({**operation.example, "force": True}), operation.kind
    kinds = document["components"]["schemas"]["Operation"]["discriminator"]["mapping"]
    assert sorted(kinds) == sorted(PUBLIC_KINDS)


def test_real_answers_match_their_description(document: dict[str, Any], opened: Opened) -> None:
    made = opened.edit("POST", "operations", batch("Ada"), key="k")
    receipt = json.loads(made.content)["receipt"]["id"]
    base = "/api/v1/workspaces/{workspace}/"
    answers = {
        (base + "operations", "post"): made,
        (base + "links", "post"): opened.owner("POST", "links", {"role": "view"}),
        ("/api/v1/workspaces", "post"): opened.owner("POST", "/api/v1/workspaces", {}),
    }
    reads = {
        "documents": "documents", "documents/{document}": "documents/profile", "events": "events", "links": "links",
        "documents/{document}/events": "documents/profile/events", "receipts": "receipts", "settings": "settings",
        "receipts/{receipt}": f"receipts/{receipt}", "receipts/{receipt}/changes": f"receipts/{receipt}/changes",
        "context": "context",
    }  # fmt: skip
    answers |= {(base + path, "get"): opened.owner("GET", real) for path, real in reads.items()}
    for (path, method), answer in answers.items():
        responses = document["paths"][path][method]["responses"]
        schema = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
        errors = [e.message for e in validator(document, schema).iter_errors(json.loads(answer.content))]
        assert errors == [], (path, errors)
    refusal = opened.owner("GET", "documents/nope")
    schema = document["paths"][base + "documents/{document}"]["get"]["responses"]["404"]
    problem = schema["content"]["application/problem+json"]["schema"]
    assert validator(document, problem).is_valid(json.loads(refusal.content))
