"""Carries a draft out on its live Yjs document and writes the document's rows: update log, clock, snapshot.

Under the workspace's lock, inside the commit's transaction. The warm copy that comes back counts only once the
transaction has been committed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from workspaces.documents import ydoc as yjs
from workspaces.documents.draft import Draft
from workspaces.documents.hunks import Hunk
from workspaces.documents.schema import MAX_STATE_BYTES
from workspaces.documents.state import DocumentState
from workspaces.errors import StaleClock, TooLarge

from . import json_text, lookups, store
from .cache import Warm
from .planner import open_warm
from .rebuild import lighten, rebuild

# When the tail of updates becomes a snapshot: when there are so many, or they outgrow half of it (but not for crumbs).
MAX_TAIL_UPDATES = 128
MIN_TAIL_BYTES = 4_096
# Updates behind the newest snapshot that are kept for clients that resume.
KEPT_UPDATES = 64


@dataclass(frozen=True, slots=True)
class Written:
    """`hunks`: what happened to its texts. `rebuilt`: it has a new epoch; clients must read it anew."""

    warm: Warm
    update: bytes
    hunks: dict[str, list[Hunk]]
    rebuilt: bool = False


def write_document(
    *,
    workspace: str,
    draft: Draft,
    row: lookups.DocumentRow | None,
    event: str,
    seq: int,
    at: datetime,
    firm: bool = True,
    typed: Collection[str] = (),
) -> Written:
    """Applies the draft's edits and stores the result. What is not `firm` makes no clock stale: typing in the texts
    `typed`, which is stale for those alone, or upkeep.

    Raises TooLarge when the document would pass its size limit even rebuilt.
    """
    if row is None:
        return _write_new(workspace, draft, event, seq, at)
    warm = open_warm(workspace, row)
    if warm.clock != row.clock or warm.epoch != row.epoch:
        raise RuntimeError(f"the warm copy of {row.doc_id} is not at its row's clock")
    if draft.renewed:
        return _write_renewed(workspace, draft, row, warm, at)
    update = yjs.apply_edits(warm.ydoc, draft.edits)
    hunks = draft.hunks()
    clock = row.clock + 1
    typed_clocks = "{}" if firm else typed_at(row, dict.fromkeys(typed, clock))
    written = replace(
        row,
        state=draft.state.state,
        clock=clock,
        firm_clock=clock if firm else row.firm_clock,
        tail_updates=row.tail_updates + 1,
        tail_bytes=row.tail_bytes + len(update),
        stage=draft.state.fields.get("stage", ""),
        rank=draft.state.fields.get("rank", ""),
        typed_clocks=typed_clocks,
    )
    if not store.update_document(written, before=row, event=event if firm or typed else None, at=at):
        raise StaleClock(details={"clocks": {row.doc_id: {"expected": row.clock, "current": row.clock + 1}}})
    assert row.pk is not None
    store.insert_update(row.pk, clock, seq, update)
    # Whoever has just typed here may have more on the way, made under this epoch.
    idle = firm and row.typed_clocks == "{}"
    ydoc, epoch, size = keep_small(workspace, written, draft.state, warm.ydoc, hunks=hunks, may_lighten=idle)
    return Written(Warm(ydoc, draft.state, clock, epoch, size), update, hunks, rebuilt=epoch != row.epoch)


def typed_at(row: lookups.DocumentRow, clocks: Mapping[str, int]) -> str:
    """The row's `typed_clocks` with newer ones."""
    return json_text.encode({**json_text.decode(row.typed_clocks), **clocks}) if clocks else row.typed_clocks


