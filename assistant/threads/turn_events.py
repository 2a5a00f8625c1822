"""What a host may add to a turn, and what becomes of the rest.

Above it: the host gateway. An event counts only from the host that holds the turn, after it accepted it and before the
turn ended, once a provider event id, and only of the kinds a host may send. Everything else has no effect but a count.
Neighbouring deltas given together become one event: the gateway gives them at most every 100 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.db import transaction

from assistant import metrics
from assistant.models import ProviderEventSeen, Turn
from assistant.wire import EventRefused, ProviderEvent
from workspaces import facade

from . import audit, provenance, store
from .ending import Ending, end_turn
from .event_shapes import EventFlaw, Line, read_event

MAX_TURN_CHARACTERS: Final = 800_000
MAX_TURN_EVENTS: Final = 20_000
MAX_DELTA_CHARACTERS: Final = 50_000


def take_events(*, turn: str, host: str, events: Sequence[ProviderEvent]) -> list[EventRefused]:
    """Add a host's events to a turn, in order, in one transaction; gives those that had no effect and must be told.

    Duplicates are dropped silently: the host sends them again after a reconnect, as it should.
    """
    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn).first()
        if row is None or row.claimed_by != host:
            return _refuse_all(events, "not_held")
        if row.state not in store.OPEN_STATES:
            audit.count_dropped(turn=turn, events=len(events))
            return _refuse_all(events, "turn_ended")
        if row.state != "running":
            row.refused_events += len(events)
            row.save(update_fields=["refused_events"])
            return _refuse_all(events, "not_accepted")
        return _Intake(row).take(events)


def _refuse_all(events: Iterable[ProviderEvent], code: str) -> list[EventRefused]:
    refused = [EventRefused(turn=event.turn, id=event.id, code=code) for event in events]
    metrics.HOST_EVENTS.labels(code).inc(len(refused))
    return refused


class _Intake:
    """One transaction's worth of events of one locked turn."""

    def __init__(self, row: Turn) -> None:
        self._row = row
        self._refused: list[EventRefused] = []
        self._fresh: list[str] = []
        self._lines: list[Line] = []

    def take(self, events: Sequence[ProviderEvent]) -> list[EventRefused]:
        row = self._row
        ids = [event.id for event in events]
        seen = set(ProviderEventSeen.objects.filter(turn=row, event__in=ids).values_list("event", flat=True))
        for position, event in enumerate(events):
            if event.id in seen:
                row.duplicate_events += 1
                metrics.HOST_EVENTS.labels("duplicate").inc()
                continue
            try:
                meaning = self._admit(event)
            except EventFlaw as flaw:
                row.refused_events += 1
                self._refused.append(EventRefused(turn=event.turn, id=event.id, code=flaw.code))
                metrics.HOST_EVENTS.labels(flaw.code).inc()
                continue
            seen.add(event.id)
            self._fresh.append(event.id)
            metrics.HOST_EVENTS.labels("taken").inc()
            if isinstance(meaning, Line):
                self._add(meaning)
            else:
                self._write()
                self._end(meaning, late=events[position + 1 :])
                return self._refused
        self._write()
        return self._refused

    def _admit(self, event: ProviderEvent) -> Line | Ending:
        meaning = read_event(event)
        row = self._row
        if isinstance(meaning, Line):
            full = row.text_characters + meaning.characters > MAX_TURN_CHARACTERS
            if full or row.events_taken >= MAX_TURN_EVENTS:
                raise EventFlaw("too_large")
            row.text_characters += meaning.characters
        row.events_taken += 1
        return meaning

    def _add(self, line: Line) -> None:
        last = self._lines[-1] if self._lines else None
        if line.kind == "message.delta":
            if not line.data["text"]:
                return
            if last is not None and last.kind == line.kind and last.data["part"] == line.data["part"]:
                text = last.data["text"] + line.data["text"]
                if len(text) <= MAX_DELTA_CHARACTERS:
                    self._lines[-1] = Line(line.kind, {"part": line.data["part"], "text": text})
                    return
        if line.kind == "message.completed":
            line = self._with_own_citations(line)
        if line.kind == "limit":
            metrics.PROVIDER_LIMITS.labels(self._row.provider).inc()
        self._lines.append(line)

    def _with_own_citations(self, line: Line) -> Line:
        cited = list(dict.fromkeys(line.data["citations"]))
        known = provenance.known_ids(self._row) if cited else frozenset()
        kept = [each for each in cited if each in known]
        self._row.citations_left_out += len(cited) - len(kept)
        return Line(line.kind, {**line.data, "citations": kept})

    def _write(self) -> None:
        row = self._row
        for line in self._lines:
            store.append_event(thread=row.thread_id, turn=row.id, kind=line.kind, data=line.data)
            if row.first_text_at is None and line.kind in ("message.delta", "message.completed"):
                row.first_text_at = facade.now()
        ProviderEventSeen.objects.bulk_create([ProviderEventSeen(turn=row, event=event) for event in self._fresh])
        row.confirmed_at = facade.now()
        row.save(
            update_fields=[
                "confirmed_at",
                "first_text_at",
                "events_taken",
                "text_characters",
                "duplicate_events",
                "refused_events",
                "citations_left_out",
            ]
        )

    def _end(self, ending: Ending, *, late: Sequence[ProviderEvent]) -> None:
        end_turn(self._row, ending)
        if late:
            audit.count_dropped(turn=self._row.id, events=len(late))
            self._refused.extend(_refuse_all(late, "turn_ended"))
