"""Writes one event at the end of a workspace's audit trail: its link of the chain, its row, the counter.

Runs inside the caller's transaction, with the workspace's row locked. Above: the commit service and the sealing of
typing sessions. Below: chain and store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from . import store
from .chain import digest_of, link_mac
from .lookups import WorkspaceRow


def append_event(
    workspace: str, row: WorkspaceRow, event: Mapping[str, Any], *, at: datetime, undoes: Sequence[str] = ()
) -> tuple[WorkspaceRow, tuple[str, str, str]]:
    """Writes an event (contract section 7's shape) whose `seq` follows the row's.

    Gives the workspace's row as it is then, and the event's kinds, paths and clocks as stored.
    """
    assert event["seq"] == row.seq + 1
    digest = digest_of(
        row.digest_key,
        [
            event["at"], event["actor_class"], event["actor"], event["reason"], event["origin_event"],
            event["receipt"], list(undoes),
        ],
    )  # fmt: skip
    mac = link_mac(
        previous=row.chain_head or workspace,
        event=event["id"],
        seq=event["seq"],
        kinds=event["operation_kinds"],
        paths=event["affected_paths"],
        clocks=event["clocks"],
        digest=digest,
    )
    shared = store.insert_event(workspace, event, at=at, undoes=undoes, digest=digest, mac=mac)
    store.advance_workspace(workspace, event["seq"], mac)
    return WorkspaceRow(event["seq"], mac, row.digest_key, row.link_role), shared
