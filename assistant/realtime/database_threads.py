"""Where the sockets' synchronous work runs: facade calls on threads of their own, so that the loop never waits.

Tool calls have threads apart: a slow job search must not hold up the deltas of other turns.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from channels.db import DatabaseSyncToAsync

T = TypeVar("T")
_EVENTS: Final = ThreadPoolExecutor(max_workers=8, thread_name_prefix="assistant-events")
_TOOLS: Final = ThreadPoolExecutor(max_workers=8, thread_name_prefix="assistant-tools")


async def run(function: Callable[..., T], **arguments: Any) -> T:
    """Call a facade function on a thread that cleans up its database connection."""
    result: T = await DatabaseSyncToAsync(function, thread_sensitive=False, executor=_EVENTS)(**arguments)
    return result


async def run_tool(function: Callable[..., T], **arguments: Any) -> T:
    """`run` on the threads of the tool calls."""
    result: T = await DatabaseSyncToAsync(function, thread_sensitive=False, executor=_TOOLS)(**arguments)
    return result
