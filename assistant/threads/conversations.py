"""Threads as a whole: made, listed, shown, deleted.

Above it: `assistant.facade`. A thread belongs to its workspace: every link that may write sees all of them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from assistant import connectors
from assistant.contracts import ThreadInfo, ThreadPage
from assistant.models import Thread, Turn
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import CardinalityExceeded, Flaw, InvalidRequest, NotFound, ViewOnly

from . import announcing, ending, store
from .store import OPEN_STATES
from .texts import clean_line

MAX_THREADS = 1_000
MAX_TITLE = 200
_CURSOR = re.compile(r"([0-9T:.+\-]{10,40}) (thr_[0-9A-Z]{26})")


def require_edit(access: Access) -> None:
    """Threads and tools are closed to a link that may only read."""
    if access.role == "view":
        raise ViewOnly


def create_thread(*, access: Access, connector: str, title: str = "") -> ThreadInfo:
    """A new, empty thread. Raises ViewOnly, LinkInvalid, InvalidRequest, NotFound (connector), CardinalityExceeded."""
    require_edit(access)
    name = clean_line(title, path="title", limit=MAX_TITLE)
    now = facade.now()
    with transaction.atomic():
        facade.hold_link(workspace=access.workspace, link=access.link)
        chosen = connectors.get_usable(access=access, connector=connector)
        if Thread.objects.filter(workspace=access.workspace).count() >= MAX_THREADS:
            raise CardinalityExceeded(f"A workspace has at most {MAX_THREADS} threads; delete one first.")
        thread = Thread.objects.create(
            id=facade.new_id("thr"),
            workspace=access.workspace,
            title=name,
            connector=chosen.id,
            created_by=access.link,
            created_at=now,
            updated_at=now,
        )
        info = thread_info(thread, running=None)
        announcing.announce_thread(info)
    return info


def list_threads(*, access: Access, cursor: str | None = None, limit: int = 50) -> ThreadPage:
    """Those with the newest activity first. Raises ViewOnly, InvalidRequest (cursor)."""
    require_edit(access)
    rows = Thread.objects.filter(workspace=access.workspace).order_by("-updated_at", "-id")
    if cursor is not None:
        moment, thread = _read_cursor(cursor)
        rows = rows.filter(Q(updated_at__lt=moment) | Q(updated_at=moment, id__lt=thread))
    page = list(rows[: limit + 1])
    shown = page[:limit]
    running = running_turns([row.id for row in shown])
    return ThreadPage(
        items=tuple(thread_info(row, running=running.get(row.id)) for row in shown),
        next_cursor=_write_cursor(shown[-1]) if len(page) > limit else None,
    )


def get_thread(*, access: Access, thread: str) -> ThreadInfo:
    """Raises ViewOnly, NotFound."""
    require_edit(access)
    row = Thread.objects.filter(pk=thread, workspace=access.workspace).first()
    if row is None:
        raise NotFound
    return thread_info(row, running=running_turns([row.id]).get(row.id))


def get_recent_start(*, thread: str, turns: int) -> int:
    """The `seq` after which the newest `turns` turns begin: where a page that opens a long thread starts to read."""
    firsts = list(
        Turn.objects.filter(thread_id=thread).order_by("-first_seq").values_list("first_seq", flat=True)[:turns]
    )
    return firsts[-1] - 1 if firsts else 0


def delete_thread(*, access: Access, thread: str) -> None:
    """The thread with its turns and events. A running turn is cancelled first, so its host hears of it.

    Receipts and the audit rows stay. Raises ViewOnly, LinkInvalid, NotFound.
    """
    require_edit(access)
    get_thread(access=access, thread=thread)
    while not _delete_unless_running(access=access, thread=thread):
        running = running_turns([thread]).get(thread)
        if running is not None:
            ending.cancel_if_open(running)


def _delete_unless_running(*, access: Access, thread: str) -> bool:
    """False when a turn runs, or came in meanwhile: the caller ends it and comes back."""
    # Turns are locked before the workspace and threads, so a running one cannot be ended under the thread's lock.
    with transaction.atomic():
        turns = Turn.objects.filter(thread_id=thread, workspace=access.workspace).order_by("id")
        locked = set(turns.select_for_update().values_list("id", flat=True))
        facade.hold_link(workspace=access.workspace, link=access.link)
        row = Thread.objects.select_for_update().filter(pk=thread, workspace=access.workspace).first()
        if row is None:
            raise NotFound
        if running_turns([thread]) or not locked >= set(turns.values_list("id", flat=True)):
            return False
        row.delete()
        announcing.announce_deleted_thread(workspace=access.workspace, thread=thread)
        return True


def export_threads(*, workspace: str) -> Iterator[dict[str, Any]]:
    """Every thread, oldest first, with its events as an iterator over the database."""
    last = ""
    while page := list(Thread.objects.filter(workspace=workspace, id__gt=last).order_by("id")[:100]):
        running = running_turns([row.id for row in page])
        for row in page:
            info = thread_info(row, running=running.get(row.id)).as_json()
            yield {**info, "events": _export_events(row.id)}
        last = page[-1].id


def _export_events(thread: str) -> Iterator[dict[str, Any]]:
    after = 0
    while page := store.list_events(thread=thread, after=after, limit=200):
        yield from page
        after = page[-1]["seq"]


def running_turns(threads: list[str]) -> dict[str, str]:
    """Thread id → the id of its running turn, for those that have one."""
    return dict(Turn.objects.filter(thread_id__in=threads, state__in=OPEN_STATES).values_list("thread_id", "id"))


def thread_info(row: Thread, *, running: str | None) -> ThreadInfo:
    """The frozen value of a row."""
    return ThreadInfo(
        id=row.id,
        workspace=row.workspace,
        title=row.title,
        connector=row.connector,
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_seq=row.last_seq,
        running_turn=running,
    )


def _write_cursor(row: Thread) -> str:
    return base64.urlsafe_b64encode(f"{row.updated_at.isoformat()} {row.id}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[str, str]:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        text = ""
    match = _CURSOR.fullmatch(text)
    if match is None or not _is_moment(match[1]):
        raise InvalidRequest(flaws=[Flaw("cursor", "cursor", "This cursor does not come from this list.")])
    return match[1], match[2]


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
