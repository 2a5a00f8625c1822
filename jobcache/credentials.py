"""The three bearers of JobCache and their rules (contract section 10).

Above: http.gate. Below: settings. Pure: no request, no database.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from itertools import combinations

MINIMUM_LENGTH = 24
CONTROL = "JOBCACHE_CONTROL_TOKEN"
LIFECYCLE = "JOBCACHE_CORPUS_LIFECYCLE_TOKEN"
WORKER = "JOBCACHE_CORPUS_WORKER_TOKEN"
NAMES = (CONTROL, LIFECYCLE, WORKER)


def find_fault(tokens: Mapping[str, str], *, needed: str) -> str | None:
    """What is wrong with the configured set, in a sentence without any token, or None.

    Blank means not configured; a route whose own credential is not configured cannot authorise anybody.
    """
    configured = {name: tokens[name].strip() for name in NAMES if tokens.get(name, "").strip()}
    for name, token in configured.items():
        if len(token) < MINIMUM_LENGTH:
            return f"{name} has fewer than {MINIMUM_LENGTH} characters."
    for (first, one), (second, other) in combinations(configured.items(), 2):
        if one == other:
            return f"{first} and {second} must differ."
    if needed not in configured:
        return f"{needed} is not set."
    return None


def opens(header: str | None, *, token: str) -> bool:
    """Whether an Authorization header carries `token`; compared in constant time.

    `header` is the latin-1 view of the bytes that came, as WSGI and ASGI hand them over.
    """
    scheme, _, presented = (header or "").strip().partition(" ")
    expected = token.strip().encode("utf-8")
    given = presented.strip().encode("latin-1", "replace")
    return hmac.compare_digest(given, expected) and scheme.lower() == "bearer"
