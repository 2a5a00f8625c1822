"""The hub's way to other processes: a thread that hands messages to Valkey in order, so that publishers never wait.

Above: `hub`. Below: Valkey. The queue is bounded; what does not fit, or cannot be sent after some tries, is dropped and
counted: the listeners of other processes notice by the gap and read the database.
"""

from __future__ import annotations

import atexit
import contextlib
import random
import threading
import time
import weakref
from collections import deque

import redis
from redis.exceptions import RedisError

from workspaces import metrics

_QUEUE = 20_000
_BATCH = 256
_TRIES = 4


class Relay:
    """Publishes to one channel of one Valkey. The thread starts with the first message and ends with the process."""

    def __init__(self, url: str, channel: str) -> None:
        self.url = url
        self._channel = channel
        self._condition = threading.Condition()
        self._queue: deque[bytes] = deque()
        self._busy = False
        self._thread: threading.Thread | None = None
        atexit.register(_flush_at_exit, weakref.ref(self))

    def send(self, data: bytes) -> None:
        """Never blocks on the network."""
        with self._condition:
            if len(self._queue) >= _QUEUE:
                self._queue.popleft()
                metrics.HUB_DROPPED.inc()
            self._queue.append(data)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hub-relay", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait until nothing is queued or under way."""
        with self._condition:
            return self._condition.wait_for(lambda: not self._queue and not self._busy, timeout_s)

    def _run(self) -> None:
        client = redis.Redis.from_url(self.url, socket_connect_timeout=5, socket_timeout=5)
        while True:
            with self._condition:
                self._busy = False
                self._condition.notify_all()
                self._condition.wait_for(lambda: bool(self._queue))
                batch = [self._queue.popleft() for _ in range(min(_BATCH, len(self._queue)))]
                self._busy = True
            self._publish(client, batch)

    def _publish(self, client: redis.Redis, batch: list[bytes]) -> None:
        for attempt in range(_TRIES):
            try:
                with client.pipeline(transaction=False) as pipeline:
                    for data in batch:
                        pipeline.publish(self._channel, data)
                    pipeline.execute()
            except (RedisError, OSError):
                if attempt + 1 < _TRIES:
                    time.sleep(random.uniform(0.05, 0.2 * 2**attempt))  # noqa: S311
            else:
                return
        metrics.HUB_DROPPED.inc(len(batch))


def _flush_at_exit(reference: weakref.ref[Relay]) -> None:
    relay = reference()
    if relay is not None:
        with contextlib.suppress(Exception):
            relay.flush(2.0)
