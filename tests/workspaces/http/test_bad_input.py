"""What is wrong with a request has the contract's code, changes nothing, and never is a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import path

from careervector.logging import ContentFreeFormatter
from workspaces import facade
from workspaces.http.base import ApiView

from .conftest import ORIGIN, Browser, Opened, batch, problem
from .test_strict_json import REFUSED

WRITES = [
    ("POST", "operations"),
    ("POST", "links"),
    ("PATCH", "settings"),
    ("POST", "jobs/search"),
    ("POST", "receipts/rcp_x/undo"),
    ("POST", "/api/v1/workspaces"),
    ("POST", "/api/v1/session"),
]


@pytest.fixture(autouse=True)
def nothing_changes(opened: Opened):
    before = facade.get_hello(workspace=opened.workspace)
    yield
    assert facade.get_hello(workspace=opened.workspace) == before


@pytest.mark.parametrize(
    "data", [d for d in REFUSED.values() if d.strip()], ids=[n for n, d in REFUSED.items() if d.strip()]
)
def test_what_is_not_json_is_malformed_on_every_route(opened: Opened, data: bytes) -> None:
    found = {problem(opened.owner(method, where, raw=data, key="k")) for method, where in WRITES}
    assert found == {(400, "malformed")}


@pytest.mark.parametrize(("method", "where"), [w for w in WRITES if w[1] != "/api/v1/workspaces"])
def test_an_empty_body_is_malformed(opened: Opened, method: str, where: str) -> None:
    assert problem(opened.owner(method, where, key="k")) == (400, "malformed")


UNREADABLE = [(b"", "application/json"), (b"{}", "text/plain"), (b"{", "multipart/form-data; boundary=x"), (b"{", "")]


@pytest.mark.parametrize(("raw", "content_type"), UNREADABLE)
@pytest.mark.parametrize(("method", "where"), [w for w in WRITES if not w[1].startswith("/")])
def test_who_asks_is_told_before_what_is_wrong_with_the_body(
    opened: Opened, stranger: Opened, method: str, where: str, raw: bytes, content_type: str
) -> None:
    address = f"/api/v1/workspaces/{opened.workspace}/{where}"
    assert problem(opened.view(method, where, raw=raw, content_type=content_type)) == (403, "view_only")
    assert problem(stranger.owner(method, address, raw=raw, content_type=content_type)) == (404, "not_found")
    nobody = Client().generic(method, address, raw, content_type=content_type)
    assert problem(nobody) == (401, "link_invalid")


@pytest.mark.parametrize(("raw", "content_type"), UNREADABLE)
def test_a_page_without_the_token_is_told_so_whatever_its_body(
    opened: Opened, browser: Browser, raw: bytes, content_type: str
) -> None:
    browser.open(opened.owner.secret)
    address = f"/api/v1/workspaces/{opened.workspace}/operations"
    answer = browser.client.generic("POST", address, raw, content_type=content_type, headers={"Origin": ORIGIN})
    assert problem(answer) == (403, "csrf_failed")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("where", ["operations", "jobs/search", "receipts/rcp_x/undo", "/api/v1/session"])
def test_a_method_that_the_address_does_not_take_is_told_whatever_the_body(
    opened: Opened, method: str, where: str
) -> None:
    for raw, content_type in UNREADABLE:
        answer = opened.owner(method, where, raw=raw, content_type=content_type)
        assert problem(answer) == (405, "method_not_allowed")


@pytest.mark.parametrize("value", [[], "x", 5, None, True, [{}]])
@pytest.mark.parametrize(("method", "where"), WRITES)
def test_a_body_that_is_no_object_is_invalid(opened: Opened, method: str, where: str, value: Any) -> None:
    status, code = problem(opened.owner(method, where, raw=json.dumps(value).encode(), key="k"))
    assert (status, code) == (422, "invalid_request")


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json2", "",
     "application/json; charset=latin-1", "x" * 5000],
)  # fmt: skip
def test_another_content_type_is_malformed(opened: Opened, content_type: str) -> None:
    for method, where in WRITES:
        answer = opened.owner(method, where, raw=b'{"label": "x"}', key="k", content_type=content_type)
        assert problem(answer) == (400, "malformed")


def test_a_content_type_with_utf_8_is_fine(opened: Opened) -> None:
    answer = opened.owner("PATCH", "settings", raw=b"{}", content_type="application/json; charset=UTF-8")
    assert answer.status_code == 200


@pytest.mark.parametrize(("method", "where"), WRITES)
def test_a_body_over_the_limit_is_too_large(opened: Opened, method: str, where: str) -> None:
    body = json.dumps({"label": "x" * 256 * 1024}).encode()
    assert problem(opened.owner(method, where, raw=body, key="k")) == (413, "too_large")


async def _chunked(body: bytes, length: str | None) -> tuple[int, bytes]:
    """The request as an ASGI server gives it, whatever the header says."""
    from django.core.handlers.asgi import ASGIHandler

    headers = [(b"host", b"testserver"), (b"content-type", b"application/json")]
    if length is not None:
        headers.append((b"content-length", length.encode()))
    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/session", "query_string": b"", "headers": headers,
        "client": ["127.0.0.1", 1], "server": ["testserver", 80], "scheme": "http", "root_path": "",
    }  # fmt: skip
    parts = [body[i : i + 65536] for i in range(0, len(body), 65536)] or [b""]
    incoming = [{"type": "http.request", "body": p, "more_body": i + 1 < len(parts)} for i, p in enumerate(parts)]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if incoming:
            return incoming.pop(0)
        import asyncio

        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await ASGIHandler()(scope, receive, send)
    return sent[0]["status"], b"".join(m.get("body", b"") for m in sent[1:])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("length", [None, "10", "0", "-5", "ten"])
async def test_the_size_counts_not_what_the_header_says(transactional_db, length: str | None) -> None:
    status, content = await _chunked(json.dumps({"link": "x" * 300_000}).encode(), length)
    expected = (400, "malformed") if length == "ten" else (413, "too_large")
    assert (status, json.loads(content)["code"]) == expected


@pytest.mark.django_db(transaction=True)
async def test_a_body_without_a_length_is_read(transactional_db) -> None:
    status, content = await _chunked(json.dumps({"link": "cvl_" + "A" * 43}).encode(), None)
    assert (status, json.loads(content)["code"]) == (401, "link_invalid")


def test_unknown_properties_are_named(opened: Opened) -> None:
    for where, body in [("links", {"role": "edit", "secret": "x"}), ("/api/v1/workspaces", {"name": "x"})]:
        answer = opened.owner("POST", where, body)
        assert problem(answer) == (422, "invalid_request")
        name = list(body)[-1]
        assert json.loads(answer.content)["errors"] == [
            {"path": name, "code": "unknown_field", "message": "There is no such property here."}
        ]


@pytest.mark.parametrize("label", [5, True, None, [], {}, "x" * 501, "a\nb", "a\x00b"])
def test_a_label_must_be_a_line(opened: Opened, label: Any) -> None:
    for where, body in [("links", {"label": label, "role": "edit"}), ("/api/v1/workspaces", {"label": label})]:
        answer = opened.owner("POST", where, body)
        assert problem(answer) == (422, "invalid_request")
        assert [e["path"] for e in json.loads(answer.content)["errors"]] == ["label"]


@pytest.mark.parametrize("sample", ["true", 1, None, []])
def test_sample_is_a_boolean(opened: Opened, sample: Any) -> None:
    assert problem(opened.owner("POST", "/api/v1/workspaces", {"sample": sample})) == (422, "invalid_request")


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "é", "a\tb", "\x7f"])
def test_an_idempotency_key_is_1_to_255_visible_ascii_characters(opened: Opened, key: str) -> None:
    answer = opened.owner("POST", "operations", batch("Ada"), key=key)
    assert problem(answer) == (422, "idempotency_key_required")
    assert problem(opened.owner("POST", "receipts/rcp_x/undo", {"expected_clocks": {}}, key=key))[0] == 422


def test_a_missing_idempotency_key_is_asked_for(opened: Opened) -> None:
    assert problem(opened.owner("POST", "operations", batch("Ada"))) == (422, "idempotency_key_required")


LISTS = ["documents", "documents/profile/events", "events", "receipts", "links"]


@pytest.mark.parametrize("where", LISTS)
@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "limit=-1", "limit=x", "limit=1.5", "limit=99999999999999999999", "limit=%00",
     "limit=%D9%A1", "cursor=%F0%9F%98%80", "cursor=!!!", "cursor=" + "A" * 2000, "cursor=%00"],
)  # fmt: skip
def test_a_limit_or_cursor_that_makes_no_sense_is_invalid(opened: Opened, where: str, query: str) -> None:
    assert problem(opened.owner("GET", f"{where}?{query}")) == (422, "invalid_request")


@pytest.mark.parametrize(
    "where",
    ["documents?kind=person", "documents?archived=1", "events?actor_class=robot", "events?after=x", "events?after=-1",
     "events?after=99999999999999999999", "receipts?state=lost", "context?surface=attic", "context?document=%00"],
)  # fmt: skip
def test_a_filter_that_does_not_exist_is_invalid(opened: Opened, where: str) -> None:
    assert problem(opened.owner("GET", where)) == (422, "invalid_request")


@pytest.mark.parametrize("where", ["documents", "documents/profile/events", "events", "receipts", "links"])
def test_lists_answer_items_and_next_cursor(opened: Opened, where: str) -> None:
    content = json.loads(opened.owner("GET", where).content)
    assert set(content) == {"items", "next_cursor"}


@pytest.mark.parametrize(
    "where",
    ["documents/nope", "documents/application:01ARZ3NDEKTSV4RRFFQ69G5FAV", "documents/%00", "documents/%F0%9F%98%80",
     "documents/" + "x" * 3000, "receipts/rcp_x", "receipts/rcp_x/changes", "documents/nope/events",
     "receipts/%27%20OR%201=1", "nowhere", "documents/profile/nowhere", "", "documents/"],
)  # fmt: skip
def test_what_is_not_there_is_not_found(opened: Opened, where: str) -> None:
    assert problem(opened.owner("GET", where)) == (404, "not_found")


def test_addresses_outside_the_api_stay_pages(db) -> None:
    assert Client().get("/nowhere")["Content-Type"].startswith("text/html")
    assert problem(Client().get("/api/v1/nowhere")) == (404, "not_found")
    assert problem(Client().get("/api/v2/session")) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "where"),
    [("PUT", "operations"), ("GET", "operations"), ("DELETE", "documents/profile"), ("POST", "documents"),
     ("OPTIONS", "documents"), ("PATCH", "links"), ("GET", "/api/v1/session"), ("DELETE", "/api/v1/workspaces"),
     ("TRACE", "documents"), ("BREW", "documents")],
)  # fmt: skip
def test_another_method_is_not_allowed(opened: Opened, method: str, where: str) -> None:
    answer = opened.owner(method, where, raw=b"{}")
    assert problem(answer) == (405, "method_not_allowed")
    assert "Allow" in answer.headers


def test_a_get_opens_nothing(opened: Opened) -> None:
    client = Client()
    answer = client.get("/api/v1/session", {"link": opened.owner.secret})
    assert answer.status_code == 405
    assert "sessionid" not in client.cookies


def test_hostile_operations_are_refused_with_the_contracts_codes(opened: Opened) -> None:
    deep: Any = "x"
    for _ in range(15):
        deep = {"a": [deep]}
    many = {**batch("x"), "operations": batch("x")["operations"] * 10_000}
    bodies = [
        ({}, 422), ({"operations": []}, 422), ({**batch("x"), "force": True}, 422),
        ({**batch("x"), "reason": "x" * 301}, 422),
        ({**batch("x"), "operations": {}}, 422), ({**batch("x"), "operations": [None]}, 422),
        ({**batch("x"), "expected_clocks": []}, 422), ({**batch("x"), "expected_clocks": {"profile": "1"}}, 422),
        ({**batch("x"), "expected_clocks": {"profile": True}}, 422),
        ({**batch("x"), "expected_clocks": {"profile": 1.0}}, 422),
        ({**batch("x"), "expected_clocks": {"profile": -1}}, 422),
        ({**batch("x"), "operations": [batch("x")]}, 422), (batch(deep), 400), (many, 413),
        ({**batch("x"), "operations": batch("x")["operations"] * 21}, 422),
        (batch("x" * 501), 422), (batch("a\x00"), 422), (batch(5), 422), (batch({"a": 1}), 422),
        ({**batch("x"), "operations": [{"kind": "document.delete", "document": "profile"}]}, 422),
        ({**batch("x"), "operations": [{"kind": ["field.set"], "document": "profile"}]}, 422),
        ({**batch("x"), "operations": [{**batch("x")["operations"][0], "field": "rank"}]}, 422),
        ({**batch("x"), "operations": [{**batch("x")["operations"][0], "document": "profile\n"}]}, 422),
        ({**batch("x"), "expected_clocks": {"profile": 10**30}}, 422),
        ({**batch("x"), "expected_clocks": {"profile": 7}}, 409),
        ({**batch("x"), "expected_clocks": {"profile": 1, "plan": 1}}, 422),
        ({**batch("x"), "expected_clocks": {}}, 422),
    ]  # fmt: skip
    for index, (body, status) in enumerate(bodies):
        answer = opened.owner("POST", "operations", body, key=f"k{index}")
        problem(answer)
        assert answer.status_code == status, (index, answer.content)


def _fall(request: Any) -> None:
    raise RuntimeError("a secret: hunter2")


class _Falling(ApiView):
    def get(self, request: Any) -> None:
        _fall(request)


urlpatterns = [path("api/v1/fall", _Falling.as_view()), path("api/v1/plain", _fall)]
handler500 = "careervector.problems.handler500"


@pytest.mark.urls("tests.workspaces.http.test_bad_input")
@pytest.mark.parametrize("where", ["/api/v1/fall", "/api/v1/plain"])
def test_what_nobody_foresaw_says_nothing(db, caplog, where: str) -> None:
    answer = Client(raise_request_exception=False).get(where)
    assert problem(answer) == (500, "internal_error")
    assert b"hunter2" not in answer.content
    written = "".join(ContentFreeFormatter().format(record) for record in caplog.records)
    assert "RuntimeError" in written
    assert "hunter2" not in written


def test_a_strange_host_or_query_string_is_no_500(opened: Opened, settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    assert problem(Client(headers={"host": "evil.example"}).get("/api/v1/workspaces/ws_x/documents"))[0] in (400, 401)
    assert Client().get("/api/v1/workspaces/ws_x/documents?%ff=%fe&a[]=1").status_code == 401


def test_every_answer_of_the_api_forbids_storing_and_sniffing(opened: Opened) -> None:
    for answer in [
        opened.owner("GET", "documents"), opened.owner("GET", "links"), opened.owner("GET", "nowhere"),
        opened.owner("POST", "operations", {}), Client().get("/api/v1/openapi.json"),
    ]:  # fmt: skip
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Content-Type-Options"] == "nosniff"
