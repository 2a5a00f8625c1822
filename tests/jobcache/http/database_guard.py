"""Run in a process of its own by test_database_guard: asks with every credential fault while the database is guarded.

Prints one JSON object: how often the database was reached for while credentials were refused, and, to show that the
guard works, for a sound request.
"""

from __future__ import annotations

import json
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "jobcache.settings"

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db.backends.base.base import BaseDatabaseWrapper  # noqa: E402
from django.test import Client  # noqa: E402

reached = 0


def _count(self: BaseDatabaseWrapper) -> None:
    global reached
    reached += 1
    raise RuntimeError("the database was reached for")


BaseDatabaseWrapper.ensure_connection = _count  # type: ignore[method-assign]
BaseDatabaseWrapper.connect = _count  # type: ignore[method-assign]

GOOD = {"CONTROL": "c" * 24, "CORPUS_LIFECYCLE": "l" * 24, "CORPUS_WORKER": "w" * 24}


def ask(header: str | None, **changes: str) -> int:
    for name, token in (GOOD | changes).items():
        setattr(settings, f"JOBCACHE_{name}_TOKEN", token)
    headers = {} if header is None else {"Authorization": header}
    answer = Client().post(
        "/api/corpus/search", b'{"query":"python"}', content_type="application/json", headers=headers
    )
    return answer.status_code


statuses = [
    ask("Bearer " + "c" * 24, CONTROL=""),
    ask("Bearer " + "c" * 23, CONTROL="c" * 23),
    ask("Bearer " + "c" * 24, CORPUS_WORKER="short"),
    ask("Bearer " + "c" * 24, CORPUS_LIFECYCLE="c" * 24),
    ask(None, CORPUS_WORKER="l" * 24),
    ask(None),
    ask("Bearer " + "l" * 24),
]
refused = reached
statuses.append(ask("Bearer " + "c" * 24))
print(json.dumps({"statuses": statuses, "reached_while_refused": refused, "reached_when_sound": reached - refused}))
