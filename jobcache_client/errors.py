"""What can go wrong at the seam, as three typed errors. None of them holds a token, a query or a response body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that JobCache found wrong with the arguments. `path` names the argument."""

    path: str
    code: str
    message: str


class JobCacheError(Exception):
    """Base of the three; `detail` is one sentence for a person."""

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)


class Misconfigured(JobCacheError):
    """The address or the credentials are not set up, here or there: 503 `credentials_misconfigured`. Never retried."""


class Refused(JobCacheError):
    """JobCache read the arguments and did not accept them. `code` is a contract code such as `invalid_request`."""

    def __init__(self, detail: str, *, code: str, status: int, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status
        self.flaws = tuple(flaws)


class Unavailable(JobCacheError):
    """JobCache did not give a usable answer in time: 503 `jobcache_unavailable`.

    `reason` is a short stable word for metrics (`connect`, `timeout`, `status`, `shape`, `size`, `open`);
    `retry_after` the seconds after which another try makes sense, when that is known.
    """

    def __init__(self, detail: str, *, reason: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.retry_after = retry_after
