"""Everything that the write path and the readers can refuse, as typed errors with data, and their one mapping
to RFC 9457 problem documents (contract section 11).

Nothing here knows the web: `to_problem` gives a plain dict that HTTP, sockets and tools render as they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with an input. `path` is slash-separated (`operations/0/value`)."""

    path: str
    code: str
    message: str


class DomainError(Exception):
    """A refusal with the contract's code. `detail` helps a person; `details` helps a program."""

    code: ClassVar[str] = "invalid_request"
    status: ClassVar[int] = 422
    title: ClassVar[str] = "The request is not valid"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        detail: str | None = None,
        *,
        details: Mapping[str, Any] | None = None,
        flaws: Sequence[Flaw] = (),
    ) -> None:
        self.detail = detail or self.title
        self.details: dict[str, Any] = dict(details or {})
        self.flaws = tuple(flaws)
        super().__init__(self.detail)


def to_problem(error: DomainError) -> dict[str, Any]:
    """The `application/problem+json` document of a refusal."""
    return {
        "type": f"urn:careervector:problem:{error.code}",
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        "details": error.details,
        "errors": [{"path": f.path, "code": f.code, "message": f.message} for f in error.flaws],
    }


class Malformed(DomainError):
    code, status, title = "malformed", 400, "The body is not readable JSON"


class LinkInvalid(DomainError):
    code, status, title = "link_invalid", 401, "This link does not open a workspace"


class CapabilityInvalid(DomainError):
    code, status, title = "capability_invalid", 401, "The capability is not valid for this call"


class Unauthorized(DomainError):
    code, status, title = "unauthorized", 401, "The service token is missing or wrong"


class ViewOnly(DomainError):
    code, status, title = "view_only", 403, "This link may read but not change"


class OwnerOnly(DomainError):
    code, status, title = "owner_only", 403, "Only an owner link may do this"


class OperationNotAllowed(DomainError):
    code, status, title = "operation_not_allowed", 403, "This kind of change is not open to this actor"


class OriginRefused(DomainError):
    code, status, title = "origin_refused", 403, "The request came from another origin"


class CsrfFailed(DomainError):
    code, status, title = "csrf_failed", 403, "The CSRF token is missing or wrong"


class NotFound(DomainError):
    code, status, title = "not_found", 404, "There is nothing here"


class MethodNotAllowed(DomainError):
    code, status, title = "method_not_allowed", 405, "This address does not take that method"


class DocumentTrashed(DomainError):
    code, status, title = "document_trashed", 409, "The document is in the trash"


class LastOwnerLink(DomainError):
    code, status, title = "last_owner_link", 409, "The last owner link cannot be revoked"


class StaleClock(DomainError):
    code, status, title, retryable = "stale_clock", 409, "The document has changed meanwhile", True


class UndoConflict(DomainError):
    code, status, title = "undo_conflict", 409, "Later work would be lost"


class EpochGone(StaleClock):
    """A live update, or a client's state vector, comes from before the document was restored or rebuilt."""

    title, retryable = "The document has been rebuilt: reload it", False


class ReceiptSpent(DomainError):
    code, status, title = "receipt_spent", 409, "This receipt has been undone already"


class TurnRunning(DomainError):
    code, status, title, retryable = "turn_running", 409, "The thread is still answering", True


class ReceiptExpired(DomainError):
    code, status, title = "receipt_expired", 410, "The time to undo this has passed"


class TooLarge(DomainError):
    code, status, title = "too_large", 413, "The input is over a size limit"


class InvalidRequest(DomainError):
    code, status, title = "invalid_request", 422, "The request is not valid"


class InvalidOperation(DomainError):
    code, status, title = "invalid_operation", 422, "An operation is not valid"


class LiveUpdateRefused(InvalidOperation):
    """A Yjs update that touches anything but one text, or is not readable. It changes nothing."""


class ClockSetMismatch(DomainError):
    code, status, title = "clock_set_mismatch", 422, "expected_clocks must name exactly the documents touched"


class CardinalityExceeded(DomainError):
    code, status, title = "cardinality_exceeded", 422, "A limit on how many there may be is reached"


class IdempotencyMismatch(DomainError):
    code, status, title = "idempotency_mismatch", 422, "This idempotency key was used for another request"


class IdempotencyKeyRequired(DomainError):
    code, status, title = "idempotency_key_required", 422, "An Idempotency-Key header is required"


class NotReversible(DomainError):
    code, status, title = "not_reversible", 422, "The batch could not be undone as a whole"


class PrivateQuery(DomainError):
    code, status, title = "private_query", 422, "The query holds private words"


class RateLimited(DomainError):
    code, status, title, retryable = "rate_limited", 429, "Too many requests", True


class CredentialsMisconfigured(DomainError):
    code, status, title = "credentials_misconfigured", 503, "The service credentials are not set up"


class JobCacheUnavailable(DomainError):
    code, status, title, retryable = "jobcache_unavailable", 503, "The job corpus cannot be reached", True


class ConnectorUnavailable(DomainError):
    code, status, title, retryable = "connector_unavailable", 503, "No host runs this connector now", True
