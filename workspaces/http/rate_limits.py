"""How often a client address and a link may do something: contract section 2, numbers in `CAREERVECTOR_RATE_LIMITS`.

Above: API views and sockets. Below: Valkey, where all processes count together; without it, or while it is away, each
process counts for itself. A window starts with its first request, so a burst is never split over two of them.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
import threading
import time
from functools import lru_cache

import redis
from django.conf import settings
from redis.exceptions import RedisError

from workspaces import metrics
from workspaces.errors import RateLimited

_MOST_LOCAL = 50_000


def check_rate(limit: str, *, client: str | None = None, link: str | None = None, cost: int = 1) -> None:
    """Count one use of `limit` for the address and for the link. Raises RateLimited with `retry_after` seconds.

    `live_*` limits are a second, the others a minute.
    """
    if not getattr(settings, "CAREERVECTOR_RATE_LIMITS_ON", True):
        return
    allowed = settings.CAREERVECTOR_RATE_LIMITS[limit]
    window_s = 1 if limit.startswith("live_") else 60
    subjects = [f"link:{link}"] if link else []
    if client is not None:
        subjects.append(f"client:{network_of(client)}")
    waits = [wait for subject in subjects if (wait := _wait(f"{limit}:{subject}", allowed, window_s, cost)) > 0]
    if waits:
        metrics.RATE_LIMITED.labels(limit).inc()
        seconds = max(1, math.ceil(max(waits)))
        raise RateLimited(
            f"At most {allowed:,} of these {'a second' if window_s == 1 else 'a minute'}; try again in {seconds} s.",
            details={"retry_after": seconds},
        )


def network_of(address: str) -> str:
    """The address, or the /64 of an IPv6 one: a household has that many addresses."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def forget_local() -> None:
    """Start this process's own counting anew (for tests)."""
    _local.clear()


def _wait(subject: str, allowed: int, window_s: int, cost: int) -> float:
    """Seconds to wait, 0 when allowed."""
    url = getattr(settings, "VALKEY_URL", "") or ""
    if url:
        try:
            return _shared_wait(url, subject, allowed, window_s, cost)
        except (RedisError, OSError):
            pass  # Valkey away: keep counting here rather than refuse everybody or nobody
    return _local.wait(subject, allowed, window_s, cost)


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)


def _shared_wait(url: str, subject: str, allowed: int, window_s: int, cost: int) -> float:
    # Addresses are kept as digests only, and for the window only.
    key = "careervector:rate:" + hashlib.sha256(subject.encode()).hexdigest()[:32]
    with _client(url).pipeline(transaction=True) as pipeline:
        pipeline.set(key, 0, px=window_s * 1000, nx=True)
        pipeline.incrby(key, cost)
        pipeline.pttl(key)
        _, count, left_ms = pipeline.execute()
    return max(left_ms, 1) / 1000 if count > allowed else 0.0


class _LocalWindows:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, tuple[float, int]] = {}

    def wait(self, subject: str, allowed: int, window_s: int, cost: int) -> float:
        with self._lock:
            moment = time.monotonic()
            ends, count = self._windows.get(subject, (0.0, 0))
            if ends <= moment:
                ends, count = moment + window_s, 0
                if len(self._windows) >= _MOST_LOCAL:
                    self._windows = {k: w for k, w in self._windows.items() if w[0] > moment}
                if len(self._windows) >= _MOST_LOCAL:
                    self._windows.clear()
            self._windows[subject] = (ends, count + cost)
            return ends - moment if count + cost > allowed else 0.0

    def clear(self) -> None:
        with self._lock:
            self._windows.clear()


_local = _LocalWindows()
