"""Rebalances ranks that have outgrown their limit, in a commit of its own that makes no clock stale.

Source: contract section 3. Inverses name neighbours, so no receipt is harmed.
"""

from __future__ import annotations

from typing import Any

from workspaces.contracts import Actor, RequestIdentity
from workspaces.documents.ranks import spread
from workspaces.documents.state import MAX_RANK, ordered_items
from workspaces.operations.catalogue import BY_KIND

from . import lookups
from .batch import Step
from .cache import workspace_lock
from .conflicts import UPKEEP
from .planner import open_warm
from .service import Door, Work, write


def rebalance(*, workspace: str, document: str, cause: str) -> None:
    """Gives short keys to the document's column and sections where one is too long. `cause` is the event behind it."""

    def door(_: lookups.WorkspaceRow) -> Work:
        operations = _operations(workspace, document)
        rows = lookups.document_rows(workspace, [operation["document"] for operation in operations])
        return Work(
            reason="",
            expected_clocks={doc_id: row.clock for doc_id, row in rows.items()},
            steps=[Step(BY_KIND["rank.upkeep"], operation) for operation in operations],
            upkeep=True,
        )

    def prepare() -> Door:
        return door

    write(
        workspace=workspace,
        body={},
        actor=Actor("system", UPKEEP),
        request=RequestIdentity(
            scope=UPKEEP, key=f"{cause}/{document}", route="rank-upkeep", target=document, link=None
        ),
        enclosing=None,
        prepare=prepare,
    )


def _operations(workspace: str, document: str) -> list[dict[str, Any]]:
    row = lookups.document_rows(workspace, [document])[document]
    with workspace_lock(workspace):
        state = open_warm(workspace, row).state
    ranks = {}
    for section, items in state.sections.items():
        if any(len(item.get("rank", "")) > MAX_RANK for item in items.values()):
            order = [item for item, _ in ordered_items(items)]
            ranks[section] = dict(zip(order, spread(len(order)), strict=True))
    operations: list[dict[str, Any]] = [{"document": document, "ranks": ranks}] if ranks else []
    if len(row.rank) > MAX_RANK:
        # Archived ones too: their places must stay between the same neighbours. The trash takes no operation.
        members = [doc_id for doc_id, _, state in lookups.stage_members(workspace, row.stage) if state != "trashed"]
        keys = dict(zip(members, spread(len(members)), strict=True))
        operations += [{"document": member, "rank": key} for member, key in keys.items() if member != document]
        if operations and operations[0]["document"] == document:
            operations[0]["rank"] = keys[document]
        else:
            operations.append({"document": document, "rank": keys[document]})
    return operations
