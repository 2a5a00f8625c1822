"""The rows of tool calls as plain SQL: a write by a tool should cost little more than the commit inside it.

Above: `results` and `audit`, which give the rows their meaning. Tables: `assistant.models.tool_call`. The statements
are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import connection

_CALL_COLUMNS: Final = (
    "id", "at", "workspace", "connector", "thread", "turn", "link", "request", "tool", "version", "argument_digest",
    "documents", "roles", "counts", "truncated", "outcome", "event", "duration_ms",
)  # fmt: skip
# Put together from the names above, never from anything that came in.
_INSERT_CALL: Final = (
    f"INSERT INTO assistant_toolcall ({', '.join(_CALL_COLUMNS)})"  # noqa: S608
    f" VALUES ({', '.join(['%s'] * len(_CALL_COLUMNS))})"
)
_COUNT_CALLS: Final = "SELECT COUNT(*) FROM assistant_toolcall WHERE turn = %s"
_FIND_RESULT: Final = "SELECT digest, result, refused FROM assistant_turntoolresult WHERE turn = %s AND call = %s"
_PUT_RESULT: Final = (
    "INSERT INTO assistant_turntoolresult (turn, call, tool, digest, arguments, result, refused)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s)"
    " ON CONFLICT (turn, call) DO UPDATE SET tool = excluded.tool, digest = excluded.digest,"
    " arguments = excluded.arguments, result = excluded.result, refused = excluded.refused"
)


def insert_call(values: Mapping[str, Any]) -> None:
    """One audit row; `values` by column name, all of them."""
    row = {**values, "at": connection.ops.adapt_datetimefield_value(values["at"])}
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_CALL, [row[column] for column in _CALL_COLUMNS])


def count_calls(turn: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_CALLS, [turn])
        return int(cursor.fetchone()[0])


def find_result(turn: str, call: str) -> tuple[str, str | None, bool] | None:
    """(digest, result, refused) of a call of this turn."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND_RESULT, [turn, call])
        row = cursor.fetchone()
    return None if row is None else (row[0], row[1], bool(row[2]))


def put_result(
    *, turn: str, call: str, tool: str, digest: str, arguments: str, result: str | None, refused: bool
) -> None:
    """The row of a call, made or replaced."""
    with connection.cursor() as cursor:
        cursor.execute(_PUT_RESULT, [turn, call, tool, digest, arguments, result, refused])
