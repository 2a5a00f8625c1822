"""SQL on Django's cursor, in the dialect that SQLite and PostgreSQL share, for the paths where the ORM costs most.

The ORM's overhead a statement is several times the database's own work here (measured). Everything runs inside the
caller's transaction. Whoever uses this writes only its own tables.

SQLite is a function call away, so that the way to the driver costs more than a statement: a transaction may look its
connection up once (`direct`). PostgreSQL is a conversation: there a transaction may begin together with its first
statements (`begin_with`), and writes whose answers nobody waits for go out as one statement (`gathered`), in the end
together with the COMMIT.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from psycopg.pq import TransactionStatus


class Overtaken(RuntimeError):
    """A row that a write counted on is not there any more as it was."""


_local = threading.local()


@cache
def _vendor() -> str:
    # A process has one database. Asking the connection each time goes through Django's proxies and its local storage.
    return connection.vendor


@lru_cache(maxsize=8)
def moment(value: datetime | None) -> Any:
    """A time as the database's own parameter."""
    if value is not None and not is_remote():
        return str(value.astimezone(UTC).replace(tzinfo=None))
    return value


@lru_cache(maxsize=256)
def _qmark(statement: str) -> str:
    return statement.replace("%s", "?").replace("%%", "%")


@lru_cache(maxsize=512)
def _numbered(statement: str) -> str:
    """PostgreSQL's own placeholders: the driver would look for its own ones in a long statement each time."""
    numbers = itertools.count(1)
    return re.sub(r"%[s%]", lambda found: f"${next(numbers)}" if found[0] == "%s" else "%", statement)


def _on_postgresql(raw: Any, statement: str, params: Sequence[Any] = ()) -> Any:
    return psycopg.RawCursor(raw).execute(_numbered(statement), params)


def _run(statement: str, params: Sequence[Any]) -> Any:
    """A cursor on the answer; whoever gets it reads it to its end."""
    if (straight := getattr(_local, "direct", None)) is not None:
        return straight.execute(_qmark(statement), params)
    database = connections[DEFAULT_DB_ALIAS]
    if (gathering := _gathering()) is not None:
        gathering.send()
    raw = database.connection
    if raw is None or database.queries_logged or database.vendor not in ("sqlite", "postgresql"):
        cursor = database.cursor()
        cursor.execute(statement, params)
        return cursor
    # Straight to the driver's connection: the wrappers of Django's cursor take longer than such a statement does.
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if database.vendor == "sqlite":
            return raw.execute(_qmark(statement), params)
        return _on_postgresql(raw, statement, params)


class direct:
    """Inside, on SQLite: this thread's statements go to the driver's connection, looked up once.

    Around one transaction's work, or a few reads. Nothing inside may catch a database's error and go on.
    """

    __slots__ = ("_errors",)

    def __enter__(self) -> None:
        self._errors: Any = None
        if is_remote() or getattr(_local, "direct", None) is not None:
            return
        database = connections[DEFAULT_DB_ALIAS]
        if database.queries_logged:
            return
        database.ensure_connection()
        database.validate_no_broken_transaction()
        self._errors = database.wrap_database_errors
        self._errors.__enter__()
        _local.direct = database.connection

    def __exit__(self, *error: object) -> None:
        if self._errors is not None:
            _local.direct = None
            self._errors.__exit__(*error)


def fetch_one(statement: str, params: Sequence[Any]) -> tuple[Any, ...] | None:
    rows = _run(statement, params).fetchall()
    return rows[0] if rows else None


def fetch_all(statement: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = _run(statement, params).fetchall()
    return rows


def execute(statement: str, params: Sequence[Any]) -> int:
    return int(_run(statement, params).rowcount)


# --- fewer conversations with PostgreSQL ------------------------------------------------------------------------------

_INSERT = "INSERT INTO"
_TARGET = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM) (\w+)")


@dataclass(slots=True)
class _Write:
    statement: str
    params: Sequence[Any]
    verb: str
    table: str
    row: object
    must: bool

    def minds(self, other: _Write) -> bool:
        """Whether the two may not be parts of one statement, where neither would see the other."""
        if self.table != other.table or self.verb == other.verb == _INSERT:
            return False
        return self.row is None or other.row is None or self.row == other.row


@dataclass(slots=True)
class _Gathering:
    """The writes of this thread's transaction that have not been sent yet."""

    database: Any
    writes: list[_Write] = field(default_factory=list)

    def add(self, write: _Write) -> None:
        if any(write.minds(other) for other in self.writes):
            self.send()
        self.writes.append(write)

    def send(self, *, commit: bool = False) -> None:
        writes, self.writes = self.writes, []
        if not writes and not commit:
            return
        self.database.validate_no_broken_transaction()
        raw = self.database.connection
        statement = _together(tuple((write.statement, write.must) for write in writes)) if writes else "SELECT 1"
        params = [param for write in writes for param in write.params]
        with self.database.wrap_database_errors:
            try:
                if not commit:
                    _on_postgresql(raw, statement, params)
                    return
                # One trip: when the first fails, the server leaves out the second.
                with raw.pipeline():
                    _on_postgresql(raw, statement, params)
                    _on_postgresql(raw, "COMMIT")
            except psycopg.errors.DivisionByZero as error:
                raise Overtaken("a row was changed by somebody else") from error


