"""What follows a commit, in a list that can be read. Runs after the transaction, under the workspace's lock, so that
the messages of one workspace leave in the order of its events. An effect that fails is logged and undoes nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from workspaces.realtime import hub

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Committed:
    """An event that is in the database, with the Yjs update of each document it changed."""

    workspace: str
    event: Mapping[str, Any]
    updates: Mapping[str, bytes]
    receipt: Mapping[str, Any] | None
    undone_receipts: tuple[str, ...] = ()
    long_ranks: tuple[str, ...] = ()
    # Documents that have a new epoch, with it.
    rebuilt: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Typed:
    """Live updates that are in the database, as (clock, update), in order."""

    workspace: str
    document: str
    epoch: int
    updates: tuple[tuple[int, bytes], ...]


def commit_message(seq: int, event: Mapping[str, Any], updates: Mapping[str, bytes]) -> dict[str, Any]:
    """The realtime message of a commit (contract section 9)."""
    return {
        "type": "commit",
        "seq": seq,
        "event": dict(event),
        "updates": {document: base64.b64encode(update).decode() for document, update in updates.items()},
    }


def fan_out(committed: Committed) -> None:
    """Tells every open page of the workspace."""
    topic = f"workspace:{committed.workspace}"
    event = committed.event
    message = commit_message(event["seq"], event, committed.updates)
    if committed.rebuilt:
        # In the message itself: whoever has a document open must not miss this and go on with what follows.
        message["rebuilt"] = list(committed.rebuilt)
    hub.publish(topic=topic, message=message)
    if committed.receipt is not None:
        hub.publish(topic=topic, message={"type": "receipt", "receipt": dict(committed.receipt)})
    for receipt in committed.undone_receipts:
        message = {"type": "receipt", "receipt": {"id": receipt, "state": "undone", "undone_by": event["id"]}}
        hub.publish(topic=topic, message=message)
    for document, epoch in committed.rebuilt.items():
        hub.publish(topic=f"document:{committed.workspace}:{document}", message={"type": "epoch", "epoch": epoch})
    if committed.rebuilt:
        # The updates to come build on another Yjs history than clients hold.
        hub.publish(topic=topic, message={"type": "resync", "seq": event["seq"]})


def tell_typing(typed: Typed) -> None:
    """Tells the pages that have the document open what was typed, and the others that something was."""
    try:
        topic = f"document:{typed.workspace}:{typed.document}"
        for clock, update in typed.updates:
            encoded = base64.b64encode(update).decode()
            hub.publish(topic=topic, message={"type": "typed", "clock": clock, "epoch": typed.epoch, "update": encoded})
        newest = typed.updates[-1][0]
        message = {"type": "typing", "document": typed.document, "clock": newest}
        hub.publish(topic=f"workspace:{typed.workspace}", message=message)
    except Exception:
        # The typing stands; whoever missed it finds it by its clock.
        log.exception("typing_not_told", document=typed.document)


def shorten_ranks(committed: Committed) -> None:
    """Rebalances where a rank has outgrown its limit, in commits of their own."""
    if committed.long_ranks:
        from .rank_upkeep import rebalance

        for document in committed.long_ranks:
            rebalance(workspace=committed.workspace, document=document, cause=committed.event["id"])


AFTER_COMMIT: tuple[Callable[[Committed], None], ...] = (fan_out, shorten_ranks)


def run_effects(committed: Committed) -> None:
    for effect in AFTER_COMMIT:
        try:
            effect(committed)
        except Exception:
            log.exception("after_commit_failed", effect=effect.__name__, event_id=committed.event["id"])
