"""SQL on Django's cursor, in the dialect that SQLite and PostgreSQL share, for the paths where the ORM costs most.

The ORM's overhead a statement is several times the database's own work here (measured). Everything runs inside the
caller's transaction. Whoever uses this writes only its own tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction


@lru_cache(maxsize=8)
def moment(value: datetime | None) -> Any:
    """A time as the database's own parameter."""
    return None if value is None else connection.ops.adapt_datetimefield_value(value)


@lru_cache(maxsize=256)
def _qmark(statement: str) -> str:
    return statement.replace("%s", "?").replace("%%", "%")


def _run(statement: str, params: Sequence[Any]) -> Any:
    """A cursor on the answer; whoever gets it reads it to its end."""
    database = connections[DEFAULT_DB_ALIAS]
    raw = database.connection
    if raw is None or database.vendor != "sqlite" or database.queries_logged:
        cursor = database.cursor()
        cursor.execute(statement, params)
        return cursor
    # Straight to SQLite's connection: the wrappers of Django's cursor take longer than such a statement does.
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        return raw.execute(_qmark(statement), params)


def fetch_one(statement: str, params: Sequence[Any]) -> tuple[Any, ...] | None:
    rows = _run(statement, params).fetchall()
    return rows[0] if rows else None


def fetch_all(statement: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = _run(statement, params).fetchall()
    return rows


def execute(statement: str, params: Sequence[Any]) -> int:
    return int(_run(statement, params).rowcount)


def for_update(table: str) -> str:
    """The clause that locks the rows of `table` (its alias, if it has one) until the transaction ends."""
    # SQLite's transactions are immediate: the whole database is the lock.
    return f" FOR UPDATE OF {table}" if connection.features.has_select_for_update else ""


def for_key_share(table: str) -> str:
    """The clause that keeps the rows of `table` from whoever locks them `for_update`; several may hold it at once."""
    return f" FOR KEY SHARE OF {table}" if connection.features.has_select_for_update else ""


def skip_locked() -> str:
    """The clause that locks the rows of a subselect and leaves out those that another transaction has locked."""
    return " FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything read inside is of one moment, and no writer waits for it. Read only; nothing is retried."""
    if connection.in_atomic_block:
        yield
    elif connection.features.has_select_for_update:
        with transaction.atomic():
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", [])
            yield
    else:
        # Django's own transactions are immediate here: they would hold up every writer.
        connection.ensure_connection()
        execute("BEGIN DEFERRED", [])
        try:
            yield
        finally:
            execute("ROLLBACK", [])


def as_time(value: Any) -> datetime:
    """A time column as an aware time: SQLite gives text."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
