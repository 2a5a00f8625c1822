"""Malformed variants of every request in the OpenAPI document: told as a problem that the document lists, nothing done.

Each starts from the request's example and breaks it somewhere. The answers' own form is checked by `tests.conftest`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from assistant import facade as assistant
from tests.hypothesis_profiles import examples
from tests.openapi_answers import validator
from workspaces import facade
from workspaces.http.openapi import openapi_document

from .conftest import Api, Opened, problem
from .test_strict_json import REFUSED

PATIENT = settings(
    max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
# A file to bring in may hold what it likes: what does not fit is reported, not refused.
OPEN = {"import_file"}


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    described: dict[str, Any]

    @property
    def body(self) -> Any:
        return copy.deepcopy(self.described["requestBody"]["content"]["application/json"]["example"])

    @property
    def keyed(self) -> bool:
        return any(parameter["name"] == "Idempotency-Key" for parameter in self.described["parameters"])

    def takes(self, body: Any) -> bool:
        """Whether the document says that this body is fine."""
        address = self.path.replace("/", "~1")
        pointer = f"/paths/{address}/{self.method.lower()}/requestBody/content/application~1json/schema"
        return validator(pointer).is_valid(body)


OPERATIONS = [
    Operation(described["operationId"], method.upper(), path, described)
    for path, item in openapi_document()["paths"].items()
    for method, described in item.items()
]
WITH_BODY = [operation for operation in OPERATIONS if "requestBody" in operation.described]
WITH_QUERY = [o for o in OPERATIONS if any(p["in"] == "query" for p in o.described["parameters"])]
KEYED = [operation for operation in OPERATIONS if operation.keyed]


def each(operations: list[Operation]) -> Any:
    return pytest.mark.parametrize("operation", operations, ids=[operation.id for operation in operations])


class Scene:
    """A workspace in which each address names something, as its owner."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.api: Api = opened.owner
        self.connector = assistant.list_connectors(access=opened.access)[0].id
        self.thread = assistant.create_thread(access=opened.access, connector=self.connector).id

    def send(self, operation: Operation, *, query: str = "", key: str | None = "k", **options: Any) -> Any:
        names = {
            "workspace": self.opened.workspace, "link": self.opened.links["edit"], "document": "profile",
            "receipt": "rcp_none", "thread": self.thread, "turn": "trn_none", "connector": self.connector,
            "imported": "imp_none",
        }  # fmt: skip
        path = operation.path.format(**names)
        return self.api(operation.method, path + query, key=key if operation.keyed else None, **options)

    def state(self) -> Any:
        """All that a refused request must leave as it was."""
        access = self.opened.access
        return (
            facade.get_hello(workspace=access.workspace),
            facade.get_settings(access=access),
            sorted((link.id, link.label, link.revoked_at) for link in facade.list_links(access=access).items),
            assistant.list_threads(access=access).items,
            assistant.list_connectors(access=access),
        )


@pytest.fixture
def scene(opened: Opened) -> Iterator[Scene]:
    """Whatever a test sends must leave everything as it was."""
    made = Scene(opened)
    before = made.state()
    yield made
    assert made.state() == before


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, the whole included."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def put(value: Any, path: tuple[Any, ...], entry: Any) -> Any:
    if not path:
        return entry
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = entry
    return value


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


WRONG = st.one_of(
    st.none(), st.booleans(), st.sampled_from([-1, 0.5, 2**31, 2**53 + 1, 2**63, 10**30, 1e300]), st.just([]),
    st.just({}), st.just(""), st.text(max_size=20), st.just([[]] * 30), st.just({"": None}),
    st.sampled_from(["x" * 501, "x" * 5_001, "x" * 60_000]), st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(["kind", "field", "force", "__proto__", "after"]), st.integers(), max_size=2),
)  # fmt: skip


def refused(scene: Scene, operation: Operation, body: Any) -> None:
    answer = scene.send(operation, raw=json.dumps(body).encode())
    status, _ = problem(answer)
    assert 400 <= status < 500, (operation.id, body, answer.content)


