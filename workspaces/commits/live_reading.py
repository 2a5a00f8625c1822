"""What a document socket serves: a document's committed Yjs state, and the updates after a clock.

Above: the document sockets. Below: the warm documents and the update log. Nothing here writes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from workspaces.documents import ydoc as yjs
from workspaces.documents.live_update import identity_of
from workspaces.documents.schema import KINDS
from workspaces.errors import DocumentTrashed, NotFound

from . import lookups
from .cache import workspace_lock
from .planner import open_warm


@dataclass(slots=True)
class _Copy:
    """A document of its own, loaded when somebody first asks for a difference."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    ydoc: yjs.YDocument | None = None


@dataclass(frozen=True, slots=True)
class LiveState:
    """A document's committed state at one clock; many clients may be served from it, by any thread.

    `retired_client_ids` are the server's of earlier epochs: whoever holds one of them in its state vector has another
    history, and must reload.
    """

    kind: str
    clock: int
    epoch: int
    server_client_id: int
    retired_client_ids: frozenset[int]
    state: bytes = field(repr=False)
    _copy: _Copy = field(default_factory=_Copy, repr=False, compare=False)

    def encode(self, state_vector: bytes | None = None) -> bytes:
        """The whole state as one update, or what a client lacks that has sent its state vector.

        Raises ValueError for bytes that are no state vector.
        """
        return self.state if state_vector is None else self._with(lambda ydoc: ydoc.encode(state_vector))

    def state_vector(self) -> bytes:
        return self._with(lambda ydoc: ydoc.state_vector())

    def _with(self, ask: Callable[[yjs.YDocument], bytes]) -> bytes:
        # Asking a loaded document for a difference is 45 times as fast as asking pycrdt for one of two byte strings.
        with self._copy.lock:
            if self._copy.ydoc is None:
                self._copy.ydoc = yjs.load(KINDS[self.kind], self.server_client_id, [self.state])
            return ask(self._copy.ydoc)


def open_live(*, workspace: str, document: str) -> LiveState:
    """The document as it is committed now. Raises NotFound, DocumentTrashed."""
    with workspace_lock(workspace):
        row = lookups.document_rows(workspace, [document]).get(document)
        if row is None:
            raise NotFound
        if row.state == "trashed":
            raise DocumentTrashed(details={"document": document})
        warm = open_warm(workspace, row)
        identity = identity_of(workspace, document, warm.epoch)
        return LiveState(row.kind, warm.clock, warm.epoch, identity.server, identity.retired, warm.ydoc.encode())


def live_updates_after(*, workspace: str, document: str, clock: int, epoch: int) -> list[tuple[int, bytes]] | None:
    """(clock, update) of everything after a clock, in order; None when some is no longer kept, or of another epoch.

    Raises NotFound, DocumentTrashed: whoever has the document open asks now and then, and so hears of that too.
    """
    found = lookups.updates_after(workspace, document, clock)
    if found is None:
        raise NotFound
    newest, current, state, updates = found
    if state == "trashed":
        raise DocumentTrashed(details={"document": document})
    if current != epoch or clock > newest or [number for number, _ in updates] != list(range(clock + 1, newest + 1)):
        return None
    return updates
