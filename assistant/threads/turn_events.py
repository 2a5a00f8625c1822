"""What a host may add to a turn, and what becomes of the rest.

Above it: the host gateway. An event counts only from the host that holds the turn, after it accepted it and before the
turn ended, once a provider event id, and only of the kinds a host may send. Everything else has no effect but a count.
Neighbouring deltas given together become one event: the gateway gives them at most every 100 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from assistant import metrics
from assistant.models import ProviderEventSeen, Turn
from assistant.wire import AUTH_STATES, HOST_FAILURES, MAX_CITATIONS, MAX_EVENT_TEXT, EventRefused, ProviderEvent
from workspaces import facade

from . import audit, provenance, store
from .ending import MAX_MESSAGE, Cancelled, Completed, Ending, Failed, end_turn

MAX_TURN_CHARACTERS: Final = 400_000
MAX_TURN_EVENTS: Final = 20_000
MAX_PROGRESS: Final = 300
_PART = re.compile(r"[A-Za-z0-9_.\-]{1,40}")
_CLASS = re.compile(r"[a-z0-9_.\-]{1,40}")


class _Refused(Exception):
    def __init__(self, code: str) -> None:
        self.code = code


@dataclass(frozen=True, slots=True)
class _Line:
    """An event as it will be written: `characters` counts against the turn's room."""

    kind: str
    data: dict[str, Any]
    characters: int = 0


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
        self.row = row
        self.refused: list[EventRefused] = []
        self.fresh: list[str] = []
        self.lines: list[_Line] = []

    def take(self, events: Sequence[ProviderEvent]) -> list[EventRefused]:
        row = self.row
        seen = set(
            ProviderEventSeen.objects.filter(turn=row, event__in=[event.id for event in events]).values_list(
                "event", flat=True
            )
        )
        ending: Ending | None = None
        for position, event in enumerate(events):
            if event.id in seen:
                row.duplicate_events += 1
                metrics.HOST_EVENTS.labels("duplicate").inc()
                continue
            try:
                ending = self._take_one(event)
            except _Refused as refusal:
                self._refuse(event, refusal.code)
                continue
            seen.add(event.id)
            self.fresh.append(event.id)
            metrics.HOST_EVENTS.labels("taken").inc()
            if ending is not None:
                late = events[position + 1 :]
                self._finish(ending, dropped=late)
                return self.refused
        self._write()
        return self.refused

    def _take_one(self, event: ProviderEvent) -> Ending | None:
        row = self.row
        if row.events_taken >= MAX_TURN_EVENTS and event.kind not in _ENDINGS:
            raise _Refused("too_large")
        row.events_taken += 1
        if event.kind in _ENDINGS:
            return _ENDINGS[event.kind](event.data)
        reader = _LINES.get(event.kind)
        if reader is None:
            raise _Refused("unknown_kind")
        line = reader(self, event.data)
        if row.text_characters + line.characters > MAX_TURN_CHARACTERS:
            raise _Refused("too_large")
        row.text_characters += line.characters
        last = self.lines[-1] if self.lines else None
        if line.kind == "message.delta" and last is not None and last.kind == line.kind:
            if last.data["part"] == line.data["part"]:
                self.lines[-1] = _Line(last.kind, {**last.data, "text": last.data["text"] + line.data["text"]})
                return None
        if line.kind != "message.delta" or line.data["text"]:
            self.lines.append(line)
        return None

    def _refuse(self, event: ProviderEvent, code: str) -> None:
        self.row.refused_events += 1
        self.refused.append(EventRefused(turn=event.turn, id=event.id, code=code))
        metrics.HOST_EVENTS.labels(code).inc()

    def _write(self) -> None:
        row = self.row
        for line in self.lines:
            store.append_event(thread=row.thread_id, turn=row.id, kind=line.kind, data=line.data)
            if row.first_text_at is None and line.kind in ("message.delta", "message.completed"):
                row.first_text_at = facade.now()
        ProviderEventSeen.objects.bulk_create([ProviderEventSeen(turn=row, event=event) for event in self.fresh])
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

    def _finish(self, ending: Ending, *, dropped: Sequence[ProviderEvent]) -> None:
        self._write()
        end_turn(self.row, ending)
        if dropped:
            audit.count_dropped(turn=self.row.id, events=len(dropped))
            self.refused.extend(_refuse_all(dropped, "turn_ended"))

    # --- the kinds ---

    def _delta(self, data: Mapping[str, Any]) -> _Line:
        _exact(data, "part", "text")
        text = _text(data["text"], MAX_EVENT_TEXT)
        return _Line("message.delta", {"part": _part(data["part"]), "text": text}, len(text))

    def _message(self, data: Mapping[str, Any]) -> _Line:
        _exact(data, "part", "text", "citations")
        text = _text(data["text"], MAX_EVENT_TEXT)
        cited = data["citations"]
        if not isinstance(cited, list) or len(cited) > MAX_CITATIONS or not all(isinstance(c, str) for c in cited):
            raise _Refused("invalid_request")
        known = provenance.known_ids(self.row) if cited else frozenset()
        kept = [each for each in dict.fromkeys(cited) if each in known]
        self.row.citations_left_out += len(set(cited)) - len(kept)
        # The whole text repeats its deltas: it is bounded on its own and takes no room of theirs.
        return _Line("message.completed", {"part": _part(data["part"]), "text": text, "citations": kept})

    def _progress(self, data: Mapping[str, Any]) -> _Line:
        _exact(data, "text")
        return _Line("progress", {"text": _text(data["text"], MAX_PROGRESS)})

    def _limit(self, data: Mapping[str, Any]) -> _Line:
        _exact(data, "class", "retry_at")
        limit_class, retry_at = data["class"], data["retry_at"]
        if not isinstance(limit_class, str) or _CLASS.fullmatch(limit_class) is None or not _is_moment(retry_at):
            raise _Refused("invalid_request")
        metrics.PROVIDER_LIMITS.labels(self.row.provider).inc()
        return _Line("limit", {"class": limit_class, "retry_at": retry_at})

    def _auth(self, data: Mapping[str, Any]) -> _Line:
        _exact(data, "state")
        if not isinstance(data["state"], str) or data["state"] not in AUTH_STATES:
            raise _Refused("invalid_request")
        return _Line("auth", {"state": data["state"]})


