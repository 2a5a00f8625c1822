"""May this call be made, now? Asked anew at every call, and once more under the turn's lock before anything is written.

The token says which turn; the database says whether that turn, its link and its connector still stand, and whether
this host holds it. Above: `boundary` and `delivery`. Below: `assistant.capabilities`, the turn store, the facade.
"""

from __future__ import annotations

from dataclasses import dataclass
from secrets import compare_digest

from assistant.capabilities import Capability, verify
from assistant.threads import store
from workspaces import facade
from workspaces.contracts import Role
from workspaces.errors import CapabilityInvalid, LinkInvalid, NotFound
from workspaces.facade import sql

from .base import Scope


@dataclass(frozen=True, slots=True)
class Authority:
    """A verified capability on the socket of the host that holds the turn. `calls` counts the turn's calls so far."""

    capability: Capability
    host: str
    role: Role
    calls: int


def authorise(*, token: object, turn: object, host: str) -> tuple[Authority, Scope]:
    """The scope that the token grants. Raises CapabilityInvalid, without saying why."""
    capability = verify(token)
    if turn != capability.turn:
        raise CapabilityInvalid
    try:
        with sql.direct():
            found = store.get_turn_for_call(capability.turn)
            if found is None:
                raise CapabilityInvalid
            row = found.scope
            require_current(row, capability, host=host)
            role = facade.check_link_alive(workspace=capability.workspace, link=capability.link)
    except (LinkInvalid, NotFound):
        raise CapabilityInvalid from None
    if not found.connector_alive:
        raise CapabilityInvalid
    return Authority(capability, host, role, found.calls), scope_of(row)


def lock_current(authority: Authority) -> None:
    """Locks the turn for the current transaction and checks once more that it is still open to this capability.

    Raises CapabilityInvalid.
    """
    try:
        row = store.lock_turn(authority.capability.turn)
    except NotFound:
        raise CapabilityInvalid from None
    require_current(row, authority.capability, host=authority.host)


def require_current(row: store.TurnScope, capability: Capability, *, host: str) -> None:
    """Raises CapabilityInvalid unless the turn runs, on this host, under this nonce, in this scope, in time."""
    if not (
        row.state == "running"
        and row.claimed_by is not None
        and row.claimed_by == host
        and compare_digest(row.nonce.encode(), capability.nonce.encode())
        and (row.workspace, row.connector, row.thread, row.link)
        == (capability.workspace, capability.connector, capability.thread, capability.link)
        and row.deadline_at > facade.now()
    ):
        raise CapabilityInvalid


def scope_of(row: store.TurnScope) -> Scope:
    """What a tool may know of the turn."""
    return Scope(
        workspace=row.workspace,
        connector=row.connector,
        provider=row.provider,
        thread=row.thread,
        turn=row.turn,
        link=row.link,
        surface=row.surface,
        document=row.document,
        origin_event=row.origin_event,
    )


def scope_for_audit(*, turn: object, host: str) -> Scope | None:
    """The turn that a refused host does hold, so that the refusal is found beside the turn's other calls."""
    # What can be no id is not asked for: PostgreSQL refuses some characters.
    row = store.get_turn(str(turn)) if facade.can_be_id(turn) else None
    return scope_of(row) if row is not None and row.claimed_by == host else None
