"""The rows of a running turn: read, lock, append. The only writer of `ThreadEvent`.

Above it: `assistant.threads.*` and the tool boundary. Below it: the tables and the hub (`thread:<id>`), which hears of
an event only after its transaction has been committed. Locks are taken in the order turn → idempotency record →
workspace → thread.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast

from django.db import transaction

from assistant.errors import TurnEnded
from assistant.models import ThreadEvent, Turn
from workspaces import facade
from workspaces.errors import NotFound
from workspaces.facade import sql

TurnState = Literal["queued", "assigned", "running", "completed", "failed", "cancelled"]
OPEN_STATES: Final[frozenset[str]] = frozenset({"queued", "assigned", "running"})


@dataclass(frozen=True, slots=True)
class TurnScope:
    """Everything that bounds a turn. `claimed_by` is a host id; `surface` and `document` are what the person sees."""

    workspace: str
    connector: str
    provider: str
    thread: str
    turn: str
    link: str
    nonce: str
    state: TurnState
    claimed_by: str | None
    surface: str | None
    document: str | None
    deadline_at: datetime
    origin_event: str

    @property
    def is_open(self) -> bool:
        """Whether the terminal event is still to come."""
        return self.state in OPEN_STATES


_SCOPE: Final = (
    "t.workspace, t.connector, t.provider, t.thread_id, t.id, t.link, t.nonce, t.state, t.claimed_by, t.surface,"
    " t.document, t.deadline_at, t.origin_event"
)


def get_turn(turn: str) -> TurnScope | None:
    """The turn as it stands now, or None."""
    row = sql.fetch_one(f"SELECT {_SCOPE} FROM assistant_turn t WHERE t.id = %s", [turn])  # noqa: S608
    return None if row is None else _scope_of_columns(row)


@dataclass(frozen=True, slots=True)
class TurnForCall:
    """A turn as the tool boundary asks for it: with its connector's life and the number of calls so far."""

    scope: TurnScope
    connector_alive: bool
    calls: int


def get_turn_for_call(turn: str) -> TurnForCall | None:
    """Everything that a tool call must know of its turn, in one look."""
    row = sql.fetch_one(
        f"SELECT {_SCOPE}, c.id IS NOT NULL,"  # noqa: S608
        " (SELECT COUNT(*) FROM assistant_toolcall k WHERE k.turn = t.id) FROM assistant_turn t"
        " LEFT JOIN assistant_connector c ON c.id = t.connector AND c.deleted_at IS NULL WHERE t.id = %s",
        [turn],
    )
    if row is None:
        return None
    return TurnForCall(scope=_scope_of_columns(row[:-2]), connector_alive=bool(row[-2]), calls=int(row[-1]))


def lock_turn(turn: str) -> TurnScope:
    """The turn, its row locked until the current transaction ends. Raises `NotFound`.

    Whoever changes a turn or commits on its behalf holds this lock first, so that a cancel waits for a write in flight.
    """
    lock = sql.for_update("t")
    row = sql.fetch_one(f"SELECT {_SCOPE} FROM assistant_turn t WHERE t.id = %s{lock}", [turn])  # noqa: S608
    if row is None:
        raise NotFound
    return _scope_of_columns(row)


def _scope_of_columns(row: tuple[Any, ...]) -> TurnScope:
    values = list(row)
    values[-2] = sql.as_time(values[-2])
    return TurnScope(*values)


def lock_turn_row(turn: str) -> Turn:
    """`lock_turn` for the writers in this package."""
    try:
        return Turn.objects.select_for_update().get(pk=turn)
    except Turn.DoesNotExist:
        raise NotFound from None


def append_event(*, thread: str, turn: str, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Add an event to an open turn in the current transaction and give it in its wire shape.

    The thread's next `seq` is taken under the thread's row lock, so numbers have no gaps. Raises `TurnEnded` after the
    terminal event, so the caller's transaction, whatever else it did, leaves nothing.
    """
    if sql.fetch_one("SELECT 1 FROM assistant_turn WHERE id = %s AND ended_at IS NULL", [turn]) is None:
        raise TurnEnded
    return write_event(thread=thread, turn=turn, kind=kind, data=data)


def write_event(*, thread: str, turn: str, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """`append_event` without its check: for the first event of a turn and the last."""
    return write_events(thread=thread, turn=turn, events=[(kind, data)])[0]


def write_events(*, thread: str, turn: str, events: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Several events in a row, (kind, data) each, without a check: for a caller that holds an open turn's lock."""
    row = sql.fetch_one(
        "UPDATE assistant_thread SET last_seq = last_seq + %s WHERE id = %s RETURNING last_seq", [len(events), thread]
    )
    if row is None:
        raise NotFound
    first, at = row[0] - len(events) + 1, facade.now()
    said_at = facade.rfc3339(at)
    wires, params = [], []
    for seq, (kind, data) in enumerate(events, start=first):
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        event = facade.new_id("tev")
        params += [event, thread, seq, turn, kind, sql.moment(at), text]
        wires.append({"id": event, "seq": seq, "turn": turn, "kind": kind, "at": said_at, "data": dict(data)})
    marks = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(events))
    sql.execute(
        f"INSERT INTO assistant_threadevent (id, thread_id, seq, turn, kind, at, data) VALUES {marks}",  # noqa: S608
        params,
    )
    transaction.on_commit(lambda: _announce(thread, wires))
    return wires


def _announce(thread: str, wires: Sequence[Mapping[str, Any]]) -> None:
    for wire in wires:
        facade.hub.publish(topic=f"thread:{thread}", message={"type": "event", "event": wire})


def event_as_json(event: ThreadEvent) -> dict[str, Any]:
    """The wire shape of contract section 9."""
    return {
        "id": event.id,
        "seq": event.seq,
        "turn": event.turn,
        "kind": event.kind,
        "at": facade.rfc3339(event.at),
        "data": json.loads(event.data),
    }


def list_events(*, thread: str, after: int, limit: int) -> list[dict[str, Any]]:
    """Up to `limit` events with a `seq` above `after`, oldest first."""
    rows = ThreadEvent.objects.filter(thread_id=thread, seq__gt=after).order_by("seq")[:limit]
    return [event_as_json(row) for row in rows]


def list_events_before(*, thread: str, before: int, limit: int) -> list[dict[str, Any]]:
    """The newest `limit` events with a `seq` below `before`, oldest first."""
    rows = ThreadEvent.objects.filter(thread_id=thread, seq__lt=before).order_by("-seq")[:limit]
    return [event_as_json(row) for row in reversed(rows)]


def scope_of(row: Turn) -> TurnScope:
    """The frozen scope of a row."""
    return TurnScope(
        workspace=row.workspace,
        connector=row.connector,
        provider=row.provider,
        thread=row.thread_id,
        turn=row.id,
        link=row.link,
        nonce=row.nonce,
        state=cast(TurnState, row.state),
        claimed_by=row.claimed_by,
        surface=row.surface,
        document=row.document,
        deadline_at=row.deadline_at,
        origin_event=row.origin_event,
    )
