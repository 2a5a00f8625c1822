"""A queued turn finds a host: claimed by compare-and-set, accepted, passed on, given up.

Above it: the host gateway and the sweeper. A turn goes to one host only, whichever process saw it first. One that is
not accepted within 5 s goes to another host or fails with `connector_unavailable`.
"""

from __future__ import annotations

import json

from django.db import transaction
from django.db.models import F

from assistant import connectors
from assistant.contracts import HostIdentity
from assistant.models import Connector, Host, Turn
from assistant.wire import Assignment
from workspaces import facade

from . import announcing, store
from .assignment import build_assignment
from .ending import Failed, end_turn

NO_HOST = "No connector host took this question. Please try again."


def list_claimable(identity: HostIdentity) -> list[str]:
    """The queued turns that this host may be given, oldest first."""
    rows = Turn.objects.filter(state="queued", provider__in=identity.providers, deadline_at__gt=facade.now())
    if identity.workspace is not None:
        rows = rows.filter(workspace=identity.workspace)
    return [
        turn
        for turn, tried in rows.order_by("created_at").values_list("id", "tried_hosts")[:100]
        if identity.host not in json.loads(tried)
    ]


def claim_turn(*, turn: str, identity: HostIdentity) -> Assignment | None:
    """Claim a queued turn for a host and give what the host must know; None when it is not to be had.

    Claiming and building are one transaction: what cannot be built is not claimed.
    """
    row = Turn.objects.filter(pk=turn, state="queued").first()
    if row is None or row.provider not in identity.providers or identity.workspace not in (None, row.workspace):
        return None
    if identity.host in json.loads(row.tried_hosts):
        return None
    connector = Connector.objects.filter(pk=row.connector, deleted_at=None).first()
    if connector is None or connector.home_host not in (None, identity.host):
        return None
    now = facade.now()
    with transaction.atomic():
        claimed = Turn.objects.filter(pk=turn, state="queued", claimed_by=None, deadline_at__gt=now).update(
            state="assigned",
            claimed_by=identity.host,
            claimed_at=now,
            confirmed_at=now,
            attempt=F("attempt") + 1,
            nonce=facade.new_id("non"),
            connector_version=_version(identity.host, row.provider),
        )
        return build_assignment(store.lock_turn_row(turn)) if claimed else None


def accept_turn(*, turn: str, host: str) -> bool:
    """The host takes the turn (again: after a reconnect it says so once more). False when the turn is not its own."""
    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn, claimed_by=host, state__in=store.OPEN_STATES).first()
        if row is None:
            return False
        row.confirmed_at = facade.now()
        if row.state == "assigned":
            row.state = "running"
            row.started_at = row.confirmed_at
            store.append_event(
                thread=row.thread_id,
                turn=row.id,
                kind="turn.started",
                data={"connector": row.connector, "provider": row.provider, "version": row.connector_version},
            )
        row.save(update_fields=["confirmed_at", "state", "started_at"])
        return True


def confirm_turn(*, turn: str, host: str) -> None:
    """The host showed that it still knows of the turn."""
    Turn.objects.filter(pk=turn, claimed_by=host, state="running").update(confirmed_at=facade.now())


def bind_thread(*, turn: str, host: str, provider_thread: str) -> bool:
    """Keep the provider's own thread id. False when the turn is not the host's, or has ended."""
    with transaction.atomic():
        row = Turn.objects.select_for_update().filter(pk=turn, claimed_by=host, state="running").first()
        if row is None:
            return False
        thread = row.thread
        thread.provider_thread = provider_thread
        thread.save(update_fields=["provider_thread"])
        return True


def pass_on(row: Turn) -> None:
    """Give a turn that its host did not accept to another, or fail it. The caller holds the row's lock."""
    tried = [*json.loads(row.tried_hosts), *([row.claimed_by] if row.claimed_by else [])]
    lost = row.claimed_by
    if not _has_other_host(row, tried):
        end_turn(row, Failed("connector_unavailable", NO_HOST))
        return
    row.state = "queued"
    row.tried_hosts = json.dumps(tried)
    row.claimed_by = None
    row.claimed_at = facade.now()
    row.nonce = ""
    row.save(update_fields=["state", "tried_hosts", "claimed_by", "claimed_at", "nonce"])
    announcing.announce_ended(turn=row.id, host=lost)
    announcing.announce_queued(row.id)


def _has_other_host(row: Turn, tried: list[str]) -> bool:
    connector = Connector.objects.filter(pk=row.connector, deleted_at=None).first()
    return connector is not None and any(
        offer.connected
        and offer.host not in tried
        and connectors.may_run(offer, workspace=row.workspace, provider=row.provider, home_host=connector.home_host)
        for offer in connectors.list_offers()
    )


def _version(host: str, provider: str) -> str:
    offered = json.loads(Host.objects.values_list("connectors", flat=True).get(pk=host))
    return next((item["version"] for item in offered if item["provider"] == provider), "")
