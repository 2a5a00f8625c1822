"""Commits per second on PostgreSQL, against the ORM's select_for_update loop: 1 writer, 8 on 8 workspaces, 8 on one.

Both keep an acknowledged commit (fsync and synchronous_commit on) and run in alternating rounds, in the same processes,
one a writer, on one throw-away server. The loop keeps what a commit must keep: an idempotency row, the locked row with
its clock, the update and an event; the workspace's row is what the writers of one workspace wait for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

from tests.postgresql import throwaway

WRITERS = 8


def work() -> None:
    """One writer's process: orders come in on standard input as JSON lines, and each is answered by its times."""
    from django.db import transaction

    from bench.commits import PlainDocument, PlainEvent, PlainRequest, PlainUpdate
    from bench.product import Writer, facade, new_application

    def orm_loop(document: int, key: str) -> None:
        with transaction.atomic():
            row = PlainDocument.objects.select_for_update().get(pk=document)
            if PlainRequest.objects.filter(key=key).exists():
                return
            row.clock += 1
            row.save()
            PlainUpdate.objects.create(document=row, clock=row.clock, data=os.urandom(60))
            PlainEvent.objects.create(document=row, kind="field.set", at=facade.now())
            PlainRequest.objects.create(key=key, answer=json.dumps({"clock": row.clock}))

    writers: dict[str, Writer] = {}
    plain: dict[str, int] = {}
    made = facade.create_workspace()
    for place in ("own", "shared"):
        plain[place] = PlainDocument.objects.create(clock=1, state=os.urandom(10_000)).pk
        writers[place] = new_application(made, notes="word " * 2000, name=place)
    _answer({"made": [made.workspace, made.link.id], "plain": plain["shared"]})
    for line in sys.stdin:
        order = json.loads(line)
        if "join" in order:
            # Another writer's workspace, with a document of one's own in it.
            from types import SimpleNamespace

            workspace, link = order["join"]
            joined: Any = SimpleNamespace(workspace=workspace, link=SimpleNamespace(id=link))
            writers["shared"] = new_application(joined, notes="word " * 2000, name=f"w{os.getpid()}")
            plain["shared"] = order["plain"]
            _answer({})
            continue
        place, times, turn = order["place"], order["times"], order["turn"]
        started = time.monotonic()
        for index in range(times):
            if order["kind"] == "orm":
                orm_loop(plain[place], f"{os.getpid()}-{turn}-{index}")
            else:
                writers[place].set_field("next_step", f"call {turn} {index}")
        _answer({"from": started, "to": time.monotonic()})


def _answer(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


class Crew:
    """The writers' processes."""

    def __init__(self, env: dict[str, str]) -> None:
        argv = [sys.executable, "-m", "bench.commits_postgresql", "--work"]
        self._processes = [
            subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(WRITERS)
        ]
        made = [self._read(process) for process in self._processes]
        first = {"join": made[0]["made"], "plain": made[0]["plain"]}
        self._order(first, self._processes[1:])
        self._turn = 0

    def rate(self, kind: str, place: str, writers: int, times: int) -> float:
        """Writes per second of so many writers together."""
        self._turn += 1
        order = {"kind": kind, "place": place, "times": times, "turn": self._turn}
        answers = self._order(order, self._processes[:writers])
        return writers * times / (max(a["to"] for a in answers) - min(a["from"] for a in answers))

    def end(self) -> None:
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(timeout=30)

    def _order(self, order: dict[str, Any], processes: list[subprocess.Popen[str]]) -> list[dict[str, Any]]:
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        return [self._read(process) for process in processes]

    @staticmethod
    def _read(process: subprocess.Popen[str]) -> dict[str, Any]:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError("a writer ended")
        answer: dict[str, Any] = json.loads(line)
        return answer


def measure(*, quick: bool) -> dict[str, Any]:
    rounds, times = (2, 20) if quick else (4, 100)
    found: dict[str, Any] = {}
    with throwaway(durable=True, collation=None) as server:
        os.environ["DATABASE_URL"] = server.url()
        from django.db import connection

        from bench.commits import PlainDocument, PlainEvent, PlainRequest, PlainUpdate
        from bench.product import migrate, say

        migrate()
        with connection.schema_editor() as editor:
            for model in (PlainDocument, PlainUpdate, PlainEvent, PlainRequest):
                editor.create_model(model)
        connection.close()
        crew = Crew(dict(os.environ))
        try:
            for label, place, writers in (
                ("1", "own", 1),
                ("8 apart", "own", WRITERS),
                ("8 together", "shared", WRITERS),
            ):
                orm, ours = [], []
                for turn in range(rounds):
                    orm.append(crew.rate("orm", place, writers, times))
                    ours.append(crew.rate("ours", place, writers, times))
                    say(f"{label}, round {turn + 1} of {rounds}: {ours[-1]:.0f} commits/s, {orm[-1]:.0f} loops/s")
                found[label] = {"ratio": max(ours) / max(orm), "commits_per_s": max(ours), "orm_per_s": max(orm)}
        finally:
            crew.end()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        work()
    else:
        print(json.dumps(measure(quick=chosen.quick)))


if __name__ == "__main__":
    main()
