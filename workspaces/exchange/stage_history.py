"""When applications went from stage to stage, as far as that is known.

Events are kept for good and tell that a stage was changed, and when; never to what. The values stand in the receipts'
changes, which are dropped after their time. So an old change may have lost its values: where neither a receipt nor a
neighbouring change tells them, they are said to be unknown, never guessed. ADR 0009.

Above: the table of applications. Pure: the rows come in as plain values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workspaces.documents.paths import document_of

_STAGE = "/fields/stage"


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An event that touched stages or made documents. `changes` is None when they are not kept any more."""

    at: datetime
    affected_paths: list[str]
    changes: list[Mapping[str, Any]] | None


@dataclass(frozen=True, slots=True)
class Step:
    """From `at` on the application was in `stage`; None: not known any more."""

    at: datetime
    stage: str | None


@dataclass(slots=True)
class _Change:
    at: datetime
    before: str | None
    after: str | None


def stage_steps(events: Iterable[PastEvent], current: Mapping[str, str]) -> dict[str, list[Step]]:
    """By application: its steps, oldest first. `current` maps each application to the stage that it is in now."""
    past: dict[str, list[_Change]] = {application: [] for application in current}
    for event in events:
        known = {change["path"]: change for change in event.changes or ()}
        for path in event.affected_paths:
            application = document_of(path)
            if application not in past or path not in (application, application + _STAGE):
                continue
            change = known.get(path, {})
            if path == application:
                past[application].append(_Change(event.at, None, _created_in(change)))
            else:
                past[application].append(_Change(event.at, change.get("before"), change.get("after")))
    return {application: _steps(changes, current[application]) for application, changes in past.items()}


def _created_in(change: Mapping[str, Any]) -> str | None:
    stage = ((change.get("after") or {}).get("fields") or {}).get("stage")
    return stage if isinstance(stage, str) else None


def _steps(changes: list[_Change], current: str) -> list[Step]:
    following: str | None = current
    for change in reversed(changes):
        # What a stage was before the next change is what it became by this one.
        change.after = change.after or following
        following = change.before
    return [Step(change.at, change.after) for change in changes]