def keep_small(
    workspace: str,
    row: lookups.DocumentRow,
    state: DocumentState,
    ydoc: yjs.YDocument,
    *,
    hunks: Mapping[str, Sequence[Hunk]],
    before_rebuild: Callable[[], None] = lambda: None,
    may_lighten: bool = False,
) -> tuple[yjs.YDocument, int, int]:
    """Takes a snapshot when the tail of updates has grown long, and rebuilds a document that has grown too large, or
    (`may_lighten`: nobody is typing in it) whose history has outgrown its content.

    `row` is as it stands now, its newest update included. Gives the document to go on with, its epoch and its size in
    bytes. Raises TooLarge.
    """
    assert row.pk is not None
    size = row.snapshot_bytes + row.tail_bytes
    epoch = row.epoch
    if size > MAX_STATE_BYTES:
        encoded = ydoc.encode()
        size = len(encoded)
        if size > MAX_STATE_BYTES:
            before_rebuild()
            ydoc, encoded = rebuild(workspace, row, state, ydoc, hunks)
            size, epoch = len(encoded), row.epoch + 1
            if size > MAX_STATE_BYTES:
                raise TooLarge(
                    f"The document would hold more than {MAX_STATE_BYTES // 1024} KiB.",
                    details={"document": row.doc_id, "maximum": MAX_STATE_BYTES},
                )
        keep_after = row.clock - (KEPT_UPDATES if epoch == row.epoch else 0)
        store.write_snapshot(row.pk, row.clock, encoded, keep_after=keep_after)
    elif row.tail_updates >= MAX_TAIL_UPDATES or row.tail_bytes > max(MIN_TAIL_BYTES, row.snapshot_bytes // 2):
        encoded = ydoc.encode()
        size = len(encoded)
        lighter = lighten(workspace, row, state, ydoc, hunks, size=size) if may_lighten else None
        if lighter is not None:
            ydoc, encoded = lighter
            size, epoch = len(encoded), row.epoch + 1
        keep_after = row.clock - (KEPT_UPDATES if epoch == row.epoch else 0)
        store.write_snapshot(row.pk, row.clock, encoded, keep_after=keep_after)
    return ydoc, epoch, size


# What a Yjs update with nothing in it looks like.
NO_UPDATE = b"\x00\x00"
_COUNTED_FROM = datetime(2026, 1, 1, tzinfo=UTC)


def renewed_epoch(epoch: int, at: datetime) -> int:
    """The epoch of a document that is renewed, counted in hours: one that no history has used that was lost before.

    The next one would not do: the lost history may have been rebuilt too, and its epochs are under the same client ids.
    """
    return max(epoch + 1, int((at - _COUNTED_FROM).total_seconds() // 3600))


def _write_renewed(workspace: str, draft: Draft, row: lookups.DocumentRow, warm: Warm, at: datetime) -> Written:
    assert row.pk is not None
    clock = row.clock + 1
    written = replace(row, clock=clock)
    if not store.update_document(written, before=row, event=None, at=at):
        raise StaleClock(details={"clocks": {row.doc_id: {"expected": row.clock, "current": row.clock + 1}}})
    epoch = renewed_epoch(row.epoch, at) if draft.renewed_apart else row.epoch + 1
    ydoc, encoded = rebuild(workspace, written, draft.state, warm.ydoc, {}, epoch=epoch)
    store.write_snapshot(row.pk, clock, encoded, keep_after=clock)
    return Written(Warm(ydoc, draft.state, clock, epoch, len(encoded)), NO_UPDATE, {}, rebuilt=True)


def _write_new(workspace: str, draft: Draft, event: str, seq: int, at: datetime) -> Written:
    ydoc, _ = yjs.create(draft.kind, yjs.client_id_of(workspace, draft.doc_id, 1))
    if draft.edits:
        yjs.apply_edits(ydoc, draft.edits)
    # The first update is the whole document, so that a resuming client gets it like any other.
    update = ydoc.encode()
    if len(update) > MAX_STATE_BYTES:
        raise TooLarge(f"A document holds at most {MAX_STATE_BYTES // 1024} KiB.")
    row = lookups.DocumentRow(
        pk=None,
        doc_id=draft.doc_id,
        kind=draft.kind.name,
        state=draft.state.state,
        clock=1,
        firm_clock=1,
        epoch=1,
        snapshot_clock=0,
        snapshot_bytes=0,
        tail_updates=1,
        tail_bytes=len(update),
        stage=draft.state.fields.get("stage", ""),
        rank=draft.state.fields.get("rank", ""),
    )
    pk = store.insert_document(workspace, row, b"", event, at)
    store.insert_update(pk, 1, seq, update)
    return Written(Warm(ydoc, draft.state, 1, 1, len(update)), update, draft.hunks())