def _completed(data: Mapping[str, Any]) -> Ending:
    # Tools and counts are the server's own knowledge; all that it takes from the host is the model's name.
    given = data.get("provenance", data)
    model = given.get("model") if isinstance(given, Mapping) else None
    if model is not None and not (isinstance(model, str) and len(model) <= 100):
        raise _Refused("invalid_request")
    return Completed(model=model)


def _failed(data: Mapping[str, Any]) -> Ending:
    _exact(data, "class", "message")
    if not isinstance(data["class"], str) or data["class"] not in HOST_FAILURES:
        raise _Refused("invalid_request")
    return Failed(data["class"], _text(data["message"], MAX_MESSAGE))


def _cancelled(_data: Mapping[str, Any]) -> Ending:
    return Cancelled()


_LINES: Final = {
    "message.delta": _Intake._delta,
    "message.completed": _Intake._message,
    "progress": _Intake._progress,
    "limit": _Intake._limit,
    "auth": _Intake._auth,
}
_ENDINGS: Final = {"turn.completed": _completed, "turn.failed": _failed, "turn.cancelled": _cancelled}


def _exact(data: Mapping[str, Any], *names: str) -> None:
    if set(data) != set(names):
        raise _Refused("invalid_request")


def _part(value: Any) -> str:
    if not isinstance(value, str) or _PART.fullmatch(value) is None:
        raise _Refused("invalid_request")
    return value


def _text(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise _Refused("invalid_request")
    if len(value) > limit:
        raise _Refused("too_large")
    return value


def _is_moment(value: Any) -> bool:
    if value is None:
        return True
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
