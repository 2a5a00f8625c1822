"""What the measurements share: the product set up on an empty database, and commits with the next clock."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from workspaces import facade  # noqa: E402
from workspaces.contracts import Actor, NewWorkspace, RequestIdentity  # noqa: E402


def say(line: str) -> None:
    print(f"    {line}", file=sys.stderr, flush=True)


def migrate() -> None:
    call_command("migrate", interactive=False, verbosity=0)


class Writer:
    """Commits to one document of one workspace as its owner link would, keeping its clock."""

    def __init__(self, made: NewWorkspace, document: str, clock: int) -> None:
        self.workspace = made.workspace
        self.document = document
        self.clock = clock
        self._link = made.link.id
        self._count = 0

    def request(self) -> tuple[Actor, RequestIdentity]:
        self._count += 1
        identity = RequestIdentity(
            scope=f"link:{self._link}",
            key=f"{self.document}-{self._count}",
            route="operations",
            target=self.workspace,
            link=self._link,
        )
        return Actor(actor_class="human", actor=f"link:{self._link}"), identity

    def commit(self, *operations: dict[str, Any], reason: str = "measure") -> dict[str, Any]:
        actor, identity = self.request()
        body = {
            "reason": reason,
            "expected_clocks": {self.document: self.clock},
            "operations": [{"document": self.document, **operation} for operation in operations],
        }
        answer = facade.commit(workspace=self.workspace, body=body, actor=actor, request=identity).as_json()
        self.clock = next(iter(answer["clocks"]["after"].values()), self.clock)
        return answer

    def set_field(self, field: str, value: Any) -> dict[str, Any]:
        return self.commit({"kind": "field.set", "field": field, "value": value})


def new_application(made: NewWorkspace, *, notes: str = "", name: str = "measured") -> Writer:
    """A writer for a fresh application with these notes; another `name` for another one of the same workspace."""
    writer = Writer(made, f"new:{name}", 0)
    answer = writer.commit(
        {
            "kind": "document.create",
            "document_kind": "application",
            "fields": [{"field": "title", "value": "Engineer"}, {"field": "company", "value": "Acme"}],
            "texts": [{"text": "notes", "content": notes}] if notes else [],
        }
    )
    document = answer["documents"][f"new:{name}"]
    return Writer(made, document, answer["clocks"]["after"][document])


def median_us(work: Callable[[int], object], times: int) -> float:
    """The median time of one call, in microseconds."""
    taken = []
    for index in range(times):
        started = time.perf_counter()
        work(index)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e6
