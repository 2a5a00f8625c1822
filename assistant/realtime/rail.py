"""`/ws/workspaces/{ws}/threads/{thr}/?after=seq`: a thread's events, replayed and then live, without a hole.

Above it: `routing`. Below it: the facade (what is true) and the hub topic `thread:<id>` (what is new). Events carry
`seq`, which rises by 1: what the hub brings twice is dropped, a hole is filled from the database before anything later
is sent. The client may start and cancel turns here.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs

from assistant import facade
from assistant.http.rates import check_turn_rate
from workspaces.contracts import Access
from workspaces.errors import DomainError, Flaw, InvalidRequest, NotFound, RateLimited, to_problem
from workspaces.realtime.access import TOO_MANY, UNKNOWN, end_code
from workspaces.realtime.socket import LinkSocket

from .database_threads import run
from .sweep_timer import timer

PAGE = 200
MAX_SEQ = 2**53
_START_FIELDS = ("id", "text", "surface", "document")


class ThreadSocket(LinkSocket):
    """`self._seq` is the newest event that this socket was sent, or where the client said it stands."""

    access: Access

    def topics(self) -> tuple[str, ...]:
        return (f"thread:{self._thread}",)

    @property
    def _thread(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["thread"])[:64]

    async def opened(self) -> None:
        self._order = asyncio.Lock()
        self._seq = _read_after(self.scope.get("query_string", b""))
        await run(facade.get_thread, access=self.access, thread=self._thread)
        timer().hold()
        self._holds_timer = True
        async with self._order:
            await self._catch_up()

    async def closed(self) -> None:
        if getattr(self, "_holds_timer", False):
            self._holds_timer = False
            timer().release()

    async def heard(self, frame: Any) -> None:
        message = frame.message
        match message["type"]:
            case "gap":
                async with self._order:
                    await self._catch_up()
            case "thread.deleted":
                await self.end(UNKNOWN)
            case "event":
                async with self._order:
                    event = message["event"]
                    if event["seq"] == self._seq + 1:
                        self._seq += 1
                        await self.say(event)
                    elif event["seq"] > self._seq:
                        await self._catch_up()

    async def asked(self, kind: str, message: dict[str, Any]) -> None:
        match kind:
            case "turn.start":
                await self._start(message)
            case "turn.cancel":
                _only(message, ("turn",), required=("turn",))
                turn = message["turn"]
                if not isinstance(turn, str):
                    raise InvalidRequest(flaws=[Flaw("turn", "type", "This must be the id of a turn.")])
                await run(facade.cancel_turn, access=self.access, turn=turn)
            case "heartbeat":
                _only(message, ())
                await self.say({"type": "heartbeat"})
            case _:
                await super().asked(kind, message)

    async def beat(self) -> None:
        # Also where a message was lost and none came after it.
        async with self._order:
            await self._catch_up()
        await self.say({"type": "heartbeat"})

    async def _start(self, message: dict[str, Any]) -> None:
        _only(message, _START_FIELDS, required=("text",))
        client = self.scope.get("client")
        try:
            await run(check_turn_rate, client=client[0] if client else None, link=self.access.link)
        except RateLimited as refusal:
            await self._say_problem(refusal, message)
            await self.end(TOO_MANY)
            return
        try:
            await run(
                facade.start_turn,
                access=self.access,
                thread=self._thread,
                text=message["text"],
                surface=message.get("surface"),
                document=message.get("document"),
                turn=message.get("id"),
            )
        except DomainError as refusal:
            if refusal.status == 401:
                raise
            await self._say_problem(refusal, message)

    async def _say_problem(self, refusal: DomainError, message: dict[str, Any]) -> None:
        """The problem, with the client's own turn id so that it knows which question was refused."""
        problem = to_problem(refusal)
        if isinstance(message.get("id"), str):
            problem["details"] = {"asked": message["id"][:40], **problem["details"]}
        await self.say({"type": "error", "problem": problem})

    async def _catch_up(self) -> None:
        while True:
            try:
                missed = await run(
                    facade.replay_events,
                    workspace=self.access.workspace,
                    thread=self._thread,
                    after=self._seq,
                    limit=PAGE,
                )
            except NotFound as refusal:
                await self.end(await end_code(refusal, workspace=self.access.workspace))
                return
            for event in missed:
                await self.say(event)
                self._seq = event["seq"]
            if len(missed) < PAGE:
                return


def _read_after(query: bytes) -> int:
    values = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("after", ["0"])
    if len(values) != 1 or not values[0].isascii() or not values[0].isdigit() or not int(values[0][:17]) <= MAX_SEQ:
        raise InvalidRequest(flaws=[Flaw("after", "range", "This must be the seq of an event, or 0.")])
    return int(values[0][:17])


def _only(message: dict[str, Any], allowed: tuple[str, ...], *, required: tuple[str, ...] = ()) -> None:
    flaws = [
        Flaw(name[:60], "unknown_field", "There is no such property here.")
        for name in message
        if name != "type" and name not in allowed
    ]
    flaws += [Flaw(name, "required", "This is missing.") for name in required if name not in message]
    if flaws:
        raise InvalidRequest(flaws=flaws[:20])
