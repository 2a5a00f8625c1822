"""Reads the settings of contract section 12 from the environment and gives them as plain values.

Stands below the settings modules, which give the values their meaning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

MIN_KEY_CHARACTERS = 32


def is_testing() -> bool:
    """Whether CAREERVECTOR_TESTING opens the switches that only tests and trials may use."""
    return os.environ.get("CAREERVECTOR_TESTING") == "1"


def read(name: str, default: str = "") -> str:
    """One variable, trimmed; a blank one counts as not given."""
    return os.environ.get(name, "").strip() or default


def given(name: str, otherwise: Callable[[], str]) -> str:
    """One variable as it was given, trimmed; one that is set but blank stays blank (switched off on purpose)."""
    value = os.environ.get(name)
    return otherwise() if value is None else value.strip()


def read_list(name: str, default: str = "") -> list[str]:
    """A list separated by commas or blanks, in its order."""
    return [part for part in re.split(r"[,\s]+", read(name, default)) if part]


def require(name: str) -> str:
    value = read(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set")
    return value


def require_key(name: str) -> str:
    """A secret key that somebody really made: long enough, and not an example."""
    value = require(name)
    if len(value) < MIN_KEY_CHARACTERS or len(set(value)) < 8 or re.search(r"insecure|change.?me|example", value, re.I):
        raise ImproperlyConfigured(
            f"{name} is a default or too short: use {MIN_KEY_CHARACTERS} random characters or more"
        )
    return value


def origin(url: str) -> str:
    """`scheme://host[:port]` of a public URL, without a default port, path, query or user."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ImproperlyConfigured("CAREERVECTOR_PUBLIC_URL must be an http or https URL with a host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default_port = 443 if parts.scheme == "https" else 80
    port = "" if parts.port in {None, default_port} else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def broker_url(valkey_url: str) -> str:
    """Celery's spelling of a Valkey URL. Unix sockets have a scheme of their own there; none means in memory."""
    if valkey_url.startswith("unix://"):
        return "redis+socket://" + valkey_url.removeprefix("unix://")
    for scheme in ("valkey://", "valkeys://"):
        if valkey_url.startswith(scheme):
            return valkey_url.replace("valkey", "redis", 1)
    return valkey_url or "memory://"


def database(url: str, *, synchronous: str = "FULL", pooled: bool = True) -> Mapping[str, object]:
    """Django's entry for a DATABASE_URL, with the options that the commit path counts on.

    PostgreSQL: READ COMMITTED whatever the server's default is, since a commit that waited for the workspace's row must
    see what the one before it wrote. A pool, unless not `pooled`: a request runs on its own thread and would connect
    anew each time; its connections are looked at before use, so that a restarted server costs no request.
    SQLite:
    IMMEDIATE: a deferred transaction that turns into a writer fails at once under concurrency instead of waiting.
    FULL: an acknowledged commit survives a power cut.
    secure_delete OFF, also where SQLite was built with it ON: it made commits 13 % slower and still left traces where
    pages were rebalanced; an erasure rewrites the file instead.
    """
    import dj_database_url

    # Not kept: each request runs on a thread of its own under ASGI, and a kept connection would be lost with it.
    entry: dict[str, object] = dict(dj_database_url.parse(url, conn_max_age=0))
    if entry["ENGINE"] == "django.db.backends.postgresql":
        import psycopg

        given = entry.get("OPTIONS")
        options: dict[str, object] = {
            "connect_timeout": 5,
            "application_name": "careervector",
            "prepare_threshold": 2,
            **(given if isinstance(given, dict) else {}),
            "isolation_level": psycopg.IsolationLevel.READ_COMMITTED,
        }
        if pooled:
            maximum = int(read("CAREERVECTOR_DATABASE_CONNECTIONS", "20"))
            options["pool"] = {"min_size": 1, "max_size": maximum, "timeout": 10, "max_idle": 300}
            entry["CONN_HEALTH_CHECKS"] = True
        entry["OPTIONS"] = options
    if entry["ENGINE"] == "django.db.backends.sqlite3":
        entry["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": (
                f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}; PRAGMA foreign_keys=ON;"
                " PRAGMA secure_delete=OFF;"
            ),
        }
    return entry
