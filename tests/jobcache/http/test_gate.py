"""Credentials, limits and refusals over HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.jobcache.service import CONTROL_TOKEN, LIFECYCLE_TOKEN, WORKER_TOKEN, Service, serve

GOOD = {"Authorization": f"Bearer {CONTROL_TOKEN}"}


def _refusal(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "code", "detail", "details", "errors"}
    assert problem["type"] == f"urn:careervector:problem:{problem['code']}"
    assert problem["status"] == answer.status_code
    return answer.status_code, problem["code"]


@pytest.mark.parametrize("token", [None, "x", LIFECYCLE_TOKEN, WORKER_TOKEN, CONTROL_TOKEN[:-1], CONTROL_TOKEN + "x"])
def test_no_other_token_opens_the_search(cases_service: Service, token: str | None) -> None:
    answer = cases_service.search(query="python", token=token)
    assert _refusal(answer) == (401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "changes",
    [
        {"JOBCACHE_CONTROL_TOKEN": ""},
        {"JOBCACHE_CONTROL_TOKEN": "too-short"},
        {"JOBCACHE_CORPUS_LIFECYCLE_TOKEN": "too-short"},
        {"JOBCACHE_CORPUS_WORKER_TOKEN": f" {CONTROL_TOKEN} "},
        {"JOBCACHE_CORPUS_WORKER_TOKEN": LIFECYCLE_TOKEN},
    ],
)
def test_a_misconfigured_set_is_told_before_token_and_body_and_open_reads_stay_open(
    empty_data: Path, changes: dict[str, str]
) -> None:
    with serve(empty_data, changes={**changes, "CAREERVECTOR_TESTING": "0"}) as service:
        for headers, body in (
            ({}, b"{}"),
            (GOOD, b"{}"),
            ({"Authorization": "Bearer x"}, b"not json"),
            ({}, b"x" * 300_000),
        ):
            answer = service.http.post("/api/corpus/search", content=body, headers=headers)
            assert _refusal(answer) == (503, "credentials_misconfigured")
            assert CONTROL_TOKEN not in answer.text
            assert "too-short" not in answer.text
        assert service.http.get("/healthz").json() == {"status": "ok"}
        assert service.http.get("/metrics").status_code == 200


@pytest.mark.parametrize("changes", [{"JOBCACHE_CORPUS_LIFECYCLE_TOKEN": "", "JOBCACHE_CORPUS_WORKER_TOKEN": "  "}])
def test_blank_tokens_of_other_routes_do_not_matter(empty_data: Path, changes: dict[str, str]) -> None:
    with serve(empty_data, changes=changes) as service:
        assert service.search(query="python").status_code == 200


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (b"", (400, "malformed")),
        (b"{", (400, "malformed")),
        (b'{"query":"a","query":"b"}', (400, "malformed")),
        (b'{"limit":NaN}', (400, "malformed")),
        (rb'{"query":"\ud800"}', (400, "malformed")),
        (b"\xff", (400, "malformed")),
        (b"[" * 5000, (400, "malformed")),
        (b"[]", (422, "invalid_request")),
        (b'{"query":["python"]}', (422, "invalid_request")),
        (b'{"limit":26}', (422, "invalid_request")),
        (b'{"workspace":"ws_1"}', (422, "invalid_request")),
        (json.dumps({"query": "x" * 201}).encode(), (422, "invalid_request")),
        (json.dumps({"query": "x" * (256 * 1024)}).encode(), (413, "too_large")),
        (b" " * 5_000_000, (413, "too_large")),
    ],
)  # fmt: skip
def test_a_bad_body_gets_its_code_and_the_service_goes_on(
    cases_service: Service, body: bytes, refusal: tuple[int, str]
) -> None:
    assert _refusal(cases_service.http.post("/api/corpus/search", content=body, headers=GOOD)) == refusal
    assert cases_service.page(query="python", limit=1)["roles"]


def test_a_body_in_pieces_without_a_length_is_limited_too(cases_service: Service) -> None:
    pieces = (b" " * 65536 for _ in range(40))
    assert _refusal(cases_service.http.post("/api/corpus/search", content=pieces, headers=GOOD)) == (413, "too_large")


def test_the_token_is_looked_at_before_the_body(cases_service: Service) -> None:
    assert _refusal(cases_service.http.post("/api/corpus/search", content=b" " * 300_000)) == (401, "unauthorized")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_the_search_takes_post_only(cases_service: Service, method: str) -> None:
    answer = cases_service.http.request(method, "/api/corpus/search", headers=GOOD)
    assert _refusal(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/", "/api/corpus/search/", "/admin/", "/api/unknown", "/%ff"])
def test_other_addresses_are_404(cases_service: Service, path: str) -> None:
    assert _refusal(cases_service.http.get(path)) == (404, "not_found")


def test_neither_logs_nor_metrics_hold_what_was_asked(empty_data: Path) -> None:
    with serve(empty_data) as service:
        service.search(query="canary-query-4711")
        service.search({"canary_member_4712": 1})
        service.http.get("/api/search?q=canary-4713")
        service.http.get("/metrics?canary-4714")
        metrics = service.http.get("/metrics").text
        service.process.terminate()
        out, err = service.process.communicate(timeout=30)
    assert 'jobcache_answers_total{route="corpus_search",status="200"} 1.0' in metrics
    assert "canary" not in metrics + out + err
    assert not [file for file in empty_data.iterdir() if b"canary" in file.read_bytes()]


def test_a_database_that_is_gone_is_503_and_the_process_stays_up(empty_data: Path) -> None:
    with serve(empty_data) as service:
        for file in empty_data.iterdir():
            file.unlink()
        (empty_data / "jobcache.sqlite3").mkdir()
        assert _refusal(service.search(query="python")) == (503, "jobcache_unavailable")
        assert service.http.get("/healthz").status_code == 200
        assert _refusal(service.search(query="python", token="x")) == (401, "unauthorized")
