"""Which refusals an operation of the API can give: what follows from its view, and what it declares itself.

Above: `openapi_schema`, and the tests that hold every answer to it. Below: the typed errors. What a view needs (a link,
a role, a body, a key, a rate) says already how it can refuse; only what its facade raises is declared with `@describe`.
"""

from __future__ import annotations

from typing import Any

from workspaces.errors import (
    CardinalityExceeded,
    ClockSetMismatch,
    CsrfFailed,
    DocumentTrashed,
    DomainError,
    IdempotencyKeyRequired,
    IdempotencyMismatch,
    InvalidOperation,
    InvalidRequest,
    LinkInvalid,
    Malformed,
    NotFound,
    OperationNotAllowed,
    OriginRefused,
    OwnerOnly,
    RateLimited,
    ReceiptExpired,
    ReceiptSpent,
    StaleClock,
    TooLarge,
    UndoConflict,
    ViewOnly,
)

from .schema import Described

Refusals = tuple[type[DomainError], ...]

# What the commit path raises for a batch, and for a batch that takes another back.
COMMIT: Refusals = (
    OperationNotAllowed, NotFound, DocumentTrashed, StaleClock, InvalidOperation, ClockSetMismatch, CardinalityExceeded,
)  # fmt: skip
UNDO: Refusals = (
    ReceiptSpent, ReceiptExpired, UndoConflict, StaleClock, ClockSetMismatch, DocumentTrashed, CardinalityExceeded,
)  # fmt: skip
_SAFE = ("GET", "HEAD")
_WITH_BODY = ("POST", "PUT", "PATCH")


def refusals_of(view: Any, method: str, described: Described) -> Refusals:
    """Each once, ordered by status and code. `view` is an API view, class or instance."""
    # Whatever the method: a body that is sent must be readable and within the limit.
    found: set[type[DomainError]] = {Malformed, TooLarge, *described.refuses}
    if method in _WITH_BODY or described.request is not None or described.query:
        found.add(InvalidRequest)
    if described.keyed:
        found |= {IdempotencyKeyRequired, IdempotencyMismatch}
    if method in view.limits:
        found.add(RateLimited)
    if takes_link(view):
        found |= {LinkInvalid, NotFound, *_of_roles(view, method)}
        if method not in _SAFE:
            found |= {OriginRefused, CsrfFailed}
    return tuple(sorted(found, key=lambda refusal: (refusal.status, refusal.code)))


def takes_link(view: Any) -> bool:
    """Whether the address is a workspace's, so that a link has to open it."""
    return bool(view.authentication_classes)


def need_of(view: Any, method: str) -> str:
    """`read`, `write` or `owner`; empty where no link is asked for."""
    if not takes_link(view):
        return ""
    return str(view.needs.get(method, "read" if method in _SAFE else "write"))


def _of_roles(view: Any, method: str) -> set[type[DomainError]]:
    match need_of(view, method):
        case "owner":
            return {OwnerOnly} if method in _SAFE else {OwnerOnly, ViewOnly}
        case "write":
            return {ViewOnly}
    return set()
