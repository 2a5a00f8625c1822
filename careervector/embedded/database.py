"""Brings the database of this machine up to date for a single command, as `up` does before it starts anything.

A database that others run (DATABASE_URL) is not changed unasked. Above: `manage.py`. Below: preflight and migrations.
"""

from __future__ import annotations

import fcntl
import os

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from .preflight import CannotStart, one_line, require_known_database


def prepare_database() -> None:
    """Raises CannotStart for a newer database, one that cannot be opened, and a shared one that lacks migrations."""
    django.setup()
    require_known_database()
    if not _is_behind():
        return
    if connections[DEFAULT_DB_ALIAS].vendor != "sqlite":
        raise CannotStart("the database lacks migrations; run `manage.py migrate` first")
    # Two commands may meet on an empty folder: the second waits and finds the work done.
    descriptor = os.open(settings.DATA_DIR / "migrate.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        os.close(descriptor)


def _is_behind() -> bool:
    connection = connections[DEFAULT_DB_ALIAS]
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError as error:
        raise CannotStart(f"cannot open the database: {one_line(error)}") from error
    finally:
        connection.close()
