"""The audit row of each tool call: who, on behalf of which link, which tool, how it ended. No content.

The only writer of `ToolCall`. Source: contract section 8.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from functools import cache, lru_cache

from django.conf import settings

from workspaces import facade
from workspaces.facade import sql

from .base import Record, Scope, Tool
from .json_values import canonical

UNKNOWN_TOOL = "unknown"
_MAX_IDS = 200


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Runs from its making."""

    started: float

    @classmethod
    def start(cls) -> Stopwatch:
        return cls(time.perf_counter())

    @property
    def milliseconds(self) -> float:
        return round((time.perf_counter() - self.started) * 1000, 3)


def request_id(*, workspace: str, connector: str, thread: str, turn: str, call: str) -> str:
    """The derived request id of contract section 8: hex SHA-256 over the JSON array of the five."""
    return hashlib.sha256(canonical([workspace, connector, thread, turn, call])).hexdigest()


def record_call(
    *,
    scope: Scope | None,
    tool: Tool | None,
    arguments: bytes | None,
    outcome: str,
    record: Record,
    watch: Stopwatch,
) -> None:
    """One row, in the caller's transaction if there is one; none of an erased workspace. `scope` is None when nobody's
    turn is known.

    `arguments` are canonical JSON; those that are not bounded JSON (None) have no digest.
    """
    columns: dict[str, object] = {
        "id": facade.new_id("tcl"),
        "at": sql.moment(facade.now()),
        "workspace": scope.workspace if scope else "",
        "connector": scope.connector if scope else "",
        "thread": scope.thread if scope else "",
        "turn": scope.turn if scope else "",
        "link": scope.link if scope else "",
        "request": scope.request if scope else "",
        "tool": tool.name if tool else UNKNOWN_TOOL,
        "version": tool.version if tool else "",
        "argument_digest": "" if arguments is None else _keyed_digest(arguments),
        "documents": json.dumps(record.documents[:_MAX_IDS]),
        "roles": json.dumps(record.roles[:_MAX_IDS]),
        "counts": json.dumps(dict(record.counts)),
        "truncated": record.truncated,
        "outcome": outcome,
        "event": record.event or "",
        "duration_ms": watch.milliseconds,
    }
    of_workspace = [] if scope is None else [scope.workspace]
    sql.execute(_statement(tuple(columns), unless_erased=bool(of_workspace)), [*columns.values(), *of_workspace])


@cache
def _statement(columns: tuple[str, ...], *, unless_erased: bool) -> str:
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    if not unless_erased:
        return f"INSERT INTO assistant_toolcall ({names}) VALUES ({marks})"  # noqa: S608
    # One statement: a refusal is written outside a transaction, and an erasure may come at any moment.
    return (
        f"INSERT INTO assistant_toolcall ({names}) SELECT {marks} FROM workspaces_workspace w"  # noqa: S608
        f" WHERE w.id = %s AND w.erased_at IS NULL{sql.for_key_share('w')}"
    )


def _keyed_digest(arguments: bytes) -> str:
    # Keyed, because a short query could be guessed from a plain digest by whoever may read the audit.
    return hmac.digest(_key(settings.CAREERVECTOR_CAPABILITY_KEY), arguments, "sha256").hex()


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    """The key of this purpose, from the capability key."""
    return hashlib.sha256(b"assistant.tools.audit.v1" + secret.encode()).digest()
