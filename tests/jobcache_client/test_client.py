"""The client against a scripted other side: what is sent, retried, refused and believed. Nothing waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from jobcache_client import CircuitBreaker, Config, JobCacheClient
from jobcache_client.errors import Flaw, Misconfigured, Refused, Unavailable

TOKEN = "control-token-0123456789"
URL = "http://127.0.0.1:8001/base"
EMPTY = {"roles": [], "total": 0, "next_cursor": None, "corpus_version": "1"}
Answer = httpx.Response | Exception


class _Other:
    """Answers in order, the last one for ever; keeps what was asked."""

    def __init__(self, *answers: Answer | Callable[[], Answer]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        answer = answer() if callable(answer) else answer
        if isinstance(answer, Exception):
            raise answer
        return answer


class _Bench:
    """A client on a clock that only sleeping moves."""

    def __init__(self, *answers: Answer | Callable[[], Answer], config: Config | None = None) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self.heard: list[tuple[str, str]] = []
        self.other = _Other(*answers)
        self.client = JobCacheClient(
            config or Config(URL, TOKEN),
            breaker=CircuitBreaker(threshold=3, cooldown=15, clock=self.clock),
            observer=lambda route, outcome, _seconds: self.heard.append((route, outcome)),
            clock=self.clock,
            sleep=self.sleep,
            jitter=lambda: 1.0,
            transport=httpx.MockTransport(self.other),
        )

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def unavailable(self) -> Unavailable:
        with pytest.raises(Unavailable) as caught:
            self.client.search({"query": "python"})
        return caught.value


def _json(value: Any, status: int = 200, **headers: str) -> Callable[[], Answer]:
    return _raw(json.dumps(value).encode(), status, **headers)


def _raw(body: bytes, status: int = 200, **headers: str) -> Callable[[], Answer]:
    # A stream, as a real transport gives it: a response made with content is read already.
    return lambda: httpx.Response(status, stream=_Chunks(body), headers=headers)


class _Chunks(httpx.SyncByteStream):
    """The same chunk so many times; counts how many were taken."""

    def __init__(self, chunk: bytes, times: int = 1) -> None:
        self.chunk = chunk
        self.times = times
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.times):
            self.taken += 1
            yield self.chunk


def _problem(status: int, code: str, **more: Any) -> Callable[[], Answer]:
    return _json({"code": code, "status": status, "detail": "Because.", "errors": [], **more}, status)


def test_a_call_sends_the_arguments_and_the_token_and_nothing_else() -> None:
    bench = _Bench(_json(EMPTY))
    assert bench.client.search({"query": "python", "location": None, "limit": 5}) == EMPTY
    (request,) = bench.other.requests
    assert (request.method, str(request.url)) == ("POST", f"{URL}/api/corpus/search")
    assert json.loads(request.content) == {"query": "python", "limit": 5}
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert set(request.headers) == {
        "host", "accept", "accept-encoding", "connection", "user-agent", "authorization", "content-type",
        "content-length",
    }  # fmt: skip
    assert bench.heard == [("search", "ok")]


def test_a_stranger_among_the_arguments_reaches_no_wire() -> None:
    bench = _Bench(_json(EMPTY))
    with pytest.raises(Refused) as caught:
        bench.client.search({"query": "python", "workspace": "ws_1"})
    assert caught.value.flaws == (Flaw("workspace", "unknown_field", "This argument does not exist."),)
    assert bench.other.requests == []


@pytest.mark.parametrize("value", [float("nan"), object(), "\ud800"])
def test_what_is_no_json_reaches_no_wire(value: Any) -> None:
    bench = _Bench(_json(EMPTY))
    with pytest.raises(Refused) as caught:
        bench.client.search({"query": value})
    assert caught.value.code == "malformed"
    assert bench.other.requests == []


def test_a_bad_configuration_reaches_no_wire() -> None:
    bench = _Bench(_json(EMPTY), config=Config("http://jobcache.example", TOKEN))
    with pytest.raises(Misconfigured):
        bench.client.search({})
    assert (bench.other.requests, bench.heard) == ([], [("search", "misconfigured")])


@pytest.mark.parametrize(
    "first",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("gone"),
        _json({}, 502),
        _json({}, 500),
        _problem(503, "jobcache_unavailable"),
        _problem(429, "rate_limited"),
    ],
)
def test_a_passing_failure_is_tried_again_with_growing_pauses(first: Answer) -> None:
    bench = _Bench(first, first, _json(EMPTY))
    assert bench.client.search({}) == EMPTY
    assert bench.slept == [0.1, 0.2]


def test_tries_are_bounded() -> None:
    bench = _Bench(httpx.ConnectError("refused"))
    assert bench.unavailable().reason == "connect"
    assert len(bench.other.requests) == 3
    assert bench.heard == [("search", "unavailable")]


def test_the_other_side_may_ask_for_a_longer_pause_but_not_past_the_deadline() -> None:
    bench = _Bench(_json({}, 503, **{"Retry-After": "3"}), _json(EMPTY))
    assert bench.client.search({}) == EMPTY
    assert bench.slept == [3.0]
    late = _Bench(_json({}, 503, **{"Retry-After": "60"}))
    error = late.unavailable()
    assert (error.reason, error.retry_after, late.slept) == ("status", 60.0, [])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (_json({}, 404), "status"),
        (_json({}, 302, Location="http://127.0.0.1:9/"), "status"),
        (_json({}, 422), "status"),
        (_json({"roles": "many"}), "shape"),
        (_raw(b"<html>"), "shape"),
        (_raw(b'{"roles":[],"roles":[]}'), "shape"),
        (_raw(b"x", **{"Content-Encoding": "gzip"}), "shape"),
    ],
)
def test_an_answer_that_cannot_be_used_is_not_asked_for_again(answer: Callable[[], Answer], reason: str) -> None:
    bench = _Bench(answer)
    assert bench.unavailable().reason == reason
    assert len(bench.other.requests) == 1


def test_an_answer_over_one_mebibyte_is_left_unread() -> None:
    stream = _Chunks(b" " * 65536, times=1000)
    bench = _Bench(lambda: httpx.Response(200, stream=stream))
    assert bench.unavailable().reason == "size"
    assert stream.taken == 17


@pytest.mark.parametrize("answer", [_problem(401, "unauthorized"), _problem(503, "credentials_misconfigured")])
def test_credentials_that_do_not_fit_are_told_and_not_retried(answer: Callable[[], Answer]) -> None:
    bench = _Bench(answer)
    with pytest.raises(Misconfigured):
        bench.client.search({})
    assert len(bench.other.requests) == 1


def test_a_refusal_carries_what_is_wrong() -> None:
    errors = [{"path": "limit", "code": "out_of_range", "message": "A number from 1 to 25 is expected."}]
    bench = _Bench(_problem(422, "invalid_request", errors=errors))
    with pytest.raises(Refused) as caught:
        bench.client.search({"limit": 99})
    refused = caught.value
    assert (refused.code, refused.status, refused.detail) == ("invalid_request", 422, "Because.")
    assert refused.flaws == (Flaw("limit", "out_of_range", "A number from 1 to 25 is expected."),)
    assert bench.heard == [("search", "refused")]


def test_after_failed_calls_nothing_is_sent_until_the_cooldown_is_over() -> None:
    bench = _Bench(*[httpx.ConnectError("refused")] * 9, _json(EMPTY))
    for _ in range(3):
        bench.unavailable()
    sent = len(bench.other.requests)
    error = bench.unavailable()
    assert (error.reason, error.retry_after) == ("open", 15.0)
    assert len(bench.other.requests) == sent == 9
    bench.now += 15
    assert bench.client.search({}) == EMPTY
    assert bench.heard[-2:] == [("search", "open"), ("search", "ok")]


def test_wrong_shapes_open_the_breaker_too_and_refusals_do_not() -> None:
    shapes = _Bench(_json({}))
    for _ in range(3):
        assert shapes.unavailable().reason == "shape"
    assert shapes.unavailable().reason == "open"
    refusals = _Bench(_problem(422, "invalid_request"))
    for _ in range(9):
        with pytest.raises(Refused):
            refusals.client.search({})


def test_no_error_shows_the_token_or_the_question() -> None:
    for answer in (httpx.ConnectError("refused"), _json({}), _json({}, 500), _problem(401, "unauthorized")):
        bench = _Bench(answer)
        with pytest.raises((Unavailable, Misconfigured)) as caught:
            bench.client.search({"query": "canary-4711"})
        assert "canary" not in repr(caught.value) + str(caught.value)
        assert TOKEN not in repr(caught.value) + str(caught.value)
