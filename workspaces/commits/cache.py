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

from workspaces.documents.state import DocumentState
from workspaces.documents.ydoc import YDocument

# A live document takes roughly this many times its encoded size (Yjs blocks, projection, Python objects).
_EXPANSION = 6
_BASE_BYTES = 8_192
_MOST_CLOSED = 10_000


@dataclass(slots=True)
class Warm:
    """`size` is the encoded size in bytes, as far as known."""

    ydoc: YDocument
    state: DocumentState
    clock: int
    epoch: int
    size: int

    @property
    def weight(self) -> int:
        return _BASE_BYTES + self.size * _EXPANSION


class DocumentCache:
    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self._entries: OrderedDict[tuple[str, str], Warm] = OrderedDict()
        self._weights: dict[tuple[str, str], int] = {}
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
            return entry

    def put(self, workspace: str, document: str, entry: Warm) -> None:
        key = (workspace, document)
        if self.on_first_put is not None:
            begin, self.on_first_put = self.on_first_put, None
            begin()
        with self._guard:
            if workspace in self._closed:
                return
            self._total += entry.weight - self._weights.get(key, 0)
            self._weights[key] = entry.weight
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while self._total > self.maximum_bytes and len(self._entries) > 1:
                oldest, _ = self._entries.popitem(last=False)
                self._total -= self._weights.pop(oldest)

    def evict(self, workspace: str, document: str) -> None:
        key = (workspace, document)
        with self._guard:
            if self._entries.pop(key, None) is not None:
                self._total -= self._weights.pop(key)

    def close_workspace(self, workspace: str) -> None:
        """Throws a workspace's documents away for good: an erased one is not put back by a reader that came before."""
        with self._guard:
            self._closed[workspace] = None
            while len(self._closed) > _MOST_CLOSED:
                self._closed.popitem(last=False)
            for key in [key for key in self._entries if key[0] == workspace]:
                del self._entries[key]
                self._total -= self._weights.pop(key)

    def workspaces(self) -> list[str]:
        """Those that have a document here."""
        with self._guard:
            return list(dict.fromkeys(workspace for workspace, _ in self._entries))

    def clear(self) -> None:
        with self._guard:
            self._entries.clear()
            self._weights.clear()
            self._total = 0

    @property
    def total_bytes(self) -> int:
        return self._total


class _Lock:
    """A lock that a weak dictionary can hold."""

    __slots__ = ("__weakref__", "lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def __enter__(self) -> None:
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
