"""Which later work stands in the way of an undo (contract section 6).

A later event conflicts when it touched an affected path, an ancestor or a descendant. An event and its compensation
cancel each other as long as the compensation itself stands. Text paths are left out: only the anchored range decides
there. Rank upkeep is nobody's work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from workspaces import sql
from workspaces.clock import rfc3339
from workspaces.documents import paths

from . import lookups

UPKEEP = "system:rank_upkeep"


def conflict_row(path: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """One entry of `details.conflicts`."""
    return {
        "path": path,
        "later_event": event["id"],
        "actor_class": event["actor_class"],
        "at": rfc3339(sql.as_time(event["at"])),
    }


def later_events(workspace: str, receipts: Sequence[lookups.ReceiptRow]) -> list[dict[str, Any]]:
    """Events after the oldest of the receipts, on the documents that they touched."""
    documents = sorted({paths.document_of(path) for receipt in receipts for path in receipt.affected_paths})
    return lookups.events_after(workspace, documents, min(receipt.seq for receipt in receipts)) if documents else []


def conflicts_of(
    receipt: lookups.ReceiptRow, later: Sequence[Mapping[str, Any]], *, ignored: Collection[str]
) -> list[dict[str, Any]]:
    """The conflicts of one receipt among later events; `ignored` are events undone in the same go."""
    after = [event for event in later if event["seq"] > receipt.seq]
    by_id = {event["id"]: event for event in after}
    compensated = lookups.events_by_id({e for event in after for e in event["undoes"]} - by_id.keys())
    found = []
    for event in after:
        if event["id"] in ignored or event["actor"] == UPKEEP or _cancelled(event["id"], by_id):
            continue
        for path in receipt.affected_paths:
            if paths.is_text_path(path):
                continue
            for touched in event["paths"]:
                if paths.overlap(path, touched) and not _compensates_later(event, touched, by_id, compensated):
                    found.append(conflict_row(touched, event))
                    break
            else:
                continue
            break
    return found


def _cancelled(event: str, by_id: Mapping[str, Mapping[str, Any]]) -> bool:
    compensation = by_id[event]["undone_by"] if event in by_id else None
    return compensation is not None and not _cancelled(compensation, by_id)


def _compensates_later(
    event: Mapping[str, Any],
    touched: str,
    by_id: Mapping[str, Mapping[str, Any]],
    compensated: Mapping[str, tuple[int, list[str], str | None]],
) -> bool:
    """True when `event` touched the path only to take back an event that is itself later than the receipt."""
    if not event["undoes"]:
        return False
    earlier = [compensated[undone][1] for undone in event["undoes"] if undone in compensated]
    return not any(paths.overlap(touched, path) for entry in earlier for path in entry)


def text_conflict(path: str, receipt: lookups.ReceiptRow, later: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The entry for a text whose stretch is not there any more: the newest later event that touched the text."""
    for event in reversed(later):
        if event["seq"] > receipt.seq and any(paths.overlap(path, touched) for touched in event["paths"]):
            return conflict_row(path, event)
    return {"path": path, "later_event": None, "actor_class": None, "at": None}
