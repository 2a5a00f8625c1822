"""One hub a process: a message is encoded once and the same frame goes to every local subscriber.

Above: whoever has news (commits, threads, links) and the sockets that listen. Below: one Valkey pub/sub subscription
between processes (`settings.VALKEY_URL`; empty means this process alone).

Promises. `publish` may be called from any thread, with or without a running loop, and never waits for the network.
Messages of one topic that one process publishes arrive in that order. Nothing is delivered twice: a process ignores the
echo of what it published. What may get lost (a broken connection, a process killed with a full queue) is announced as
`GAP` to subscribers that asked for it: they read the truth from the database, so a loss costs latency, never data.
A subscriber that does not keep up is ended (`SlowSubscriber`) instead of being waited for.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from workspaces import metrics

from .direct import websocket_frame
from .relay import Relay

CHANNEL = "careervector:hub:1"
CAPACITY_FRAMES = 512
CAPACITY_BYTES = 4 * 1024 * 1024
_FIRST_CONNECTION_S = 2.0
_PING_S = 10.0


class Frame:
    """One message: `text` is what goes over the socket, `message` the same as a dict (shared: never change it).

    For sockets that speak a binary protocol, `data` is the message in it: made once, shared like `text`.
    """

    __slots__ = ("_message", "_wire", "data", "size", "text")

    def __init__(self, text: str, message: Mapping[str, Any] | None = None, *, data: bytes | None = None) -> None:
        self.text = text
        self.data = data
        self.size = len(text) if data is None else len(data)
        self._message = message
        self._wire: bytes | None = None

    @property
    def wire(self) -> bytes:
        """The message as it goes over a WebSocket; made at most once a process."""
        if self._wire is None:
            payload = self.text.encode() if self.data is None else self.data
            self._wire = websocket_frame(payload, binary=self.data is not None)
        return self._wire

    @property
    def message(self) -> Mapping[str, Any]:
        """Parsed at most once a process, however many subscribers look."""
        if self._message is None:
            self._message = json.loads(self.text)
        return self._message


GAP = Frame("", {"type": "gap"})
"""Delivered to subscribers with `gaps=True` when messages of other processes may have been missed."""


class SlowSubscriber(Exception):
    """The subscriber's buffer ran over; what was in it is gone."""


