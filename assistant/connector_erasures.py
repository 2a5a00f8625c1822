"""The homes of connectors that are gone: which host has still to erase which, until it says that it has.

Above: `connectors` and `erasure`, which queue in the transaction of their deletion; the host gateway and the sweep,
which ask until it is done. Below: the rows. Source: contract sections 7 and 9 (`connector.erase`, `connector.erased`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from assistant.models import Connector, ConnectorErasure, Host, HostToken
from workspaces import facade

HOSTS_TOPIC: Final = "hosts"


def queue_erasures(connectors: Iterable[Connector]) -> None:
    """Notes the homes of these connectors, in the current transaction, and tells their hosts after it.

    One that lives on no host in particular has no home.
    """
    rows = [
        ConnectorErasure(connector=row.id, host=row.home_host, queued_at=facade.now())
        for row in connectors
        if row.home_host is not None
    ]
    ConnectorErasure.objects.bulk_create(rows, ignore_conflicts=True)
    for host in dict.fromkeys(row.host for row in rows):
        announce(host)


def list_erasures(*, host: str) -> list[str]:
    """The connectors whose homes this host has still to erase, oldest first."""
    rows = ConnectorErasure.objects.filter(host=host).order_by("queued_at", "connector")
    return list(rows.values_list("connector", flat=True)[:200])


def acknowledge_erasure(*, host: str, connector: str) -> bool:
    """The host has erased the home. False when that was not asked of it (any more: it may say so twice)."""
    with transaction.atomic():
        done, _ = ConnectorErasure.objects.filter(connector=connector, host=host).delete()
        _let_go(HostToken.objects.filter(hosts=host).exclude(workspace=None))
        return bool(done)


def announce_erasures() -> int:
    """Reminds the hosts of what they have still to erase; gives how many homes that is.

    Also lets go of companions of erased workspaces that have nothing left to do.
    """
    for host in list(ConnectorErasure.objects.values_list("host", flat=True).distinct()[:1_000]):
        announce(host)
    with transaction.atomic():
        _let_go(HostToken.objects.exclude(workspace=None))
    return ConnectorErasure.objects.count()


def forget_companions(*, workspace: str) -> None:
    """The host tokens that are bound to a workspace, with their hosts (devices of that person), as it is being erased.

    One whose host has a home to erase stays until that is done, or it could never come to say so.
    """
    _forget_idle(HostToken.objects.filter(workspace=workspace))


def announce(host: str) -> None:
    """Tells the host's socket that there is something to erase, once the transaction is committed."""
    message = {"type": "connector.erase", "host": host}
    transaction.on_commit(lambda: facade.hub.publish(topic=HOSTS_TOPIC, message=message), robust=True)


def _let_go(companions: QuerySet[HostToken]) -> None:
    erased = [token.id for token in companions if facade.is_erased(workspace=token.workspace or "")]
    _forget_idle(HostToken.objects.filter(pk__in=erased))


def _forget_idle(companions: QuerySet[HostToken]) -> None:
    busy = Host.objects.filter(id__in=ConnectorErasure.objects.values("host"))
    companions.exclude(hosts__in=busy).delete()
