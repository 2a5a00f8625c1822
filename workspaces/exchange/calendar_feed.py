"""The calendar of a workspace, read from its documents. Above: the facade. Below: `calendar`, which writes it."""

from __future__ import annotations

from workspaces.preferences import workspace_locale

from .calendar import CalendarSource, calendar_ics
from .workspace_export import states_in_file_order


def workspace_calendar(*, workspace: str) -> bytes:
    """calendar.ics of the active applications. Read inside `sql.snapshot`."""
    zone, _ = workspace_locale(workspace=workspace)
    sources = (
        CalendarSource(document=row.doc_id, state=state, clock=clock, changed_at=row.updated_at)
        for row, state, clock in states_in_file_order(workspace=workspace, kinds=["application"])
        if row.state == "active"
    )
    return calendar_ics(workspace=workspace, zone=zone, sources=sources)
