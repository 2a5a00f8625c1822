"""Everything that has a date: deadlines, next steps, interviews, tasks, checklist items, sorted. Above: overview, deadlines."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Literal
from zoneinfo import ZoneInfo

from .dates import read_iso, say_date
from .markdown import plain
from .say import say_moment
from .times import read_moment
from .vocabulary import OPEN_STAGES
from .workspace import Document, Workspace

Kind = Literal["deadline", "next step", "interview", "task", "checklist"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One dated thing. `moment` for those that have a time of day; `what` is Markdown already."""

    on: date
    kind: Kind
    what: str
    document: Document
    moment: datetime | None = None

    def line(self, today: date, zone: ZoneInfo) -> str:
        when = say_moment(self.moment, zone) if self.moment else say_date(self.on)
        near = {0: "today, ", 1: "tomorrow, "}.get((self.on - today).days, "overdue, " if self.on < today else "")
        return f"{near}**{when}**: {self.what}"


def agenda(workspace: Workspace, zone: ZoneInfo, *, closed: bool = False) -> list[Entry]:
    """All dated things that are still to do, earliest first; those of closed applications only where asked for."""
    entries: list[Entry] = []
    for document in workspace.applications:
        if closed or document.get("stage") in OPEN_STAGES or document.get("stage") is None:
            entries.extend(_application(document, zone))
    if workspace.plan is not None:
        entries.extend(_tasks(workspace.plan, workspace))
    return sorted(
        entries, key=lambda e: (e.on, e.moment.astimezone(zone).time() if e.moment else time.max, e.document.name)
    )


def _application(document: Document, zone: ZoneInfo) -> Iterable[Entry]:
    name = document.link
    deadline = read_iso(document.get("deadline"))
    step_on = read_iso(document.get("next_step_on"))
    if deadline:
        yield Entry(deadline, "deadline", f"deadline of {name}", document)
    if step_on:
        yield Entry(
            step_on, "next step", f"{plain(document.get('next_step') or 'next step')} (next step) for {name}", document
        )
    for item in document.items("interviews"):
        moment = read_moment(item.get("starts_at"))
        if moment is None or item.get("outcome") in ("passed", "failed", "cancelled"):
            continue
        kind = f"{plain(item['kind'])} interview" if item.get("kind") and item.get("kind") != "other" else "interview"
        place = f", {plain(item['place'], 120)}" if item.get("place") else ""
        yield Entry(moment.astimezone(zone).date(), "interview", f"{kind} for {name}{place}", document, moment)
    for item in document.items("checklist"):
        due = read_iso(item.get("due"))
        if due and item.get("done") is not True:
            yield Entry(
                due, "checklist", f"“{plain(item.get('title') or 'item', 160)}” (checklist) for {name}", document
            )


def _tasks(plan: Document, workspace: Workspace) -> Iterable[Entry]:
    for item in plan.items("tasks"):
        due = read_iso(item.get("due"))
        if due and item.get("done") is not True:
            about = workspace.documents.get(str(item.get("application") or ""))
            tail = f" for {about.link}" if about else ""
            yield Entry(due, "task", f"“{plain(item.get('title') or 'task', 160)}” (task){tail}", plan)
