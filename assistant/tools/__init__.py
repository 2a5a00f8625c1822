"""The four tools that an assistant has, and nothing else that it has.

`boundary.call_tool` is the one way to run them. Here: the list, and its forms for the families of connectors.
Source: contract section 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from . import apply_workspace_operations, get_workspace_context, search_jobcache, undo_workspace_receipt
from .base import Tool

TOOLS: Final[tuple[Tool, ...]] = (
    get_workspace_context.TOOL,
    search_jobcache.TOOL,
    apply_workspace_operations.TOOL,
    undo_workspace_receipt.TOOL,
)
BY_NAME: Final[Mapping[str, Tool]] = {tool.name: tool for tool in TOOLS}
FORMATS: Final = ("json", "codex", "mcp")


def tool_definitions() -> list[dict[str, Any]]:
    """The four as `turn.assign.tools` carries them: name, version, description, parameters, annotations."""
    return [tool.definition() for tool in TOOLS]


def tools_as(form: str) -> list[dict[str, Any]]:
    """The four as OpenAI-style function tools (`json`), Codex dynamic tools (`codex`) or MCP tools (`mcp`)."""
    match form:
        case "json":
            return [
                {
                    "type": "function",
                    "name": tool.name,
                    "version": tool.version,
                    "description": tool.description,
                    "parameters": tool.parameters,
                    "strict": True,
                }
                for tool in TOOLS
            ]
        case "codex":
            return [
                {
                    "type": "function",
                    "name": tool.name,
                    "version": tool.version,
                    "description": tool.description,
                    "inputSchema": tool.parameters,
                }
                for tool in TOOLS
            ]
        case "mcp":
            return [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "inputSchema": tool.parameters,
                    "annotations": tool.hints(),
                    "_meta": {"version": tool.version},
                }
                for tool in TOOLS
            ]
    raise ValueError(f"there is no form {form!r}")
