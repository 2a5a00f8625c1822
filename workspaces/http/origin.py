"""Whether a request comes from our own pages: the whole origin counts, scheme, host and port.

A same-host check would take another port of the same machine for us.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

_DEFAULT_PORTS = {"http": 80, "https": 443}
Origin = tuple[str, str, int]


def is_own_origin(origin: str) -> bool:
    """True when an Origin header names exactly the public URL's origin. `null` and nonsense are not ours."""
    parsed = _parse(origin)
    return parsed is not None and parsed == _parse(getattr(settings, "CAREERVECTOR_PUBLIC_URL", ""))


def _parse(address: str) -> Origin | None:
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host or parts.username is not None:
        return None
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    return scheme, host, _DEFAULT_PORTS[scheme] if port is None else port
