"""The answers of a running turn: kept for repeated deliveries and for the grounding check, gone when the turn ends.

The only writer of `TurnToolResult`. Above: `boundary`, `writing`, and `assistant.threads.ending`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.models import TurnToolResult
from workspaces.errors import IdempotencyMismatch
from workspaces.facade import sql

from .json_values import canonical


@dataclass(frozen=True, slots=True)
class TurnResults:
    """What an answer may rest on: the results so far, and the arguments of the calls that were accepted."""

    results: tuple[dict[str, Any], ...]
    arguments: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A call that was delivered before. `answer` is None while its first delivery is at work."""

    answer: dict[str, Any] | None


def digest_of(tool: str, arguments: Any) -> str:
    """What two deliveries of the same call have in common: hex SHA-256 over tool and arguments."""
    return hashlib.sha256(canonical([tool, arguments])).hexdigest()


def find(*, turn: str, call: str, digest: str) -> Kept | None:
    """The earlier delivery of this call. Raises IdempotencyMismatch when it had another tool or other arguments.

    A refused call has freed its id: with other arguments it counts as new.
    """
    row = sql.fetch_one(
        "SELECT digest, result, refused FROM assistant_turntoolresult WHERE turn = %s AND call = %s", [turn, call]
    )
    if row is None:
        return None
    earlier, result, refused = row
    if earlier != digest:
        if refused:
            return None
        raise IdempotencyMismatch("This call id was used in this turn for another call.")
    return Kept(answer=None if result is None else json.loads(result))


def claim(*, turn: str, call: str, tool: str, digest: str, arguments: Mapping[str, Any]) -> None:
    """Notes that a call is at work, before its answer is there."""
    _put(turn, call, tool, digest, arguments, result=None, refused=False)


def keep(
    *, turn: str, call: str, tool: str, digest: str, arguments: Mapping[str, Any], answer: Mapping[str, Any]
) -> None:
    """Keeps the answer, in the caller's transaction."""
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    _put(turn, call, tool, digest, arguments, result=text, refused=answer["status"] == "refused")


def free(*, turn: str, call: str) -> None:
    """Forgets one call, so that the same id may be tried again."""
    TurnToolResult.objects.filter(turn=turn, call=call).delete()


def turn_results(turn: str) -> TurnResults:
    """Everything that the turn's answers held so far, oldest first."""
    kept = list(TurnToolResult.objects.filter(turn=turn, result__isnull=False).order_by("id"))
    return TurnResults(
        results=tuple(json.loads(row.result or "{}") for row in kept),
        arguments=tuple(json.loads(row.arguments) for row in kept if not row.refused),
    )


def forget_results(turn: str) -> None:
    """Deletes what was kept for a turn: called in the transaction that ends it."""
    TurnToolResult.objects.filter(turn=turn).delete()


def _put(
    turn: str, call: str, tool: str, digest: str, arguments: Mapping[str, Any], *, result: str | None, refused: bool
) -> None:
    # One statement, whether the call was announced before or not.
    sql.execute(
        "INSERT INTO assistant_turntoolresult (turn, call, tool, digest, arguments, result, refused)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (turn, call) DO UPDATE SET tool = excluded.tool,"
        " digest = excluded.digest, arguments = excluded.arguments, result = excluded.result,"
        " refused = excluded.refused",
        [turn, call, tool, digest, canonical(arguments).decode(), result, refused],
    )
