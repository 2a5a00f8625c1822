"""Getting the database ready, and saying in one line why it cannot be. Above: the commands."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


class NotReady(Exception):
    """The database cannot be used; the message is one line for the operator."""


def _database_file() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))


def make_folder() -> None:
    """Make the data folder, for its owner alone; raises NotReady."""
    folder = Path(settings.DATA_DIR)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NotReady(f"the folder {folder} cannot be made: {error.strerror}") from error


def prepare_database() -> None:
    """Make the folder and bring the tables up to date; raises NotReady."""
    make_folder()
    check_not_newer()
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except (DatabaseError, OSError) as error:
        raise NotReady(f"the database in {settings.DATA_DIR} cannot be written") from error


def check_prepared() -> None:
    """Raise NotReady unless the tables are there and up to date."""
    if not _database_file().exists():
        raise NotReady("there is no database yet: run `python -m jobcache migrate`, or serve with --prepare")
    check_not_newer()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReady(
            "the database is older than this program: run `python -m jobcache migrate`, or serve with --prepare"
        )


def check_not_newer() -> None:
    """Raise NotReady when the database was written by a newer program, or is no database at all."""
    if not _database_file().exists():
        return
    try:
        loader = MigrationExecutor(connection).loader
    except DatabaseError as error:
        raise NotReady("the database file cannot be read") from error
    known = loader.disk_migrations or {}
    unknown = [name for name in loader.applied_migrations or {} if name[0] == "jobcache" and name not in known]
    if unknown:
        raise NotReady("the database was written by a newer version of JobCache")
