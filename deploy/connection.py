"""Prints DATABASE_URL as the variables that PostgreSQL's own programs read, quoted for a shell."""

from __future__ import annotations

import os
import shlex

import dj_database_url

NAMES = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "NAME": "PGDATABASE"}
OPTIONS = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY"}

found = dj_database_url.parse(os.environ["DATABASE_URL"])
options = found.get("OPTIONS") or {}
given = {variable: found.get(name) for name, variable in NAMES.items()}
given |= {variable: options.get(name) for name, variable in OPTIONS.items()}
for variable, value in given.items():
    if value:
        print(f"export {variable}={shlex.quote(str(value))}")
