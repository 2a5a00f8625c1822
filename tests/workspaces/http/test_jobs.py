"""The page's job search: what may be asked, and what happens while JobCache is away."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from .conftest import Opened, problem

PAGE = {"roles": [], "total": 0, "next_cursor": None, "corpus_version": "1"}


class _Corpus(BaseHTTPRequestHandler):
    """A JobCache that finds nothing and remembers what it was asked."""

    asked: list[tuple[dict[str, str], Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((dict(self.headers), body))
        content = json.dumps(PAGE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[dict[str, str], Any]]]:
    server = HTTPServer(("127.0.0.1", 0), _Corpus)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("JOBCACHE_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("JOBCACHE_CONTROL_TOKEN", "control-token-0123456789-0123456789")
    _Corpus.asked = []
    yield _Corpus.asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_question_goes_out_bare(opened: Opened, corpus: list[tuple[dict[str, str], Any]]) -> None:
    body = {"query": "python developer", "location": "Zurich", "country": None, "limit": 5}
    answer = opened.edit("POST", "jobs/search", body)
    assert answer.status_code == 200
    assert {k: v for k, v in json.loads(answer.content).items() if k != "corpus_version"} == {
        "roles": [], "total": 0, "next_cursor": None,
    }  # fmt: skip
    [(headers, asked)] = corpus
    assert asked == {"query": "python developer", "location": "Zurich", "limit": 5}
    told = json.dumps([headers, asked])
    assert opened.workspace not in told
    assert opened.edit.secret is not None
    assert opened.edit.secret not in told


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "query"),
        ({"query": None}, "query"),
        ({"query": 5}, "query"),
        ({"query": "x" * 201}, "query"),
        ({"query": "a\x00b"}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 26}, "limit"),
        ({"query": "x", "limit": "5"}, "limit"),
        ({"query": "x", "limit": True}, "limit"),
        ({"query": "x", "limit": 10**400}, "limit"),
        ({"query": "x", "country": "XX"}, "country"),
        ({"query": "x", "currency": "eur"}, "currency"),
        ({"query": "x", "work_mode": "moon"}, "work_mode"),
        ({"query": "x", "employment_type": ["full"]}, "employment_type"),
        ({"query": "x", "posted_within_days": 181}, "posted_within_days"),
        ({"query": "x", "salary_min": -1}, "salary_min"),
        ({"query": "x", "location": "x" * 501}, "location"),
        ({"query": "x", "cursor": "x" * 1001}, "cursor"),
        ({"query": "x", "workspace": "ws_x"}, "workspace"),
    ],
)
def test_a_bad_argument_is_named_and_nothing_goes_out(
    opened: Opened, corpus: list[tuple[dict[str, str], Any]], body: Any, path: str
) -> None:
    answer = opened.edit("POST", "jobs/search", body)
    assert problem(answer) == (422, "invalid_request")
    assert [e["path"] for e in json.loads(answer.content)["errors"]] == [path]
    assert corpus == []


def test_jobcache_away_is_said_and_nothing_else_suffers(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCACHE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("JOBCACHE_CONTROL_TOKEN", "control-token-0123456789-0123456789")
    assert problem(opened.edit("POST", "jobs/search", {"query": "x"})) == (503, "jobcache_unavailable")
    assert opened.edit("GET", "documents").status_code == 200


def test_a_jobcache_that_is_not_set_up_is_said(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCACHE_URL", "")
    assert problem(opened.edit("POST", "jobs/search", {"query": "x"})) == (503, "credentials_misconfigured")
