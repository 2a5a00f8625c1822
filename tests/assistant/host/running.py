"""A real connector host in the test's own loop, against the real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from assistant.host.connectors.base import Connector
from assistant.host.homes import Homes
from assistant.host.runner import HostRunner
from tests.assistant.realtime.live import in_thread

PATIENCE_S = 15.0


@asynccontextmanager
async def run_host(
    server: str, token: str, *connectors: Connector, name: str | None = None, homes: Homes | None = None
) -> AsyncIterator[HostRunner]:
    runner = HostRunner(url=f"{server}/ws/host/", token=token, connectors=connectors, name=name, homes=homes)
    task = asyncio.ensure_future(runner.run())
    waiting = asyncio.ensure_future(runner.connected.wait())
    await asyncio.wait({task, waiting}, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    try:
        if task.done():
            task.result()
        assert runner.connected.is_set()
        yield runner
    finally:
        runner.stop()
        await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), PATIENCE_S)


async def until(condition: Callable[[], Any]) -> Any:
    """What the condition gives, once it is true. It reads the database, so it runs beside the loop."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := await in_thread(condition)):
            await asyncio.sleep(0.02)
        return found


async def ended(desk: Any, turns: int = 1) -> list[dict[str, Any]]:
    """The thread's events, once so many turns have ended."""

    def look() -> list[dict[str, Any]] | None:
        events = desk.events()
        terminal = [event for event in events if event["kind"] in ("turn.completed", "turn.failed", "turn.cancelled")]
        return events if len(terminal) >= turns else None

    return await until(look)
