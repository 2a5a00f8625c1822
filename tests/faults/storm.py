"""Writers that go on through everything: each repeats its request with the same key until it is acknowledged.

Above: the scenarios, which break something meanwhile. Every commit is a batch of two operations on two documents, so
that half of one could be seen. `check` compares what was acknowledged with what the product has afterwards.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.live_workspace import LiveWorkspace, history

WRITERS = 8
PATIENCE_S = 180.0


@dataclass(slots=True)
class Writer:
    """One application and one note, always changed together. `clock` is that of both."""

    application: str
    note: str
    clock: int = 1
    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0
    lost: int = 0

    def body(self) -> dict[str, Any]:
        value = f"step {self.clock}"
        return {
            "reason": value,
            "expected_clocks": {self.application: self.clock, self.note: self.clock},
            "operations": [
                {"kind": "field.set", "document": self.application, "field": "next_step", "value": value},
                {"kind": "field.set", "document": self.note, "field": "title", "value": value},
            ],
        }

    @property
    def key(self) -> str:
        return f"{self.application}-{self.clock}"


class Storm:
    """Some writers on one workspace, `commits` acknowledged commits in all."""

    def __init__(self, workspace: LiveWorkspace, *, commits: int, writers: int = WRITERS) -> None:
        self.workspace = workspace
        self.commits = commits
        self.stopped = threading.Event()
        self.ended = False
        self._count = itertools.count(1)
        self.done = 0
        self.writers = [
            Writer(self._create("application", f"Application {n}"), self._create("note", f"Note {n}"))
            for n in range(writers)
        ]

    def _create(self, kind: str, title: str) -> str:
        fields = [{"field": "title", "value": title}]
        operation = {"kind": "document.create", "document": "new:d", "document_kind": kind, "fields": fields}
        body = {"reason": "a scene", "expected_clocks": {"new:d": 0}, "operations": [{**operation, "texts": []}]}
        return str(self.workspace.call("POST", "/operations", json=body)["documents"]["new:d"])

    @contextmanager
    def blowing(self) -> Iterator[Storm]:
        """Runs until every commit is acknowledged; an exception of the body stops it."""
        self.stopped.clear()
        self.ended = False
        with ThreadPoolExecutor(len(self.writers)) as pool:
            share = -(-self.commits // len(self.writers))
            running: list[Future[None]] = [pool.submit(self._write, writer, share) for writer in self.writers]
            try:
                yield self
                for future in running:
                    future.result(PATIENCE_S)
                self.ended = True
            finally:
                self.stopped.set()

    def wait_for(self, commits: int) -> None:
        """Until so many commits have been acknowledged."""
        deadline = time.monotonic() + PATIENCE_S
        while self.done < commits:
            assert time.monotonic() < deadline, f"{self.done} of {commits} commits within {PATIENCE_S:.0f} s"
            time.sleep(0.01)

    def _write(self, writer: Writer, commits: int) -> None:
        deadline = time.monotonic() + PATIENCE_S
        client = self.workspace.client()
        try:
            while len(writer.acknowledged) < commits and not self.stopped.is_set():
                assert time.monotonic() < deadline, f"{writer.application} got no answer for too long"
                try:
                    answer = client.post("/operations", headers={"Idempotency-Key": writer.key}, json=writer.body())
                except httpx.HTTPError:
                    # Nobody knows whether it was applied: the same key again tells.
                    writer.lost += 1
                    client.close()
                    time.sleep(0.05)
                    client = self.workspace.client()
                    continue
                if answer.status_code == 200:
                    writer.acknowledged.append(answer.json())
                    writer.clock += 1
                    self.done = next(self._count)
                    deadline = time.monotonic() + PATIENCE_S
                else:
                    assert answer.status_code in {500, 502, 503, 507}, answer.text
                    assert answer.headers["content-type"] == "application/problem+json", answer.text
                    writer.refused += 1
                    time.sleep(0.05)
        finally:
            client.close()

    def check(self) -> None:
        """Every acknowledged commit is there exactly once, none in half, in one unbroken history."""
        with self.workspace.client() as client:
            events = history(client, "/events")
            assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
            by_id = {event["id"]: event for event in events}
            assert len(by_id) == len(events)
            for writer in self.writers:
                clock, value = writer.clock, f"step {writer.clock - 1}"
                application = client.get(f"/documents/{writer.application}").json()
                note = client.get(f"/documents/{writer.note}").json()
                assert (application["clock"], application["fields"]["next_step"]) == (clock, value)
                assert (note["clock"], note["fields"]["title"]) == (clock, value)
                own = [event for event in events if f"{writer.application}/fields/next_step" in event["affected_paths"]]
                assert [event["id"] for event in own] == [answer["event"] for answer in writer.acknowledged]
                assert all(f"{writer.note}/fields/title" in event["affected_paths"] for event in own)

    @property
    def lost(self) -> int:
        return sum(writer.lost for writer in self.writers)

    @property
    def refused(self) -> int:
        return sum(writer.refused for writer in self.writers)
