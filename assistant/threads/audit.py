"""One content-free row a turn, also for a turn that used no tool or was refused. The only writer of `TurnAudit`."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from assistant import metrics
from assistant.models import Turn, TurnAudit
from workspaces import facade
from workspaces.contracts import Access

from .provenance import Provenance


def record_end(row: Turn, summary: Provenance) -> None:
    """In the transaction that ends the turn."""
    TurnAudit.objects.create(
        id=facade.new_id("tau"),
        at=row.ended_at or facade.now(),
        workspace=row.workspace,
        link=row.link,
        thread=row.thread_id,
        turn=row.id,
        connector=row.connector,
        provider=row.provider,
        connector_version=row.connector_version,
        model=(summary.model or "")[:100],
        host=row.claimed_by or "",
        surface=row.surface or "",
        attempt=row.attempt,
        outcome=row.state,
        code=row.failure_class,
        tool_calls=summary.calls,
        records=summary.records,
        ungrounded=len(summary.ungrounded),
        citations_left_out=row.citations_left_out,
        duplicate_events=row.duplicate_events,
        refused_events=row.refused_events,
        started_ms=_since(row, row.started_at),
        first_text_ms=_since(row, row.first_text_at),
        ended_ms=_since(row, row.ended_at),
    )


def record_refusal(*, access: Access, thread: str, turn: str, code: str) -> None:
    """A question that never became a turn: who, where and why, nothing else. Of an erased workspace, not even that."""
    with transaction.atomic():
        if not facade.hold_workspace(workspace=access.workspace):
            return
        TurnAudit.objects.create(
            id=facade.new_id("tau"),
            at=facade.now(),
            workspace=access.workspace,
            link=access.link,
            thread=thread[:40],
            turn=turn[:40],
            outcome="refused",
            code=code,
        )
    metrics.TURNS_REFUSED.labels(code).inc()


def count_dropped(*, turn: str, events: int) -> None:
    """Events of a provider that came after the terminal event."""
    TurnAudit.objects.filter(turn=turn).exclude(outcome="refused").update(dropped_events=F("dropped_events") + events)


def _since(row: Turn, moment: datetime | None) -> int | None:
    return None if moment is None else round((moment - row.created_at).total_seconds() * 1000)
