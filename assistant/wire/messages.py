"""The messages of the host protocol as frozen values, each with its JSON shape; limits and closed sets of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

PROTOCOL: Final = 1
HEARTBEAT_SECONDS: Final = 10
LOST_AFTER_SECONDS: Final = 30
ACCEPT_WITHIN_SECONDS: Final = 5
MAX_FRAME_BYTES: Final = 1024 * 1024
MAX_EVENT_TEXT: Final = 50_000
MAX_CITATIONS: Final = 100

ConnectorState = Literal["ready", "needs_login", "connecting", "unavailable"]
CONNECTOR_STATES: Final[frozenset[str]] = frozenset({"ready", "needs_login", "connecting", "unavailable"})
HOST_FAILURES: Final[frozenset[str]] = frozenset(
    {
        "provider_limit",
        "provider_auth",
        "provider_error",
        "connector_crash",
        "protocol_mismatch",
        "timeout",
        "cancelled_late",
    }
)
AUTH_STATES: Final = CONNECTOR_STATES
TERMINAL_KINDS: Final[frozenset[str]] = frozenset({"turn.completed", "turn.failed", "turn.cancelled"})


# --- host → server -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConnectorInfo:
    """One provider that a host offers. `capabilities` is a small object of opaque flags for the page."""

    provider: str
    version: str
    state: ConnectorState
    capabilities: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "provider": self.provider,
            "version": self.version,
            "state": self.state,
            "capabilities": dict(self.capabilities),
        }


@dataclass(frozen=True, slots=True)
class Hello:
    protocol: int
    host: str
    connectors: tuple[ConnectorInfo, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "protocol": self.protocol,
            "host": self.host,
            "connectors": [connector.as_json() for connector in self.connectors],
        }


@dataclass(frozen=True, slots=True)
class TurnAccept:
    turn: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "turn.accept", "turn": self.turn}


@dataclass(frozen=True, slots=True)
class ProviderEvent:
    """An event of a turn. `id` is the host's own, unique within the turn: the server drops what it has seen."""

    turn: str
    id: str
    kind: str
    data: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"type": "event", "turn": self.turn, "id": self.id, "kind": self.kind, "data": dict(self.data)}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is whatever the provider gave: the boundary judges it."""

    turn: str
    call: str
    capability: str
    name: str
    arguments: Any

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "tool.call",
            "turn": self.turn,
            "call": self.call,
            "capability": self.capability,
            "name": self.name,
            "arguments": self.arguments,
        }


@dataclass(frozen=True, slots=True)
class ThreadBind:
    turn: str
    provider_thread: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "thread.bind", "turn": self.turn, "provider_thread": self.provider_thread}


@dataclass(frozen=True, slots=True)
class LoginUpdate:
    connector: str
    state: ConnectorState
    verification_url: str | None = None
    user_code: str | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class ConnectorErased:
    """The connector's home is gone from this host."""

    connector: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "connector.erased", "connector": self.connector}


@dataclass(frozen=True, slots=True)
class Heartbeat:
    def as_json(self) -> dict[str, Any]:
        return {"type": "heartbeat"}


HostMessage = Hello | TurnAccept | ProviderEvent | ToolCall | ThreadBind | LoginUpdate | ConnectorErased | Heartbeat


# --- server → host -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    protocol: int
    host_id: str
    heartbeat_s: int

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "welcome",
            "protocol": self.protocol,
            "host_id": self.host_id,
            "heartbeat_s": self.heartbeat_s,
        }


@dataclass(frozen=True, slots=True)
class Assignment:
    """A turn given to a host. `deadline_at` is RFC 3339; `history` holds earlier `{"role", "text"}` of the thread."""

    turn: str
    thread: str
    connector: str
    provider: str
    attempt: int
    capability: str = field(repr=False)
    deadline_at: str
    provider_thread: str | None
    tools: tuple[Mapping[str, Any], ...]
    instructions: str
    context: Mapping[str, Any] = field(repr=False)
    history: tuple[Mapping[str, str], ...] = field(repr=False)
    text: str = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "turn.assign",
            "turn": self.turn,
            "thread": self.thread,
            "connector": self.connector,
            "provider": self.provider,
            "attempt": self.attempt,
            "capability": self.capability,
            "deadline_at": self.deadline_at,
            "provider_thread": self.provider_thread,
            "tools": [dict(tool) for tool in self.tools],
            "instructions": self.instructions,
            "context": dict(self.context),
            "history": [dict(line) for line in self.history],
            "input": {"text": self.text},
        }


@dataclass(frozen=True, slots=True)
class ToolResult:
    turn: str
    call: str
    result: Mapping[str, Any] = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        return {"type": "tool.result", "turn": self.turn, "call": self.call, "result": dict(self.result)}


@dataclass(frozen=True, slots=True)
class TurnCancel:
    turn: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "turn.cancel", "turn": self.turn}


@dataclass(frozen=True, slots=True)
class ConnectorErase:
    """The connector is gone: its host erases what it kept for it, and says so; asked again until it does."""

    connector: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "connector.erase", "connector": self.connector}


@dataclass(frozen=True, slots=True)
class EventRefused:
    """The event had no effect, and `code` says why: `not_held`, `turn_ended`, `unknown_kind`, `invalid_request`,
    `too_large`."""

    turn: str
    id: str
    code: str

    def as_json(self) -> dict[str, Any]:
        return {"type": "event.refused", "turn": self.turn, "id": self.id, "code": self.code}


@dataclass(frozen=True, slots=True)
class Problem:
    """What the server answers to a message it cannot take."""

    problem: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"type": "error", "problem": dict(self.problem)}


ServerMessage = Welcome | Assignment | ToolResult | TurnCancel | ConnectorErase | EventRefused | Problem | Heartbeat
