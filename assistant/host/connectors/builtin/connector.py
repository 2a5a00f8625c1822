"""The offline assistant: reads a sentence, plans, calls at most one change, answers. No model, no network, no memory.

Steps: normalise → classify (no data, no tool) → abstain or ask back → fill slots from the bounded context → validate → call
the tool through the session → assemble the answer. Above: the host's runner. The session raises when the turn is
cancelled, so a cancelled turn stops at its next step.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assistant.host.connectors.base import Assignment, ConnectorInfo, TurnOutcome, TurnSession

from .changes import checked
from .desk import Desk
from .followup import Followed, follow
from .intents.base import Guess, Request
from .markdown import link
from .outcome import AlreadySo, Answer, AskBack, CannotDo, Change, Refused

PROVIDER = "builtin"
VERSION = "1"
MODEL = "builtin-rules-1"
_PIECES = re.compile(r"[^\n]*?(?:[.!?](?=\s)|\n+|$)\s*", re.DOTALL)
_UNDO_HINT = "You can say “undo that” to take it back."
_TROUBLE = {
    "not_found": "The document is not there any more, so nothing was changed.",
    "cardinality_exceeded": "Your workspace is full for this kind of document or list, so nothing was changed.",
    "too_large": "That would be too large to store, so nothing was changed.",
    "rate_limited": "That were too many changes in a short time. Please wait a moment; nothing was changed.",
    "view_only": "This link may read only, so I changed nothing.",
    "capability_invalid": "This turn is over for the workspace, so I could not go on.",
    "not_reversible": "That could not be taken back, so I did not do it.",
    "operation_not_allowed": "The assistant may not do that, so nothing was changed.",
    "document_trashed": "That document is in the trash, so nothing was changed.",
    "invalid_operation": "The workspace did not accept these values, so nothing was changed.",
    "invalid_request": "The workspace did not accept that, so nothing was changed.",
}


class BuiltinConnector:
    """The `builtin` provider. Holds nothing between turns, so turns may run side by side."""

    @property
    def provider(self) -> str:
        return PROVIDER

    def describe(self) -> ConnectorInfo:
        return ConnectorInfo(PROVIDER, VERSION, "ready", {"offline": True, "languages": ["en"]})

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def run_turn(self, turn: Assignment, session: TurnSession) -> TurnOutcome:
        answer = await answer_turn(turn, session)
        for piece in pieces(answer.text):
            await session.delta(piece)
        await session.complete(answer.text, answer.citations)
        return TurnOutcome(model=MODEL)


async def answer_turn(turn: Assignment, session: TurnSession) -> Answer:
    """The answer to one turn; tools are called on the way."""
    followed = follow(turn.text, turn.history)
    if followed.answer is not None:
        return followed.answer
    desk = Desk(turn, session)
    try:
        if followed.reading.changes:
            return await _change(followed, desk)
        return await _respond(followed, desk)
    except AskBack as question:
        return Answer(question.text, question.candidates)
    except CannotDo as refusal:
        return Answer(refusal.text, refusal.citations)
    except Refused as refusal:
        return Answer(_TROUBLE.get(refusal.code, "That did not work just now. Please try again in a moment."))


def pieces(text: str) -> list[str]:
    """The text in sentences and lines, for streaming; joined they are the text."""
    return [piece for piece in _PIECES.findall(text) if piece]


async def _respond(followed: Followed, desk: Desk) -> Answer:
    guess = followed.reading.first
    await desk.load(guess.needs)
    assert guess.intent.respond is not None
    return await guess.intent.respond(_request(guess, followed, desk, None), desk)


async def _change(followed: Followed, desk: Desk) -> Answer:
    await desk.load(dict.fromkeys(kind for guess in followed.reading.guesses for kind in guess.needs))
    if desk.here is not None and desk.here not in desk.workspace.documents:
        await desk.document(desk.here)
    change = _plan(followed, desk)
    shallow = [doc_id for doc_id in _read_deeply(change) if doc_id not in desk.workspace.whole]
    if shallow:
        # Cards of the board leave texts and contacts out; what is added to them is planned with them in view.
        for doc_id in shallow:
            await desk.document(doc_id)
        change = _plan(followed, desk)
    try:
        result = await desk.apply(change.operations, change.reason)
    except Refused as refusal:
        if refusal.code != "stale_clock":
            raise
        # Somebody was quicker: look at what is there now and decide afresh, once.
        await _refresh(refusal, change, desk)
        change = _plan(followed, desk)
        try:
            result = await desk.apply(change.operations, change.reason)
        except Refused as second:
            if second.code != "stale_clock":
                raise
            raise CannotDo(
                "The same document is being changed by somebody else right now, so I changed nothing. Please try again in a moment."
            ) from None
    return _done(change, result, desk)


def _read_deeply(change: Change) -> list[str]:
    """Applications whose texts or contacts the change touches."""
    return [
        str(operation["document"])
        for operation in change.operations
        if str(operation["document"]).startswith("application:")
        and (operation["kind"] == "text.append" or operation.get("section") == "contacts")
    ]


async def _refresh(refusal: Refused, change: Change, desk: Desk) -> None:
    details = refusal.result.get("details")
    fresh = details.get("fresh") if isinstance(details, Mapping) else None
    touched = {str(operation["document"]) for operation in change.operations}
    seen = {document.id for document in desk.workspace.take(fresh)} if isinstance(fresh, Mapping) else set()
    for doc_id in sorted(touched - seen):
        if not doc_id.startswith("new:"):
            await desk.document(doc_id)


def _request(guess: Guess, followed: Followed, desk: Desk, previous: str | None) -> Request:
    return Request(
        guess=guess,
        workspace=desk.workspace,
        now=desk.now,
        zone=desk.zone,
        here=desk.here,
        previous=previous,
        spoken_of=followed.spoken_of,
        chosen=followed.chosen,
    )


def _plan(followed: Followed, desk: Desk) -> Change:
    """All clauses as one change; a clause's subject is what "it" means in the next."""
    changes: list[Change] = []
    previous: str | None = None
    settled: AlreadySo | None = None
    for guess in followed.reading.guesses:
        assert guess.intent.plan is not None
        try:
            change = guess.intent.plan(_request(guess, followed, desk, previous))
        except AlreadySo as state:
            if len(followed.reading.guesses) == 1:
                raise
            settled = state
            previous = next(iter(state.citations), previous)
            changes.append(Change((), (state.text,), "", citations=state.citations))
            continue
        previous = change.subject or previous
        changes.append(_numbered(change, len(changes)))
    if settled is not None and not any(change.operations for change in changes):
        raise settled
    return Change(
        operations=checked([operation for change in changes for operation in change.operations]),
        lines=tuple(line for change in changes for line in change.lines),
        reason="; ".join(change.reason for change in changes if change.reason)[:300],
        citations=tuple(dict.fromkeys(cited for change in changes for cited in change.citations)),
        created={name: label for change in changes for name, label in change.created.items()},
    )


