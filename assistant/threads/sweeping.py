"""Time passes: turns that no host took, whose host was lost, or whose deadline is over, come to their end.

Above it: a Celery task and a timer in each web process that has sockets; running it twice at once is harmless, since
each turn is looked at again under its lock. Below it: claims and endings.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from assistant.models import Host, ProviderEventSeen, Turn
from assistant.wire import ACCEPT_WITHIN_SECONDS, LOST_AFTER_SECONDS
from workspaces import facade

from . import announcing
from .claims import NO_HOST, pass_on
from .ending import Failed, end_turn
from .store import OPEN_STATES

_ACCEPT_WITHIN = timedelta(seconds=ACCEPT_WITHIN_SECONDS)
_LOST_AFTER = timedelta(seconds=LOST_AFTER_SECONDS)


@dataclass(frozen=True, slots=True)
class Swept:
    """How many turns are open, and how many of them this sweep ended or passed on."""

    open: int
    acted: int


def sweep_turns() -> Swept:
    """Look at every open turn once."""
    now = facade.now()
    rows = list(Turn.objects.filter(state__in=OPEN_STATES).order_by("created_at"))
    hosts = Host.objects.in_bulk([row.claimed_by for row in rows if row.claimed_by])
    acted = 0
    for row in rows:
        if _verdict(row, hosts.get(row.claimed_by or ""), now) is not None:
            acted += _act(row.id)
    return Swept(open=len(rows), acted=acted)


def expire_capabilities(*, limit: int = 500) -> int:
    """Void what ended turns still hold: their nonces, the answers kept for repeated calls, the event ids seen.

    An ending does this in its own transaction. This finds what a fault left behind; gives how many turns that were.
    """
    from assistant.tools.results import list_kept_turns

    held = set(Turn.objects.exclude(state__in=OPEN_STATES).exclude(nonce="").values_list("id", flat=True)[:limit])
    held |= set(ProviderEventSeen.objects.exclude(turn__state__in=OPEN_STATES).values_list("turn", flat=True)[:limit])
    kept = list_kept_turns(limit=limit)
    still_open = set(Turn.objects.filter(pk__in=kept, state__in=OPEN_STATES).values_list("id", flat=True))
    return sum(_void(turn) for turn in sorted({*held, *kept} - still_open))


def _void(turn: str) -> bool:
    from assistant.tools.results import forget_results

    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn).first()
        if row is not None and row.state in OPEN_STATES:
            return False
        Turn.objects.filter(pk=turn).update(nonce="")
        ProviderEventSeen.objects.filter(turn=turn).delete()
        forget_results(turn)
        return True


def _act(turn: str) -> bool:
    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn, state__in=OPEN_STATES).first()
        if row is None:
            return False
        host = Host.objects.filter(pk=row.claimed_by).first() if row.claimed_by else None
        verdict = _verdict(row, host, facade.now())
        if verdict is None:
            return False
        if isinstance(verdict, Failed):
            end_turn(row, verdict)
        else:
            pass_on(row)
        return True


class _PassOn:
    """The host did not accept in time."""


def _verdict(row: Turn, host: Host | None, now: datetime) -> Failed | _PassOn | None:
    if row.deadline_at <= now:
        return Failed("timeout", "The answer took too long and was stopped.")
    if row.state == "queued":
        waiting_since = row.claimed_at or row.created_at
        return Failed("connector_unavailable", NO_HOST) if now - waiting_since > _ACCEPT_WITHIN else None
    if row.state == "assigned":
        return _PassOn() if now - (row.claimed_at or row.created_at) > _ACCEPT_WITHIN else None
    if host is None or now - host.last_seen_at > _LOST_AFTER:
        return Failed("host_lost", "The connector host was lost. What it had done so far is kept.")
    # A host that came back without this turn (its process was started anew) never speaks of it again.
    forgotten = row.confirmed_at is not None and row.confirmed_at < host.connected_at
    if forgotten and now - host.connected_at > _LOST_AFTER:
        return Failed("host_lost", "The connector host came back without this turn.")
    return None


def announce_waiting() -> None:
    """Remind the gateways of queued turns, should the first announcement have been lost."""
    for turn in Turn.objects.filter(state="queued").order_by("created_at").values_list("id", flat=True)[:100]:
        announcing.announce_queued(turn)
