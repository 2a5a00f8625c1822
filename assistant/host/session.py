"""One turn at work on this host: what goes out for it, in order, and what must go out again after a reconnect.

Above it: `runner`, which gives each connection's writer the messages that are due. Below it: the connector, which sees
a session only as `connectors.base.TurnSession`. Nothing is acknowledged in the protocol, so a session keeps what it
has sent until its turn is surely known to have ended; the server drops what it has seen. What is kept is bounded.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from assistant.wire import Assignment, ProviderEvent, ThreadBind, ToolCall, TurnAccept

from .connectors.base import ConnectorFailure, TurnCancelled

MAX_KEPT_EVENTS: Final = 15_000
MAX_KEPT_CHARACTERS: Final = 600_000
CALL_SECONDS: Final = 60.0
Message = TurnAccept | ProviderEvent | ToolCall | ThreadBind


class HostSession:
    """See the module. `changed` is called whenever there is something to send."""

    def __init__(self, assignment: Assignment, changed: Callable[[], None]) -> None:
        self.assignment = assignment
        self.cancelled = asyncio.Event()
        self.ended_at: float | None = None
        self._changed = changed
        # Another attempt at the same turn, here or elsewhere, must not repeat these ids.
        self._tag = secrets.token_hex(4)
        self._numbers = 0
        self._kept: list[Message] = []
        self._characters = 0
        self._sent = 0
        self._calls: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._keep(TurnAccept(assignment.turn))

    # --- for the connector ---

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, call: str | None = None) -> dict[str, Any]:
        self._check()
        call = call if call is not None else self._next_id("c")
        if call in self._calls:
            raise ValueError("this call id is at work already")
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._calls[call] = future
        self._keep(
            ToolCall(
                turn=self.assignment.turn,
                call=call,
                capability=self.assignment.capability,
                name=name,
                arguments=dict(arguments),
            )
        )
        try:
            async with asyncio.timeout(CALL_SECONDS):
                return await future
        except TimeoutError:
            raise ConnectorFailure("timeout", "A tool gave no answer in time.") from None
        finally:
            self._calls.pop(call, None)

    async def delta(self, text: str, *, part: str = "answer") -> None:
        self._check()
        if text:
            self._emit("message.delta", {"part": part, "text": text}, len(text))
        # A connector that only computes must not keep the loop to itself.
        await asyncio.sleep(0)

    async def complete(self, text: str, citations: Sequence[str] = (), *, part: str = "answer") -> None:
        self._check()
        data = {"part": part, "text": text, "citations": list(citations)}
        self._emit("message.completed", data, len(text))

    async def progress(self, text: str) -> None:
        self._check()
        self._emit("progress", {"text": text}, len(text))

    async def limit(self, limit_class: str, retry_at: str | None) -> None:
        self._check()
        self._emit("limit", {"class": limit_class, "retry_at": retry_at})

    async def auth(self, state: str) -> None:
        self._check()
        self._emit("auth", {"state": state})

    async def bind(self, provider_thread: str) -> None:
        self._check()
        self._keep(ThreadBind(self.assignment.turn, provider_thread))

    # --- for the runner ---

    def end(self, kind: str, data: Mapping[str, Any]) -> None:
        """The terminal event; nothing follows it."""
        if self.ended_at is None and not self.cancelled.is_set():
            self._emit(kind, dict(data))
        self.mark_ended()

    def mark_ended(self) -> None:
        if self.ended_at is None:
            self.ended_at = asyncio.get_running_loop().time()
        for future in self._calls.values():
            if not future.done():
                future.set_exception(TurnCancelled())

    def cancel(self) -> None:
        """The server has ended the turn: waiting calls end, and nothing more is sent."""
        self.cancelled.set()
        self._kept.clear()
        self._sent = 0
        for future in self._calls.values():
            if not future.done():
                future.set_exception(TurnCancelled())

    def take_result(self, call: str, result: Mapping[str, Any]) -> None:
        """A tool's answer; one that nobody waits for (a repeated one, a late one) is ignored."""
        future = self._calls.get(call)
        if future is not None and not future.done():
            future.set_result(dict(result))

    def start_over(self) -> None:
        """A new connection: everything is due again but the calls that were answered."""
        self._kept = [m for m in self._kept if not isinstance(m, ToolCall) or m.call in self._calls]
        self._sent = 0

    def take_due(self) -> Message | None:
        """The next message to send, or None. Calls that were answered or given up meanwhile are left out."""
        while self._sent < len(self._kept):
            message = self._kept[self._sent]
            self._sent += 1
            if not isinstance(message, ToolCall) or message.call in self._calls:
                return message
        return None

    @property
    def all_sent(self) -> bool:
        return self._sent >= len(self._kept)

    def _emit(self, kind: str, data: dict[str, Any], characters: int = 0) -> None:
        self._characters += characters
        if len(self._kept) >= MAX_KEPT_EVENTS or self._characters > MAX_KEPT_CHARACTERS:
            if kind not in ("turn.completed", "turn.failed"):
                raise ConnectorFailure("provider_error", "The answer grew too long.")
        self._keep(ProviderEvent(turn=self.assignment.turn, id=self._next_id("e"), kind=kind, data=data))

    def _keep(self, message: Message) -> None:
        self._kept.append(message)
        self._changed()

    def _next_id(self, letter: str) -> str:
        self._numbers += 1
        return f"{self._tag}-{letter}{self._numbers}"

    def _check(self) -> None:
        if self.cancelled.is_set() or self.ended_at is not None:
            raise TurnCancelled
