"""A line is added to a text that is there: a note, a letter, the strategy, the profile's summary, an application's notes."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from assistant.host.connectors.builtin.changes import append
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AskBack, CannotDo, Change
from assistant.host.connectors.builtin.sentence import QUOTED, Sentence
from assistant.host.connectors.builtin.targets import (
    application,
    is_pronoun,
    known_company,
    look_for_written,
    settle,
    written,
)
from assistant.host.connectors.builtin.workspace import Document

from .base import BODY, DET, Guess, Intent, Pattern, Request, pattern

_ADD = r"(?:append|add|put|write|insert|attach|tack|include|paste|place|jot)"
_TO = r"(?:to|into|in|onto|on|at|under)(?: the)?(?: (?:end|bottom|foot) of)?"
_THIS = r"(?:this|the following|that|a|one more|another|one)(?: (?:line|sentence|paragraph|text|point|bullet|item|bit|words))?"
_STRATEGY = r"(?:(?:the |my |our )?(?:job search |search |career |plan's )?(?:strategy|game plan)(?: text| notes?| section)?(?: (?:in|of) (?:my |the )?plan)?)"
_SUMMARY = r"(?:(?:the |my |our )?(?:profile|cv|resume|personal|professional)(?:'s)? (?:summary|intro|introduction|statement)|(?:the |my )?summary(?: (?:of|in|on) (?:my |the )?(?:cv|profile|resume))?|(?:the |my )?about me(?: text)?)"
_LETTER = r"(?:(?:the |my |our )?(?P<letter>[^\n:]{0,80}?(?:letter|anschreiben)(?: (?:to|for|at|of) [^\n:]{1,60}?)?))"
_NOTE = r"(?:(?:the |my |our )?(?P<note>(?!(?:my|the|our) notes?\b(?! (?:about|on|for|of)\b))(?!notes? (?:for|about|on|that|saying|titled|called)\b|notes?$)[^\n:]{0,80}?notes?(?: (?:about|on|for|titled|called|named|of|from) [^\n:]{1,60}?)?))"
_APPLICATION_NOTES = (
    r"(?:(?:the |my )?notes (?:of|for|on|in|at) (?:the |my )?(?P<app>[^\n:]{1,80}?) (?:application|job|card|role))"
)


def _forms(place: str, note: str) -> tuple[Pattern, ...]:
    return (
        pattern(rf"{_ADD} (?P<body>{QUOTED}) {_TO} {place}", 3, note=note),
        pattern(
            rf"{_ADD}(?: {_THIS})? {_TO} {place}(?:,? (?:that|saying|the (?:line|sentence|words)))?(?: ?[:,-] ?| (?=that )|\n)(?:that )?{BODY}",
            3,
            free=True,
            note=note,
        ),
        pattern(rf"{_ADD}(?: {_THIS})? {_TO} {place} (?P<body>{QUOTED})", 3, note=note),
        pattern(rf"{_ADD}(?: {_THIS})?(?:,| ?:)? ?(?P<body>{QUOTED}|[^\n]{{1,500}}?) {_TO} {place}", 2, note=note),
        pattern(
            rf"(?:in|to|into|under|at the (?:end|bottom|foot) of|on) {place},? ?(?:please )?{_ADD}(?: {_THIS})?(?: ?: ?|,? (?:that )?){BODY}",
            3,
            free=True,
            note=note,
        ),
        pattern(
            rf"{place} (?:should|must|needs to|has to|could)(?: (?:also|now|further))* (?:say|mention|include|contain|read|state)(?: that| also)?(?: ?:)? {BODY}",
            3,
            free=True,
            note=note,
        ),
        pattern(rf"{place} ?[:,-] ?(?:please )?{_ADD}(?: {_THIS})?(?: ?:)? {BODY}", 3, free=True, note=note),
        pattern(rf"extend {place} (?:with|by)(?: ?:)? {BODY}", 3, free=True, note=note),
    )


PATTERNS = (
    *_forms(_STRATEGY, "strategy"),
    *_forms(_SUMMARY, "summary"),
    *_forms(_LETTER, "letter"),
    *_forms(_APPLICATION_NOTES, "app_notes"),
    *_forms(_NOTE, "note"),
    pattern(rf"(?:append|add)(?: {_THIS})? to {DET}(?P<note>[^\n:]{{1,80}}?) ?: ?{BODY}", 1, free=True, note="note"),
    pattern(rf"{_ADD} (?P<body>{QUOTED}|[^\n]{{1,500}}?) {_TO}(?: my)? notes? (?P<note>(?!(?:about|on|for|of|from|titled|called|named)\b)[^\n:]{{1,60}}?)", 3, note="note"),
    pattern(rf"append (?P<body>{QUOTED}|[^\n]{{1,500}}?) to {DET}(?P<note>[^\n:]{{1,80}}?)", 1, note="note"),
)  # fmt: skip

_PLACES = {"strategy": ("plan", "strategy"), "summary": ("profile", "summary")}


def plan(request: Request) -> Change:
    guess = request.guess
    body = guess.slot("body")
    if body is None:
        raise AskBack("Which words should I add?")
    document, text = _place(request)
    content = body.words.strip()
    where = f"the {text} of {document.link}" if text not in ("body",) else document.link
    return Change(
        operations=(append(document, text, content),),
        lines=(f"Added “{plain(content, 160)}” to {where}.",),
        reason=f"Add to {document.name if document.kind in ('plan', 'profile') else document.get('title') or document.name}"[
            :300
        ],
        subject=document.id,
        citations=(document.id,),
    )


def _place(request: Request) -> tuple[Document, str]:
    guess = request.guess
    if guess.note in _PLACES:
        doc_id, text = _PLACES[guess.note]
        document = request.workspace.documents.get(doc_id)
        if document is None:
            raise CannotDo(f"I could not read your {doc_id}, so nothing was changed.")
        return document, text
    if guess.note == "app_notes":
        return application(request, guess.slot("app")), "notes"
    kind = "letter" if guess.note == "letter" else "note"
    slot = guess.slot(kind)
    if slot is None or is_pronoun(slot):
        return written(request, slot, (kind,)), "body"
    found = look_for_written(request, slot, (kind,))
    if not found or not found.sure:
        owner = _application_of(request, slot)
        if owner is not None:
            return owner, "notes"
    return settle(request, found, slot.words, kind), "body"


def _application_of(request: Request, slot: Sentence) -> Document | None:
    """ "The Kestrel notes" where no such note exists: the notes of that application."""
    if request.guess.note != "note":
        return None
    found = re.search(r"(?:(?:about|on|for) )?(?P<name>.*?)(?:'s)?(?: notes?)?$", slot.words, re.IGNORECASE)
    name = re.sub(r"(?i)^notes? (?:about|on|for|of) ", "", found["name"] if found else "").strip()
    if not name:
        return None
    known = known_company(request, name)
    return settle(request, known, name, "application") if known and known.sure else None


def _needs(guess: Guess) -> tuple[str, ...]:
    own = {
        "strategy": ("plan",),
        "summary": ("profile",),
        "app_notes": ("application",),
        "letter": ("application", "letter"),
    }
    return own.get(guess.note, ("application", "note"))


INTENT = Intent(
    name="append_text",
    kind="change",
    patterns=PATTERNS,
    examples=("Append 'Ask about on-call pay' to the Larkspur research note", "Add to my strategy: no agencies"),
    suggestion="add a line to a note, a letter or your strategy (“add to my strategy: …”)",
    needs=_needs,
    plan=plan,
)
