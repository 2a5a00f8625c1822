"""The answers of a running turn: kept for repeated deliveries and for the grounding check, gone when the turn ends.

The only writer of `TurnToolResult`. Above: `boundary`, `writing`, and `assistant.threads.ending`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.models import TurnToolResult
from workspaces.errors import IdempotencyMismatch
from workspaces.facade import sql

from .json_values import compact


@dataclass(frozen=True, slots=True)
class TurnResults:
    """What an answer may rest on: the results so far, and the arguments of the calls that were accepted."""

    results: tuple[dict[str, Any], ...]
    arguments: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A call that was delivered before. `answer` is None while its first delivery is at work."""

    answer: dict[str, Any] | None


def digest_of(tool: str, arguments: bytes) -> str:
    """What two deliveries of the same call have in common: hex SHA-256 over tool and arguments (canonical JSON)."""
    return hashlib.sha256(b'["%s",%s]' % (tool.encode(), arguments)).hexdigest()


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


def claim(*, turn: str, call: str, tool: str, digest: str, arguments: bytes) -> None:
    """Notes that a call is at work, before its answer is there. `arguments` are canonical JSON."""
    _put(turn, call, tool, digest, arguments, result=None, refused=False)


def keep(*, turn: str, call: str, tool: str, digest: str, arguments: bytes, answer: Mapping[str, Any]) -> None:
    """Keeps the answer, in the caller's transaction. `arguments` are canonical JSON."""
    _put(turn, call, tool, digest, arguments, result=compact(answer), refused=answer["status"] == "refused")


def free(*, turn: str, call: str) -> None:
    """Forgets one call, so that the same id may be tried again."""
    TurnToolResult.objects.filter(turn=turn, call=call).delete()


def turn_results(turn: str) -> TurnResults:
    """Everything that the turn's answers held so far, oldest first; of refusals, what they did not merely repeat."""
    kept = [
        (json.loads(row.result or "{}"), json.loads(row.arguments), row.refused)
        for row in TurnToolResult.objects.filter(turn=turn, result__isnull=False).order_by("id")
    ]
    return TurnResults(
        results=tuple(_without_echo(result, given) if refused else result for result, given, refused in kept),
        arguments=tuple(given for _, given, refused in kept if not refused),
    )


def forget_results(turn: str) -> None:
    """Deletes what was kept for a turn: called in the transaction that ends it."""
    TurnToolResult.objects.filter(turn=turn).delete()


def list_kept_turns(*, limit: int) -> list[str]:
    """Turns for which something is kept."""
    return list(TurnToolResult.objects.order_by().values_list("turn", flat=True).distinct()[:limit])


def _without_echo(refusal: dict[str, Any], arguments: Any) -> dict[str, Any]:
    """A refusal names what the call asked for, also when there is no such thing: an answer must not rest on that.

    The fresh projection that comes with a stale clock is read from the workspace and stays whole.
    """
    asked = frozenset(_strings(arguments))
    details = {name: value if name == "fresh" else _prune(value, asked) for name, value in refusal["details"].items()}
    return {**refusal, "details": {name: value for name, value in details.items() if value is not None}}


def _strings(value: Any) -> Iterator[str]:
    """Every key and string of a JSON value, which `check_arguments` has bounded in depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _prune(value: Any, asked: frozenset[str]) -> Any:
    """`value` without the strings and keys in `asked`; None stands for what is gone."""
    if isinstance(value, str):
        return None if value in asked else value
    if isinstance(value, dict):
        return {name: _prune(inner, asked) for name, inner in value.items() if name not in asked}
    if isinstance(value, list):
        return [kept for kept in (_prune(inner, asked) for inner in value) if kept is not None]
    return value


def _put(turn: str, call: str, tool: str, digest: str, arguments: bytes, *, result: str | None, refused: bool) -> None:
    # One statement, whether the call was announced before or not.
    sql.execute(
        "INSERT INTO assistant_turntoolresult (turn, call, tool, digest, arguments, result, refused)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (turn, call) DO UPDATE SET tool = excluded.tool,"
        " digest = excluded.digest, arguments = excluded.arguments, result = excluded.result,"
        " refused = excluded.refused",
        [turn, call, tool, digest, arguments.decode(), result, refused],
    )
