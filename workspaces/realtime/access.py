"""Who opens a socket: a bearer link from anywhere, or a browser session from exactly our own origin.

Above: every socket of the product. Below: links and the session store. The same answers as over HTTP, as close codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import parse_cookie

from workspaces.contracts import Access
from workspaces.erasure import is_erased
from workspaces.errors import (
    DocumentTrashed,
    DomainError,
    EpochGone,
    LinkInvalid,
    LiveUpdateRefused,
    NotFound,
    OriginRefused,
    RateLimited,
    ViewOnly,
)
from workspaces.http.authentication import open_by_bearer
from workspaces.http.grants import open_by_session
from workspaces.http.origin import is_own_origin

UNREADABLE = 4400
LINK_GONE = 4401
NOT_ALLOWED = 4403
UNKNOWN = 4404
EPOCH_GONE = 4409
ERASED = 4410
TOO_MANY = 4429
FAILED = 1011
TRY_LATER = 1013

P = ParamSpec("P")
T = TypeVar("T")


async def in_database_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking call beside the loop, in a thread of its own: one slow socket must not hold the others up."""
    answer: T = await database_sync_to_async(call, thread_sensitive=False)(*args, **kwargs)
    return answer


async def open_socket(scope: Mapping[str, Any], *, workspace: str) -> Access:
    """The access of a WebSocket handshake. Raises LinkInvalid, OriginRefused, NotFound; see `close_code`."""
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    bearer = headers.get("authorization")
    if bearer is not None:
        return await in_database_thread(open_by_bearer, bearer, workspace=workspace)
    origin = headers.get("origin")
    if origin is None or not is_own_origin(origin):
        raise OriginRefused
    key = parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME)
    if not key:
        raise LinkInvalid
    return await in_database_thread(_open_by_key, key, workspace)


def close_code(refusal: DomainError) -> int:
    """The close code that says what a problem document would."""
    if isinstance(refusal, (OriginRefused, ViewOnly, LiveUpdateRefused)):
        return NOT_ALLOWED
    if isinstance(refusal, EpochGone):
        return EPOCH_GONE
    if isinstance(refusal, DocumentTrashed):
        return UNKNOWN
    if isinstance(refusal, RateLimited):
        return TOO_MANY
    return {400: UNREADABLE, 401: LINK_GONE, 403: NOT_ALLOWED, 404: UNKNOWN, 413: UNREADABLE}.get(
        refusal.status, UNREADABLE
    )


async def end_code(refusal: DomainError, *, workspace: str) -> int:
    """`close_code` for a socket that was open. With an erased workspace its link and what it showed are gone as well;
    when the news of that was lost or has not come yet, it must not look like less."""
    if isinstance(refusal, (LinkInvalid, NotFound)) and await in_database_thread(is_erased, workspace=workspace):
        return ERASED
    return close_code(refusal)


def _open_by_key(key: str, workspace: str) -> Access:
    session: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return open_by_session(session, workspace=workspace)
