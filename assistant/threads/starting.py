"""A question becomes a turn: checked, queued, announced to the hosts.

Above it: `assistant.facade`. The thread's row lock makes "one running turn a thread" hold; the table's constraint
backs it. The turn's id may be the client's own, so that a repeated delivery starts nothing twice.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

from assistant import connectors, metrics
from assistant.contracts import TurnInfo
from assistant.models import Thread, Turn
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import (
    DomainError,
    Flaw,
    IdempotencyMismatch,
    InvalidRequest,
    LinkInvalid,
    NotFound,
    TurnRunning,
)

from . import announcing, audit, store
from .conversations import require_edit, running_turns, thread_info
from .texts import clean_text

MAX_TEXT: Final = 8_000
MAX_TURN_SECONDS: Final = 590
SURFACES: Final = tuple(facade.SURFACES)
TURN_ID = re.compile(r"trn_[A-Za-z0-9_-]{8,36}")


def start_turn(
    *, access: Access, thread: str, text: Any, surface: Any = None, document: Any = None, turn: Any = None
) -> TurnInfo:
    """Queue a question. The same `turn` id with the same question gives the turn it started already.

    Raises ViewOnly, LinkInvalid, NotFound (thread, document, connector), InvalidRequest, IdempotencyMismatch (the id
    was used for another question), TurnRunning. Whatever is refused leaves an audit row.
    """
    try:
        require_edit(access)
        flaws: list[Flaw] = []
        question = _checked_text(text, flaws)
        if surface is not None and surface not in SURFACES:
            flaws.append(Flaw("surface", "choice", f"This must be one of {', '.join(SURFACES)}."))
        if document is not None and not (isinstance(document, str) and 0 < len(document) <= 40):
            flaws.append(Flaw("document", "type", "This must be the id of a document."))
        if turn is not None and not (isinstance(turn, str) and TURN_ID.fullmatch(turn)):
            flaws.append(Flaw("id", "format", "This must be trn_ and 8 to 36 characters of A-Z a-z 0-9 _ -."))
        if flaws:
            raise InvalidRequest(flaws=flaws)
        return _start(access, thread, question, surface, document, turn or facade.new_id("trn"))
    except LinkInvalid:
        raise
    except DomainError as error:
        named = turn if isinstance(turn, str) and TURN_ID.fullmatch(turn) else ""
        audit.record_refusal(access=access, thread=thread, turn=named, code=error.code)
        raise


def get_turn_info(*, access: Access, turn: str) -> TurnInfo:
    """Raises ViewOnly, NotFound."""
    require_edit(access)
    row = Turn.objects.filter(pk=turn[:41], workspace=access.workspace).first()
    if row is None:
        raise NotFound
    return turn_info(row)


def has_turn(*, workspace: str, turn: str) -> bool:
    """Whether the workspace has this turn."""
    return Turn.objects.filter(pk=turn[:41], workspace=workspace).exists()


def turn_info(row: Turn) -> TurnInfo:
    """The frozen value of a row."""
    return TurnInfo(
        id=row.id,
        thread=row.thread_id,
        connector=row.connector,
        state=row.state,
        text=row.text,
        surface=row.surface,
        document=row.document,
        created_at=row.created_at,
        deadline_at=row.deadline_at,
        ended_at=row.ended_at,
        first_seq=row.first_seq,
        origin_event=row.origin_event,
    )


def _start(
    access: Access, thread_id: str, question: str, surface: str | None, document: str | None, turn: str
) -> TurnInfo:
    with transaction.atomic():
        # First: a tool's commit has the workspace when it comes to the thread.
        facade.hold_link(workspace=access.workspace, link=access.link)
        thread = Thread.objects.select_for_update().filter(pk=thread_id[:41], workspace=access.workspace).first()
        if thread is None:
            raise NotFound
        earlier = Turn.objects.filter(pk=turn).first()
        if earlier is not None:
            same = (earlier.thread_id, earlier.text, earlier.surface, earlier.document)
            if same != (thread.id, question, surface, document):
                raise IdempotencyMismatch("This turn id was used for another question.")
            return turn_info(earlier)
        running = running_turns([thread.id]).get(thread.id)
        if running is not None:
            raise TurnRunning(details={"turn": running})
        connector = connectors.get_usable(access=access, connector=thread.connector)
        if document is not None:
            _check_document(access, document)
        return _queue(access, thread, connector.provider, question, surface, document, turn)


def _queue(
    access: Access,
    thread: Thread,
    provider: str,
    question: str,
    surface: str | None,
    document: str | None,
    turn: str,
) -> TurnInfo:
    now = facade.now()
    seconds = min(int(getattr(settings, "CAREERVECTOR_TURN_SECONDS", 300)), MAX_TURN_SECONDS)
    data = {"text": question, "surface": surface, "document": document, "connector": thread.connector}
    event = store.write_event(thread=thread.id, turn=turn, kind="turn.queued", data=data)
    row = Turn(
        id=turn,
        thread_id=thread.id,
        workspace=access.workspace,
        connector=thread.connector,
        provider=provider,
        link=access.link,
        text=question,
        surface=surface,
        document=document,
        origin_event=event["id"],
        first_seq=event["seq"],
        created_at=now,
        deadline_at=now + timedelta(seconds=seconds),
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # the same id in another thread, at the same moment
        raise IdempotencyMismatch("This turn id was used for another question.") from None
    if not thread.title:
        thread.title = _title(question)
    thread.updated_at = now
    thread.last_seq = event["seq"]
    thread.save(update_fields=["title", "updated_at"])
    announcing.announce_thread(thread_info(thread, running=turn))
    announcing.announce_queued(turn)
    metrics.TURNS_STARTED.labels(provider).inc()
    return turn_info(row)


def _checked_text(text: Any, flaws: list[Flaw]) -> str:
    try:
        return clean_text(text, path="text", limit=MAX_TEXT)
    except InvalidRequest as refusal:
        flaws.extend(refusal.flaws)
        return ""


def _check_document(access: Access, document: str) -> None:
    found = facade.get_document(access=access, document=document)
    if found.get("state") == "trashed":
        raise NotFound


def _title(question: str) -> str:
    line = question.strip().splitlines()[0]
    return line if len(line) <= 60 else line[:59].rstrip() + "…"
