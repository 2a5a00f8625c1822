"""The short-lived token that lets one turn of one thread call the four tools: minting and verifying.

Above it: the host gateway, which mints one for each assignment, and `assistant.tools.boundary`, which verifies it at
every call. Below it: Django's signing. What the token cannot know (has the turn ended, is the nonce still current,
does the link still live) the boundary asks the database. Source: contract section 8.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer

from workspaces import facade
from workspaces.errors import CapabilityInvalid

VERSION = 1
AUDIENCE = "careervector.assistant.tools"
MAX_LIFETIME_S = 600
MAX_TOKEN_CHARACTERS = 2_048


@dataclass(frozen=True, slots=True)
class Capability:
    """The scope of one turn, exactly as signed. `iat` and `exp` are Unix seconds with three decimals."""

    version: int
    workspace: str
    connector: str
    thread: str
    turn: str
    audience: str
    link: str
    nonce: str
    iat: float
    exp: float


_KEYS = frozenset(field.name for field in fields(Capability))
_IDS = ("workspace", "connector", "thread", "turn", "link", "nonce")


def _keys() -> tuple[str, ...]:
    """The key that tokens are signed with, then older ones that they may have been signed with."""
    return (settings.CAREERVECTOR_CAPABILITY_KEY, *settings.CAREERVECTOR_CAPABILITY_KEY_FALLBACKS)


def _signer(audience: str, keys: tuple[str, ...]) -> Signer:
    return Signer(
        key=keys[0],
        fallback_keys=list(keys[1:]),
        salt=f"careervector.capability.v{VERSION}:{audience}",
        algorithm="sha256",
    )


def _seconds(moment: datetime) -> float:
    # Rounded down: a token must not come from its own future when it is verified in the same millisecond.
    return int(moment.timestamp() * 1000) / 1000


def mint(*, workspace: str, connector: str, thread: str, turn: str, link: str, nonce: str, deadline: datetime) -> str:
    """A token for this turn, valid until `deadline` (aware; at most ten minutes ahead).

    The turn keeps the nonce it was minted with, so minting again with a new one voids the older token.
    Raises ValueError for a deadline that no token may have: that is a mistake in our code, never bad input.
    """
    iat, exp = _seconds(facade.now()), _seconds(deadline)
    if not 0 < exp - iat <= MAX_LIFETIME_S:
        raise ValueError(f"a capability lives more than 0 and at most {MAX_LIFETIME_S} seconds")
    scope = Capability(
        version=VERSION, workspace=workspace, connector=connector, thread=thread, turn=turn, audience=AUDIENCE,
        link=link, nonce=nonce, iat=iat, exp=exp,
    )  # fmt: skip
    body = json.dumps(asdict(scope), separators=(",", ":"), sort_keys=True).encode()
    return _signer(AUDIENCE, _keys()).sign(urlsafe_b64encode(body).decode().rstrip("="))


def verify(token: object) -> Capability:
    """The scope that a token carries. Raises CapabilityInvalid for anything but a current token made by `mint`.

    Checked: the signature (current key, then the fallback keys), the audience, exactly the ten keys and their types
    (so the retired account-principal shape fails), `iat` not in the future, `exp` ahead and within ten minutes of it.
    """
    scope = read_signed(token)
    now = facade.now().timestamp()
    if scope.iat > now or scope.exp <= now:
        raise CapabilityInvalid
    return scope


def read_signed(token: object) -> Capability:
    """The scope of a token that we signed for this audience, expired or not. Raises CapabilityInvalid.

    For the audit of refused calls; `verify` is what grants anything.
    """
    if not isinstance(token, str) or len(token) > MAX_TOKEN_CHARACTERS or not token.isascii():
        raise CapabilityInvalid
    return _read(token, _keys())


# What a token says never changes under the same keys, and a turn sends its token with every call. Whether what it says
# still holds is asked anew each time.
@lru_cache(maxsize=256)
def _read(token: str, keys: tuple[str, ...]) -> Capability:
    try:
        encoded = _signer(AUDIENCE, keys).unsign(token)
        body = json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    except (BadSignature, binascii.Error, ValueError, RecursionError):
        raise CapabilityInvalid from None
    if not _well_shaped(body):
        raise CapabilityInvalid
    return Capability(**body)


def _well_shaped(body: Any) -> bool:
    return (
        isinstance(body, dict)
        and body.keys() == _KEYS
        and type(body["version"]) is int
        and body["version"] == VERSION
        and body["audience"] == AUDIENCE
        and all(isinstance(body[name], str) and 0 < len(body[name]) <= 200 for name in _IDS)
        and all(type(body[name]) in (int, float) for name in ("iat", "exp"))
        # NaN compares false with everything, so it ends here too.
        and 0 < body["exp"] - body["iat"] <= MAX_LIFETIME_S
    )
