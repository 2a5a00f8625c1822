"""Hosts: their tokens, their connections, their signs of life. The only writer of `HostToken` and `Host`.

Above it: the host gateway and the `create_host_token` command. A host is its token and the name it gives: when it comes
back under both within 30 s it keeps the turns it had. Source: contract section 9 ("Host protocol").
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence

from django.db import transaction

from assistant.connectors import PROVIDERS, enabled_providers
from assistant.contracts import HostIdentity, NewHostToken
from assistant.models import Host, HostToken, Turn
from assistant.wire import ConnectorInfo
from workspaces import facade
from workspaces.errors import Flaw, InvalidRequest, Unauthorized

from . import announcing
from .store import OPEN_STATES

_SECRET = re.compile(r"cvh_[A-Za-z0-9_-]{43}")
_NO_DIGEST = "0" * 64


def create_host_token(*, providers: Sequence[str] = (), workspace: str | None = None) -> NewHostToken:
    """A new token; its secret is in the answer and nowhere else. No providers: all that are switched on.

    Raises InvalidRequest (an unknown provider).
    """
    unknown = sorted(set(providers) - set(PROVIDERS))
    if unknown:
        raise InvalidRequest(
            f"Unknown provider: {', '.join(unknown)}.",
            flaws=[Flaw("providers", "choice", f"Choose from {', '.join(PROVIDERS)}.")],
        )
    secret = "cvh_" + secrets.token_urlsafe(32)
    row = HostToken.objects.create(
        id=facade.new_id("hkt"),
        secret_sha256=hashlib.sha256(secret.encode()).hexdigest(),
        last4=secret[-4:],
        providers=json.dumps(sorted(set(providers))) if providers else "",
        workspace=workspace,
        created_at=facade.now(),
    )
    return NewHostToken(id=row.id, secret=secret, providers=tuple(sorted(set(providers))), workspace=workspace)


def revoke_host_token(token: str) -> bool:
    """End a token; its sockets close at their next heartbeat at the latest. False when there was no live one."""
    return bool(HostToken.objects.filter(pk=token, revoked_at=None).update(revoked_at=facade.now()))


def open_host_token(secret: object) -> str:
    """The id of the live token behind a bearer. Raises Unauthorized, in about the same time whatever is wrong."""
    text = secret[:200] if isinstance(secret, str) else ""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    row = HostToken.objects.filter(secret_sha256=digest).first()
    known = hmac.compare_digest(row.secret_sha256 if row else _NO_DIGEST, digest)
    shaped = _SECRET.fullmatch(text) is not None
    if row is None or not known or not shaped or row.revoked_at is not None:
        raise Unauthorized
    return row.id


def is_host_token(*, secret: str) -> bool:
    """Whether this secret is a live host token."""
    try:
        open_host_token(secret)
    except Unauthorized:
        return False
    return True


def connect_host(*, token: str, name: str, connectors: Sequence[ConnectorInfo]) -> HostIdentity:
    """A host said hello: the newest socket of this token and name is now the host. Raises Unauthorized."""
    now = facade.now()
    session = facade.new_id("hss")
    with transaction.atomic():
        owner = HostToken.objects.select_for_update().filter(pk=token, revoked_at=None).first()
        if owner is None:
            raise Unauthorized
        allowed = enabled_providers()
        if owner.providers:
            allowed &= frozenset(json.loads(owner.providers))
        offered = [info.as_json() for info in connectors if info.provider in allowed]
        host, _ = Host.objects.update_or_create(
            token=owner,
            name=name,
            defaults={
                "session": session,
                "connectors": json.dumps(offered),
                "connected_at": now,
                "last_seen_at": now,
                "disconnected_at": None,
            },
            create_defaults={
                "id": facade.new_id("hst"),
                "session": session,
                "connectors": json.dumps(offered),
                "connected_at": now,
                "last_seen_at": now,
                "disconnected_at": None,
            },
        )
        announcing.announce_session(host=host.id, session=session)
    return HostIdentity(
        host=host.id,
        session=session,
        token=owner.id,
        workspace=owner.workspace,
        providers=frozenset(item["provider"] for item in offered if item["state"] == "ready"),
    )


def note_alive(identity: HostIdentity) -> bool:
    """The host gave a sign of life. False when this socket is no longer the host's, or its token was revoked."""
    return bool(
        Host.objects.filter(pk=identity.host, session=identity.session, token__revoked_at=None).update(
            last_seen_at=facade.now()
        )
    )


def disconnect_host(identity: HostIdentity) -> None:
    """The socket is gone; the host keeps its turns for 30 s after its last sign of life."""
    Host.objects.filter(pk=identity.host, session=identity.session).update(disconnected_at=facade.now())


def list_held_turns(host: str) -> frozenset[str]:
    """The open turns that the host has accepted."""
    return frozenset(Turn.objects.filter(claimed_by=host, state="running").values_list("id", flat=True))


def list_ended(turns: Sequence[str]) -> frozenset[str]:
    """Those of the given turns that have ended or are gone: what a heartbeat asks, should a message have been lost."""
    open_turns = Turn.objects.filter(pk__in=list(turns), state__in=OPEN_STATES).values_list("id", flat=True)
    return frozenset(turns) - frozenset(open_turns)
