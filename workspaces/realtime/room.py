"""One document's sockets in one event loop: what the hub brings reaches all of them, in order and without holes.

Above: the document socket. Below: the facade (what is committed), the hub (what is new), the awareness of the room and
the queue of its typing. The room follows the document's clock: what the hub brings twice is dropped, and a hole is
filled from the update log before anything later is sent. A frame is made once and offered to every socket.

A document is read once for all who join while it is cold: they await one shared future. What they are sent is committed
state only; an update that is refused reaches nobody.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import structlog

from workspaces import facade, metrics
from workspaces.documents.ydoc import joined
from workspaces.errors import DomainError, EpochGone

from . import hub, yprotocol
from .access import EPOCH_GONE, ERASED, FAILED, TRY_LATER, end_code, in_database_thread
from .awareness import Awareness, Told
from .live_queue import Author, LiveQueue
from .messages import WORKSPACE_ERASED, typing_runs
from .yprotocol import Entry

KEEP_READ_S = 10.0
CHECK_S = 10.0
TELL_S = 0.03
_BINARY = {"type": "binary"}
log = structlog.get_logger(__name__)
_rooms: dict[tuple[asyncio.AbstractEventLoop, str, str], Room] = {}


class Member(Author, Protocol):
    """A socket of the room."""

    def offer(self, frame: hub.Frame) -> None:
        """Put a frame into its buffer."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The committed document at one clock, as the messages that everybody gets who has nothing of it yet."""

    clock: int
    step_1: bytes
    step_2: bytes


def room_of(workspace: str, document: str) -> Room:
    """The room of this loop; made when there is none."""
    key = (asyncio.get_running_loop(), workspace, document)
    room = _rooms.get(key)
    if room is None:
        room = _rooms[key] = Room(workspace, document)
    return room


