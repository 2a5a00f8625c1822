"""Tables of threads, turns, tool calls, connectors and hosts."""

from .connector import Connector, ConnectorErasure, Host, HostToken
from .thread import ProviderEventSeen, Thread, ThreadEvent, Turn
from .tool_call import ToolCall, TurnToolResult
from .turn_audit import TurnAudit

__all__ = [
    "Connector",
    "ConnectorErasure",
    "Host",
    "HostToken",
    "ProviderEventSeen",
    "Thread",
    "ThreadEvent",
    "ToolCall",
    "Turn",
    "TurnAudit",
    "TurnToolResult",
]
