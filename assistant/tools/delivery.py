"""One delivery of one call, from its start event to its answer: what is written, and in which transaction.

The turn's row is locked first, always. An answer, its audit row and its `tool.completed` event are one transaction;
for a write the commit is in it too. A second delivery of the same call finds the first one's answer and writes nothing.
Above: `boundary`. Below: `results`, `audit`, the turn store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from assistant.threads import store
from workspaces.contracts import CommitResult
from workspaces.errors import CapabilityInvalid, IdempotencyMismatch

from . import answers, results
from .audit import Stopwatch, record_call
from .authority import Authority, lock_current
from .base import Record, Scope, Tool, WritingTool

MAX_SUMMARY = 200
# Refusals that the same call may be tried again after, unchanged: they do not stay as its answer.
_PASSING = frozenset({"jobcache_unavailable", "credentials_misconfigured", "rate_limited", "internal_error"})


class Answered(Exception):
    """This call has its answer already, from another delivery."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        super().__init__("answered before")


@dataclass
class Delivery:
    """What is at work. `arguments` are as delivered, `encoded` the same as canonical JSON; `summary` and `accepted` are
    known once they were validated."""

    authority: Authority
    scope: Scope
    tool: Tool
    call: str
    arguments: Mapping[str, Any]
    encoded: bytes
    digest: str
    watch: Stopwatch
    summary: str = ""
    accepted: Mapping[str, Any] = field(default_factory=dict)
    announced: bool = False

    def find_earlier(self) -> None:
        """Raises Answered when this call has its answer, IdempotencyMismatch when its id had another call."""
        kept = results.find(turn=self.scope.turn, call=self.call, digest=self.digest)
        if kept is None:
            return
        if kept.answer is not None:
            raise Answered(kept.answer)
        # Another delivery announced it; should that one have died, this one finishes the pair.
        self.announced = True

    def announce(self) -> None:
        """Says `tool.started` before work that takes its time. Raises like `lock_and_find`."""
        with transaction.atomic():
            self.lock_and_find()
            if not self.announced:
                started = [("tool.started", self._started())]
                store.write_events(thread=self.scope.thread, turn=self.scope.turn, events=started)
                results.claim(
                    turn=self.scope.turn,
                    call=self.call,
                    tool=self.tool.name,
                    digest=self.digest,
                    arguments=self.encoded,
                )
        self.announced = True

    def lock_and_find(self) -> None:
        """Locks the turn. Raises CapabilityInvalid when it has ended, and what `find_earlier` raises."""
        lock_current(self.authority)
        self.find_earlier()

    def finish(self, answer: dict[str, Any], record: Record) -> dict[str, Any]:
        """Writes the end of a call that committed nothing, and gives the answer that counts.

        That is an earlier delivery's, when it was faster, or `capability_invalid`, when the turn has ended meanwhile.
        """
        try:
            with transaction.atomic():
                self.lock_and_find()
                self.write_end(answer, record)
            return answer
        except Answered as earlier:
            return earlier.answer
        except (CapabilityInvalid, IdempotencyMismatch) as error:
            refusal = answers.refused(self.tool.source, error)
            self.audit(outcome=error.code, record=Record())
            return refusal

    def write_end(self, answer: dict[str, Any], record: Record) -> None:
        """The last rows of a call, in the current transaction, under the turn's lock."""
        refused = answer["status"] == "refused"
        events = [] if self.announced else [("tool.started", self._started())]
        data: dict[str, Any] = {"call": self.call, "tool": self.tool.name, "outcome": answer["status"]}
        if refused:
            data["code"] = answer["code"]
        if record.receipt is not None:
            data["receipt"] = record.receipt
        data |= {"counts": dict(record.counts), "truncated": record.truncated}
        events.append(("tool.completed", data))
        store.write_events(thread=self.scope.thread, turn=self.scope.turn, events=events)
        if refused and answer["code"] in _PASSING:
            results.free(turn=self.scope.turn, call=self.call)
        else:
            results.keep(
                turn=self.scope.turn,
                call=self.call,
                tool=self.tool.name,
                digest=self.digest,
                arguments=self.encoded,
                answer=answer,
            )
        self.audit(outcome=answer["code"] if refused else "ok", record=record)

    def audit(self, *, outcome: str, record: Record) -> None:
        record_call(
            scope=self.scope,
            tool=self.tool,
            arguments=self.encoded,
            outcome=outcome,
            record=record,
            watch=self.watch,
        )

    def _started(self) -> dict[str, Any]:
        summary = " ".join((self.summary or self.tool.title).split())[:MAX_SUMMARY]
        return {"call": self.call, "tool": self.tool.name, "summary": summary}


class EnclosedWrite:
    """The `Enclosing` of a write: the turn's lock before the commit, its events and audit row after, or none of it."""

    def __init__(self, delivery: Delivery, tool: WritingTool) -> None:
        self._delivery = delivery
        self._tool = tool
        self.answer: dict[str, Any] | None = None

    def before(self) -> None:
        self._delivery.lock_and_find()

    def after(self, result: CommitResult) -> None:
        answer = self._tool.after_cut(
            answers.bounded(answers.ok(self._tool.source, result.as_json()), lists=self._tool.cuttable)
        )
        self._delivery.write_end(answer, self._tool.record(answer))
        self.answer = answer
