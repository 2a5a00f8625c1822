"""The rows of imports: begun, brought forward, ended, listed. The only writer of `Import`.

Above: the engine (`imports`) and the undo. An import that runs and has not come forward for a while has lost its
process: readers take it for failed at once, the sweep writes it down, and an engine that was only slow stops.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from workspaces.clock import now, rfc3339
from workspaces.commits import json_text, lookups, store
from workspaces.commits.service import MIN_RECORD_LIFE
from workspaces.contracts import Access, RequestIdentity
from workspaces.errors import Flaw, IdempotencyMismatch, InvalidRequest, LinkInvalid, NotFound, ViewOnly
from workspaces.models import Import

from .import_plan import ImportPlan

SILENCE = timedelta(seconds=60)
_CURSOR = re.compile(r"imp_[0-9A-Z]{26}")


class ImportLost(Exception):
    """The import is not running any more: somebody has taken its process for dead, or erased the workspace."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """`state` is running, done or failed as it stands now."""

    id: str
    state: str
    receipts: Sequence[str]
    answer: dict[str, Any]


def find_finished(access: Access, request: RequestIdentity, fingerprint: str) -> ImportRow | None:
    """The import that this key has made or is making; None where the key is free. Raises IdempotencyMismatch."""
    record = lookups.find_record(access.workspace, request.scope, request.key)
    if record is None:
        return None
    name = json_text.decode(record.response).get("import") if record.response else None
    row = None if name is None else Import.objects.filter(id=name, workspace_id=access.workspace).first()
    # A refusal frees the key: also when it came late, or never was told because its process died.
    if row is not None and _state(row, now()) == "failed":
        return None
    if record.fingerprint != fingerprint or row is None:
        raise IdempotencyMismatch
    return _frozen(row)


def begin(
    *,
    import_id: str,
    access: Access,
    plan: ImportPlan,
    request: RequestIdentity | None,
    fingerprint: str,
    record_life: timedelta,
) -> bool:
    """Notes the import, and claims its key. False when another request holds the key meanwhile.

    Raises LinkInvalid, ViewOnly: the link is looked at again here.
    """
    at = now()
    with transaction.atomic():
        if request is not None:
            if find_finished(access, request, fingerprint) is not None:
                return False
            left = lookups.find_record(access.workspace, request.scope, request.key)
            if left is not None:
                store.free_record(access.workspace, request.scope, request.key, left.response)
            expires_at = at + max(record_life, MIN_RECORD_LIFE)
            if not store.claim_record(access.workspace, request.scope, request.key, fingerprint, at, expires_at):
                return False
            store.finish_record(access.workspace, request.scope, request.key, json_text.encode({"import": import_id}))
        row = lookups.lock_workspace(access.workspace, access.link)
        if row is None or row.link_role is None:
            raise LinkInvalid
        if row.link_role == "view":
            raise ViewOnly
        Import.objects.create(
            id=import_id,
            workspace_id=access.workspace,
            link=access.link,
            kind=plan.kind,
            total=plan.total,
            counts=json_text.encode(dict(plan.counts)),
            report=json_text.encode(list(plan.report)),
            created_at=at,
            progressed_at=at,
        )
    return True


def come_forward(import_id: str, *, done: int, receipts: Sequence[str]) -> None:
    """Inside the transaction of a batch. Raises ImportLost."""
    changed = Import.objects.filter(id=import_id, state="running").update(
        done=done, receipts=json_text.encode(list(receipts)), progressed_at=now()
    )
    if not changed:
        raise ImportLost


def end(import_id: str, state: str) -> None:
    """`state` is done or failed. Raises ImportLost when it had ended before."""
    if not Import.objects.filter(id=import_id, state="running").update(state=state, finished_at=now()):
        raise ImportLost


def note_undone(import_id: str, event: str) -> None:
    """Inside the transaction of the undo."""
    Import.objects.filter(id=import_id).update(undone_by=event)


def end_lost(*, limit: int) -> int:
    """Writes down which imports have lost their process; gives how many. Safe to run twice at once."""
    at = now()
    silent = Import.objects.filter(state="running", progressed_at__lt=at - SILENCE)
    return Import.objects.filter(id__in=list(silent.values_list("id", flat=True)[:limit]), state="running").update(
        state="failed", finished_at=at
    )


def get_row(workspace: str, import_id: str) -> ImportRow:
    """Raises NotFound."""
    return _frozen(_row(workspace, import_id))


def get_import(*, access: Access, import_id: str) -> dict[str, Any]:
    """One import with its report. Raises NotFound."""
    row = _row(access.workspace, import_id)
    return {**_as_json(row, now()), "report": json_text.decode(row.report)}


def list_imports(*, access: Access, cursor: str | None = None, limit: int = 50) -> dict[str, Any]:
    """Imports without their reports, newest first. Raises InvalidRequest (cursor)."""
    rows = Import.objects.filter(workspace_id=access.workspace).defer("report", "receipts").order_by("-id")
    if cursor is not None:
        rows = rows.filter(id__lt=_read_cursor(cursor))
    page = list(rows[: limit + 1])
    at = now()
    more = len(page) > limit
    return {
        "items": [_as_json(row, at) for row in page[:limit]],
        "next_cursor": base64.urlsafe_b64encode(page[limit - 1].id.encode()).decode().rstrip("=") if more else None,
    }


def _row(workspace: str, import_id: str) -> Import:
    row = Import.objects.filter(workspace_id=workspace, id=import_id).first()
    if row is None:
        raise NotFound
    return row


def _state(row: Import, at: datetime) -> str:
    silent = row.progressed_at is not None and row.progressed_at < at - SILENCE
    return "failed" if row.state == "running" and silent else row.state


def _frozen(row: Import) -> ImportRow:
    answer = {"import": row.id, "counts": json_text.decode(row.counts), "report": json_text.decode(row.report)}
    return ImportRow(row.id, _state(row, now()), json_text.decode(row.receipts), answer)


def _as_json(row: Import, at: datetime) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "state": _state(row, at),
        "done": row.done,
        "total": row.total,
        "counts": json_text.decode(row.counts),
        "created_at": rfc3339(row.created_at),
        "finished_at": None if row.finished_at is None else rfc3339(row.finished_at),
        "undone_by": row.undone_by,
    }


def _read_cursor(cursor: str) -> str:
    try:
        name = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        name = ""
    if not _CURSOR.fullmatch(name):
        raise InvalidRequest(flaws=[Flaw("cursor", "cursor", "This cursor does not come from this list.")])
    return name
