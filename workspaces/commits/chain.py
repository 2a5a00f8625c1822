"""The audit chain: each event carries an HMAC over itself and the one before, under a key kept outside the database.

The reason, actor and time enter only as a digest under the workspace's own key: once that key is destroyed the chain
can still be checked, and tells nothing. A chain begins with its workspace's id, so that no link fits into another one.
`workspaces.upkeep.audit` walks it. Source: contract section 7.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from . import json_text


def _key() -> bytes:
    key = settings.CAREERVECTOR_AUDIT_KEY
    return key if isinstance(key, bytes) else str(key).encode()


def keys() -> list[bytes]:
    """The key that links are made with, then older ones that links may have been made with."""
    return [_key(), *(key.encode() for key in settings.CAREERVECTOR_AUDIT_KEY_FALLBACKS)]


def digest_of(digest_key: str, rest: Sequence[Any]) -> str:
    """The hex digest of what the chain holds without showing it: time, actor class, actor, reason, origin, receipt and
    the events undone."""
    return hmac.digest(digest_key.encode(), json_text.encode(list(rest)).encode(), "sha256").hex()


def link_mac(
    *,
    previous: str,
    event: str,
    seq: int,
    kinds: Sequence[str],
    paths: Sequence[str],
    clocks: Mapping[str, Any],
    digest: str,
    key: bytes | None = None,
) -> str:
    """The hex HMAC-SHA-256 of one link, made with the current key. `digest` stands for the rest (`digest_of`);
    `previous` is the MAC before, for the first link the workspace's id."""
    body = json_text.encode([previous, event, seq, list(kinds), list(paths), clocks, digest])
    return hmac.digest(key or _key(), body.encode(), "sha256").hex()
