"""A step on an application's checklist."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from assistant.host.connectors.builtin.changes import add_item
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AskBack, Change
from assistant.host.connectors.builtin.say import value
from assistant.host.connectors.builtin.sentence import QUOTED, Sentence
from assistant.host.connectors.builtin.targets import application
from assistant.host.connectors.builtin.task_words import dated
from assistant.host.connectors.builtin.workspace import Document

from .base import BODY, DET, Intent, Request, pattern

_ADD = r"(?:add|put|create|make|write|place|new|include|enter|insert|stick|append|note)"
_ITEM = r"(?:a |an |the |one |new |another |this |following )*(?:checklist|check list|check-list)(?: (?:items?|entry|entries|points?|steps?|tasks?|things?))?"
_T = r"(?P<target>[^\n:]{1,80}?)"
_LIST = r"(?:checklist|check list|check-list)"
_NEED = r"(?:i|we)(?: (?:still|also|really))*(?: need to| have to| must| should|'ve got to| have got to| need)(?: (?:still|also))*"

PATTERNS = (
    pattern(rf"(?:{_ADD} )?{_ITEM} (?:for|of|to|at|on|in) {DET}{_T}(?: application| job)? ?(?::| - ) ?{BODY}", 3, free=True),
    pattern(rf"(?:{_ADD} )?{_ITEM} (?P<body>{QUOTED}) (?:for|of|to|at|on|in) {DET}{_T}", 3),
    pattern(rf"(?:{_ADD} )?{_ITEM} ?: ?(?P<body>[^\n]{{1,300}}?) (?:for|at) {DET}{_T}", 2),
    pattern(rf"{DET}(?!(?:{_ADD})\b){_T}(?:'s?)? {_LIST}(?: item)? ?: ?(?:add )?{BODY}", 3, free=True),
    pattern(rf"{_ADD}(?: (?:this|the following|an? (?:step|item|point|entry|thing|task)))? (?:to|on|in|onto) {DET}{_T}(?:'s?)? {_LIST} ?: ?{BODY}", 3, free=True),
    pattern(rf"{_ADD}(?: (?:this|the following|an? (?:step|item|point|entry|thing|task)))? (?:to|on|in|onto) (?:the |my )?{_LIST} (?:for|of|at) {DET}{_T} ?: ?{BODY}", 3, free=True),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) (?:to|on|in|onto|into) (?:the |my )?{_LIST} (?:for|of|at|on|in) {DET}{_T}", 3),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) (?:to|on|in|onto|into) {DET}{_T}(?:'s?)? {_LIST}(?P<when>(?: (?:by|for|until|due|before) [^\n]{{1,40}}?)?)", 3),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) (?:to|on|in|onto) (?:the |my |its |this )?{_LIST}(?P<when>(?: (?:by|for|until|due|before) [^\n]{{1,40}}?)?)", 3),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) as (?:an? )?{_ITEM} (?:for|of|to|at|on) {DET}{_T}", 3),
    pattern(rf"(?:on|to|in|onto) {DET}{_T}(?:'s?)? {_LIST},? {_ADD}(?: (?:a step|an item|the item|this))?(?: ?:)? {BODY}", 3, free=True),
    pattern(rf"(?:on|to|in|onto) the {_LIST} (?:for|of|at) {DET}{_T},? {_ADD}(?: ?:)? {BODY}", 3, free=True),
    pattern(rf"for {DET}(?P<target>[^\n:,]{{1,80}}?)(?: application| job| role| interview)?,? {_NEED} {BODY}", 3, free=True),
    pattern(rf"for {DET}(?P<target>[^\n:,]{{1,80}}?)(?: application| job| role)?,? (?:add|put) {BODY} (?:on|to) the {_LIST}", 3),
    pattern(rf"(?:before|for|by) {DET}(?P<target>[^\n:,]{{1,80}}?)(?:'s?)? (?:interview|call|round|meeting|panel),? {_NEED} {BODY}", 3, free=True),
    pattern(rf"before (?:applying to|applying at|i apply to|the interview at|the interview with) {DET}(?P<target>[^\n:,]{{1,80}}?),? {_NEED} {BODY}", 3, free=True),
)  # fmt: skip


def plan(request: Request) -> Change:
    body = request.guess.slot("body")
    if body is None:
        raise AskBack("What should the checklist item be?")
    return add_to_checklist(request, application(request, request.guess.slot("target")), body)


def add_to_checklist(request: Request, document: Document, body: Sentence) -> Change:
    """The change that puts the words on the application's checklist."""
    title, due = dated(body, request.today, request.guess.slot("when"))
    if not title:
        raise AskBack("What should the checklist item be?")
    return Change(
        operations=(add_item(document, "checklist", {"title": title, "due": due}),),
        lines=(
            f"Added “{plain(title, 160)}” to the checklist of {document.link}"
            + (f", due {value(due)}" if due else "")
            + ".",
        ),
        reason=f"Add to the checklist of {document.get('company') or document.name}",
        subject=document.id,
        citations=(document.id,),
    )


INTENT = Intent(
    name="add_checklist_item",
    kind="change",
    patterns=PATTERNS,
    examples=("Add 'bring references' to the Larkspur checklist", "checklist item for Halcyon: read the contract"),
    suggestion="add to a checklist (“add … to the COMPANY checklist”)",
    needs=("application",),
    plan=plan,
)
