"""POST jobs/search: the page's search of the public job corpus. Nothing about the workspace goes out with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

import jobcache_client
from workspaces.documents.values import SEARCH_FILTERS, ValueFlaw, check_value, clean_string
from workspaces.errors import CredentialsMisconfigured, Flaw, InvalidRequest, JobCacheUnavailable
from workspaces.operations.json_schema import Schema, nullable, search_filter_schemas

from . import examples
from .base import WorkspaceView, json_response
from .query import MAX_CURSOR
from .schema import TEXT, TIME, closed, describe

MAX_QUERY = 200
MAX_RESULTS = 25
DEFAULT_RESULTS = 10
_OPEN = ("query", "limit", "cursor")
_SEARCH: dict[str, Schema] = {
    "query": {"type": "string", "maxLength": MAX_QUERY},
    **{name: nullable(schema) for name, schema in search_filter_schemas().items()},
    "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_RESULTS, "default": DEFAULT_RESULTS},
    "cursor": {"type": ["string", "null"], "maxLength": MAX_CURSOR},
}
_EMPTY_TEXT: Schema = {"type": ["string", "null"]}
_DAY: Schema = {"type": ["string", "null"], "format": "date"}
_AMOUNT: Schema = {"type": ["integer", "null"], "minimum": 0}
_ROLE_FOUND = closed(
    {
        "role": TEXT,
        "title": TEXT,
        "company": _EMPTY_TEXT,
        "location": _EMPTY_TEXT,
        "work_mode": _EMPTY_TEXT,
        "employment_type": _EMPTY_TEXT,
        "salary": {
            **closed(
                {
                    "min": _AMOUNT,
                    "max": _AMOUNT,
                    "currency": _EMPTY_TEXT,
                    "period": {"type": ["string", "null"], "enum": ["hour", "day", "month", "year", None]},
                    "kind": {"type": "string", "enum": ["stated", "parsed", "estimated"]},
                    "raw": _EMPTY_TEXT,
                }
            ),
            "type": ["object", "null"],
        },
        "posted_on": _DAY,
        "valid_through": _DAY,
        "url": _EMPTY_TEXT,
        "snippet": {"type": "string", "maxLength": 400},
        "evidence": {
            "type": "array",
            "items": closed({"ad": TEXT, "source": TEXT, "fetched_at": TIME, "content_hash": TEXT}),
        },
        "freshness": closed({"state": {"type": "string", "enum": ["fresh", "stale", "expired"]}, "checked_at": TIME}),
    }
)
_FOUND = closed(
    {
        "roles": {"type": "array", "items": _ROLE_FOUND, "maxItems": MAX_RESULTS},
        "total": {"type": "integer", "minimum": 0},
        "next_cursor": _EMPTY_TEXT,
        "corpus_version": TEXT,
    }
)


class JobSearchView(WorkspaceView):
    @describe(
        "Search for jobs", operation="search_jobs", answer=_FOUND,
        detail="Searches the corpus of public advertisements. Nothing about the workspace goes out with it.",
        request=closed(_SEARCH, optional=set(_SEARCH) - {"query"}),
        refuses=(JobCacheUnavailable, CredentialsMisconfigured), example=examples.SEARCH, answer_example=examples.FOUND,
    )  # fmt: skip
    def post(self, request: Request, workspace: str) -> Response:
        return json_response(search(search_arguments(self.body(request))))


def search_arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body checked, normalised and without nulls. Raises InvalidRequest naming every flaw."""
    flaws = [
        Flaw(name[:60], "unknown_field", "There is no such argument.")
        for name in body
        if name not in SEARCH_FILTERS and name not in _OPEN
    ]
    checked: dict[str, Any] = {}
    for name, kind in SEARCH_FILTERS.items():
        try:
            checked[name] = check_value(body.get(name), kind)
        except ValueFlaw as flaw:
            flaws.append(Flaw(name, flaw.code, flaw.message))
    for name, maximum in (("query", MAX_QUERY), ("cursor", MAX_CURSOR)):
        value = body.get(name)
        try:
            checked[name] = None if value is None else clean_string(value, maximum=maximum, newlines=False)
        except ValueFlaw as flaw:
            flaws.append(Flaw(name, flaw.code, flaw.message))
    if body.get("query") is None:
        flaws.append(Flaw("query", "required", "Say what to search for; an empty text finds everything."))
    limit = DEFAULT_RESULTS if body.get("limit") is None else body["limit"]
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_RESULTS:
        flaws.append(Flaw("limit", "range", f"This must be a whole number from 1 to {MAX_RESULTS}."))
    if flaws:
        raise InvalidRequest(flaws=flaws[:20])
    return {name: value for name, value in {**checked, "limit": limit}.items() if value is not None}


def search(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """One page of roles. Raises JobCacheUnavailable, CredentialsMisconfigured, InvalidRequest."""
    try:
        return jobcache_client.search(arguments)
    except jobcache_client.errors.Misconfigured:
        raise CredentialsMisconfigured("The job search is not set up on this server.") from None
    except jobcache_client.errors.Unavailable as error:
        details = {"retry_after": max(1, round(error.retry_after))} if error.retry_after else {}
        raise JobCacheUnavailable(details=details) from None
    except jobcache_client.errors.Refused as error:
        raise InvalidRequest(error.detail, flaws=[Flaw(f.path, f.code, f.message) for f in error.flaws]) from None
