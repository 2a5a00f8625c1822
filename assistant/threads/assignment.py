"""What a host is given to answer one turn: question, bounded context, the thread so far, four tools, a capability.

Above it: `claims`, in the claiming transaction. A host sees opaque ids and text of this thread; never a link, a key or
another workspace. Source: contract section 9 (`turn.assign`).
"""

from __future__ import annotations

import json
from typing import Any, Final

from assistant.models import Turn
from assistant.wire import Assignment
from workspaces import facade

from . import provenance
from .instructions import INSTRUCTIONS

HISTORY_TURNS: Final = 10
HISTORY_CHARACTERS: Final = 24_000
LINE_CHARACTERS: Final = 8_000


def build_assignment(row: Turn) -> Assignment:
    """The assignment of a claimed turn whose row the caller has locked. Keeps the context: its ids may be cited."""
    from assistant import capabilities
    from assistant.tools import tool_definitions

    context = _context(row)
    row.context = json.dumps(context, ensure_ascii=False)
    row.save(update_fields=["context"])
    return Assignment(
        turn=row.id,
        thread=row.thread_id,
        connector=row.connector,
        provider=row.provider,
        attempt=row.attempt,
        capability=capabilities.mint(
            workspace=row.workspace,
            connector=row.connector,
            thread=row.thread_id,
            turn=row.id,
            link=row.link,
            nonce=row.nonce,
            deadline=row.deadline_at,
        ),
        deadline_at=facade.rfc3339(row.deadline_at),
        provider_thread=row.thread.provider_thread,
        tools=tuple(tool_definitions()),
        instructions=INSTRUCTIONS,
        context=context,
        history=_history(row),
        text=row.text,
    )


def _context(row: Turn) -> dict[str, Any]:
    time_zone, language = facade.workspace_locale(workspace=row.workspace)
    receipts = facade.newest_receipts(workspace=row.workspace, thread=row.thread_id, limit=10)
    return {
        "surface": row.surface,
        "document": row.document,
        "now": facade.rfc3339(facade.now()),
        "time_zone": time_zone,
        "language": language,
        "receipts": [{name: receipt[name] for name in ("id", "reason", "clocks")} for receipt in receipts],
    }


def _history(row: Turn) -> tuple[dict[str, str], ...]:
    """Earlier questions and answers, oldest first; the newest that fit."""
    lines: list[dict[str, str]] = []
    room = HISTORY_CHARACTERS
    earlier = Turn.objects.filter(thread_id=row.thread_id, first_seq__lt=row.first_seq).order_by("-first_seq")
    for turn in earlier[:HISTORY_TURNS]:
        pair = [{"role": "user", "text": turn.text}]
        answer = provenance.answer_text(turn.id)
        if answer:
            pair.append({"role": "assistant", "text": answer[:LINE_CHARACTERS]})
        room -= sum(len(line["text"]) for line in pair)
        if room < 0:
            break
        lines[:0] = pair
    return tuple(lines)
