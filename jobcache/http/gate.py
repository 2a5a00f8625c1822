"""What stands before every route: method, credentials, bearer, body, and the one place where refusals become answers.

Above: urls. Below: credentials, strict_json, problems, metrics. The order is the contract's (section 10): a
misconfigured credential set is told before a token or a row is looked at. Nothing here logs a path, a query or a body.
"""

from __future__ import annotations

import functools
import logging
import traceback
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse

from jobcache import credentials, metrics, strict_json
from jobcache.problems import (
    CredentialsMisconfigured,
    Malformed,
    MethodNotAllowed,
    NotFound,
    Problem,
    TooLarge,
    Unauthorized,
    Unavailable,
)

MAXIMUM_BODY = 256 * 1024
View = Callable[[HttpRequest], HttpResponse]
_log = logging.getLogger("jobcache.http")


def route(name: str, *, method: str, bearer: str | None = None) -> Callable[[View], View]:
    """Wrap a view: `method` only, opened by the credential `bearer` (open to all when None), problems rendered.

    `name` stands in the metrics. HEAD is answered where GET is.
    """

    def wrap(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest) -> HttpResponse:
            try:
                if request.method != method and not (method == "GET" and request.method == "HEAD"):
                    answer = render(MethodNotAllowed(f"Use {method}."))
                    answer["Allow"] = method
                else:
                    if bearer is not None:
                        _authorise(request, bearer)
                    answer = view(request)
            except Problem as problem:
                answer = render(problem)
            except DatabaseError as error:
                _log.error("%s: the database does not answer (%s)", name, type(error).__name__)
                answer = render(Unavailable("The corpus database does not answer."))
            except Exception as error:
                # The message of an error may hold what was asked, so only its kind and place are told.
                _log.error("%s: %s at %s", name, type(error).__name__, _place(error))
                answer = render(Unavailable("JobCache could not answer."))
            metrics.ANSWERS.labels(route=name, status=str(answer.status_code)).inc()
            answer["Content-Length"] = str(len(answer.content))
            answer["Cache-Control"] = "no-store"
            answer["X-Content-Type-Options"] = "nosniff"
            return answer

        return guarded

    return wrap


def read_json_body(request: HttpRequest) -> Any:
    """The strict JSON of the body; raises TooLarge or Malformed."""
    body = request.read(MAXIMUM_BODY + 1)
    if len(body) > MAXIMUM_BODY:
        raise TooLarge(f"A body has at most {MAXIMUM_BODY} bytes.")
    return strict_json.parse(body)


def render(problem: Problem) -> HttpResponse:
    """The `application/problem+json` answer."""
    answer = JsonResponse(problem.document(), status=problem.status, content_type="application/problem+json")
    if isinstance(problem, Unauthorized):
        answer["WWW-Authenticate"] = "Bearer"
    if isinstance(problem, TooLarge):
        # What is left of the body will not be read.
        answer["Connection"] = "close"
    if isinstance(problem, Unavailable):
        answer["Retry-After"] = "5"
    return answer


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404 for every other address."""
    return render(NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """What an unforeseen failure says: nothing about itself."""
    return render(Unavailable("JobCache could not answer."))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A request that Django itself refuses to read."""
    return render(Malformed("The request cannot be read."))


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else "an unknown place"


def _authorise(request: HttpRequest, bearer: str) -> None:
    tokens = {name: getattr(settings, name) for name in credentials.NAMES}
    fault = credentials.find_fault(tokens, needed=bearer)
    if fault is not None:
        raise CredentialsMisconfigured(fault)
    if not credentials.opens(request.META.get("HTTP_AUTHORIZATION"), token=tokens[bearer]):
        raise Unauthorized
