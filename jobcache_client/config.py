"""Where JobCache is and which bearer opens it, with the outbound rules of contract section 10.

Above: client and shared. Below: nothing but the standard library.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from urllib.parse import urlsplit

from jobcache_client.errors import Misconfigured

MINIMUM_TOKEN_LENGTH = 24


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one client. Tokens are trimmed; `worker_token` is held only to see that it differs.

    Times are seconds: `connect_timeout` and `read_timeout` bound one step, `deadline` the whole call with its retries.
    """

    url: str
    control_token: str = field(repr=False)
    worker_token: str = field(default="", repr=False)
    connect_timeout: float = 2.0
    read_timeout: float = 5.0
    deadline: float = 10.0
    retries: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", self.url.strip().rstrip("/"))
        object.__setattr__(self, "control_token", self.control_token.strip())
        object.__setattr__(self, "worker_token", self.worker_token.strip())

    def check(self) -> None:
        """Raise `Misconfigured` unless both the credentials and the address obey the rules; credentials first."""
        check_credentials(
            {"JOBCACHE_CONTROL_TOKEN": self.control_token, "JOBCACHE_CORPUS_WORKER_TOKEN": self.worker_token},
            required="JOBCACHE_CONTROL_TOKEN",
        )
        check_url(self.url)


def from_environment(environ: Mapping[str, str] | None = None) -> Config:
    """The configuration that JOBCACHE_URL, JOBCACHE_CONTROL_TOKEN and JOBCACHE_CORPUS_WORKER_TOKEN describe.

    It is not checked here, so that a process without JobCache still starts; the first call tells what is missing.
    """
    source = os.environ if environ is None else environ
    return Config(
        url=source.get("JOBCACHE_URL", ""),
        control_token=source.get("JOBCACHE_CONTROL_TOKEN", ""),
        worker_token=source.get("JOBCACHE_CORPUS_WORKER_TOKEN", ""),
    )


def check_credentials(tokens: Mapping[str, str], *, required: str) -> None:
    """Raise `Misconfigured` when a configured token is short, two are equal, or `required` is blank."""
    configured = {name: token.strip() for name, token in tokens.items() if token.strip()}
    for name, token in configured.items():
        if len(token) < MINIMUM_TOKEN_LENGTH:
            raise Misconfigured(f"{name} has fewer than {MINIMUM_TOKEN_LENGTH} characters.")
    for (first, one), (second, other) in combinations(configured.items(), 2):
        if one == other:
            raise Misconfigured(f"{first} and {second} must differ.")
    if required not in configured:
        raise Misconfigured(f"{required} is not set.")
    if not configured[required].isascii() or not configured[required].isprintable():
        raise Misconfigured(f"{required} holds characters that a header cannot carry.")


def check_url(url: str) -> None:
    """Raise `Misconfigured` unless `url` is HTTPS, or plain HTTP to a loopback address, without extras."""
    if not url:
        raise Misconfigured("JOBCACHE_URL is not set.")
    if not url.isprintable() or " " in url or "\\" in url:
        raise Misconfigured("JOBCACHE_URL holds characters that an address cannot have.")
    if "?" in url or "#" in url:
        raise Misconfigured("JOBCACHE_URL must not have a query or a fragment.")
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise Misconfigured("JOBCACHE_URL is not a web address.") from error
    if "@" in parts.netloc:
        raise Misconfigured("JOBCACHE_URL must not hold a user name or password.")
    if not host or parts.scheme not in {"http", "https"}:
        raise Misconfigured("JOBCACHE_URL must start with https://, or with http:// and a loopback address.")
    if parts.scheme == "http" and not _is_loopback(host):
        raise Misconfigured("JOBCACHE_URL may use plain HTTP to a loopback address only.")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
