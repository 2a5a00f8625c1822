"""How a turn ends: exactly one terminal event, then nothing.

Above it: the host gateway (what a host says), people who cancel, the sweeper (time, lost hosts). Below it: the store,
provenance and the audit row, all in the one transaction that holds the turn's lock. So a write in flight finishes
first, with its event, and a write that comes later finds the turn ended.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from assistant import metrics
from assistant.models import ProviderEventSeen, ThreadEvent, Turn
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import NotFound, ViewOnly

from . import announcing, audit, provenance, store

MAX_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Completed:
    """The answer is whole. `model` is what the provider says it used, or None."""

    model: str | None = None


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A person stopped it."""


@dataclass(frozen=True, slots=True)
class Failed:
    """`failure_class` is one of contract section 9 or `connector_unavailable`; `message` is for a person."""

    failure_class: str
    message: str


Ending = Completed | Cancelled | Failed


def cancel_turn(*, access: Access, turn: str) -> store.TurnScope:
    """Stop a turn. A tool write in flight finishes first; its receipt stays. Cancelling an ended turn does nothing.

    Raises ViewOnly, LinkInvalid, NotFound.
    """
    if access.role == "view":
        raise ViewOnly
    with transaction.atomic():
        row = _lock_of_workspace(turn, access.workspace)
        facade.check_link_alive(workspace=access.workspace, link=access.link)
        if row.state in store.OPEN_STATES:
            end_turn(row, Cancelled())
            metrics.CANCELLATIONS.labels(row.provider).inc()
        return store.scope_of(row)


def cancel_if_open(turn: str) -> None:
    """Stop a turn on our own account (its thread or connector goes away). An unknown turn is no error."""
    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn).first()
        if row is not None and row.state in store.OPEN_STATES:
            end_turn(row, Cancelled())


def end_turn(row: Turn, how: Ending) -> None:
    """Write the terminal event of an open turn whose row the caller has locked in the current transaction."""
    from assistant.tools.results import forget_results

    from .conversations import thread_info

    _close_open_calls(row)
    summary = provenance.summarise(row, model=how.model if isinstance(how, Completed) else None)
    kind: str
    data: dict[str, Any]
    state: str
    match how:
        case Completed():
            kind, data = "turn.completed", {"provenance": summary.as_json()}
            state = "completed"
        case Cancelled():
            kind, data, state = "turn.cancelled", {}, "cancelled"
        case Failed(failure_class, message):
            kind, data = "turn.failed", {"class": failure_class, "message": message[:MAX_MESSAGE]}
            state = "failed"
    event = store.write_event(thread=row.thread_id, turn=row.id, kind=kind, data=data)
    row.state = state
    row.ended_at = facade.now()
    row.failure_class = how.failure_class if isinstance(how, Failed) else ""
    # Without a nonce no capability of this turn is current any more.
    row.nonce = ""
    row.save(update_fields=["state", "ended_at", "failure_class", "nonce"])
    ProviderEventSeen.objects.filter(turn=row).delete()
    forget_results(row.id)
    audit.record_end(row, summary)
    thread = row.thread
    thread.last_seq = event["seq"]
    thread.updated_at = row.ended_at
    thread.save(update_fields=["updated_at"])
    announcing.announce_ended(turn=row.id, host=row.claimed_by)
    announcing.announce_thread(thread_info(thread, running=None))
    metrics.TURNS_ENDED.labels(row.provider, row.failure_class or state).inc()
    metrics.TURN_SECONDS.labels(row.provider).observe((row.ended_at - row.created_at).total_seconds())


def _close_open_calls(row: Turn) -> None:
    """A tool call without an answer gets its second event too, so that no page waits for it for ever."""
    open_calls: dict[str, dict[str, Any]] = {}
    events = ThreadEvent.objects.filter(turn=row.id, kind__in=["tool.started", "tool.completed"]).order_by("seq")
    for event in events:
        data = json.loads(event.data)
        if event.kind == "tool.started":
            open_calls[data["call"]] = data
        else:
            open_calls.pop(data["call"], None)
    for call, data in open_calls.items():
        store.write_event(
            thread=row.thread_id,
            turn=row.id,
            kind="tool.completed",
            data={
                "call": call,
                "tool": data["tool"],
                "outcome": "refused",
                "code": "turn_ended",
                "counts": {},
                "truncated": False,
            },
        )


def _lock_of_workspace(turn: str, workspace: str) -> Turn:
    try:
        return Turn.objects.select_for_update().get(pk=turn, workspace=workspace)
    except Turn.DoesNotExist:
        raise NotFound from None
