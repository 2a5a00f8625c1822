"""A task of the plan or an item of a checklist is done, or is not done after all."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

from assistant.host.connectors.builtin.changes import update_item
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.names import NOISE, find, tokens
from assistant.host.connectors.builtin.outcome import AlreadySo, AskBack, CannotDo, Change
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.workspace import Document

from .base import Intent, Request, pattern

_DONE = r"(?:as )?(?:done|complete|completed|finished|ticked(?: off)?|checked(?: off)?|closed|solved|resolved|dealt with|sorted|over|accomplished)"
_NOUN = r"(?:(?:the |my )?(?:tasks?|to-?dos?|to-?do item|todo item|checklist item|item|reminder|step|point) )?"
_TASK = r"(?P<task>[^\n]{1,300}?)"
_FOR = r"(?: (?:for|at|on|in|of) (?:the |my )?(?P<target>[^\n]{1,80}?)(?: checklist| application)?)?"
_PAST = r"(?:(?!(?:need|speed|feed|seed|breed|bleed|exceed|proceed|succeed|agreed)\b)[a-z]{2,20}ed|done|made|sent|wrote|written|bought|read|got|gotten|took|taken|met|found|spoke|spoken|built|chose|chosen|did|gave|given|put|went|gone|ran|sorted|drew|learnt|learned|thought|paid|rung|rang|called|told|shown|kept|left|brought|taught|cut|set|practised|practiced|rewrote|rewritten|redone|redid|handed)"

PATTERNS = (
    pattern(rf"(?:mark|set|flag|tick|check|make|count|consider|label|change|move|put|update) {_NOUN}{_TASK} (?:to )?{_DONE}{_FOR}", 2),
    pattern(rf"(?:mark|set|flag|change|move|put) {_NOUN}{_TASK} (?:as |back to )?(?:not done|undone|incomplete|open(?: again)?|unfinished|not finished|to do|todo)", 3, note="reopen"),
    pattern(rf"(?:tick|check|cross|strike|knock) off {_NOUN}{_TASK}(?: (?:from|on|off) (?:the|my) (?:list|plan|to-?do list|tasks))?", 3),
    pattern(rf"(?:tick|check|cross|strike) {_NOUN}{_TASK}(?: (?:off|out))(?: (?:my|the|of my) (?:list|plan|to-?do list|tasks|checklist))?", 3),
    pattern(rf"(?:complete|finish|close|resolve|tick|check) (?:the |my )?(?:tasks?|to-?dos?|to-?do item|checklist item|item|reminder)(?: called| named|:)? {_TASK}", 3),
    pattern(rf"(?:complete|finish|tick) {_TASK}", 1),
    pattern(rf"(?:untick|uncheck|reopen|re-open) {_NOUN}{_TASK}", 3, note="reopen"),
    pattern(rf"(?:task|to-?do|checklist item|item) {_TASK} (?:is|has been|was|got) (?:now |already )*{_DONE}", 3, asserts=True),
    pattern(rf"{_TASK} (?:is|has been|are|was|got|have been)(?: (?:now|already|finally|all))* {_DONE}", 1, asserts=True),
    pattern(rf"{_TASK}(?: -|,|:)? (?:done|completed|finished|check)", 1, asserts=True),
    pattern(rf"{_TASK} (?:is|are|was|were|has been|have been|got)(?: (?:now|already|finally|all|both))* (?P<verb>{_PAST})(?: now| today| already)?", 1, asserts=True, note="passive"),
    pattern(rf"(?:i(?:'m| am) )?(?:done|finished|through|ready) with {_NOUN}{_TASK}", 2, asserts=True),
    pattern(rf"(?:done|completed|finished) ?: ?{_TASK}", 2),
    pattern(rf"(?:i|we)(?:'ve| have)?(?: (?:just|finally|already|also|now|today|yesterday))* (?:finished|completed|done|did|ticked off|got done|dealt with|taken care of|took care of|sorted(?: out)?|handled|managed)(?: with)? {_NOUN}{_TASK}", 2, asserts=True),
    pattern(rf"(?:i|we)(?:'ve| have)?(?: (?:just|finally|already|also|now|today|yesterday))* (?P<task>{_PAST} [^\n]{{1,200}}?)(?: (?:today|yesterday|just now|this morning|last night))?", 1, asserts=True, note="told"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Step:
    document: Document
    section: str
    item: Mapping[str, Any]

    @property
    def title(self) -> str:
        return str(self.item.get("title") or "")

    @property
    def done(self) -> bool:
        return self.item.get("done") is True


def plan(request: Request) -> Change:
    guess = request.guess
    done = guess.note != "reopen"
    slot = guess.slot("task")
    if slot is None:
        raise AskBack("Which task is done?")
    steps = _steps(request)
    target = guess.slot("target")
    if target is not None:
        found = find(target.words, request.workspace.named(request.workspace.applications))
        if found and found.sure:
            steps = [step for step in steps if step.document.id in found.ids]
        else:
            slot = guess.clause  # "for …" was a part of the title
    if guess.note == "passive":
        slot = guess.clause  # its verb is a word of the title too
    step = _settle(slot, steps, done, request, told=guess.note in ("told", "passive"))
    where = "your plan" if step.section == "tasks" else "the checklist"
    if step.done == done:
        raise AlreadySo(
            f"“{plain(step.title, 160)}” is {'done' if done else 'open'} already, so there is nothing to change.",
            (step.document.id,),
        )
    place = "[your plan](#plan)" if step.section == "tasks" else f"the checklist of {step.document.link}"
    return Change(
        operations=(update_item(step.document, step.section, str(step.item["id"]), {"done": done}),),
        lines=(f"Marked “{plain(step.title, 160)}” on {place} as {'done' if done else 'not done'}.",),
        reason=f"Mark as {'done' if done else 'not done'} on {where}: {step.title}",
        subject=step.document.id if step.section == "checklist" else request.previous,
        citations=(step.document.id,),
    )


def _steps(request: Request) -> list[_Step]:
    plan_document = request.workspace.plan
    steps = [_Step(plan_document, "tasks", item) for item in plan_document.items("tasks")] if plan_document else []
    for document in request.workspace.applications:
        steps.extend(_Step(document, "checklist", item) for item in document.items("checklist"))
    return [step for step in steps if step.title and isinstance(step.item.get("id"), str)]


def _settle(slot: Sentence, steps: list[_Step], done: bool, request: Request, *, told: bool) -> _Step:
    scored = [(score, step) for step in steps if (score := _score(slot.words, step)) >= 60]
    waiting = [pair for pair in scored if pair[1].done != done] or scored
    if not waiting:
        if told:
            raise CannotDo(
                "I am not sure what you would like me to change. If it is a task, say “mark TASK as done”; to keep it, say “note that …”."
            )
        raise CannotDo(
            f"I found no task or checklist item that fits “{plain(slot.words, 80)}”, so nothing was changed. You can ask me “read me my plan”."
        )
    top = max(score for score, _ in waiting)
    best = [step for score, step in waiting if score >= top - 5]
    here = [step for step in best if step.document.id in (request.previous, request.here)]
    if len(best) > 1 and len(here) == 1:
        best = here
    if len(best) > 1:
        named = "\n".join(f"- “{plain(step.title, 120)}” on {step.document.link}" for step in best[:10])
        raise AskBack(
            f"Which one do you mean? I have not changed anything yet.\n\n{named}",
            tuple(dict.fromkeys(step.document.id for step in best)),
        )
    if top < 70:
        raise AskBack(
            f"Did you mean “{plain(best[0].title, 160)}” on {best[0].document.link}? I have not changed anything yet.",
            (best[0].document.id,),
        )
    return best[0]


def _score(words: str, step: _Step) -> float:
    """0-100: how well the words fit a title, whatever the verb's form ("practised" for "Practise")."""
    given, title = _content(words), _content(step.title)
    if not given or not title:
        return 0.0
    if given == title:
        return 100.0
    company = set(_content(str(step.document.get("company") or "")))
    fits_given = [max(_alike(word, other) for other in title) if word not in company else 1.0 for word in given]
    fits_title = [max(_alike(word, other) for other in given) for word in title]
    share = sum(fits_given) / len(fits_given), sum(fits_title) / len(fits_title)
    # All that was said must fit; what was left unsaid of the title counts less.
    return 100 * (0.65 * share[0] + 0.35 * share[1]) if max(fits_given) > 0.75 else 0.0


