"""One turn on one host socket: what the host says about it, taken in its order, deltas gathered.

Above it: the gateway, which fills the lane and sends what the lane gives back. Below it: the facade and the tool
boundary. The first delta goes through at once, later ones at most every 100 ms; whatever else comes takes the waiting
deltas with it, so nothing overtakes them. A full lane makes the gateway stop reading its socket.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from assistant import facade
from assistant.tools.boundary import call_tool
from assistant.wire import (
    TERMINAL_KINDS,
    EventRefused,
    ProviderEvent,
    ThreadBind,
    ToolCall,
    ToolResult,
    TurnAccept,
    TurnCancel,
)

from .database_threads import run, run_tool

DELTA_SECONDS: Final = 0.1
RETRY_SECONDS: Final = (0.1, 0.5, 2.0)
LANE_MESSAGES: Final = 256
TakenMessage = ProviderEvent | ToolCall | TurnAccept | ThreadBind
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

logger = logging.getLogger(__name__)


class TurnLane:
    """Belongs to the gateway's loop. `done` is set once the host has ended the turn or lost it."""

    def __init__(self, *, turn: str, host: str, send: Send, calls: asyncio.Semaphore) -> None:
        self.turn = turn
        self.ending = False
        self._host = host
        self._send = send
        self._calls = calls
        self._queue: asyncio.Queue[TakenMessage] = asyncio.Queue(LANE_MESSAGES)
        self._waiting: list[ProviderEvent] = []
        self._next_flush = 0.0
        self._running: set[asyncio.Task[None]] = set()
        self._task = asyncio.get_running_loop().create_task(self._run(), name="turn-lane")

    @property
    def done(self) -> bool:
        return self._task.done()

    async def put(self, message: TakenMessage) -> bool:
        """Waits while the lane is full. False when the lane has ended: the message is the caller's to answer."""
        while not self._task.done():
            try:
                self._queue.put_nowait(message)
                return True
            except asyncio.QueueFull:
                await asyncio.sleep(0.01)
        return False

    async def close(self) -> None:
        """Stop after what was received; deltas still waiting are written, calls at work go on by themselves."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        events = [*self._waiting]
        while not self._queue.empty():
            message = self._queue.get_nowait()
            if isinstance(message, ProviderEvent):
                events.append(message)
        self._waiting = []
        if events:
            await run(facade.take_events, turn=self.turn, host=self._host, events=events)

    async def _run(self) -> None:
        while not self.ending:
            message = await self._next()
            try:
                await self._handle(message)
            except Exception as error:
                # One message that cannot be stored must not stop the turn's others; the sweeper ends what hangs.
                logger.error("a host message failed: %s", type(error).__name__)
        # What came behind the end has no effect, but is answered like anything else.
        while not self._queue.empty():
            try:
                await take_stray(self._queue.get_nowait(), host=self._host, send=self._send, calls=self._calls)
            except Exception as error:
                logger.error("a late host message failed: %s", type(error).__name__)

    async def _next(self) -> TakenMessage | None:
        """The next message, or None when the waiting deltas are due."""
        if not self._waiting:
            return await self._queue.get()
        wait = self._next_flush - asyncio.get_running_loop().time()
        if wait <= 0 and self._queue.empty():
            return None
        try:
            async with asyncio.timeout(max(wait, 0)):
                return await self._queue.get()
        except TimeoutError:
            return None

    async def _handle(self, message: TakenMessage | None) -> None:
        match message:
            case None:
                await self._flush()
            case ProviderEvent(kind="message.delta"):
                self._waiting.append(message)
                if asyncio.get_running_loop().time() >= self._next_flush:
                    await self._flush()
            case ProviderEvent():
                # The mark comes first: the news of the end must find it, or it would look like somebody else's.
                self.ending = message.kind in TERMINAL_KINDS
                await self._flush(message)
            case ToolCall():
                await self._flush()
                await self._calls.acquire()
                task = asyncio.get_running_loop().create_task(self._call(message), name="tool-call")
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            case TurnAccept():
                if not await run(facade.accept_turn, turn=self.turn, host=self._host):
                    await self._send(TurnCancel(self.turn).as_json())
            case ThreadBind():
                await run(facade.bind_thread, turn=self.turn, host=self._host, provider_thread=message.provider_thread)

    async def _flush(self, last: ProviderEvent | None = None) -> None:
        if last is not None:
            self._waiting.append(last)
        if not self._waiting:
            return
        self._next_flush = asyncio.get_running_loop().time() + DELTA_SECONDS
        refused = await self._take_waiting()
        for refusal in refused:
            if last is not None and refusal.id == last.id and refusal.code != "turn_ended":
                self.ending = False
            await self._send(refusal.as_json())

    async def _take_waiting(self) -> list[EventRefused]:
        """Write what waits. One transaction writes all or nothing, so it may be tried again when the database balks."""
        for seconds in (*RETRY_SECONDS, None):
            events = list(self._waiting)
            try:
                refused = await run(facade.take_events, turn=self.turn, host=self._host, events=events)
            except Exception:
                if seconds is None:
                    raise
                await asyncio.sleep(seconds)
            else:
                del self._waiting[: len(events)]
                return refused
        raise AssertionError("unreachable")

    async def _call(self, message: ToolCall) -> None:
        try:
            result = await answer_call(message, host=self._host)
            await self._send(result.as_json())
        finally:
            self._calls.release()


async def take_stray(message: TakenMessage, *, host: str, send: Send, calls: asyncio.Semaphore) -> None:
    """About a turn that this socket does not hold, or no longer: no effect, but an answer and a count."""
    match message:
        case ProviderEvent():
            for refusal in await run(facade.take_events, turn=message.turn, host=host, events=[message]):
                await send(refusal.as_json())
        case ToolCall():
            async with calls:
                await send((await answer_call(message, host=host)).as_json())
        case TurnAccept() | ThreadBind():
            await send(TurnCancel(message.turn).as_json())


async def answer_call(message: ToolCall, *, host: str) -> ToolResult:
    """The boundary's answer to one call; its refusals are answers too."""
    result = await run_tool(
        call_tool,
        capability=message.capability,
        name=message.name,
        arguments=message.arguments,
        call=message.call,
        turn=message.turn,
        host=host,
    )
    return ToolResult(turn=message.turn, call=message.call, result=result)
