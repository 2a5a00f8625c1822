"""The real client against the real service on a loopback port."""

from __future__ import annotations

import dataclasses
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import jobcache_client
from jobcache_client import Config, JobCacheClient
from jobcache_client.errors import Misconfigured, Refused, Unavailable
from tests.jobcache.service import CONTROL_TOKEN, WORKER_TOKEN, Service, serve


@pytest.fixture
def client(service: Service) -> Iterator[JobCacheClient]:
    with JobCacheClient(Config(service.url, CONTROL_TOKEN, WORKER_TOKEN)) as one:
        yield one


def test_a_search_gives_the_page_of_the_service(client: JobCacheClient, service: Service) -> None:
    wishes = {"query": "python developer", "country": "GB", "limit": 2, "work_mode": None}
    page = client.search(wishes)
    assert dict(page) == service.page(**wishes)
    assert len(page["roles"]) == 2


def test_pages_follow_each_other(client: JobCacheClient) -> None:
    roles: list[str] = []
    cursor = None
    while True:
        page = client.search({"query": "engineer", "limit": 7, "cursor": cursor})
        roles += [role["role"] for role in page["roles"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(roles) == len(set(roles)) == page["total"]


def test_bad_arguments_are_refused_with_the_flaw_named(client: JobCacheClient) -> None:
    with pytest.raises(Refused) as caught:
        client.search({"query": "x" * 201, "cursor": "nonsense"})
    assert (caught.value.code, caught.value.status) == ("invalid_request", 422)
    assert [(flaw.path, flaw.code) for flaw in caught.value.flaws] == [("query", "too_long")]


def test_another_token_is_a_misconfiguration(service: Service) -> None:
    with JobCacheClient(Config(service.url, "another-token-of-24-chars")) as client, pytest.raises(Misconfigured):
        client.search({})


def test_a_misconfigured_service_is_a_misconfiguration(tmp_path: Path, service: Service) -> None:
    changes = {"JOBCACHE_CORPUS_WORKER_TOKEN": CONTROL_TOKEN}
    with serve(service.data, changes=changes) as wrong, JobCacheClient(Config(wrong.url, CONTROL_TOKEN)) as client:
        with pytest.raises(Misconfigured) as caught:
            client.search({})
    assert caught.value.detail == "JobCache's own credentials are not set up."


def test_a_service_that_is_down_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    config = dataclasses.replace(Config(f"http://127.0.0.1:{port}", CONTROL_TOKEN), retries=0)
    with JobCacheClient(config) as client, pytest.raises(Unavailable) as caught:
        client.search({})
    assert caught.value.reason == "connect"


def test_a_service_that_says_nothing_is_unavailable_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        config = Config(address, CONTROL_TOKEN, read_timeout=0.05, retries=0)
        with JobCacheClient(config) as client, pytest.raises(Unavailable) as caught:
            client.search({})
    assert caught.value.reason == "timeout"


def test_proxies_of_the_environment_are_not_used(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with JobCacheClient(Config(service.url, CONTROL_TOKEN)) as client:
        assert client.search({"query": "nurse"})["total"] == 1


def test_the_process_wide_client_follows_the_environment(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, str]] = []
    jobcache_client.observe_calls(lambda route, outcome, _seconds: heard.append((route, outcome)))
    monkeypatch.delenv("JOBCACHE_URL", raising=False)
    monkeypatch.setenv("JOBCACHE_CONTROL_TOKEN", CONTROL_TOKEN)
    monkeypatch.setenv("JOBCACHE_CORPUS_WORKER_TOKEN", WORKER_TOKEN)
    with pytest.raises(Misconfigured):
        jobcache_client.search({"query": "nurse"})
    with pytest.raises(Misconfigured):
        jobcache_client.check_configuration()
    monkeypatch.setenv("JOBCACHE_URL", service.url)
    jobcache_client.check_configuration()
    assert jobcache_client.search({"query": "nurse"})["total"] == 1
    jobcache_client.observe_calls(None)
    jobcache_client.close_shared()
    assert heard == [("search", "misconfigured"), ("search", "ok")]


def test_many_threads_share_one_client(client: JobCacheClient) -> None:
    queries = ["python", "nurse", "C++", "データ"] * 6
    with ThreadPoolExecutor(8) as threads:
        pages = list(threads.map(lambda query: client.search({"query": query})["total"], queries))
    assert pages == [client.search({"query": query})["total"] for query in queries]
