"""What is checked before anything is started. Each refusal is one line for a person and exit code 2."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class CannotStart(Exception):
    """The message is the line."""


def one_line(error: Exception) -> str:
    """The first line of a driver's message, which may have several."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def require_free_port(host: str, port: int) -> None:
    """Raise CannotStart when HOST:PORT cannot be listened on."""
    if not 1 <= port <= 65535:
        raise CannotStart(f"port {port} is not a port number that can be served on (1 to 65535)")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CannotStart(f"{host} is not an address of this machine: {error.strerror}") from error
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except OSError as error:
            raise CannotStart(f"cannot listen on {host} port {port}: {error.strerror}; try another --port") from error


def require_known_database() -> None:
    """Raise CannotStart when a newer version has changed the database, or it cannot be opened."""
    try:
        _reach()
        applied = MigrationRecorder(connections[DEFAULT_DB_ALIAS]).applied_migrations()
        known = MigrationLoader(None).disk_migrations
        ours = {config.label for config in apps.get_app_configs()}
        unknown = sorted(f"{app}.{name}" for app, name in applied if app in ours and (app, name) not in known)
    except DatabaseError as error:
        raise CannotStart(f"cannot open the database: {one_line(error)}") from error
    finally:
        connections.close_all()
    if unknown:
        raise CannotStart(
            f"the database was made by a newer version ({unknown[-1]} is not known here); "
            "update CareerVector or use another --data folder"
        )


def _reach() -> None:
    """One try, outside the pool, which would try again and again and log each time. Raises DatabaseError."""
    probe = connections[DEFAULT_DB_ALIAS].copy()
    probe.settings_dict["OPTIONS"] = {n: v for n, v in probe.settings_dict["OPTIONS"].items() if n != "pool"}
    try:
        probe.ensure_connection()
    finally:
        probe.close()


def lock(path: Path) -> int:
    """Take the data folder for this process until it ends; returns the descriptor that holds the lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise CannotStart(f"CareerVector is already running on the data folder {path.parent.parent}") from error
    return descriptor
