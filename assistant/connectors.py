"""Connectors of a workspace: which there are, who may use them, whether they can be used now.

Above it: `assistant.facade` and `assistant.threads`. Below it: the rows of connectors and hosts. A connector is ready
when a live host offers its provider to this workspace. Source: contract section 9 ("Connectors").
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

from assistant.connector_erasures import queue_erasures
from assistant.contracts import ConnectorView
from assistant.models import Connector, Host, Turn
from assistant.wire import LOST_AFTER_SECONDS
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import (
    CardinalityExceeded,
    ConnectorUnavailable,
    Flaw,
    InvalidRequest,
    NotFound,
    OperationNotAllowed,
    OwnerOnly,
    ViewOnly,
)

PROVIDERS: Final = ("builtin", "codex", "gemini", "copilot", "local", "scripted")
MAX_CONNECTORS: Final = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """What one live (or just lost) host offers for a provider."""

    host: str
    workspace: str | None
    provider: str
    version: str
    state: str
    capabilities: dict[str, Any]
    connected: bool


def enabled_providers() -> frozenset[str]:
    """Those that the operator has switched on and that this version knows."""
    return frozenset(settings.CAREERVECTOR_PROVIDERS) & frozenset(PROVIDERS)


def list_connectors(*, access: Access) -> list[ConnectorView]:
    """The builtin one, the link's own and the shared ones; an owner sees all. Raises ViewOnly."""
    _require_edit(access)
    if "builtin" in enabled_providers():
        _ensure_builtin(access)
    rows = Connector.objects.filter(workspace=access.workspace, deleted_at=None).order_by("-created_at", "-id")
    offers = list_offers()
    return [_view(row, offers) for row in rows if _may_use(access, row) or access.role == "owner"]


def create_connector(*, access: Access, provider: Any) -> ConnectorView:
    """A connector of this link. Raises ViewOnly, LinkInvalid, InvalidRequest, ConnectorUnavailable (not switched on, or
    nothing can run it yet)."""
    _require_edit(access)
    if provider not in PROVIDERS:
        raise InvalidRequest(flaws=[Flaw("provider", "choice", f"This must be one of {', '.join(PROVIDERS)}.")])
    if provider not in enabled_providers():
        raise ConnectorUnavailable("This provider is not switched on here.")
    if provider == "builtin":
        return _view(_ensure_builtin(access), list_offers())
    if provider != "scripted":
        raise ConnectorUnavailable("No host of this version can run this provider.")
    with transaction.atomic():
        facade.hold_link(workspace=access.workspace, link=access.link)
        if Connector.objects.filter(workspace=access.workspace, deleted_at=None).count() >= MAX_CONNECTORS:
            raise CardinalityExceeded(f"A workspace has at most {MAX_CONNECTORS} connectors; delete one first.")
        row = Connector.objects.create(
            id=facade.new_id("con"),
            workspace=access.workspace,
            provider=provider,
            link=access.link,
            created_at=facade.now(),
        )
    view = _view(row, list_offers())
    facade.hub.publish(
        topic=f"workspace:{access.workspace}", message={"type": "connector", "id": view.id, "state": view.state}
    )
    return view


def start_login(*, access: Access, connector: str, method: Any) -> ConnectorView:
    """Begin a device login. Raises ViewOnly, NotFound, OwnerOnly, InvalidRequest (this one needs no login)."""
    _require_edit(access)
    row = _get_own(access, connector)
    if not isinstance(method, str) or not 0 < len(method) <= 40:
        raise InvalidRequest(flaws=[Flaw("method", "type", "This must be the name of a login method.")])
    raise InvalidRequest(f"The {row.provider} connector needs no login.")


def delete_connector(*, access: Access, connector: str) -> None:
    """End a connector: its running turns are cancelled, so their capabilities are void, and its host erases its home.

    Raises ViewOnly, NotFound, OwnerOnly (another link's), OperationNotAllowed (the builtin one stays).
    """
    from assistant.threads.ending import cancel_if_open
    from assistant.threads.store import OPEN_STATES

    _require_edit(access)
    row = _get_own(access, connector)
    if row.provider == "builtin":
        raise OperationNotAllowed("Every workspace keeps its builtin connector.")
    with transaction.atomic():
        facade.hold_link(workspace=access.workspace, link=access.link)
        if Connector.objects.filter(pk=row.id, deleted_at=None).update(deleted_at=facade.now(), login=""):
            queue_erasures([row])
    for turn in Turn.objects.filter(connector=row.id, state__in=OPEN_STATES).values_list("id", flat=True):
        cancel_if_open(turn)
    facade.hub.publish(
        topic=f"workspace:{access.workspace}", message={"type": "connector", "id": row.id, "state": "unavailable"}
    )