def encode(message: Mapping[str, Any]) -> str:
    """Strict JSON without spaces. Raises ValueError for NaN and infinities."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(message, separators=(",", ":"), allow_nan=False)
    return text


class Subscription:
    """An async iterator of `Frame`s, bounded. Belongs to the loop that made it; `close()` is synchronous.

    `direct` may take a frame at once, on the loop, as long as none is waiting in the buffer; it gives False for one
    that has to go the usual way.
    """

    __slots__ = ("_buffer", "_bytes", "_capacity", "_closed", "_inbox", "_slow", "_waiter", "direct", "gaps", "topics")

    def __init__(self, inbox: _Inbox, topics: tuple[str, ...], *, gaps: bool, capacity: int) -> None:
        self.topics = topics
        self.gaps = gaps
        self._inbox = inbox
        self._capacity = capacity
        self._buffer: deque[Frame] = deque()
        self._bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._closed = False
        self._slow = False
        self.direct: Callable[[Frame], bool] | None = None

    @property
    def slow(self) -> bool:
        """True once the buffer ran over: the subscription is over and the reader should resync."""
        return self._slow

    def offer(self, frame: Frame) -> bool:
        """Called by the inbox, on the loop. False when the frame found no place."""
        if self._closed or self._slow:
            return False
        if self.direct is not None and not self._buffer and self.direct(frame):
            return True
        if len(self._buffer) >= self._capacity or self._bytes + frame.size > CAPACITY_BYTES:
            self._slow = True
            self._buffer.clear()
            metrics.HUB_SLOW.inc()
            self._wake()
            return False
        self._buffer.append(frame)
        self._bytes += frame.size
        self._wake()
        return True

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _filled(self) -> None:
        """Wait until there is a frame or the end. Raises SlowSubscriber."""
        while not self._buffer and not self._closed and not self._slow:
            self._waiter = self._inbox.loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if self._slow:
            raise SlowSubscriber

    async def batch(self) -> list[Frame]:
        """Everything buffered, waiting for the first frame; empty once closed. Raises SlowSubscriber."""
        await self._filled()
        frames = list(self._buffer)
        self._buffer.clear()
        self._bytes = 0
        return frames

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Frame:
        await self._filled()
        if not self._buffer:
            raise StopAsyncIteration
        frame = self._buffer.popleft()
        self._bytes -= frame.size
        return frame

    def close(self) -> None:
        """End the iteration. May be called twice."""
        if not self._closed:
            self._closed = True
            self._buffer.clear()
            self._inbox.remove(self)
            self._wake()


class _Inbox:
    """The subscriptions of one event loop, and the queue by which other threads reach it in order."""

    def __init__(self, hub: Hub, loop: asyncio.AbstractEventLoop) -> None:
        self.hub = hub
        self.loop = loop
        self.topics: dict[str, dict[Subscription, None]] = {}
        self.connected = asyncio.Event()
        self.listener: asyncio.Task[None] | None = None
        self._queue: deque[tuple[str, Frame]] = deque()
        self._scheduled = False

    def put(self, topic: str, frame: Frame) -> bool:
        """Under the hub's lock. False when the loop is gone."""
        self._queue.append((topic, frame))
        if not self._scheduled:
            self._scheduled = True
            try:
                self.loop.call_soon_threadsafe(self._drain)
            except RuntimeError:  # the loop was closed without closing its subscriptions
                return False
        return True

    def _drain(self) -> None:
        with self.hub.lock:
            queue, self._queue = self._queue, deque()
            self._scheduled = False
        for topic, frame in queue:
            self.deliver(topic, frame)

    def deliver(self, topic: str, frame: Frame) -> None:
        """On the loop."""
        delivered = 0
        for subscription in tuple(self.topics.get(topic, ())):
            delivered += subscription.offer(frame)
        if delivered:
            metrics.HUB_DELIVERED.inc(delivered)

    def announce_gap(self) -> None:
        for subscription in {s: None for subs in self.topics.values() for s in subs}:
            if subscription.gaps:
                subscription.offer(GAP)

    def add(self, subscription: Subscription) -> None:
        with self.hub.lock:
            for topic in subscription.topics:
                self.topics.setdefault(topic, {})[subscription] = None
        metrics.HUB_SUBSCRIPTIONS.inc()

    def remove(self, subscription: Subscription) -> None:
        with self.hub.lock:
            for topic in subscription.topics:
                subscribers = self.topics.get(topic, {})
                subscribers.pop(subscription, None)
                if not subscribers:
                    self.topics.pop(topic, None)
            empty = not self.topics
            if empty:
                self.hub.forget(self)
        metrics.HUB_SUBSCRIPTIONS.dec()
        if empty and self.listener is not None:
            self.listener.cancel()


