"""The export of a whole workspace: what `workspaces` holds of it, and its conversations, in one JSON file.

Above: the facade. Below: the front door of `workspaces` and this package's threads. Whoever calls reads everything at
one moment (`workspaces.facade.sql.snapshot`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspaces import facade
from workspaces.contracts import Sink

from .threads import conversations


def export_workspace(*, workspace: str, into: Sink, history: bool = True) -> None:
    """Writes the file piece by piece. Without `history` it holds no events, receipts and conversations: what an import
    reads, and small enough for one. Raises NotFound, before anything is written.
    """
    parts = facade.export_parts(workspace=workspace, history=history)
    threads: Iterator[Any] = conversations.export_threads(workspace=workspace) if history else iter(())
    facade.write_json({**parts, "threads": threads}, into)
