"""The commit service: everything that changes a document comes through here.

Order of refusals, locks and rows: contract section 5. Planning happens on plain values; only a plan that has passed
every check reaches the live Yjs documents, and on any failure after that they are thrown away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from workspaces import sql
from workspaces.clock import now, rfc3339
from workspaces.contracts import Actor, CommitResult, Enclosing, RequestIdentity
from workspaces.documents.state import ranks_too_long
from workspaces.documents.ydoc import is_panic
from workspaces.errors import DomainError, IdempotencyMismatch, LinkInvalid, NotReversible, ViewOnly
from workspaces.ids import new_id

from . import json_text, lookups, store
from .after_commit import Committed, run_effects
from .answer import Answer, reversibility
from .batch import Batch, Step, parse_batch
from .cache import Warm, documents, workspace_lock
from .persist import Written, write_document
from .planner import Plan, Planner
from .policy import check_policy
from .staleness import check_clock_set, check_clocks, not_only_typed, typed_alone
from .trail import append_event
from .typing import seal_all

MIN_RECORD_LIFE = timedelta(hours=24)


@dataclass(slots=True)
class Work:
    """What a door (a commit, an undo) brings to the shared path, decided inside the transaction.

    `expected_clocks` names documents as the request does. `undoes` lists (receipt, event) pairs that this write takes
    back. An undo brings its own `plan`, which runs before the clocks are compared and may raise its conflicts.
    `upkeep` changes nothing that people see: it makes no clock stale.
    """

    reason: str
    expected_clocks: Mapping[str, int]
    steps: Sequence[Step]
    undoes: Sequence[tuple[str, str]] = ()
    plan: Callable[[Planner], Plan] | None = None
    upkeep: bool = False


Door = Callable[[lookups.WorkspaceRow], Work]


def commit(
    *,
    workspace: str,
    body: Mapping[str, Any],
    actor: Actor,
    request: RequestIdentity,
    enclosing: Enclosing | None = None,
) -> CommitResult:
    """Applies a batch, wholly or not at all, once per idempotency key.

    Raises the typed refusals of `workspaces.errors`, in the contract's order; nothing is written then.
    """

    def prepare() -> Door:
        batch = parse_batch(body)
        check_policy(batch.steps, actor)
        return lambda row: _work_of(batch)

    return write(workspace=workspace, body=body, actor=actor, request=request, enclosing=enclosing, prepare=prepare)


def _work_of(batch: Batch) -> Work:
    return Work(reason=batch.reason, expected_clocks=batch.expected_clocks, steps=batch.steps)


def write(
    *,
    workspace: str,
    body: Mapping[str, Any],
    actor: Actor,
    request: RequestIdentity,
    enclosing: Enclosing | None,
    prepare: Callable[[], Door],
) -> CommitResult:
    """The path that commits and undos share. `prepare` does the checks that need no transaction."""
    fingerprint = fingerprint_of(request, body)

    def look() -> CommitResult | None:
        record, role = lookups.find_claim(workspace, request.scope, request.key, request.link)
        if record is not None and record.fingerprint != fingerprint:
            raise IdempotencyMismatch
        _check_link(request, role)
        if record is not None and record.response and enclosing is None:
            return CommitResult(json_text.decode(record.response), replayed=True)
        return None

    try:
        door = prepare()
    except DomainError:
        # Of several things that are wrong, the key and the link are told first; else the transaction finds them out.
        if earlier := look():
            return earlier
        raise
    with workspace_lock(workspace):
        attempt = _Attempt(workspace, actor, request, fingerprint, enclosing, expected=_old_documents(body))
        try:
            with transaction.atomic(durable=True), sql.direct():
                result = attempt.run(door)
        except BaseException as error:
            attempt.evict()
            if isinstance(error, Exception):
                raise
            if is_panic(error):
                # Unconverted it would take the whole thread along.
                raise RuntimeError("a Yjs document failed; the commit was rolled back") from error
            raise
        attempt.publish()
    return result


def fingerprint_of(request: RequestIdentity, body: Mapping[str, Any]) -> str:
    """SHA-256 over route, target id and the body with sorted keys (contract section 5)."""
    try:
        text = json_text.encode([request.route, request.target, body])
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    except (ValueError, TypeError):
        # NaN and the like: the schema step refuses them, and a refusal is not recorded.
        return hashlib.sha256(repr(body).encode(errors="surrogatepass")).hexdigest()


def _old_documents(body: Mapping[str, Any]) -> list[str]:
    """The documents that a request names by their ids. `prepare` has checked its shape."""
    clocks = body.get("expected_clocks")
    return [document for document in clocks if not document.startswith("new:")] if isinstance(clocks, Mapping) else []


def _check_link(request: RequestIdentity, role: str | None) -> None:
    if request.link is None:
        return
    if role is None:
        raise LinkInvalid
    if role == "view":
        raise ViewOnly


class _Attempt:
    """One run through the transaction, and what must be known when it has ended."""

    def __init__(
        self,
        workspace: str,
        actor: Actor,
        request: RequestIdentity,
        fingerprint: str,
        enclosing: Enclosing | None,
        *,
        expected: Sequence[str],
    ) -> None:
        self.workspace = workspace
        self.actor = actor
        self.request = request
        self.fingerprint = fingerprint
        self.enclosing = enclosing
        # Documents that will most likely be needed, read while the workspace is locked.
        self.expected = expected
        self.at: datetime = now()
        self.said_at = rfc3339(self.at)
        self.opened: list[str] = []
        self.warm: dict[str, Warm] = {}
        self.sealed: list[Committed] = []
        self.committed: Committed | None = None

    def run(self, door: Door) -> CommitResult:
        request = self.request
        if self.enclosing is not None:
            self.enclosing.before()
        expires_at = self.at + timedelta(days=settings.CAREERVECTOR_RECEIPT_DAYS)
        record_expires = max(expires_at, self.at + MIN_RECORD_LIFE)
        opened = store.open_commit(
            workspace=self.workspace,
            scope=request.scope,
            key=request.key,
            fingerprint=self.fingerprint,
            link=request.link,
            documents=self.expected,
            at=self.at,
            expires_at=record_expires,
        )
        row = opened.row
        if not opened.claimed:
            return self._replay(row)
        if row is None:
            raise LinkInvalid
        _check_link(request, row.link_role)
        with sql.gathered():
            response = self._write(row, opened.documents, door(row), expires_at)
            store.finish_record(self.workspace, request.scope, request.key, json_text.encode(response))
            result = CommitResult(response, replayed=False)
            if self.enclosing is None:
                sql.commit_gathered()
        if self.enclosing is not None:
            self.enclosing.after(result)
        return result

    def _replay(self, row: lookups.WorkspaceRow | None) -> CommitResult:
        record = lookups.find_record(self.workspace, self.request.scope, self.request.key)
        if record is None or record.fingerprint != self.fingerprint:
            raise IdempotencyMismatch
        _check_link(self.request, None if row is None else row.link_role)
        result = CommitResult(json_text.decode(record.response), replayed=True)
        if self.enclosing is not None:
            self.enclosing.after(result)
        return result

    # --- inside: clocks, plan, rows --------------------------------------------------------------------------

    def _write(
        self, row: lookups.WorkspaceRow, known: Mapping[str, lookups.DocumentRow], work: Work, expires_at: datetime
    ) -> dict[str, Any]:
        named = list(dict.fromkeys(step.document for step in work.steps))
        check_clock_set(work.expected_clocks, named, needed=not_only_typed(work.steps))
        old = [document for document in named if not document.startswith("new:")]
        if set(old) <= set(self.expected):
            rows = {doc_id: known[doc_id] for doc_id in old if doc_id in known}
        else:
            rows = lookups.document_rows(self.workspace, old)
        if self.actor.actor_class == "agent":
            # For the assistant a trashed document is not there: not even a stale clock may tell of it.
            rows = {doc_id: row for doc_id, row in rows.items() if row.state != "trashed"}
        planner = Planner(workspace=self.workspace, rows=rows)
        self.opened = list(rows)
        if work.plan is not None:
            # An undo tells its conflict before a stale clock, and what is being typed counts as later work.
            row = self._seal(row, rows, rows)
            plan = work.plan(planner)
            check_clocks(work.expected_clocks, rows)
        else:
            check_clocks(work.expected_clocks, rows, steps=work.steps)
            plan = planner.run(work.steps)
        self.opened = list(plan.drafts)
        changed = {doc_id: draft for doc_id, draft in plan.drafts.items() if draft.changed}
        reversible, reason = reversibility(plan)
        if not reversible and self.actor.actor_class == "agent":
            raise NotReversible(reason)
        answer = Answer(
            request_id=f"{self.workspace}/{self.request.scope}/{self.request.key}",
            provenance={
                "actor_class": self.actor.actor_class,
                "actor": self.actor.actor,
                "at": self.said_at,
                "origin_event": self.request.origin_event,
            },
            steps=work.steps,
            plan=plan,
            rows=rows,
            changed=changed,
        )
        if not changed:
            return answer.unchanged()
        row = self._seal(row, rows, changed)
        seq = row.seq + 1
        event_id = new_id("evt")
        written: dict[str, Written] = {}
        typed = typed_alone(work.steps)
        for doc_id, draft in changed.items():
            done = write_document(
                workspace=self.workspace,
                draft=draft,
                row=rows.get(doc_id),
                event=event_id,
                seq=seq,
                at=self.at,
                firm=not work.upkeep and doc_id not in typed,
                typed=typed.get(doc_id, ()),
            )
            written[doc_id] = done
            self.warm[doc_id] = done.warm
        return self._record(row, work, answer, written, seq, event_id, expires_at, reversible, reason)

    def _seal(
        self, row: lookups.WorkspaceRow, rows: dict[str, lookups.DocumentRow], documents_: Iterable[str]
    ) -> lookups.WorkspaceRow:
        """Ends the typing sessions of documents that are about to be changed by something else."""
        sealed = seal_all(self.workspace, row, [rows[doc_id] for doc_id in documents_ if doc_id in rows])
        rows |= sealed.documents
        self.sealed += sealed.committed
        return sealed.row

    def _record(
        self,
        row: lookups.WorkspaceRow,
        work: Work,
        answer: Answer,
        written: Mapping[str, Written],
        seq: int,
        event_id: str,
        expires_at: datetime,
        reversible: bool,
        reason: str | None,
    ) -> dict[str, Any]:
        request = self.request
        event: dict[str, Any] = {
            "id": event_id,
            "seq": seq,
            "at": self.said_at,
            "actor_class": self.actor.actor_class,
            "actor": self.actor.actor,
            "reason": work.reason,
            "origin_event": request.origin_event,
            "operation_kinds": [step.operation.kind for step in work.steps],
            "affected_paths": answer.paths,
            "clocks": answer.changed_clocks(),
            "receipt": new_id("rcp") if reversible else None,
        }
        undone = [entry[1] for entry in work.undoes]
        _, shared = append_event(self.workspace, row, event, at=self.at, undoes=undone)
        receipt = None
        if reversible:
            receipt = self._receipt(answer, written, event, seq, expires_at, shared)
        if work.undoes:
            store.mark_undone([entry[0] for entry in work.undoes], undone, event_id)
        self.committed = Committed(
            workspace=self.workspace,
            event=event,
            updates={doc_id: done.update for doc_id, done in written.items()},
            receipt=receipt,
            undone_receipts=tuple(entry[0] for entry in work.undoes),
            long_ranks=tuple(d for d, draft in answer.changed.items() if ranks_too_long(draft.state)),
            rebuilt={doc_id: done.warm.epoch for doc_id, done in written.items() if done.rebuilt},
        )
        return answer.changed_response(event, receipt, reason)

    def _receipt(
        self,
        answer: Answer,
        written: Mapping[str, Written],
        event: Mapping[str, Any],
        seq: int,
        expires_at: datetime,
        shared: tuple[str, str, str],
    ) -> dict[str, Any]:
        receipt = {
            "id": event["receipt"],
            "event": event["id"],
            "actor_class": event["actor_class"],
            "actor": event["actor"],
            "reason": event["reason"],
            "thread": self.request.thread,
            "turn": self.request.turn,
            "operation_kinds": event["operation_kinds"],
            "affected_paths": event["affected_paths"],
            "clocks": event["clocks"],
            "created_at": self.said_at,
            "expires_at": rfc3339(expires_at),
            "state": "active",
            "undone_by": None,
        }
        store.insert_receipt(
            self.workspace,
            receipt,
            seq=seq,
            shared=shared,
            inverse=json_text.encode(answer.inverse(written)),
            changes=json_text.encode([row for draft in answer.changed.values() for row in draft.changes()]),
            times=(self.at, expires_at),
        )
        return receipt

    # --- outside: what follows the transaction ---------------------------------------------------------------

    def evict(self) -> None:
        """The live documents may hold edits that were rolled back: none may be used again."""
        for doc_id in {*self.opened, *self.warm}:
            documents.evict(self.workspace, doc_id)

    def publish(self) -> None:
        for doc_id, warm in self.warm.items():
            documents.put(self.workspace, doc_id, warm)
        for sealed in self.sealed:
            run_effects(sealed)
        if self.committed is not None:
            run_effects(self.committed)
