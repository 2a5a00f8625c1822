"""What every connector is, and what it may do during a turn.

Above it: `assistant.host.runner`, which gives each turn its own task and session. Below it: the real providers. A
connector never sees the socket, a link or another turn; it gets an `Assignment` and a `TurnSession`, and it neither
sends the terminal event nor counts event ids: the runner does.

How `run_turn` ends decides how the turn ends:
- it returns (None or a `TurnOutcome`): `turn.completed`;
- it raises `ConnectorFailure(failure_class, message)`: `turn.failed` with that class;
- it is cancelled, or raises `TurnCancelled`, after the server's cancel: `turn.cancelled`;
- it raises anything else: `turn.failed` with `connector_crash` (the message says nothing of the exception's text).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from assistant.wire import Assignment, ConnectorInfo

__all__ = [
    "Assignment",
    "Connector",
    "ConnectorFailure",
    "ConnectorInfo",
    "TurnCancelled",
    "TurnOutcome",
    "TurnSession",
]


class ConnectorFailure(Exception):
    """A turn that the provider could not answer. `failure_class` is one of `assistant.wire.HOST_FAILURES`."""

    def __init__(self, failure_class: str, message: str) -> None:
        self.failure_class = failure_class
        self.message = message
        super().__init__(message)


class TurnCancelled(Exception):
    """The turn was cancelled; raised by a session's methods, so that a connector stops at its next step."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a connector knows of a completed turn. `model` enters the provenance; None where there is no model."""

    model: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class TurnSession(Protocol):
    """A running turn, seen by its connector. All methods raise `TurnCancelled` once the turn is cancelled."""

    @property
    def cancelled(self) -> asyncio.Event:
        """Set when the server cancels the turn or its deadline has passed."""

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, call: str | None = None) -> dict[str, Any]:
        """The tool's result as the boundary gave it: `{"status": "ok", …}` or `{"status": "refused", "code", …}`.

        The call id is made here unless the provider has one of its own, unique within the turn. Calls may run
        concurrently. Raises `ConnectorFailure("timeout", …)` when no answer comes within the host's time-out.
        """

    async def delta(self, text: str, *, part: str = "answer") -> None:
        """A further piece of the part's text; an empty text does nothing."""

    async def complete(self, text: str, citations: Sequence[str] = (), *, part: str = "answer") -> None:
        """The part's whole text (Markdown) and the document and role ids it cites.

        Ids that are not from the turn's results or context are left out by the server.
        """

    async def progress(self, text: str) -> None:
        """One short line about the step at work."""

    async def limit(self, limit_class: str, retry_at: str | None) -> None:
        """The provider limits us; `retry_at` is RFC 3339."""

    async def auth(self, state: str) -> None:
        """The provider's login state changed: one of `assistant.wire.AUTH_STATES`."""

    async def bind(self, provider_thread: str) -> None:
        """Keep an opaque provider thread id; later assignments of this thread carry it as `provider_thread`."""


@runtime_checkable
class Connector(Protocol):
    """A provider runtime. Turns run concurrently on one connector, each in a task of its own."""

    @property
    def provider(self) -> str:
        """`builtin`, `scripted`, `codex`, …"""

    def describe(self) -> ConnectorInfo:
        """Version, state and capabilities for the host's hello."""

    async def start(self) -> None:
        """Called once before the first turn."""

    async def stop(self) -> None:
        """Called once after the last turn; leaves no process and no file behind."""

    async def run_turn(self, turn: Assignment, session: TurnSession) -> TurnOutcome | None:
        """Answer one turn. See the module's text for what the ways to end mean."""
