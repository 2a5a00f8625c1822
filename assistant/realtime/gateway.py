"""`/ws/host/`: where connector hosts meet the server, in host protocol version 1 (contract section 9).

Above it: the ASGI router. Below it: the facade for every effect, the hub's topic `hosts` for news of queued and ended
turns. A message that cannot be meant has no effect but an answer; the server's state never depends on what a host
claims about itself: which turns it holds is read from the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer

from assistant import facade, metrics
from assistant.contracts import HostIdentity
from assistant.wire import (
    HEARTBEAT_SECONDS,
    LOST_AFTER_SECONDS,
    PROTOCOL,
    ConnectorErase,
    ConnectorErased,
    Heartbeat,
    Hello,
    HostMessage,
    LoginUpdate,
    ProviderEvent,
    ThreadBind,
    ToolCall,
    TurnAccept,
    TurnCancel,
    Welcome,
    WireError,
    encode,
    parse_host_message,
)
from workspaces import facade as workspaces_facade
from workspaces.errors import DomainError, InvalidRequest, Malformed, TooLarge, Unauthorized, to_problem

from .database_threads import run
from .sweep_timer import timer
from .turn_lane import TurnLane, take_stray

NOT_READABLE: Final = 4400
TOKEN_GONE: Final = 4401
NOT_ALLOWED: Final = 4403
SILENT: Final = 4408
HELLO_SECONDS: Final = 10
CALLS_AT_ONCE: Final = 8
MAX_BAD_MESSAGES: Final = 100
MAX_TURNS: Final = 200
ASK_AGAIN_SECONDS: Final = 30.0

logger = logging.getLogger(__name__)


class HostGateway(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """One host's socket. Messages are read one after another; each turn's are worked off in a lane of its own."""

    # News comes through the hub; without a channel layer a lost Valkey does not end the socket.
    channel_layer_alias = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._token: str | None = None
        self._identity: HostIdentity | None = None
        self._lanes: dict[str, TurnLane] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls = asyncio.Semaphore(CALLS_AT_ONCE)
        self._sending = asyncio.Lock()
        self._open = False
        self._held = False
        self._heard_at = 0.0
        self._bad_messages = 0
        self._asked: dict[str, float] = {}

    # --- the socket ---

    async def connect(self) -> None:
        await self.accept()
        self._open = self._held = True
        metrics.HOST_CONNECTIONS.inc()
        timer().hold()
        self._heard_at = self._now()
        try:
            self._token = await run(facade.open_host_token, secret=_bearer(self.scope))
        except Unauthorized as error:
            await self._refuse(error, TOKEN_GONE)
            return
        self._spawn(self._require_hello())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._open or self._token is None:
            return
        self._heard_at = self._now()
        try:
            message = parse_host_message(text_data if text_data is not None else bytes_data or b"")
        except WireError as error:
            await self._answer_bad(error)
            return
        if self._identity is None:
            if isinstance(message, Hello):
                await self._greet(message)
            else:
                await self._refuse(InvalidRequest("A host says hello first."), NOT_READABLE)
            return
        await self._take(message, self._identity)

    async def disconnect(self, code: int) -> None:
        if not self._held:
            return
        self._open = self._held = False
        metrics.HOST_CONNECTIONS.dec()
        timer().release()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for lane in list(self._lanes.values()):
            with contextlib.suppress(Exception):  # the database may be gone with the server
                await lane.close()
        if self._identity is not None:
            with contextlib.suppress(Exception):
                await run(facade.disconnect_host, identity=self._identity)

    # --- what a host says ---

    async def _greet(self, hello: Hello) -> None:
        assert self._token is not None
        if hello.protocol != PROTOCOL:
            await self._refuse(
                InvalidRequest(
                    f"This server speaks host protocol {PROTOCOL}; the host offered {hello.protocol}.",
                    details={"protocol": PROTOCOL, "offered": hello.protocol, "class": "protocol_mismatch"},
                ),
                NOT_READABLE,
            )
            return
        try:
            identity = await run(facade.connect_host, token=self._token, name=hello.host, connectors=hello.connectors)
        except Unauthorized as error:
            await self._refuse(error, TOKEN_GONE)
            return
        self._identity = identity
        for turn in await run(facade.list_held_turns, host=identity.host):
            self._open_lane(turn, identity)
        await self._send(Welcome(PROTOCOL, identity.host, HEARTBEAT_SECONDS).as_json())
        listening = asyncio.Event()
        self._spawn(self._listen(identity, listening))
        self._spawn(self._beat(identity))
        await listening.wait()
        await self._ask_erasures(identity)
        await self._claim_waiting(identity)

    async def _take(self, message: HostMessage, identity: HostIdentity) -> None:
        match message:
            case TurnAccept() | ProviderEvent() | ToolCall() | ThreadBind():
                lane = self._lanes.get(message.turn)
                if lane is None or not await lane.put(message):
                    self._lanes.pop(message.turn, None)
                    await take_stray(message, host=identity.host, send=self._send, calls=self._calls)
            case Hello():
                await self._problem(InvalidRequest("The host has said hello already."))
            case LoginUpdate():
                await self._problem(InvalidRequest("No login was asked of this host."))
            case ConnectorErased(connector):
                self._asked.pop(connector, None)
                if not await run(facade.acknowledge_erasure, host=identity.host, connector=connector):
                    await self._problem(InvalidRequest("This erasure was not asked of this host, or is done already."))
            case Heartbeat():
                await self._note_alive(identity)

    async def _answer_bad(self, error: WireError) -> None:
        match error.code:
            case "too_large":
                await self._refuse(TooLarge(error.message), NOT_READABLE)
            case "malformed":
                await self._refuse(Malformed(error.message), NOT_READABLE)
            case _:
                self._bad_messages += 1
                if self._bad_messages > MAX_BAD_MESSAGES:
                    await self._refuse(InvalidRequest("Too many messages that are not of this protocol."), NOT_ALLOWED)
                else:
                    await self._problem(InvalidRequest(error.message))

    # --- what the server has to say ---

    async def _listen(self, identity: HostIdentity, listening: asyncio.Event) -> None:
        subscription = await workspaces_facade.hub.subscribe("hosts", gaps=True)
        listening.set()
        try:
            async for frame in subscription:
                await self._hear(frame.message, identity)
        except Exception as error:
            logger.error("the news of hosts stopped: %s", type(error).__name__)
            await self._close(1011)
        finally:
            subscription.close()

    async def _hear(self, news: Mapping[str, Any], identity: HostIdentity) -> None:
        match news:
            case {"type": "turn.queued", "turn": str(turn)}:
                await self._claim(turn, identity)
            case {"type": "turn.ended", "turn": str(turn), "host": host} if host == identity.host:
                await self._end_lane(turn)
            case {"type": "host.session", "host": host, "session": session} if host == identity.host:
                if session != identity.session:
                    await self._refuse(InvalidRequest("A newer connection of this host took over."), NOT_ALLOWED)
            case {"type": "connector.erase", "host": host} if host == identity.host:
                await self._ask_erasures(identity)
            case {"type": "gap"}:
                await self._catch_up(identity)

    async def _claim_waiting(self, identity: HostIdentity) -> None:
        for turn in await run(facade.list_claimable, identity=identity):
            await self._claim(turn, identity)

    async def _claim(self, turn: str, identity: HostIdentity) -> None:
        if len(self._lanes) >= MAX_TURNS:
            return
        try:
            assignment = await run(facade.claim_turn, turn=turn, identity=identity)
        except Exception as error:  # rolled back: the turn is still queued, and the sweeper watches its time
            logger.error("a turn could not be assigned: %s", type(error).__name__)
            return
        if assignment is not None:
            self._open_lane(turn, identity)
            await self._send(assignment.as_json())

    async def _beat(self, identity: HostIdentity) -> None:
        while self._open:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            silent = self._now() - self._heard_at
            if silent > LOST_AFTER_SECONDS:
                await self._close(SILENT)
                return
            if silent <= HEARTBEAT_SECONDS:
                await self._note_alive(identity)
            await self._send(Heartbeat().as_json())
            await self._catch_up(identity)

    async def _catch_up(self, identity: HostIdentity) -> None:
        """What news may have been missed, read from the database."""
        for turn in [turn for turn, lane in self._lanes.items() if lane.done]:
            del self._lanes[turn]
        for turn in await run(facade.list_ended, turns=list(self._lanes)):
            await self._end_lane(turn)
        await self._ask_erasures(identity)
        await self._claim_waiting(identity)

    async def _ask_erasures(self, identity: HostIdentity) -> None:
        """What this host has still to erase; asked again when it stays silent, and with each new connection."""
        waiting = await run(facade.list_erasures, host=identity.host)
        self._asked = {connector: at for connector, at in self._asked.items() if connector in waiting}
        for connector in waiting:
            if self._now() - self._asked.get(connector, -ASK_AGAIN_SECONDS) >= ASK_AGAIN_SECONDS:
                self._asked[connector] = self._now()
                await self._send(ConnectorErase(connector).as_json())

    async def _note_alive(self, identity: HostIdentity) -> None:
        if not await run(facade.note_alive, identity=identity):
            await self._refuse(Unauthorized("This connection is no longer the host's."), TOKEN_GONE)

    async def _require_hello(self) -> None:
        await asyncio.sleep(HELLO_SECONDS)
        if self._identity is None:
            await self._refuse(InvalidRequest("A host says hello first."), NOT_READABLE)

    # --- lanes ---

    def _open_lane(self, turn: str, identity: HostIdentity) -> None:
        self._lanes[turn] = TurnLane(turn=turn, host=identity.host, send=self._send, calls=self._calls)

    async def _end_lane(self, turn: str) -> None:
        lane = self._lanes.get(turn)
        if lane is None or lane.ending:
            return
        del self._lanes[turn]
        await self._send(TurnCancel(turn).as_json())
        self._spawn(lane.close())

    # --- sending ---

    async def _send(self, message: Mapping[str, Any]) -> None:
        if not self._open:
            return
        async with self._sending:
            try:
                await self.send(text_data=encode(message))
            except Exception:  # the peer is gone; `disconnect` follows
                self._open = False

    async def _problem(self, error: DomainError) -> None:
        await self._send({"type": "error", "problem": to_problem(error)})

    async def _refuse(self, error: DomainError, code: int) -> None:
        await self._problem(error)
        await self._close(code)

    async def _close(self, code: int) -> None:
        if self._open:
            self._open = False
            with contextlib.suppress(Exception):
                await self.close(code)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _bearer(scope: Mapping[str, Any]) -> str:
    for name, value in scope.get("headers", ()):
        if name == b"authorization":
            kind, _, secret = value.decode("latin-1").partition(" ")
            return secret.strip() if kind.lower() == "bearer" else ""
    return ""
