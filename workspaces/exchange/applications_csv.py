"""Applications as a table for spreadsheet programs: one row each, RFC 4180, UTF-8 with a byte order mark.

Above: the facade. Below: the documents' states and `stage_history`. Columns stay as they are; new ones go to the end.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from workspaces.clock import now, rfc3339
from workspaces.commits import json_text
from workspaces.documents.schema import STAGES
from workspaces.documents.state import DocumentState, ordered_items
from workspaces.models import Document, Event, Receipt

from .stage_history import PastEvent, Step, stage_steps
from .workspace_export import states_in_file_order

_FIELDS = (
    "title", "company", "location", "url", "stage", "tier", "deadline", "applied_on", "next_step", "next_step_on",
    "work_mode", "salary_min", "salary_max", "salary_currency", "salary_period", "source",
)  # fmt: skip
UNKNOWN = "unknown"
COLUMNS = (
    "id", *_FIELDS, "archived", "contacts", "interviews", "created_at", "updated_at",
    *(f"first_{stage}_on" for stage in STAGES), "stage_history", "stage_history_complete",
)  # fmt: skip
# What spreadsheet programs take for the beginning of a formula, also in its full-width form.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_PAGE = 500


def applications_csv(*, workspace: str) -> Iterator[str]:
    """The table, line by line. Read inside `sql.snapshot`, so that the history fits the rows."""
    rows = Document.objects.filter(workspace_id=workspace, kind="application").exclude(state="trashed")
    current = dict(rows.values_list("doc_id", "stage"))
    history = stage_steps(_past(workspace), current)
    yield "\ufeff" + _line(COLUMNS)
    for row, state, _ in states_in_file_order(workspace=workspace, kinds=["application"]):
        yield _line(_cells(row, state, history.get(row.doc_id, [])))


def cell(value: Any) -> str:
    """A value as a cell that no program takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_FORMULA) or text.startswith(_FORMULA) else text


def _line(cells: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([cell(value) for value in cells])
    return line.getvalue()


def _cells(row: Document, state: DocumentState, steps: Sequence[Step]) -> list[Any]:
    contacts = [item.get("name") for _, item in ordered_items(state.sections.get("contacts", {}))]
    interviews = [
        " ".join(str(item[name]) for name in ("starts_at", "kind", "outcome") if name in item)
        for _, item in ordered_items(state.sections.get("interviews", {}))
    ]
    first: dict[str | None, str] = {}
    for step in steps:
        first.setdefault(step.stage, step.at.date().isoformat())
    complete = bool(steps) and all(step.stage is not None for step in steps)
    return [
        row.doc_id,
        *(state.fields.get(name) for name in _FIELDS),
        "yes" if state.state == "archived" else "no",
        "; ".join(str(name) for name in contacts if name),
        "; ".join(entry for entry in interviews if entry),
        rfc3339(row.created_at),
        rfc3339(row.updated_at),
        *(first.get(stage) for stage in STAGES),
        "; ".join(f"{step.at.date().isoformat()} {step.stage or UNKNOWN}" for step in steps),
        "yes" if complete else "no",
    ]


def _past(workspace: str) -> Iterator[PastEvent]:
    rows = Event.objects.filter(workspace_id=workspace).order_by("seq")
    # By text: a creation's path is the application alone, a move's ends in the field.
    rows = rows.filter(affected_paths__contains='"application:').exclude(operation_kinds='["rank.upkeep"]')
    last = 0
    while page := list(rows.filter(seq__gt=last).values_list("seq", "at", "affected_paths", "receipt")[:_PAGE]):
        told = [(at, paths, receipt) for _, at, paths, receipt in page if _tells(paths)]
        changes = _changes([receipt for _, _, receipt in told if receipt])
        for at, paths, receipt in told:
            yield PastEvent(at, json_text.decode(paths), changes.get(receipt or ""))
        last = page[-1][0]


def _tells(paths: str) -> bool:
    listed: list[str] = json_text.decode(paths)
    return any("/" not in path or path.endswith("/fields/stage") for path in listed)


def _changes(receipts: Sequence[str]) -> Mapping[str, list[Mapping[str, Any]]]:
    kept = Receipt.objects.filter(id__in=receipts, expires_at__gt=now(), changes__isnull=False)
    return {receipt: json_text.decode(changes or "[]") for receipt, changes in kept.values_list("id", "changes")}
