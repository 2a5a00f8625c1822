"""JobCache's refusals as RFC 9457 problems with the contract's codes (section 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with the arguments. `path` names the argument."""

    path: str
    code: str
    message: str


class Problem(Exception):
    """A refusal; `detail` helps a person and never repeats what was sent."""

    code: ClassVar[str] = "invalid_request"
    status: ClassVar[int] = 422
    title: ClassVar[str] = "The request is not valid"

    def __init__(self, detail: str | None = None, *, flaws: Sequence[Flaw] = ()) -> None:
        self.detail = detail or f"{self.title}."
        self.flaws = tuple(flaws)
        super().__init__(self.detail)

    def document(self) -> dict[str, Any]:
        """The body of the `application/problem+json` answer."""
        return {
            "type": f"urn:careervector:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "details": {},
            "errors": [{"path": flaw.path, "code": flaw.code, "message": flaw.message} for flaw in self.flaws],
        }


class InvalidRequest(Problem):
    pass


class Malformed(Problem):
    code, status, title = "malformed", 400, "The body is not readable JSON"


class Unauthorized(Problem):
    code, status, title = "unauthorized", 401, "The service token is missing or wrong"


class NotFound(Problem):
    code, status, title = "not_found", 404, "There is nothing here"


class MethodNotAllowed(Problem):
    code, status, title = "method_not_allowed", 405, "This address does not take that method"


class TooLarge(Problem):
    code, status, title = "too_large", 413, "The input is over a size limit"


class CredentialsMisconfigured(Problem):
    code, status, title = "credentials_misconfigured", 503, "The service credentials are not set up"


class Unavailable(Problem):
    code, status, title = "jobcache_unavailable", 503, "The job corpus cannot be reached"
