"""Tables of threads, turns, tool calls, connectors and hosts."""

from .tool_call import ToolCall as ToolCall
from .tool_call import TurnToolResult as TurnToolResult
