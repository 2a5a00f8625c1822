"""Undo: a compensating commit made of a receipt's stored inverse, or of all receipts of a turn, newest first.

It goes through the same path as every commit, has its own event and its own receipt (which is how a redo works), and is
refused whole when later work would be lost. Source: contract section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workspaces.clock import now
from workspaces.contracts import Actor, CommitResult, Enclosing, RequestIdentity
from workspaces.errors import DomainError, InvalidRequest, NotFound, ReceiptExpired, ReceiptSpent, UndoConflict
from workspaces.operations.base import AnchorLost

from . import json_text, lookups
from .batch import MAX_REASON, Step, check_body, check_expected_clocks, check_reason
from .cache import workspace_lock
from .conflicts import conflicts_of, later_events, text_conflict
from .planner import Plan, Planner, internal_step
from .service import Door, Work, write


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
    return _undo(workspace, body, actor, request, None, lambda: _open_receipts(workspace, turn))


def preview_turn_undo(*, workspace: str, turn: str) -> dict[str, Any]:
    """What undoing a turn would meet now: `{"receipts", "conflicts", "expected_clocks", "possible"}`.

    Raises NotFound, ReceiptSpent or ReceiptExpired like the undo itself.
    """
    with workspace_lock(workspace):
        receipts = _open_receipts(workspace, turn)
        steps = _steps(receipts)
        rows = lookups.document_rows(workspace, list(dict.fromkeys(step.document for step in steps)))
        conflicts: list[dict[str, Any]] = []
        possible = True
        try:
            # Planning writes nothing; it finds what has become of the texts, and what else stands in the way.
            _plan(workspace, receipts, steps, Planner(workspace=workspace, rows=rows))
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
) -> CommitResult:
    def prepare() -> Door:
        checked = check_body(body, required=("expected_clocks",), optional=("reason",))
        reason, flaws = check_reason(checked.get("reason"))
        clocks, clock_flaws = check_expected_clocks(checked["expected_clocks"])
        flaws += clock_flaws
        if flaws:
            raise InvalidRequest(flaws[0].message, flaws=flaws)
        return lambda row: _work(workspace, find(), reason, clocks)

    return write(workspace=workspace, body=body, actor=actor, request=request, enclosing=enclosing, prepare=prepare)


def _work(workspace: str, receipts: list[lookups.ReceiptRow], reason: str, clocks: Mapping[str, int]) -> Work:
    steps = _steps(receipts)
    return Work(
        reason=reason or _reason_of(receipts),
        expected_clocks=clocks,
        steps=steps,
        undoes=[(receipt.id, receipt.event) for receipt in receipts],
        plan=lambda planner: _plan(workspace, receipts, steps, planner),
    )


def _plan(workspace: str, receipts: Sequence[lookups.ReceiptRow], steps: Sequence[Step], planner: Planner) -> Plan:
    later = later_events(workspace, receipts)
    conflicts = _path_conflicts(receipts, later)
    if conflicts:
        raise UndoConflict(details={"conflicts": conflicts})
    try:
        return planner.run(steps)
    except AnchorLost as lost:
        owner = next(r for r in receipts if lost.path in r.affected_paths)
        raise UndoConflict(details={"conflicts": [text_conflict(lost.path, owner, later)]}) from None


def _steps(receipts: Sequence[lookups.ReceiptRow]) -> list[Step]:
    return [internal_step(data) for receipt in receipts for data in json_text.decode(receipt.inverse or "[]")]


def _reason_of(receipts: Sequence[lookups.ReceiptRow]) -> str:
    return f"Undo: {receipts[-1].reason}"[:MAX_REASON] if receipts[-1].reason else "Undo"


def _require_unexpired(receipt: lookups.ReceiptRow) -> None:
    if receipt.expires_at <= now() or receipt.inverse is None:
        raise ReceiptExpired


def _open_receipts(workspace: str, turn: str) -> list[lookups.ReceiptRow]:
    rows = lookups.receipt_rows_of_turn(workspace, turn)
    if not rows:
        raise NotFound("This turn changed nothing that could be undone.")
    undoes = lookups.undone_events([row.event for row in rows])

    def taken_back(event: str) -> bool:
        # What the turn did and took back itself is nothing; what it brought back again is something.
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
