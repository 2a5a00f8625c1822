"""One client of one JobCache: time-outs, bounded retries with jitter, the circuit breaker, checked answers.

Above: shared (the process-wide client). Below: config, breaker, answers, httpx. Every call here is a safe read,
so repeating one changes nothing; a call that writes must not go through `_read_with_retries`.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from jobcache_client.answers import SearchPage, ShapeError, read_json, read_search_page
from jobcache_client.breaker import CircuitBreaker
from jobcache_client.config import Config
from jobcache_client.errors import Flaw, JobCacheError, Misconfigured, Refused, Unavailable

MAXIMUM_ANSWER_BYTES = 1024 * 1024
SEARCH_ARGUMENTS = frozenset(
    "query location country work_mode employment_type posted_within_days salary_min currency limit cursor".split()
)
_RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
_REFUSING_STATUSES = frozenset({400, 413, 422})
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0

CallObserver = Callable[[str, str, float], None]


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    body: bytes
    retry_after: float | None


class JobCacheClient:
    """Thread-safe. `observer(route, outcome, seconds)` hears of each call: content-free, for metrics.

    Outcomes: ok, refused, misconfigured, unavailable, open (the circuit breaker answered).
    """

    def __init__(
        self,
        config: Config,
        *,
        breaker: CircuitBreaker | None = None,
        observer: CallObserver | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._config = config
        self._breaker = breaker or CircuitBreaker(clock=clock)
        self._observer = observer
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._http = httpx.Client(
            timeout=httpx.Timeout(config.read_timeout, connect=config.connect_timeout),
            limits=httpx.Limits(max_connections=16, max_keepalive_connections=4),
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def search(self, arguments: Mapping[str, Any]) -> SearchPage:
        """One page of roles for the arguments of `search_jobcache` (contract 8); raises the errors of this package.

        Only the tool's arguments may go out; anything else is refused here, before it reaches a wire.
        """
        strangers = sorted(set(arguments) - SEARCH_ARGUMENTS)
        if strangers:
            raise Refused(
                "JobCache takes the arguments of the search tool only.",
                code="invalid_request",
                status=422,
                flaws=[Flaw(name[:100], "unknown_field", "This argument does not exist.") for name in strangers[:20]],
            )
        body = {name: value for name, value in arguments.items() if value is not None}
        return self._observed("search", lambda: self._search(body))

    def _search(self, body: Mapping[str, Any]) -> SearchPage:
        self._config.check()
        try:
            encoded = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
        except (ValueError, TypeError) as error:
            raise Refused("The search arguments are not JSON values.", code="malformed", status=400) from error
        return self._guarded("/api/corpus/search", encoded)

    def _observed(self, route: str, call: Callable[[], SearchPage]) -> SearchPage:
        started = self._clock()
        outcome = "unavailable"
        try:
            answer = call()
            outcome = "ok"
            return answer
        except Refused:
            outcome = "refused"
            raise
        except Misconfigured:
            outcome = "misconfigured"
            raise
        except Unavailable as error:
            outcome = "open" if error.reason == "open" else "unavailable"
            raise
        finally:
            if self._observer is not None:
                self._observer(route, outcome, self._clock() - started)

    def _guarded(self, path: str, body: bytes) -> SearchPage:
        wait = self._breaker.wait()
        if wait > 0:
            raise Unavailable(
                "JobCache has not been answering; it is left alone for a moment.", reason="open", retry_after=wait
            )
        try:
            response = self._read_with_retries(path, body)
            self._raise_for_status(response)
            page = read_search_page(read_json(response.body))
        except ShapeError as error:
            self._breaker.failed()
            raise Unavailable(f"JobCache answered in an unknown shape: {error}.", reason="shape") from error
        except Unavailable:
            self._breaker.failed()
            raise
        except JobCacheError:
            self._breaker.succeeded()
            raise
        except BaseException:
            self._breaker.withdrawn()
            raise
        self._breaker.succeeded()
        return page

    def _read_with_retries(self, path: str, body: bytes) -> _Response:
        deadline = self._clock() + self._config.deadline
        attempt = 0
        while True:
            outcome: _Response | Unavailable
            try:
                outcome = self._send(path, body, deadline)
            except Unavailable as error:
                outcome = error
            retry = _may_pass(outcome)
            pause = self._pause(attempt, outcome.retry_after)
            if not retry or attempt >= self._config.retries or self._clock() + pause >= deadline:
                if isinstance(outcome, Unavailable):
                    raise outcome
                return outcome
            self._sleep(pause)
            attempt += 1

    def _pause(self, attempt: int, asked: float | None) -> float:
        # Full jitter keeps many processes from knocking at the same moment when JobCache comes back.
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * float(2**attempt)) * (0.5 + self._jitter() / 2)
        return max(pause, asked) if asked is not None else pause

    def _send(self, path: str, body: bytes, deadline: float) -> _Response:
        headers = {
            "Authorization": f"Bearer {self._config.control_token}",
            "Content-Type": "application/json",
            "Accept": "application/json, application/problem+json",
            # Without compression the size cap below counts what was really sent.
            "Accept-Encoding": "identity",
            "User-Agent": "careervector-jobcache-client/1",
        }
        received = bytearray()
        try:
            with self._http.stream("POST", self._config.url + path, content=body, headers=headers) as answer:
                if answer.headers.get("content-encoding", "identity").lower() != "identity":
                    raise Unavailable("JobCache answered with an encoding nobody asked for.", reason="shape")
                for chunk in answer.iter_raw():
                    received += chunk
                    if len(received) > MAXIMUM_ANSWER_BYTES:
                        raise Unavailable("JobCache answered with more than 1 MiB.", reason="size")
                    if self._clock() > deadline:
                        raise Unavailable("JobCache took too long to answer.", reason="timeout")
                return _Response(answer.status_code, bytes(received), _seconds(answer.headers.get("retry-after")))
        except httpx.TimeoutException as error:
            raise Unavailable("JobCache took too long to answer.", reason="timeout") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unavailable("JobCache cannot be reached.", reason="connect") from error

    def _raise_for_status(self, response: _Response) -> None:
        status = response.status
        if status == 200:
            return
        problem = _problem(response.body)
        if status in {401, 403}:
            raise Misconfigured("JobCache does not accept the control token of this process.")
        if status == 503 and problem.get("code") == "credentials_misconfigured":
            raise Misconfigured("JobCache's own credentials are not set up.")
        if status in _REFUSING_STATUSES and isinstance(problem.get("code"), str):
            raise Refused(
                _short(problem.get("detail")) or "JobCache did not accept the search.",
                code=str(problem["code"])[:60],
                status=status,
                flaws=_flaws(problem.get("errors")),
            )
        raise Unavailable(f"JobCache answered {status}.", reason="status", retry_after=response.retry_after)


def _may_pass(outcome: _Response | Unavailable) -> bool:
    """Whether the same call may fare better in a moment; a wrong shape or size will not."""
    if isinstance(outcome, Unavailable):
        return outcome.reason in {"connect", "timeout"}
    if outcome.status not in _RETRIED_STATUSES:
        return False
    return _problem(outcome.body).get("code") != "credentials_misconfigured"


def _problem(body: bytes) -> dict[str, Any]:
    try:
        value = read_json(body)
    except ShapeError:
        return {}
    return value if isinstance(value, dict) else {}


def _flaws(value: Any) -> list[Flaw]:
    if not isinstance(value, list):
        return []
    return [
        Flaw(_short(one.get("path")), _short(one.get("code")), _short(one.get("message")))
        for one in value[:20]
        if isinstance(one, dict)
    ]


def _short(value: Any) -> str:
    return "".join(sign for sign in value if sign.isprintable())[:300] if isinstance(value, str) else ""


def _seconds(value: str | None) -> float | None:
    try:
        seconds = float(value) if value is not None else math.nan
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
