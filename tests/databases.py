"""The run's database beside a test: what another process calls it, and the connections that other threads leave open.

The product's threads close theirs; a test's own threads (an event loop's executor, writers side by side) just end.
SQLite does not mind; PostgreSQL keeps a process for each, and will not drop a database that somebody is connected to.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection as default_connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

# Held, so that no connection is collected while it is open.
_opened: list[BaseDatabaseWrapper] = []


def _note(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "postgresql" and threading.current_thread() is not threading.main_thread():
        _opened.append(connection)


connection_created.connect(_note, dispatch_uid="tests.databases")


def name_for_other_processes() -> str:
    """What CAREERVECTOR_TEST_DB must say for another process to meet this test in its database."""
    known = default_connection.settings_dict
    if default_connection.vendor == "sqlite":
        return str(known["NAME"])
    user, password, host, name = (
        quote(str(known[part] or ""), safe="") for part in ("USER", "PASSWORD", "HOST", "NAME")
    )
    port = f":{known['PORT']}" if known["PORT"] else ""
    return f"postgresql://{user}{':' + password if password else ''}@{host}{port}/{name}"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """pytest-django's, but that at the end nobody else is connected, or PostgreSQL would not drop the database."""
    yield
    if default_connection.vendor == "postgresql":
        with django_db_blocker.unblock(), default_connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True)
def _no_connection_outlives_its_test() -> Iterator[None]:
    yield
    while _opened:
        connection = _opened.pop()
        connection.inc_thread_sharing()
        try:
            connection.close()
        finally:
            connection.dec_thread_sharing()
