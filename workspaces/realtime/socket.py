"""What all sockets that a link opens have in common: accept, check, listen, beat, close with a code a page can see.

Above: the workspace socket (and any other that a link opens). Below: `access`, the hub and the strict JSON reader.
A subclass says what it listens to, what it does once open, with each frame and with each message of the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.utils import await_many_dispatch

from workspaces import metrics
from workspaces.contracts import Access
from workspaces.errors import DomainError, Flaw, InvalidRequest, LinkInvalid, Malformed, NotFound
from workspaces.http import strict_json
from workspaces.ids import can_be_id
from workspaces.links import check_link_alive, link_topic

from . import hub, messages
from .access import (
    ERASED,
    LINK_GONE,
    TOO_MANY,
    TRY_LATER,
    UNREADABLE,
    close_code,
    end_code,
    in_database_thread,
    open_socket,
)
from .backlog import HIGH, backlog_of
from .direct import direct_writer

MAX_MESSAGE = 1024 * 1024
_LOOK_AGAIN_S = 0.05
_ABORTED = {"type": "websocket.disconnect", "code": 1006}
log = structlog.get_logger(__name__)


class LinkSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Times are seconds. `STALL_S`: how long one frame may wait for a reader before the socket is given up."""

    KIND: ClassVar[str] = "workspace"
    HEARTBEAT_S: ClassVar[float] = 20.0
    TICK_S: ClassVar[float] = 4.0
    STALL_S: ClassVar[float] = 12.0
    CLOSE_S: ClassVar[float] = 2.0
    MESSAGES_PER_S: ClassVar[float] = 20.0
    BURST: ClassVar[float] = 60.0

    access: Access

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels does it, but with the hub for a channel layer, and with a way out of a stuck socket."""
        self.scope = scope
        self.base_send = send
        self.now = asyncio.get_running_loop().time
        self._aborted = asyncio.Event()
        self._closing = False
        self._counted = False
        self._sending_since: float | None = None
        self._subscription: hub.Subscription | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._backlog = backlog_of(send)
        self._direct = direct_writer(send)
        self._at_work = False
        self._allowance = self.BURST
        self._allowance_at = self.now()
        try:
            await await_many_dispatch([receive, self._wait_for_abort], self.dispatch)
        except StopConsumer:
            pass
        finally:
            await self._let_go()

    async def _wait_for_abort(self) -> dict[str, Any]:
        await self._aborted.wait()
        return _ABORTED

    # --- for subclasses -------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, ...]:
        """The hub topics of this socket, beside those that end it."""
        raise NotImplementedError

    async def opened(self) -> None:
        """The link opened the workspace and the subscription stands: greet."""

    async def closed(self) -> None:
        """The socket is gone; called once for each `opened`."""

    async def heard(self, frame: hub.Frame) -> None:
        """One frame of the hub, in order, or `hub.GAP`."""
        raise NotImplementedError

    def heard_at_once(self, frame: hub.Frame) -> bool:
        """The same, on the loop and without waiting: True when that was possible (`pass_at_once`)."""
        return False

    async def asked(self, kind: str, message: dict[str, Any]) -> None:
        """One message of the client. Raises DomainError to answer with its problem."""
        raise InvalidRequest(flaws=[Flaw("type", "unknown", "There is no message of that type.")])

    def is_readable(self, text: str | None, data: bytes | None) -> bool:
        """Whether this socket takes such a message at all: text of at most `MAX_MESSAGE` bytes, unless overridden."""
        return text is not None and len(text) <= MAX_MESSAGE and len(text.encode("utf-8", "replace")) <= MAX_MESSAGE

    async def received(self, data: bytes) -> None:
        """One binary message of the client; only where `is_readable` lets it in."""
        raise NotImplementedError

    async def beat(self) -> None:
        """Each heartbeat, after the link was checked."""

    # --- sending --------------------------------------------------------------------------------------------------

    async def pass_on(self, text: str) -> None:
        """Send an encoded frame."""
        await self._transmit({"type": "websocket.send", "text": text})

    def pass_at_once(self, frame: hub.Frame) -> bool:
        """Write a frame straight to the network; False when that cannot be done now."""
        return self._direct is not None and self._direct(frame.wire)

    async def pass_on_bytes(self, data: bytes) -> None:
        """Send a binary message."""
        await self._transmit({"type": "websocket.send", "bytes": data})

    async def _transmit(self, event: dict[str, Any]) -> None:
        self._sending_since = self.now()
        try:
            await self.base_send(event)
            if self._backlog is not None and self._backlog() > HIGH:
                await self._drained()
        except Exception:  # each server has its own word for a client that is gone
            self._closing = True
            self._aborted.set()
            raise StopConsumer from None
        self._sending_since = None

    async def say(self, message: Mapping[str, Any]) -> None:
        await self.pass_on(hub.encode(message))

    async def end(self, code: int) -> None:
        """Close with a code; if the client does not even take that, drop the connection."""
        if self._closing:
            return
        self._closing = True
        metrics.SOCKETS_CLOSED.labels(str(code)).inc()
        try:
            async with asyncio.timeout(self.CLOSE_S):
                await self.base_send({"type": "websocket.close", "code": code})
        except Exception:
            self._aborted.set()

    async def _drained(self) -> None:
        assert self._backlog is not None
        while self._backlog() > HIGH and not self._closing:
            await asyncio.sleep(_LOOK_AGAIN_S)

    # --- the life of a socket -------------------------------------------------------------------------------------

    async def connect(self) -> None:
        # Accepted before it is judged: a browser never sees the code of a refused handshake.
        await self.accept()
        named = self.scope["url_route"]["kwargs"]
        try:
            self.access = await open_socket(self.scope, workspace=named["workspace"])
            if not all(map(can_be_id, named.values())):
                raise NotFound
            self._subscription = await hub.subscribe(*self.topics(), link_topic(self.access.link), gaps=True)
            # Once more: a revocation between the check and the subscription was announced to nobody here.
            await in_database_thread(check_link_alive, workspace=self.access.workspace, link=self.access.link)
            await self.opened()
        except DomainError as refusal:
            await self.end(close_code(refusal))
        else:
            self._counted = True
            metrics.SOCKETS_OPEN.labels(self.KIND).inc()
            self._tasks = [asyncio.create_task(self._guard(part)) for part in (self._listen, self._beat)]
            self._subscription.direct = self._hear_at_once

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._closing:
            return
        readable = self.is_readable(text_data, bytes_data)
        if not readable or not self._allow():
            await self.end(UNREADABLE if not readable else TOO_MANY)
            return
        if bytes_data is not None:
            await self.received(bytes_data)
            return
        assert text_data is not None
        try:
            message = strict_json.loads(text_data)
        except Malformed:
            await self.end(UNREADABLE)
            return
        try:
            await self.asked(_kind_of(message), message)
        except LinkInvalid as refusal:
            await self.end(await end_code(refusal, workspace=self.access.workspace))
        except DomainError as refusal:
            await self.say(messages.error(refusal))

    async def disconnect(self, code: int) -> None:
        self._closing = True

    async def _let_go(self) -> None:
        self._closing = True
        if self._subscription is not None:
            self._subscription.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._counted:
            metrics.SOCKETS_OPEN.labels(self.KIND).dec()
        await self.closed()

    async def _listen(self) -> None:
        assert self._subscription is not None
        try:
            while frames := await self._subscription.batch():
                self._at_work = True
                for frame in frames:
                    kind = frame.message["type"]
                    if kind == messages.LINK_REVOKED:
                        await self.end(LINK_GONE)
                        return
                    if kind == messages.WORKSPACE_ERASED:
                        await self.end(ERASED)
                        return
                    await self.heard(frame)
                self._at_work = False
        except hub.SlowSubscriber:
            await self.end(TRY_LATER)

    def _hear_at_once(self, frame: hub.Frame) -> bool:
        # Nothing may overtake what the listening task holds.
        if self._at_work or self._closing or frame.message["type"] in messages.ENDINGS:
            return False
        return self.heard_at_once(frame)

    async def _beat(self) -> None:
        last = self.now()
        while True:
            await asyncio.sleep(self.TICK_S)
            moment = self.now()
            if self._sending_since is not None and moment - self._sending_since > self.STALL_S:
                # The reader has stopped. Its resume or resync after the next connection loses nothing.
                metrics.HUB_SLOW.inc()
                await self.end(TRY_LATER)
                self._aborted.set()
                return
            if moment - last >= self.HEARTBEAT_S:
                last = moment
                try:
                    await in_database_thread(check_link_alive, workspace=self.access.workspace, link=self.access.link)
                    await self.beat()
                except DomainError as refusal:
                    await self.end(await end_code(refusal, workspace=self.access.workspace))
                    return

    async def _guard(self, part: Any) -> None:
        """A part of the socket that fails ends the socket, not silently the part."""
        try:
            await part()
        except StopConsumer:
            self._aborted.set()
        except Exception as error:
            if not self._closing:
                log.error("socket_failed", error=type(error).__qualname__, part=part.__name__)
                await self.end(1011)
                self._aborted.set()

    def _allow(self) -> bool:
        moment = self.now()
        gained = (moment - self._allowance_at) * self.MESSAGES_PER_S
        self._allowance = min(self.BURST, self._allowance + gained) - 1
        self._allowance_at = moment
        return self._allowance >= 0


def _kind_of(message: Any) -> str:
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(kind, str):
        raise InvalidRequest(flaws=[Flaw("type", "required", 'A message is an object with a "type".')])
    return kind