_SYNONYMS = {"cv": "resume", "called": "call", "rang": "call", "phoned": "call", "sent": "send", "wrote": "write", "written": "write", "bought": "buy", "made": "make", "done": "do", "did": "do", "found": "find", "got": "get", "chose": "choose", "spoke": "speak", "read": "read", "met": "meet", "took": "take", "thought": "think", "paid": "pay", "gave": "give", "todo": ""}  # fmt: skip
_SMALL = NOISE | frozenset(
    {
        "task",
        "tasks",
        "item",
        "done",
        "off",
        "ive",
        "have",
        "just",
        "finally",
        "it",
        "up",
        "out",
        "over",
        "some",
        "complete",
        "finished",
    }
)


def _content(text: str) -> list[str]:
    return [_SYNONYMS.get(word, word) for word in tokens(text) if word not in _SMALL and word not in ("checklist",)]


def _alike(word: str, other: str) -> float:
    if word == other:
        return 1.0
    stem, base = (re.sub(r"(?:ing|ed|es|s|e|d)$", "", text) for text in (word, other))
    if len(stem) >= 3 and (stem == base or stem.rstrip("e") == base.rstrip("e") or re.sub(r"i$", "y", stem) == base):
        return 0.97
    ratio = fuzz.ratio(word, other) / 100
    return ratio if ratio >= 0.8 and min(len(word), len(other)) >= 4 else 0.0


INTENT = Intent(
    name="complete_task",
    kind="change",
    patterns=PATTERNS,
    examples=("Mark 'Update portfolio page' as done", "tick off the Copperleaf reference"),
    suggestion="tick off a task (“mark TASK as done”)",
    needs=("plan", "application"),
    plan=plan,
)
