"""The process-wide client, made at first use and made anew when the environment or the process changes.

Above: the callers of `jobcache_client.search`. Below: client and config.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping
from typing import Any

from jobcache_client.client import CallObserver, JobCacheClient
from jobcache_client.config import Config, from_environment

_lock = threading.Lock()
_current: tuple[int, Config, JobCacheClient] | None = None
_retired: list[JobCacheClient] = []
_observer: CallObserver | None = None


def search(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Search the corpus with the arguments of `search_jobcache`; null and absent mean the same.

    Returns `{"roles", "total", "next_cursor", "corpus_version"}` (see `answers.SearchPage`).
    Raises `errors.Misconfigured`, `errors.Refused` (bad arguments) or `errors.Unavailable`. Blocks up to 10 seconds.
    """
    return dict(_client().search(arguments))


def check_configuration() -> None:
    """Raise `errors.Misconfigured` when JobCache could not be asked at all; no network."""
    from_environment().check()


def observe_calls(observer: CallObserver | None) -> None:
    """Let `observer(route, outcome, seconds)` hear of every later call of this process (for /metrics)."""
    global _observer
    _observer = observer


def close_shared() -> None:
    """Close what this process has open towards JobCache; the next search opens it anew."""
    global _current
    with _lock:
        if _current is not None and _current[0] == os.getpid():
            _retired.append(_current[2])
        _current = None
        for client in _retired:
            client.close()
        _retired.clear()


def _client() -> JobCacheClient:
    global _current
    config = from_environment()
    with _lock:
        # A forked worker must not share its parent's sockets, so the process id is part of the key.
        if _current is None or _current[:2] != (os.getpid(), config):
            if _current is not None and _current[0] == os.getpid():
                # Another thread may be using it: it is closed with the rest, not here.
                _retired.append(_current[2])
            _current = (os.getpid(), config, JobCacheClient(config, observer=_tell_observer))
        return _current[2]


def _tell_observer(route: str, outcome: str, seconds: float) -> None:
    if _observer is not None:
        _observer(route, outcome, seconds)


atexit.register(close_shared)
