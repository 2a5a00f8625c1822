"""The one place where an error becomes an HTTP answer: `application/problem+json` (contract section 11).

DRF calls `handle` for everything a view raises; Django calls `handler400`, `handler403`, `handler404` and `handler500`
for what never reached a view. Addresses outside the API keep Django's own pages. No answer shows a stack or a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from workspaces import metrics
from workspaces.errors import (
    DomainError,
    Flaw,
    InvalidRequest,
    LinkInvalid,
    Malformed,
    MethodNotAllowed,
    NotFound,
    OperationNotAllowed,
    RateLimited,
    TooLarge,
    to_problem,
)

CONTENT_TYPE = "application/problem+json"
_MACHINE_PREFIXES = ("/api/", "/internal/")
_CONFLICTS = frozenset({"stale_clock", "undo_conflict", "receipt_spent", "document_trashed", "idempotency_mismatch"})
_log = structlog.get_logger(__name__)


class InternalError(DomainError):
    """What nobody foresaw. It says nothing but that."""

    code, status, title = "internal_error", 500, "Something went wrong here"


def handle(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler."""
    refusal = as_domain_error(error)
    count(refusal)
    return Response(
        to_problem(refusal), status=refusal.status, content_type=CONTENT_TYPE, headers=headers(refusal, error)
    )


def as_domain_error(error: Exception) -> DomainError:
    """The contract's refusal for any exception; an unforeseen one is logged (without its message) and stays vague."""
    match error:
        case DomainError():
            return error
        case exceptions.ValidationError():
            return InvalidRequest(flaws=flaws_of(error.detail))
        case exceptions.ParseError() | UnreadablePostError():
            return Malformed()
        case exceptions.UnsupportedMediaType():
            return Malformed("The body must be JSON: send Content-Type: application/json.")
        case exceptions.MethodNotAllowed():
            return MethodNotAllowed()
        case exceptions.NotFound() | Http404():
            return NotFound()
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return LinkInvalid()
        case exceptions.PermissionDenied() | PermissionDenied():
            return OperationNotAllowed()
        case exceptions.Throttled():
            return RateLimited(details={"retry_after": int(getattr(error, "wait", None) or 1)})
        case RequestDataTooBig():
            return TooLarge()
        case SuspiciousOperation():
            return Malformed("The request is not well-formed.")
    log_unforeseen(error)
    return InternalError()


def log_unforeseen(error: BaseException) -> None:
    """Its class and where it happened: the log's form leaves out the message, which may hold somebody's words."""
    _log.error("unforeseen_error", exc_info=error)


def flaws_of(detail: Any, path: str = "") -> list[Flaw]:
    """DRF's nested error detail as a flat list of flaws with slash-separated paths."""
    if isinstance(detail, Mapping):
        found = []
        for name, inner in detail.items():
            whole = str(name) == "non_field_errors"
            found += flaws_of(inner, path if whole else f"{path}/{name}" if path else str(name))
        return found
    if isinstance(detail, Sequence) and not isinstance(detail, str):
        found = []
        for index, inner in enumerate(detail):
            nested = isinstance(inner, (Mapping, list))
            found += flaws_of(inner, (f"{path}/{index}" if path else str(index)) if nested else path)
        return found
    return [Flaw(path, str(getattr(detail, "code", "invalid")), str(detail))]


def headers(refusal: DomainError, error: Exception) -> dict[str, str]:
    """What the status asks for: Retry-After, WWW-Authenticate, Allow."""
    found: dict[str, str] = {}
    if refusal.status == 401:
        found["WWW-Authenticate"] = "Bearer"
    if "retry_after" in refusal.details:
        found["Retry-After"] = str(refusal.details["retry_after"])
    if isinstance(error, exceptions.MethodNotAllowed):
        return found  # DRF's views add Allow themselves
    return found


def count(refusal: DomainError) -> None:
    metrics.HTTP_REFUSALS.labels(refusal.code).inc()
    if refusal.code in _CONFLICTS:
        metrics.CONFLICTS.labels(refusal.code).inc()


def problem_response(refusal: DomainError) -> HttpResponse:
    """The same answer outside DRF."""
    count(refusal)
    answer = JsonResponse(to_problem(refusal), status=refusal.status, content_type=CONTENT_TYPE)
    answer["Cache-Control"] = "no-store"
    for name, value in headers(refusal, refusal).items():
        answer[name] = value
    return answer


def _for_machines(request: HttpRequest) -> bool:
    return request.path.startswith(_MACHINE_PREFIXES)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _for_machines(request):
        return problem_response(as_domain_error(exception))
    return defaults.bad_request(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _for_machines(request):
        return problem_response(OperationNotAllowed())
    return defaults.permission_denied(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _for_machines(request):
        return problem_response(NotFound())
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    if _for_machines(request):
        return problem_response(InternalError())
    return defaults.server_error(request)
