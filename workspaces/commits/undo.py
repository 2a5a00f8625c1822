"""Undo: a compensating commit made of a receipt's stored inverse, or of all receipts of a turn or an import, newest
first.

It goes through the same path as every commit, has its own event and its own receipt (which is how a redo works), and is
refused whole when later work would be lost. Source: contract section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from workspaces.clock import now
from workspaces.contracts import Actor, CommitResult, Enclosing, RequestIdentity
from workspaces.documents import paths
from workspaces.documents.schema import kind_of
from workspaces.errors import DomainError, InvalidRequest, NotFound, ReceiptExpired, ReceiptSpent, UndoConflict
from workspaces.operations.base import AnchorLost

from . import json_text, lookups
from .batch import MAX_REASON, Step, check_body, check_expected_clocks, check_reason
from .cache import workspace_lock
from .conflicts import conflicts_of, later_events, text_conflict
from .planner import Plan, Planner, internal_step
from .service import Door, Work, write
from .typing import seal_documents, unsealed_as_events

# Documents that an undo may name and whose typing is sealed first; there are not as many in a receipt.
MAX_SEALED = 500


def undo_receipt(
    *,
    workspace: str,
    receipt: str,
    body: Mapping[str, Any],
    actor: Actor,
    request: RequestIdentity,
    enclosing: Enclosing | None = None,
    only_thread: str | None = None,
) -> CommitResult:
    """Takes one receipt's commit back. `only_thread` narrows to agent receipts of that thread (the tool's rule).

    Raises NotFound, ReceiptSpent, ReceiptExpired, UndoConflict and whatever a commit can raise.
    """

    def find() -> list[lookups.ReceiptRow]:
        row = lookups.receipt_row(workspace, receipt)
        if row is None or (only_thread is not None and (row.thread != only_thread or row.actor_class != "agent")):
            raise NotFound("There is no such receipt here.")
        if row.undone_by is not None:
            raise ReceiptSpent(details={"undone_by": row.undone_by})
        _require_unexpired(row)
        return [row]

    return _undo(workspace, body, actor, request, enclosing, find)


def undo_turn(
    *, workspace: str, turn: str, body: Mapping[str, Any], actor: Actor, request: RequestIdentity
) -> CommitResult:
    """Takes back all active receipts of a turn in one commit, or none."""
    return _undo(workspace, body, actor, request, None, lambda: _receipts_of_turn(workspace, turn))


def preview_turn_undo(*, workspace: str, turn: str) -> dict[str, Any]:
    """What undoing a turn would meet now: `{"receipts", "conflicts", "expected_clocks", "possible"}`.

    Raises NotFound, ReceiptSpent or ReceiptExpired like the undo itself.
    """
    return _preview(workspace, lambda: _receipts_of_turn(workspace, turn))


def undo_together(
    *,
    workspace: str,
    body: Mapping[str, Any],
    actor: Actor,
    request: RequestIdentity,
    find: Callable[[], list[lookups.ReceiptRow]],
    enclosing: Enclosing | None = None,
) -> CommitResult:
    """Takes back receipts that belong together in one commit, or none. `find` gives them newest first, those that are
    `still_open`; it runs inside the transaction and may raise.

    They may be thousands: without `expected_clocks` the documents are taken as they are, since the conflicts decide
    anyhow, and a document that goes as a whole takes its parts along.
    """
    return _undo(workspace, body, actor, request, enclosing, find, wholly=True)


def preview_together(*, workspace: str, find: Callable[[], list[lookups.ReceiptRow]]) -> dict[str, Any]:
    """What `undo_together` would meet now, in the shape of `preview_turn_undo`."""
    return _preview(workspace, find, wholly=True)


def _preview(workspace: str, find: Callable[[], list[lookups.ReceiptRow]], *, wholly: bool = False) -> dict[str, Any]:
    with workspace_lock(workspace):
        receipts = find()
        steps = _steps(receipts, wholly=wholly)
        rows = lookups.document_rows(workspace, list(dict.fromkeys(step.document for step in steps)))
        conflicts: list[dict[str, Any]] = []
        possible = True
        try:
            # Planning writes nothing; it finds what has become of the texts, and what else stands in the way. The undo
            # itself seals what is being typed, and then meets that too.
            typing = unsealed_as_events(workspace, rows)
            _plan(workspace, receipts, steps, Planner(workspace=workspace, rows=rows), typing=typing)
        except UndoConflict as conflict:
            conflicts, possible = conflict.details["conflicts"], False
        except DomainError:
            possible = False
    return {
        "receipts": [receipt.id for receipt in receipts],
        "conflicts": conflicts,
        "expected_clocks": {doc_id: row.clock for doc_id, row in rows.items()},
        "possible": possible,
    }


def _undo(
    workspace: str,
    body: Mapping[str, Any],
    actor: Actor,
    request: RequestIdentity,
    enclosing: Enclosing | None,
    find: Callable[[], list[lookups.ReceiptRow]],
    *,
    wholly: bool = False,
) -> CommitResult:
    def prepare() -> Door:
        names = ("expected_clocks",)
        checked = check_body(body, required=() if wholly else names, optional=("reason", *names))
        reason, flaws = check_reason(checked.get("reason"))
        clocks: Mapping[str, int] | None = None
        if not wholly or checked.get("expected_clocks") is not None:
            clocks, clock_flaws = check_expected_clocks(checked["expected_clocks"])
            flaws += clock_flaws
        if flaws:
            raise InvalidRequest(flaws[0].message, flaws=flaws)
        if clocks:
            _seal(workspace, clocks)
        return lambda row: _work(workspace, find(), reason, clocks, wholly=wholly)

    while True:
        try:
            return write(
                workspace=workspace, body=body, actor=actor, request=request, enclosing=enclosing, prepare=prepare
            )
        except UndoConflict as conflict:
            # Another process's typing came between, and its event went with the rollback. Come again with a real one.
            if not _seal(workspace, [paths.document_of(row["path"]) for row in conflict.details["conflicts"]]):
                raise


def _seal(workspace: str, doc_ids: Iterable[str]) -> int:
    """In a transaction of its own: a refusal names the typing's event, which a rollback would take along."""
    named = dict.fromkeys(doc_id for doc_id in doc_ids if kind_of(doc_id) is not None and "\0" not in doc_id)
    return seal_documents(workspace, list(named)[:MAX_SEALED])