class Room:
    """`members` have joined. Those in `_synced` asked for the document and are sent what follows; True stands for those
    that have been sent anything of it."""

    def __init__(self, workspace: str, document: str) -> None:
        self.workspace = workspace
        self.document = document
        self.typing = LiveQueue(workspace, document)
        self.members: set[Member] = set()
        self._loop = asyncio.get_running_loop()
        self._name = secrets.token_hex(8)
        self._topic = f"document:{workspace}:{document}"
        self._awareness = Awareness(self._loop.time)
        self._synced: dict[Member, bool] = {}
        self._clock = 0
        self._epoch = 0
        self._retired: frozenset[int] = frozenset()
        self._order = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[_Read] | None = None
        self._read: _Read | None = None
        self._drop: asyncio.TimerHandle | None = None
        self._tell: asyncio.TimerHandle | None = None
        self._subscription: hub.Subscription | None = None
        self._listener: asyncio.Task[None] | None = None
        self._checked_at = 0.0

    # --- joining and leaving --------------------------------------------------------------------------------------

    async def join(self, member: Member) -> bytes:
        """Gives the room's step 1. Raises NotFound, DocumentTrashed."""
        self.members.add(member)
        if self._opening is None:
            self._opening = self._loop.create_task(self._open(), name="room-open")
            self._opening.add_done_callback(_retrieve_failure)
        await asyncio.shield(self._opening)
        return (await self._current()).step_1

    def leave(self, member: Member) -> None:
        if member not in self.members:
            return
        self.members.discard(member)
        self._synced.pop(member, None)
        if self._awareness.leave(member):
            self._tell_soon()
        if not self.members:
            self._close()

    async def answer(self, member: Member, vector: Mapping[int, int]) -> bytes:
        """The step 2 for a socket's state vector; from now on it is offered what follows. Raises EpochGone."""
        if not self._retired.isdisjoint(vector):
            raise EpochGone
        # First this, then the reading: what is committed in between is offered, at worst once too often.
        self._synced.setdefault(member, False)
        try:
            if not vector:
                step_2 = (await self._current()).step_2
            else:
                state, update = await in_database_thread(
                    _difference, self.workspace, self.document, yprotocol.write_vector(dict(vector))
                )
                self._meet(state)
                if not self._retired.isdisjoint(vector):
                    raise EpochGone
                step_2 = yprotocol.sync_step_2(update)
            if member not in self._synced:
                raise EpochGone
        except BaseException:
            self._synced.pop(member, None)
            raise
        self._synced[member] = True
        return step_2

    async def merge(self, member: Member, update: bytes) -> None:
        """What a socket brings. It is committed with whatever else comes meanwhile, or the socket is dismissed."""
        await self.typing.put(member, update, self._epoch if member in self._synced else None)

    async def check(self) -> None:
        """Each socket's heartbeat asks; at most one in a while reads. Finds what a lost message would have told."""
        moment = self._loop.time()
        if moment - self._checked_at < CHECK_S:
            return
        self._checked_at = moment
        self._show(self._awareness.forget_silent())
        try:
            async with self._order:
                await self._catch_up()
        except DomainError as refusal:
            self._end(await end_code(refusal, workspace=self.workspace))

    # --- awareness ------------------------------------------------------------------------------------------------

    def say(self, member: Member, entries: tuple[Entry, ...]) -> None:
        """Awareness from a socket. Raises Unreadable."""
        if self._awareness.say(member, member.link, entries):
            self._tell_soon()

    def present(self) -> bytes:
        """The awareness message of everybody who is here."""
        return yprotocol.awareness(self._awareness.everything())

    def _tell_soon(self) -> None:
        # A caret moves with each key: what changes meanwhile goes out together, of each client the newest.
        if self._tell is None:
            self._tell = self._loop.call_later(TELL_S, self._tell_now)

    def _tell_now(self) -> None:
        self._tell = None
        self._publish_awareness(self._awareness.take_changes())

    def _publish_awareness(self, told: list[Told]) -> None:
        if told:
            entries = [[each.entry.client, each.entry.clock, each.entry.text, each.link] for each in told]
            hub.publish(topic=self._topic, message={"type": "awareness", "room": self._name, "entries": entries})

    def _hear_awareness(self, message: Mapping[str, Any]) -> None:
        told = [Told(Entry(client, clock, text), link) for client, clock, text, link in message["entries"]]
        if message["room"] == self._name:
            self._show([each.entry for each in told])
        else:
            self._show(self._awareness.hear(message["room"], told))

    def _show(self, entries: list[Entry]) -> None:
        if entries:
            self._offer(yprotocol.awareness(entries))

    # --- what the hub brings --------------------------------------------------------------------------------------

    async def _open(self) -> None:
        try:
            self._subscription = await hub.subscribe(f"workspace:{self.workspace}", self._topic, gaps=True)
            await self._current()
        except BaseException:
            self._close()
            raise
        if self.members:
            self._listener = self._loop.create_task(self._listen(), name="room")
            hub.publish(topic=self._topic, message={"type": "awareness.ask", "room": self._name})
        else:
            self._close()

    async def _listen(self) -> None:
        assert self._subscription is not None
        try:
            while frames := await self._subscription.batch():
                async with self._order:
                    for run in typing_runs(frames):
                        await self._hear_typing(run) if len(run) > 1 else await self._hear(run[0])
        except DomainError as refusal:
            self._end(await end_code(refusal, workspace=self.workspace))
        except hub.SlowSubscriber:
            self._end(TRY_LATER)
        except Exception as error:
            log.error("room_failed", error=type(error).__qualname__)
            self._end(FAILED)

    async def _hear(self, frame: hub.Frame) -> None:
        if frame is hub.GAP:
            await self._catch_up()
            return
        message = frame.message
        match message["type"]:
            case "typed":
                if message["epoch"] != self._epoch:
                    await self._catch_up()
                else:
                    await self._follow(message["clock"], message["update"])
            case "commit":
                await self._hear_commit(message)
            case "epoch":
                if message["epoch"] != self._epoch:
                    await self._catch_up()
            case "awareness":
                self._hear_awareness(message)
            case "awareness.ask":
                if message["room"] != self._name:
                    self._publish_awareness(self._awareness.local())
            case kind if kind == WORKSPACE_ERASED:
                self._end(ERASED)

    async def _hear_typing(self, frames: Sequence[hub.Frame]) -> None:
        """Several typed updates in a row leave as one."""
        messages = [frame.message for frame in frames]
        clocks = [message["clock"] for message in messages]
        if any(message["epoch"] != self._epoch for message in messages) or clocks != list(
            range(self._clock + 1, self._clock + 1 + len(clocks))
        ):
            for frame in frames:
                await self._hear(frame)
            return
        updates = [base64.b64decode(message["update"]) for message in messages]
        for update in updates:
            self.typing.remember(update)
        self._pass_on(clocks[-1], joined(updates))

    async def _hear_commit(self, message: Mapping[str, Any]) -> None:
        if self.document in message.get("rebuilt", ()):
            await self._catch_up()
            return
        # A sealed typing session says {"from", "to"}: its updates have been sent one by one.
        clock = message["event"]["clocks"].get("after", {}).get(self.document)
        update = message["updates"].get(self.document)
        if clock is None or update is None:
            return
        await self._follow(clock, update)
        if f"{self.document}/state" in message["event"]["affected_paths"]:
            await self._catch_up()  # into the trash, perhaps

    async def _follow(self, clock: int, update: str) -> None:
        if clock == self._clock + 1:
            self._pass_on(clock, base64.b64decode(update))
        elif clock > self._clock:
            metrics.SOCKET_GAPS.inc()
            await self._catch_up()

    async def _catch_up(self) -> None:
        """What the log has after the room's clock, or the whole document. Raises NotFound, DocumentTrashed."""
        epoch = self._epoch
        missed = await in_database_thread(
            facade.live_updates_after, workspace=self.workspace, document=self.document, clock=self._clock, epoch=epoch
        )
        if self._epoch != epoch:
            return  # somebody's reading was faster
        if missed is not None:
            for clock, update in missed:
                self._pass_on(clock, update)
            return
        state, update = await in_database_thread(_difference, self.workspace, self.document, None)
        self._meet(state)
        self._offer(yprotocol.sync_update(update))
        self._clock = max(self._clock, state.clock)

    def _pass_on(self, clock: int, update: bytes) -> None:
        self._clock = clock
        self._read = None
        self.typing.remember(update)
        self._offer(yprotocol.sync_update(update))

    def _offer(self, data: bytes) -> None:
        frame = hub.Frame("", _BINARY, data=data)
        for member in tuple(self._synced):
            self._synced[member] = True
            member.offer(frame)

    def _meet(self, state: facade.LiveState) -> None:
        """A reading tells the epoch. Whoever was sent something of another one has to begin anew."""
        if state.epoch == self._epoch:
            return
        for member in [member for member, sent in self._synced.items() if sent]:
            member.dismiss(EPOCH_GONE)
            del self._synced[member]
        self._epoch, self._clock, self._retired = state.epoch, state.clock, state.retired_client_ids
        self._read = None
        self.typing.forget()

    # --- the document, read once for many -------------------------------------------------------------------------

    async def _current(self) -> _Read:
        """The document at the clock that the room has reached, or later."""
        wanted, read = self._clock, self._read
        while read is None or read.clock < wanted:
            if self._reading is None:
                self._reading = self._loop.create_task(self._read_now(), name="room-read")
                self._reading.add_done_callback(_retrieve_failure)
            read = await asyncio.shield(self._reading)
        return read

    async def _read_now(self) -> _Read:
        try:
            state, step_1, step_2 = await in_database_thread(_whole, self.workspace, self.document)
        finally:
            self._reading = None
        self._meet(state)
        read = _Read(state.clock, step_1, step_2)
        if self.members:
            self._read = read
            if self._drop is not None:
                self._drop.cancel()
            self._drop = self._loop.call_later(KEEP_READ_S, self._drop_read)
        return read

    def _drop_read(self) -> None:
        self._read = self._drop = None

    # --- the end --------------------------------------------------------------------------------------------------

    def _end(self, code: int) -> None:
        for member in tuple(self.members):
            member.dismiss(code)
        self._close()

    def _close(self) -> None:
        """The room is given up; who still joins gets a new one. Typing under way is committed all the same."""
        key = (self._loop, self.workspace, self.document)
        if _rooms.get(key) is self:
            del _rooms[key]
        if self._tell is not None:
            self._tell.cancel()
            self._tell_now()
        if self._drop is not None:
            self._drop.cancel()
        if self._subscription is not None:
            self._subscription.close()
        if self._listener is not None and self._listener is not asyncio.current_task():
            self._listener.cancel()


def _retrieve_failure(task: asyncio.Task[Any]) -> None:
    """Everybody who waited for it may be gone: nobody need hear of its failure then."""
    if not task.cancelled():
        task.exception()


def _whole(workspace: str, document: str) -> tuple[facade.LiveState, bytes, bytes]:
    state = facade.open_live(workspace=workspace, document=document)
    return state, yprotocol.sync_step_1(state.state_vector()), yprotocol.sync_step_2(state.encode(None))


def _difference(workspace: str, document: str, vector: bytes | None) -> tuple[facade.LiveState, bytes]:
    state = facade.open_live(workspace=workspace, document=document)
    return state, state.encode(vector)