def _numbered(change: Change, place: int) -> Change:
    """Names of new documents are unique within the batch."""
    if place == 0 or not change.created:
        return change
    names = {name: f"{name}-{place + 1}" for name in change.created}
    operations = tuple(
        {**operation, "document": f"new:{names.get(str(operation['document'])[4:], str(operation['document'])[4:])}"}
        if str(operation["document"]).startswith("new:")
        else operation
        for operation in change.operations
    )
    lines = change.lines
    for old, new in names.items():
        lines = tuple(line.replace(f"{{new:{old}}}", f"{{new:{new}}}") for line in lines)
    return Change(
        operations,
        lines,
        change.reason,
        change.subject,
        change.citations,
        {names[n]: label for n, label in change.created.items()},
    )


def _done(change: Change, result: Mapping[str, Any], desk: Desk) -> Answer:
    if result.get("event") is None and not result.get("receipt"):
        return Answer("Everything was like that already, so nothing was changed.", change.citations)
    made = result.get("documents")
    ids = {name.removeprefix("new:"): str(doc_id) for name, doc_id in made.items()} if isinstance(made, Mapping) else {}
    lines = []
    for line in change.lines:
        for name, label in change.created.items():
            shown = f"[{label}](#{ids[name]})" if name in ids and link("x", ids[name]).startswith("[") else label
            line = line.replace(f"{{new:{name}}}", shown)
        lines.append(line)
    text = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    return Answer(f"{text}{chr(10) * 2 if len(lines) > 1 else ' '}{_UNDO_HINT}", (*change.citations, *ids.values()))