def _work(
    workspace: str,
    receipts: list[lookups.ReceiptRow],
    reason: str,
    clocks: Mapping[str, int] | None,
    *,
    wholly: bool,
) -> Work:
    steps = _steps(receipts, wholly=wholly)
    if clocks is None:
        named = dict.fromkeys(step.document for step in steps)
        clocks = {doc_id: row.clock for doc_id, row in lookups.document_rows(workspace, named).items()}
    return Work(
        reason=reason or _reason_of(receipts),
        expected_clocks=clocks,
        steps=steps,
        undoes=[(receipt.id, receipt.event) for receipt in receipts],
        plan=lambda planner: _plan(workspace, receipts, steps, planner),
    )


def _plan(
    workspace: str,
    receipts: Sequence[lookups.ReceiptRow],
    steps: Sequence[Step],
    planner: Planner,
    *,
    typing: Sequence[dict[str, Any]] = (),
) -> Plan:
    later = [*later_events(workspace, receipts), *typing]
    conflicts = _path_conflicts(receipts, later)
    if conflicts:
        raise UndoConflict(details={"conflicts": conflicts})
    try:
        return planner.run(steps)
    except AnchorLost as lost:
        owner = next(r for r in receipts if lost.path in r.affected_paths)
        raise UndoConflict(details={"conflicts": [text_conflict(lost.path, owner, later)]}) from None


def _steps(receipts: Sequence[lookups.ReceiptRow], *, wholly: bool = False) -> list[Step]:
    inverses = [data for receipt in receipts for data in json_text.decode(receipt.inverse or "[]")]
    if wholly:
        gone = {data["document"] for data in inverses if data["kind"] == "document.archive"}
        inverses = [d for d in inverses if d["kind"] == "document.archive" or d["document"] not in gone]
    return [internal_step(data) for data in inverses]


def _reason_of(receipts: Sequence[lookups.ReceiptRow]) -> str:
    return f"Undo: {receipts[-1].reason}"[:MAX_REASON] if receipts[-1].reason else "Undo"


def _require_unexpired(receipt: lookups.ReceiptRow) -> None:
    if receipt.expires_at <= now() or receipt.inverse is None:
        raise ReceiptExpired


def _receipts_of_turn(workspace: str, turn: str) -> list[lookups.ReceiptRow]:
    rows = lookups.receipt_rows_of_turn(workspace, turn)
    if not rows:
        raise NotFound("This turn changed nothing that could be undone.")
    return still_open(rows)


def still_open(rows: Sequence[lookups.ReceiptRow]) -> list[lookups.ReceiptRow]:
    """Those of the receipts, at least one, that can be taken back. Raises ReceiptSpent, ReceiptExpired."""
    undoes = lookups.undone_events([row.event for row in rows])

    def taken_back(event: str) -> bool:
        # What they did and took back themselves is nothing; what it brought back again is something.
        undone = next(iter(undoes[event]), None)
        return undone in undoes and not taken_back(undone)

    active = [row for row in rows if row.undone_by is None and not taken_back(row.event)]
    if not active:
        raise ReceiptSpent
    for row in active:
        _require_unexpired(row)
    return active


def _path_conflicts(receipts: Sequence[lookups.ReceiptRow], later: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    together = {receipt.event for receipt in receipts}
    found = [row for receipt in receipts for row in conflicts_of(receipt, later, ignored=together)]
    unique = {(row["path"], row["later_event"]): row for row in found}
    return list(unique.values())