@each(WITH_BODY)
def test_a_wrong_value_anywhere_is_told_and_changes_nothing(operation: Operation, scene: Scene) -> None:
    @PATIENT
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        body = operation.body
        place = data.draw(st.sampled_from(list(places(body))))
        body = put(body, place, data.draw(WRONG))
        assume(not operation.takes(body))
        refused(scene, operation, body)

    if operation.id not in OPEN:
        run()


@each(WITH_BODY)
def test_what_is_missing_or_too_much_is_told_and_changes_nothing(operation: Operation, scene: Scene) -> None:
    broken = []
    for place in places(operation.body):
        if isinstance(at(operation.body, place), dict):
            more = operation.body
            at(more, place)["surplus"] = 1
            broken.append(more)
        if place and isinstance(place[-1], str):
            less = operation.body
            del at(less, place[:-1])[place[-1]]
            broken.append(less)
    for body in broken:
        if not operation.takes(body):
            refused(scene, operation, body)


@each([operation for operation in WITH_BODY if operation.id not in OPEN])
def test_control_characters_are_refused_wherever_they_stand(operation: Operation, scene: Scene) -> None:
    for place in places(operation.body):
        if isinstance(at(operation.body, place), str):
            for hostile in ("\x00", "a\x00b", "\x1b[2J", "\x7f"):
                refused(scene, operation, put(operation.body, place, hostile))


@each(WITH_BODY)
def test_what_is_not_json_is_malformed(operation: Operation, scene: Scene) -> None:
    # A file may begin with a byte order mark.
    raws = [raw for name, raw in REFUSED.items() if raw.strip() and name != "byte order mark"]
    assert {problem(scene.send(operation, raw=raw)) for raw in raws} == {(400, "malformed")}
    types = ["text/plain", "application/xml", "multipart/form-data; boundary=x", "", "\x01"]
    raw = json.dumps(operation.body).encode()
    assert {problem(scene.send(operation, raw=raw, content_type=told)) for told in types} == {(400, "malformed")}


@each(KEYED)
def test_a_key_that_is_none_is_told(operation: Operation, scene: Scene) -> None:
    keys = ["", " ", "a b", "k" * 256, "k\u00e9", "\x7f", "\x00"]
    found = {problem(scene.send(operation, body=operation.body, key=key)) for key in keys}
    assert found == {(422, "idempotency_key_required")}


@each(WITH_QUERY)
def test_a_query_that_cannot_be_meant_is_told(operation: Operation, scene: Scene) -> None:
    values = [
        "-1", "1.5", "1e3", "9" * 40, "0x10", "\u0661", "maybe", "TRUE", "x" * 5_000, "\x00", "a\x00", "\u2028", "'",
        "%",
        "\ud800".encode("utf-8", "surrogatepass"), b"\xff",
    ]  # fmt: skip
    for parameter in operation.described["parameters"]:
        if parameter["in"] != "query":
            continue
        for value in values:
            answer = scene.send(operation, query=f"?{parameter['name']}={quote(value)}")
            meant = parameter["schema"].get("type") == "string" and "enum" not in parameter["schema"]
            if not meant:
                assert problem(answer) == (422, "invalid_request"), (parameter["name"], value)
            else:
                assert answer.status_code in (200, 404, 422), (parameter["name"], value)


@each(OPERATIONS)
def test_an_address_that_names_nothing_is_not_found(operation: Operation, scene: Scene) -> None:
    body = operation.body if operation in WITH_BODY else None
    for value in ("x", "..", "%00", "%ED%A0%80", "%FF", "'", "x" * 2_000, "%2e%2e", "\u00e9", "%0a", "a%20b"):
        for name in ("workspace", "link", "document", "receipt", "thread", "turn", "connector", "imported"):
            if "{" + name + "}" in operation.path:
                path = operation.path.replace("{" + name + "}", value)
                path = re.sub(r"\{\w+\}", "x", path.replace("{workspace}", scene.opened.workspace))
                answer = scene.api(operation.method, path, body, key="k")
                assert 400 <= answer.status_code < 500, (path, answer.content)
