"""The audit row of each tool call: who, on behalf of which link, which tool, how it ended. No content.

The only writer of `ToolCall`. Source: contract section 8.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass

from django.conf import settings
from django.utils.crypto import salted_hmac

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
    arguments: object,
    outcome: str,
    record: Record,
    watch: Stopwatch,
) -> None:
    """One row, in the caller's transaction if there is one; none of an erased workspace. `scope` is None when nobody's
    turn is known.

    `arguments` that are not bounded JSON (None) have no digest.
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
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    given = list(columns.values())
    if scope is None:
        sql.execute(f"INSERT INTO assistant_toolcall ({names}) VALUES ({marks})", given)  # noqa: S608
        return
    # One statement: a refusal is written outside a transaction, and an erasure may come at any moment.
    sql.execute(
        f"INSERT INTO assistant_toolcall ({names}) SELECT {marks} FROM workspaces_workspace w"  # noqa: S608
        f" WHERE w.id = %s AND w.erased_at IS NULL{sql.for_key_share('w')}",
        [*given, scope.workspace],
    )


def _keyed_digest(arguments: object) -> str:
    # Keyed, because a short query could be guessed from a plain digest by whoever may read the audit.
    key = settings.CAREERVECTOR_CAPABILITY_KEY
    return salted_hmac("assistant.tools.audit.v1", canonical(arguments), secret=key, algorithm="sha256").hexdigest()
