"""Orders that every process must hear, also one that has no socket and no loop: a worker keeps documents in memory too.

Above: `workspaces.erasure`. Below: one channel of Valkey beside the hub's, and one thread a process that waits on it,
started when the process first has something to lose. Whoever gives an order follows it at once. One that was given
while a process could not listen is not lost: with each new connection `catch_up` is called, which asks the database.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import redis
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from .relay import Relay

CHANNEL = "careervector:orders:1"
_WAIT_S = 15.0
_FIRST_PAUSE_S = 0.2
log = structlog.get_logger(__name__)


class Orders:
    """`follow` is called with the text of each order, on whatever thread it comes; neither it nor `catch_up` may block
    for long."""

    def __init__(self, *, follow: Callable[[str], None], catch_up: Callable[[], None]) -> None:
        self._follow = follow
        self._catch_up = catch_up
        self._guard = threading.Lock()
        self._relay: Relay | None = None
        self._listener: threading.Thread | None = None
        self.listening = threading.Event()
        os.register_at_fork(after_in_child=self._forget)

    def give(self, order: str) -> None:
        """Follow it here, and tell the other processes. Never waits for the network."""
        self._follow(order)
        url = _valkey_url()
        if url:
            with self._guard:
                if self._relay is None or self._relay.url != url:
                    self._relay = Relay(url, CHANNEL)
                self._relay.send(order.encode())

    def flush(self, timeout_s: float = 2.0) -> bool:
        """Wait until Valkey has what was given. False when time ran out."""
        relay = self._relay
        return relay is None or relay.flush(timeout_s)

    def listen(self) -> None:
        """Start to hear the other processes, where there is a way to. May be called again."""
        if not _valkey_url():
            return
        with self._guard:
            if self._listener is None:
                self._listener = threading.Thread(target=self._run, name="orders", daemon=True)
                self._listener.start()

    def _run(self) -> None:
        pause = _FIRST_PAUSE_S
        while url := _valkey_url():
            try:
                client: Any = redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=2 * _WAIT_S)
                with client, client.pubsub() as pubsub:
                    pubsub.subscribe(CHANNEL)
                    self._hear(pubsub)
            except (RedisError, OSError) as error:
                if self.listening.is_set():
                    pause = _FIRST_PAUSE_S
                self.listening.clear()
                log.info("orders_interrupted", error=type(error).__qualname__)
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311  jitter, not a secret
            pause = min(pause * 2, 5.0)
        with self._guard:
            self._listener = None

    def _hear(self, pubsub: Any) -> None:
        asked = False
        while True:
            message = pubsub.get_message(timeout=_WAIT_S)
            if message is None:
                # A half-open connection is silent too.
                if asked:
                    raise ConnectionError("Valkey does not answer")
                asked = True
                pubsub.ping()
                continue
            asked = False
            if message["type"] == "subscribe":
                self._attempt(self._catch_up)
                self.listening.set()
            elif message["type"] == "message":
                self._attempt(partial(self._follow, bytes(message["data"]).decode()))

    def _attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # the database may be away; the next connection catches up
            log.warning("order_not_followed", error=type(error).__qualname__)

    def _forget(self) -> None:
        # A forked process has neither thread, and perhaps a locked lock.
        self._guard = threading.Lock()
        self._relay = None
        self._listener = None
        self.listening = threading.Event()


def _valkey_url() -> str:
    return getattr(settings, "VALKEY_URL", "") or ""