class Hub:
    """See the module. The module's `publish` and `subscribe` are those of the process's one hub."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process = secrets.token_hex(8)
        self._inboxes: dict[asyncio.AbstractEventLoop, _Inbox] = {}
        self._relay: Relay | None = None

    def publish(self, *, topic: str, message: Mapping[str, Any], local: bool = False) -> None:
        """Give `message` (a JSON object) to every subscriber of `topic`, here and (not `local`) in other processes."""
        frame = Frame(encode(message), message)
        url = "" if local else _valkey_url()
        metrics.HUB_PUBLISHED.inc()
        # One lock for both ways out: local and remote subscribers see the same order.
        with self.lock:
            for inbox in tuple(self._inboxes.values()):
                if topic in inbox.topics and not inbox.put(topic, frame):
                    self._inboxes.pop(inbox.loop, None)
            if url:
                if self._relay is None or self._relay.url != url:
                    self._relay = Relay(url, CHANNEL)
                self._relay.send(f"{self.process}\n{topic}\n{frame.text}".encode())

    async def subscribe(self, *topics: str, gaps: bool = False, capacity: int = CAPACITY_FRAMES) -> Subscription:
        """Listen to one or more topics through one buffer of at most `capacity` frames.

        With `gaps` the iteration also yields `GAP` when other processes' messages may have been missed.
        """
        loop = asyncio.get_running_loop()
        with self.lock:
            inbox = self._inboxes.get(loop)
            if inbox is None:
                inbox = self._inboxes[loop] = _Inbox(self, loop)
        subscription = Subscription(inbox, topics, gaps=gaps, capacity=capacity)
        inbox.add(subscription)
        url = _valkey_url()
        if url:
            if inbox.listener is None or inbox.listener.done():
                inbox.listener = loop.create_task(self._listen(inbox, url), name="hub-listener")
            try:
                # Not for ever: without Valkey the socket still serves this process's own news.
                async with asyncio.timeout(_FIRST_CONNECTION_S):
                    await inbox.connected.wait()
            except TimeoutError:
                pass
            except BaseException:
                subscription.close()
                raise
        return subscription

    def flush(self, timeout_s: float = 2.0) -> bool:
        """Wait until other processes have been given everything published so far. False when time ran out."""
        relay = self._relay
        return relay is None or relay.flush(timeout_s)

    def forget(self, inbox: _Inbox) -> None:
        """Under the lock: a loop without subscriptions needs no inbox."""
        if self._inboxes.get(inbox.loop) is inbox:
            del self._inboxes[inbox.loop]

    async def _listen(self, inbox: _Inbox, url: str) -> None:
        """The one subscription between processes, made again with jitter whenever it breaks."""
        for attempt in itertools.count():
            if attempt:
                metrics.HUB_RECONNECTS.inc()
                await asyncio.sleep(random.uniform(0.05, min(5.0, 0.2 * 2 ** min(attempt, 5))))  # noqa: S311
            try:
                async with redis.asyncio.from_url(url, socket_connect_timeout=5) as client, client.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    await self._receive(inbox, pubsub)
            except (RedisError, OSError):  # TimeoutError is an OSError
                inbox.connected.clear()

    async def _receive(self, inbox: _Inbox, pubsub: redis.asyncio.client.PubSub) -> None:
        pinged = False
        own = self.process.encode()
        while True:
            message = await pubsub.get_message(timeout=_PING_S)
            if message is None:
                # A half-open connection says nothing either: ask, and give up when even that stays unanswered.
                if pinged:
                    raise ConnectionError("Valkey does not answer")
                pinged = True
                await pubsub.ping()
                continue
            pinged = False
            if message["type"] == "subscribe":
                inbox.connected.set()
                inbox.announce_gap()
            elif message["type"] == "message":
                process, topic, text = message["data"].split(b"\n", 2)
                name = topic.decode()
                if process != own and name in inbox.topics:
                    inbox.deliver(name, Frame(text.decode()))


def _valkey_url() -> str:
    return getattr(settings, "VALKEY_URL", "") or ""


_hub = Hub()


def _after_fork() -> None:
    # A forked worker has neither the relay's thread nor the loops, perhaps a locked lock, and must not share an id.
    global _hub
    _hub = Hub()


os.register_at_fork(after_in_child=_after_fork)


def process_id() -> str:
    """A random name of this process, as other processes' hubs know it."""
    return _hub.process


def publish(*, topic: str, message: Mapping[str, Any], local: bool = False) -> None:
    """See `Hub.publish`."""
    _hub.publish(topic=topic, message=message, local=local)


async def subscribe(*topics: str, gaps: bool = False, capacity: int = CAPACITY_FRAMES) -> Subscription:
    """See `Hub.subscribe`."""
    return await _hub.subscribe(*topics, gaps=gaps, capacity=capacity)


def flush(timeout_s: float = 2.0) -> bool:
    """See `Hub.flush`."""
    return _hub.flush(timeout_s)
