"""Heads of audit chains in a file that can be kept elsewhere and held against the database later.

Above: the facade. The file is JSON, signed with the audit key: `{"kind", "version", "at", "heads": [{"workspace",
"seq", "mac"}], "hmac"}`. Whoever can change the database alone can change neither it nor the chain below it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from typing import Any

from workspaces.clock import now, rfc3339
from workspaces.commits import chain, json_text

from .audit import Head

KIND = "careervector.audit-heads"


class HeadFileUnusable(Exception):
    """The file is no head file, or nobody with the audit key wrote it. The message is one line for a person."""


def write_heads(*, heads: Iterable[Head]) -> str:
    """The signed text of a head file."""
    body: dict[str, Any] = {
        "kind": KIND,
        "version": 1,
        "at": rfc3339(now()),
        "heads": [{"workspace": head.workspace, "seq": head.seq, "mac": head.mac} for head in heads],
    }
    return json_text.encode({**body, "hmac": _signature(body, chain.keys()[0])}) + "\n"


def read_heads(*, text: str) -> dict[str, Head]:
    """The heads by workspace. Raises HeadFileUnusable."""
    try:
        found = json_text.decode(text)
        body = {name: value for name, value in found.items() if name != "hmac"}
        signature = str(found["hmac"])
        if found["kind"] != KIND or found["version"] != 1:
            raise HeadFileUnusable("this is no head file that this version can read")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise HeadFileUnusable("this is no head file") from None
    if not any(hmac.compare_digest(_signature(body, key).encode(), signature.encode()) for key in chain.keys()):
        raise HeadFileUnusable("the head file was changed, or was signed with another audit key")
    return {entry["workspace"]: Head(entry["workspace"], entry["seq"], entry["mac"]) for entry in found["heads"]}


def _signature(body: Mapping[str, Any], key: bytes) -> str:
    # The name in front keeps these apart from the links, which are made with the same key.
    return hmac.digest(key, f"{KIND}\n{json_text.encode(body)}".encode(), "sha256").hex()
