"""Warm documents, and the one lock per workspace of this process.

A warm document is a live Yjs document with its projection at a committed clock. It is changed only under the
workspace's lock, replaced by what the database says whenever another process was faster, and thrown away on any
failure. Readers take the projection, which is never changed in place. The cache is an LRU by bytes.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from workspaces import metrics, sql
from workspaces.documents.state import DocumentState
from workspaces.documents.ydoc import YDocument

# What a live document takes, measured: a base; its content about twice (in Yjs and in the projection); each byte of Yjs
# structure (ids, neighbours) some thirty times, which is most of it where a text was typed letter by letter.
_BASE_BYTES = 12_288
_CONTENT = 2
_STRUCTURE = 30
# What was written since: weighed roughly, until the document has grown by half.
_RECENT = 6
_MOST_CLOSED = 10_000


@dataclass(slots=True)
class Warm:
    """`size` is the encoded size in bytes, as far as known; the tail of updates counts as it lies in the log."""

    ydoc: YDocument
    state: DocumentState
    clock: int
    epoch: int
    size: int


def weigh(state: DocumentState, size: int) -> int:
    """The memory that a document of this content and encoded size takes, in bytes."""
    content = sum(map(len, state.texts.values())) + sum(_length(value) for value in state.fields.values())
    for items in state.sections.values():
        content += sum(_length(value) for item in items.values() for value in item.values())
    return _BASE_BYTES + _CONTENT * content + _STRUCTURE * max(0, size - content)


def _length(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return sum(_length(entry) for entry in value) if isinstance(value, list) else 4


class DocumentCache:
    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self._entries: OrderedDict[tuple[str, str], Warm] = OrderedDict()
        self._weights: dict[tuple[str, str], int] = {}
        # (size, weight) when each was last weighed: that walks its whole content, which no single commit may do.
        self._weighed: dict[tuple[str, str], tuple[int, int]] = {}
        self._total = 0
        self._guard = threading.Lock()
        self._closed: OrderedDict[str, None] = OrderedDict()
        # Set by `workspaces.erasure`: a process that keeps documents must hear of erasures.
        self.on_first_put: Callable[[], None] | None = None

    def get(self, workspace: str, document: str) -> Warm | None:
        key = (workspace, document)
        with self._guard:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
        (metrics.CACHE_MISSES if entry is None else metrics.CACHE_HITS).inc()
        return entry

    def put(self, workspace: str, document: str, entry: Warm) -> None:
        key = (workspace, document)
        if self.on_first_put is not None:
            begin, self.on_first_put = self.on_first_put, None
            begin()
        with self._guard:
            if workspace in self._closed:
                return
            weight = self._weigh(key, entry)
            self._total += weight - self._weights.get(key, 0)
            self._weights[key] = weight
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while self._total > self.maximum_bytes and len(self._entries) > 1:
                self._forget(next(iter(self._entries)))
                metrics.CACHE_EVICTIONS.inc()
            self._tell()

    def evict(self, workspace: str, document: str) -> None:
        key = (workspace, document)
        with self._guard:
            if key in self._entries:
                self._forget(key)
                self._tell()

    def close_workspace(self, workspace: str) -> None:
        """Throws a workspace's documents away for good: an erased one is not put back by a reader that came before."""
        with self._guard:
            self._closed[workspace] = None
            while len(self._closed) > _MOST_CLOSED:
                self._closed.popitem(last=False)
            for key in [key for key in self._entries if key[0] == workspace]:
                self._forget(key)
            self._tell()

    def workspaces(self) -> list[str]:
        """Those that have a document here."""
        with self._guard:
            return list(dict.fromkeys(workspace for workspace, _ in self._entries))

    def clear(self) -> None:
        with self._guard:
            self._entries.clear()
            self._weights.clear()
            self._weighed.clear()
            self._total = 0
            self._tell()

    def _weigh(self, key: tuple[str, str], entry: Warm) -> int:
        size, weight = self._weighed.get(key, (-1, 0))
        if not size <= entry.size <= size * 1.5 + 1024 or size < 0:
            size, weight = self._weighed[key] = entry.size, weigh(entry.state, entry.size)
        return weight + _RECENT * (entry.size - size)

    def _forget(self, key: tuple[str, str]) -> None:
        del self._entries[key], self._weighed[key]
        self._total -= self._weights.pop(key)

    def _tell(self) -> None:
        metrics.CACHE_BYTES.set(self._total)
        metrics.CACHE_ENTRIES.set(len(self._entries))

    @property
    def total_bytes(self) -> int:
        return self._total


class _Lock:
    """A lock that a weak dictionary can hold."""

    __slots__ = ("__weakref__", "lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def __enter__(self) -> None:
        # The connection first: whoever has the lock must not wait for one that those who wait for the lock have.
        sql.take_connection()
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


_locks: weakref.WeakValueDictionary[str, _Lock] = weakref.WeakValueDictionary()
_locks_guard = threading.Lock()


def workspace_lock(workspace: str) -> _Lock:
    """The lock under which this process reads and changes a workspace's warm documents."""
    with _locks_guard:
        lock = _locks.get(workspace)
        if lock is None:
            lock = _locks[workspace] = _Lock()
        return lock


documents = DocumentCache(maximum_bytes=64 * 1024 * 1024)
