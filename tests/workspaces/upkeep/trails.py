"""Histories to tamper with, and what the check of their chain says."""

from __future__ import annotations

from typing import Any

from tests.factories import Writer, open_workspace, set_field
from workspaces import facade
from workspaces.models import Event


def history(events: int = 6) -> Writer:
    """A workspace whose second event undoes the first, then as many more as wanted."""
    writer = open_workspace()
    first = writer.commit(set_field("profile", "name", "Ada"), reason="first")
    writer.undo(first.receipt)
    for number in range(events - 2):
        writer.commit(set_field("profile", "label", f"Engineer {number}"), reason=f"reason {number}")
    return writer


def event_at(writer: Writer, seq: int) -> Event:
    return Event.objects.get(workspace_id=writer.workspace, seq=seq)


def found_by(writer: Writer, **options: Any) -> tuple[int, str | None, str] | None:
    """(seq, event, what) of the first broken link."""
    broken = facade.verify_chain(workspace=writer.workspace, **options).broken
    return None if broken is None else (broken.seq, broken.event, broken.what)


def change(writer: Writer, at: int, /, **columns: Any) -> None:
    Event.objects.filter(workspace_id=writer.workspace, seq=at).update(**columns)