def get_usable(*, access: Access, connector: Any) -> Connector:
    """The row of a connector that this link may use. Raises InvalidRequest (not an id), NotFound."""
    if not isinstance(connector, str):
        raise InvalidRequest(flaws=[Flaw("connector", "type", "This must be the id of a connector.")])
    if not facade.can_be_id(connector):
        raise NotFound
    row = Connector.objects.filter(pk=connector, workspace=access.workspace, deleted_at=None).first()
    if row is None or not _may_use(access, row):
        raise NotFound
    return row


def list_offers() -> list[Offer]:
    """What hosts seen within the last 30 s offer, by any provider that is switched on."""
    since = facade.now() - timedelta(seconds=LOST_AFTER_SECONDS)
    enabled = enabled_providers()
    hosts = Host.objects.filter(last_seen_at__gt=since, token__revoked_at=None).select_related("token")
    return [
        Offer(
            host=host.id,
            workspace=host.token.workspace,
            provider=item["provider"],
            version=item["version"],
            state=item["state"],
            capabilities=item["capabilities"],
            connected=host.disconnected_at is None,
        )
        for host in hosts
        for item in json.loads(host.connectors)
        if item["provider"] in enabled
    ]


def may_run(offer: Offer, *, workspace: str, provider: str, home_host: str | None) -> bool:
    """Whether this host may be given turns of such a connector."""
    return (
        offer.provider == provider
        and offer.state == "ready"
        and offer.workspace in (None, workspace)
        and home_host in (None, offer.host)
    )


def _view(row: Connector, offers: Iterable[Offer]) -> ConnectorView:
    mine = [
        offer
        for offer in offers
        if offer.provider == row.provider
        and offer.workspace in (None, row.workspace)
        and row.home_host in (None, offer.host)
    ]
    live = [offer for offer in mine if offer.connected]
    ready = [offer for offer in live if offer.state == "ready"]
    best = next(iter(ready or live or mine), None)
    if best is None or row.provider not in enabled_providers():
        state = "unavailable"
    elif not best.connected:
        # It was here within the last 30 s: hosts come back.
        state = "connecting"
    else:
        state = best.state if row.login_state == "ready" else row.login_state
    return ConnectorView(
        id=row.id,
        provider=row.provider,
        state=state,
        version=best.version if best else None,
        capabilities=best.capabilities if best else {},
        shared=row.shared,
        login=json.loads(row.login) if row.login else None,
    )


def hand_over(old: str, new: str) -> None:
    """The connectors of a link become another's, in the caller's transaction."""
    Connector.objects.filter(link=old).update(link=new)


def _ensure_builtin(access: Access) -> Connector:
    workspace = access.workspace
    row = Connector.objects.filter(workspace=workspace, provider="builtin").first()
    if row is not None:
        return row
    try:
        with transaction.atomic():
            facade.hold_link(workspace=workspace, link=access.link)
            return Connector.objects.create(
                id=facade.new_id("con"),
                workspace=workspace,
                provider="builtin",
                shared=True,
                created_at=facade.now(),
            )
    except IntegrityError:  # made by another request just now
        return Connector.objects.get(workspace=workspace, provider="builtin")


def _get_own(access: Access, connector: str) -> Connector:
    row = Connector.objects.filter(pk=connector[:41], workspace=access.workspace, deleted_at=None).first()
    if row is None or not (_may_use(access, row) or access.role == "owner"):
        # Another link's private connector: an editor learns that it is not theirs to manage.
        if row is not None:
            raise OwnerOnly
        raise NotFound
    if row.link != access.link and row.provider != "builtin" and access.role != "owner":
        raise OwnerOnly
    return row


def _may_use(access: Access, row: Connector) -> bool:
    return row.shared or row.link == access.link


def _require_edit(access: Access) -> None:
    if access.role == "view":
        raise ViewOnly
