"""A document's typing on its way into the database: what comes in while one group is being committed is the next group.

Above: the room. Below: the facade's `merge_live`, in a database thread. Bounded: a socket whose update finds no place
waits, and its client with it. Nothing is confirmed here: a client whose connection ends before its update was committed
still has it, and brings it with its next synchronisation.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Protocol

import structlog

from workspaces import facade, metrics
from workspaces.contracts import LiveApplied, LiveUpdate
from workspaces.errors import DomainError, RateLimited
from workspaces.http.rate_limits import check_rate

from .access import FAILED, close_code, in_database_thread

MAX_WAITING = 256
MAX_WAITING_BYTES = 2 * 1024 * 1024
GROUP = 64
GROUP_BYTES = 512 * 1024
_REMEMBERED = 512
log = structlog.get_logger(__name__)


class Author(Protocol):
    """The socket that an update came through."""

    @property
    def link(self) -> str: ...

    dismissed: bool

    def dismiss(self, code: int) -> None:
        """Close it with this code; what else it has sent does not count."""


@dataclass(slots=True)
class _Waiting:
    author: Author
    update: bytes
    epoch: int | None


class LiveQueue:
    """Belongs to one loop. `REST_S`: an author's typing becomes an event after so many seconds without any."""

    REST_S: ClassVar[float] = facade.TYPING_RESTS.total_seconds()

    def __init__(self, workspace: str, document: str) -> None:
        self._workspace = workspace
        self._document = document
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Waiting] = deque()
        self._bytes = 0
        self._space = asyncio.Event()
        self._committing: asyncio.Task[None] | None = None
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._typed_at: dict[str, float] = {}
        self._seal: asyncio.TimerHandle | None = None
        self._sealing: asyncio.Task[None] | None = None

    async def put(self, author: Author, update: bytes, epoch: int | None) -> None:
        """Take an update of a client that was served this epoch; returns once it has found its place."""
        if self.knows(update):
            metrics.LIVE_UPDATES.labels("known").inc()
            return
        while len(self._waiting) >= MAX_WAITING or self._bytes >= MAX_WAITING_BYTES:
            self._space.clear()
            await self._space.wait()
        if author.dismissed:
            return
        self._waiting.append(_Waiting(author, update, epoch))
        self._bytes += len(update)
        if self._committing is None:
            self._committing = self._loop.create_task(self._commit(), name="live-commit")

    def knows(self, update: bytes) -> bool:
        """Whether exactly these bytes are part of the document already: many providers send back what they hear."""
        return _digest(update) in self._known

    def remember(self, update: bytes) -> None:
        """These bytes are part of the committed document."""
        digest = _digest(update)
        self._known[digest] = None
        self._known.move_to_end(digest)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """The document has another history now: nothing of before is part of it."""
        self._known.clear()

    # --- committing -----------------------------------------------------------------------------------------------

    async def _commit(self) -> None:
        try:
            while group := self._next_group():
                await self._commit_group(group)
        finally:
            self._committing = None

    def _next_group(self) -> list[_Waiting]:
        group: list[_Waiting] = []
        size = 0
        while self._waiting and len(group) < GROUP and size < GROUP_BYTES:
            entry = self._waiting.popleft()
            self._bytes -= len(entry.update)
            if not entry.author.dismissed:
                group.append(entry)
                size += len(entry.update)
        self._space.set()
        return group

    async def _commit_group(self, group: list[_Waiting]) -> None:
        updates = [
            LiveUpdate(f"link:{entry.author.link}", entry.author.link, entry.update, entry.epoch) for entry in group
        ]
        metrics.LIVE_GROUP.observe(len(group))
        try:
            results = await in_database_thread(_merge, self._workspace, self._document, updates)
        except Exception as error:
            # They come back with what they have: nothing is lost.
            log.error("live_commit_failed", error=type(error).__qualname__)
            for entry in group:
                entry.author.dismiss(FAILED)
            return
        for entry, result in zip(group, results, strict=True):
            if isinstance(result, DomainError):
                code = close_code(result)
                metrics.LIVE_UPDATES.labels(str(code)).inc()
                entry.author.dismiss(code)
            else:
                metrics.LIVE_UPDATES.labels("known" if result.clock is None else "accepted").inc()
                self.remember(entry.update)
                if result.clock is not None:
                    self._typed(entry.author.link)

    # --- sealing --------------------------------------------------------------------------------------------------

    def _typed(self, link: str) -> None:
        self._typed_at[link] = self._loop.time()
        if self._seal is None and self._sealing is None:
            self._seal = self._loop.call_later(self.REST_S, self._seal_now)

    def _seal_now(self) -> None:
        self._seal = None
        self._sealing = self._loop.create_task(self._seal_rested(), name="live-seal")

    async def _seal_rested(self) -> None:
        try:
            rested = self._loop.time() - self.REST_S
            self._typed_at = {link: at for link, at in self._typed_at.items() if at > rested}
            await in_database_thread(_seal, self.REST_S)
        except Exception as error:  # the regular task seals what is left
            log.error("live_seal_failed", error=type(error).__qualname__)
        finally:
            self._sealing = None
            if self._typed_at:
                wait = min(self._typed_at.values()) + self.REST_S - self._loop.time()
                self._seal = self._loop.call_later(max(wait, 0.0), self._seal_now)


def _digest(update: bytes) -> bytes:
    return hashlib.blake2b(update, digest_size=16).digest()


def _seal(rest_s: float) -> None:
    facade.seal_rested(before=facade.now() - timedelta(seconds=rest_s), limit=100)


def _merge(workspace: str, document: str, updates: Sequence[LiveUpdate]) -> list[LiveApplied | DomainError]:
    """`merge_live` for those whose link has not used up what a second allows."""
    refused: dict[str, DomainError] = {}
    counts = Counter(update.link for update in updates)
    for link, count in counts.items():
        size = sum(len(update.update) for update in updates if update.link == link)
        try:
            check_rate("live_updates", link=link, cost=count)
            check_rate("live_bytes", link=link, cost=size)
        except RateLimited as error:
            refused[link] = error
    allowed = [update for update in updates if update.link not in refused]
    results = iter(facade.merge_live(workspace=workspace, document=document, updates=allowed) if allowed else ())
    return [refused.get(update.link) or next(results) for update in updates]