@lru_cache(maxsize=256)
def _together(writes: tuple[tuple[str, bool], ...]) -> str:
    """One statement that does them all. A write that must find its row and does not fails it, by a division by zero."""
    parts = [f"w{n} AS ({text}{' RETURNING 1' if must else ''})" for n, (text, must) in enumerate(writes)]
    checks = [f"1 / (SELECT count(*) FROM w{n})" for n, (_, must) in enumerate(writes) if must]  # noqa: S608
    return f"WITH {', '.join(parts)} SELECT {', '.join(checks) or '1'}"


def _gathering() -> _Gathering | None:
    return getattr(_local, "gathering", None)


@contextmanager
def gathered() -> Iterator[None]:
    """Inside, what is written with `write` may wait until something is read, or until the end. For one transaction."""
    database = connections[DEFAULT_DB_ALIAS] if _vendor() == "postgresql" else None
    if database is None or database.queries_logged or _gathering() is not None:
        yield
        return
    gathering = _local.gathering = _Gathering(database)
    try:
        yield
        gathering.send()
    finally:
        _local.gathering = None


def write(statement: str, params: Sequence[Any], *, row: object = None, must: bool = False) -> bool:
    """An INSERT, UPDATE or DELETE of which nobody needs the answer, but for `must`: it has to find exactly one row.

    False when it did not find it; inside `gathered` that raises Overtaken later instead. `row` names the only row of
    the table that it can touch, so that writes of other rows may travel with it.
    """
    if (straight := getattr(_local, "direct", None)) is not None:
        return int(straight.execute(_qmark(statement), params).rowcount) == 1
    gathering = _gathering()
    if gathering is None:
        return execute(statement, params) == 1
    found = _TARGET.match(statement)
    assert found is not None
    verb = "UPSERT" if " ON CONFLICT " in statement else found[1]
    gathering.add(_Write(statement, params, verb, found[2], row, must))
    return True


def begin_with(*statements: tuple[str, Sequence[Any]]) -> list[tuple[int, list[tuple[Any, ...]]]]:
    """The number of rows and the rows of each, run in order as the first statements of a transaction that Django has
    opened. On PostgreSQL they and the BEGIN are one trip; each sees what was committed before it began."""
    database = connections[DEFAULT_DB_ALIAS] if _vendor() == "postgresql" else None
    raw = None if database is None else database.connection
    if database is None or raw is None or database.queries_logged:
        answers = []
        for statement, params in statements:
            cursor = _run(statement, params)
            answers.append((int(cursor.rowcount), cursor.fetchall() if statement.startswith("SELECT") else []))
        return answers
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        begins = raw.pgconn.transaction_status == TransactionStatus.IDLE
        if begins:
            # The driver would wait for the answer to a BEGIN of its own.
            raw.autocommit = True
        with raw.pipeline():
            if begins:
                _on_postgresql(raw, "BEGIN ISOLATION LEVEL READ COMMITTED")
            cursors = [_on_postgresql(raw, statement, params) for statement, params in statements]
    # Asking a cursor whether it has rows costs more than the rows.
    return [
        (cursor.rowcount, cursor.fetchall() if statement.startswith("SELECT") else [])
        for cursor, (statement, _) in zip(cursors, statements, strict=True)
    ]


def commit_gathered() -> None:
    """Ends a transaction that did nothing but this module's work: what is gathered and the COMMIT are one trip.

    Django's own commit has nothing left to do then. Where something stands around the transaction (a test's), or the
    database is another, it is Django's to commit.
    """
    gathering = _gathering()
    if gathering is not None and gathering.database.connection.autocommit:
        gathering.send(commit=True)


def take_connection() -> None:
    """This thread's connection, from a pool where there is one: waits for it now rather than later."""
    if is_remote():
        connection.ensure_connection()


def is_remote() -> bool:
    """Whether each statement is a conversation with another process."""
    return _vendor() != "sqlite"


def for_update(table: str) -> str:
    """The clause that locks the rows of `table` (its alias, if it has one) until the transaction ends."""
    # SQLite's transactions are immediate: the whole database is the lock.
    return f" FOR UPDATE OF {table}" if is_remote() else ""


def for_key_share(table: str) -> str:
    """The clause that keeps the rows of `table` from whoever locks them `for_update`; several may hold it at once."""
    return f" FOR KEY SHARE OF {table}" if is_remote() else ""


def skip_locked() -> str:
    """The clause that locks the rows of a subselect and leaves out those that another transaction has locked."""
    return " FOR UPDATE SKIP LOCKED" if is_remote() else ""


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
