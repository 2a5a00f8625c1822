"""Who has a workspace open right now, across processes, told to its sockets whenever that changes.

Above: the workspace socket. Below: the hub. Each process counts its own sockets and tells the others its part on the
topic `presence:<workspace>`; each puts the parts together for its own sockets as
`{"type": "presence", "here": [{"link", "role", "sockets"}]}`. Nothing is stored: a part that is not repeated in time
(its process is gone) is forgotten.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from workspaces.contracts import Access

from . import hub

REPEAT_S = 30.0
FORGET_S = 75.0
SETTLE_S = 0.2
_rooms: dict[tuple[asyncio.AbstractEventLoop, str], _Room] = {}


async def join(access: Access) -> None:
    """One more socket of this link. Every join needs its `leave`, on the same loop."""
    key = (asyncio.get_running_loop(), access.workspace)
    room = _rooms.get(key)
    if room is None:
        room = _rooms[key] = _Room(access.workspace)
    room.sockets[access.link, access.role] += 1
    await room.start()
    room.changed()


def leave(access: Access) -> None:
    """One socket of this link less."""
    key = (asyncio.get_running_loop(), access.workspace)
    room = _rooms.get(key)
    if room is None:
        return
    who = (access.link, access.role)
    room.sockets[who] -= 1
    if room.sockets[who] <= 0:
        del room.sockets[who]
    if room.sockets:
        room.changed()
    else:
        del _rooms[key]
        room.stop()


class _Room:
    """One workspace's sockets in this process."""

    def __init__(self, workspace: str) -> None:
        self.sockets: Counter[tuple[str, str]] = Counter()
        self._workspace = workspace
        self._topic = f"presence:{workspace}"
        self._parts: dict[str, tuple[float, list[dict[str, Any]]]] = {}
        self._told: list[dict[str, Any]] | None = None
        self._soon: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._subscription: hub.Subscription | None = None
        self._listener: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()

    async def start(self) -> None:
        if self._listener is None:
            self._listener = asyncio.get_running_loop().create_task(self._listen(), name="presence")
        await self._ready.wait()

    def changed(self) -> None:
        """Tell everybody soon; a hundred sockets that come back at once are one message."""
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(SETTLE_S, self._tell)

    def stop(self) -> None:
        for timer in (self._soon, self._again):
            if timer is not None:
                timer.cancel()
        if self._listener is not None:
            self._listener.cancel()
        if self._subscription is not None:
            self._subscription.close()
        self._publish_part()

    def _tell(self) -> None:
        self._soon = None
        if self._again is not None:
            self._again.cancel()
        self._again = asyncio.get_running_loop().call_later(REPEAT_S, self._tell)
        self._publish_part()

    def _publish_part(self) -> None:
        part = [{"link": link, "role": role, "sockets": count} for (link, role), count in sorted(self.sockets.items())]
        hub.publish(topic=self._topic, message={"type": "part", "process": hub.process_id(), "here": part})

    async def _listen(self) -> None:
        try:
            self._subscription = await hub.subscribe(self._topic)
        finally:
            self._ready.set()
        hub.publish(topic=self._topic, message={"type": "ask", "process": hub.process_id()})
        async for frame in self._subscription:
            self._receive(frame.message)

    def _receive(self, message: Mapping[str, Any]) -> None:
        process = message["process"]
        if message["type"] == "ask":
            if process != hub.process_id():
                self._publish_part()
            return
        moment = time.monotonic()
        self._parts[process] = (moment + FORGET_S, message["here"])
        self._parts = {name: part for name, part in self._parts.items() if part[0] > moment and part[1]}
        together: Counter[tuple[str, str]] = Counter()
        for _, part in self._parts.values():
            for entry in part:
                together[entry["link"], entry["role"]] += entry["sockets"]
        here = [{"link": link, "role": role, "sockets": count} for (link, role), count in sorted(together.items())]
        if here != self._told:
            self._told = here
            hub.publish(topic=f"workspace:{self._workspace}", message={"type": "presence", "here": here}, local=True)
