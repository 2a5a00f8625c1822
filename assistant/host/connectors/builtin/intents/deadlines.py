"""What is due, missed or coming up; the next interview. Days are the person's."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.agenda import Entry, agenda
from assistant.host.connectors.builtin.dates import find_date
from assistant.host.connectors.builtin.outcome import Answer
from assistant.host.connectors.builtin.targets import mentioned
from assistant.host.connectors.builtin.vocabulary import NUMBER, read_number

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

MAX_LINES = 40
_ASK = r"(?:so )?(?:what|what's|whats|which|anything|is|are|do|does|did|have|has|show|list|give|tell|when|when's|how (?:many|much|long)|let me know|see|check|read|any|remind me (?:what|when|which)|who|am i|where|display|get|upcoming|overdue|my|the|all|next)\b"
_DUE = r"(?:due|deadlines?|dead ?lines?|overdue|missed|miss|coming up|upcoming|agenda|calendar|late|expir\w+|runs? out|running out|clos(?:e|es|ing) (?:soon|this|next|today|tomorrow|on|in)|behind|slipped|forgotten|past due|appointments?|time-critical|dates?|forgot|forget)"
_DAY = r"(?:this week|next week|this month|next month|today|tomorrow|tonight|the (?:next|coming) (?:few )?(?:days|weeks?|month)|(?:this|next|the|at the) ?weekend|(?:on |this |next |until |by |before )*(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:in |within |over |for )?the next [a-z0-9]+ (?:days?|weeks?|months?)|the rest of the week|soon|shortly|in the (?:near future|coming days)|the week|the day|later|the day after tomorrow|the month|the coming week)"
_WINDOW_LEAD = r"(?:(?:for|in|on|by|until|till|before|over|during|within|this|the|coming)* ?)"

PATTERNS = (
    pattern(r"when (?:does|do|will|is|are) [^\n]{1,60}? (?:clos(?:e|es|ing)|end|ends|expire|expires|run out|shut)(?: [^\n]{0,40})?", 2),
    pattern(rf"{_ASK}(?=.*\b{_DUE}\b)(?!.*\b(?:joke|weather|match)\b).*", 2),
    pattern(r"(?:when|what time|at what time|what day|on which day|which day|where|how soon)(?:'s|s)?\b.*\b(?:interviews?|calls?|meetings?|rounds?|appointments?|deadlines?|due|panel)\b.*", 3),
    pattern(r"(?:do i have|have i got|any|are there(?: any)?|is there(?: an?)?|show(?: me)?|list|what|which|what are|how many|tell me|give me|my|when are|all|see|check)(?: (?:my|the|all|next|upcoming|planned|scheduled|any|other|coming|about|of))* interviews?\b(?!.*\b(?:stage|column|applications|jobs|companies)\b)(?: .*)?", 2),
    pattern(r"(?:next|upcoming|my next|the next|my upcoming|coming) (?:interviews?|deadlines?|appointments?|due dates?|dates)(?: .*)?", 3),
    pattern(r"(?:deadlines?|due dates|agenda|calendar|interviews|schedule|my (?:agenda|calendar|schedule|deadlines|interviews|due dates))(?: (?:this|next|for|today|tomorrow|in|on|until)\b.*)?", 2),
    pattern(rf"what(?:'s|s| is| are| do| does)?(?: (?:there|all|else|i have|have i got|i|my plans?|the plan|my schedule|my agenda|my tasks?|my to-?dos?|my week|my day))*(?: (?:on|next|up|planned|scheduled|happening|ahead|left|to do|to be done|in store|look(?:ing)? like|waiting|pending|look|going on|for me|on my (?:plate|agenda|calendar|list|plan|schedule)|my (?:agenda|calendar|list|plan|schedule)))* {_WINDOW_LEAD}{_DAY}", 2),
    pattern(rf"what (?:do|should|must|can|have|shall|need) i (?:have|need|got|do|get done|work on|tackle|prepare|finish|be doing|to do|remember)(?: (?:to|do|get|done|prepare|finish|planned|on|scheduled|remember))* {_WINDOW_LEAD}{_DAY}", 3),
    pattern(rf"(?:do i have|have i got|is there|anything)(?: (?:anything|something|any tasks?|any to-?dos?|plans|much|planned|scheduled|due|on|to do|happening|going on|for me|coming up))* {_WINDOW_LEAD}{_DAY}", 3),
    pattern(rf"(?:show|list|give|tell)(?: me)? (?:my |the |all )*(?:tasks?|to-?dos?|to do list|dates|agenda|schedule|plans?|week|day) {_WINDOW_LEAD}{_DAY}", 3),
    pattern(r"(?:how does|what does) my (?:week|day|month|schedule|calendar|tomorrow|next week) look(?: like)?.*", 3),
    pattern(r"(?:have|did) i (?:missed|miss|forgotten|forget|overlooked|overlook)(?: (?:anything|something|a deadline|any deadlines?|any dates?|any tasks?|to do))*", 3),
    pattern(rf"what(?:'s|s)? (?:needs|has|must|is|there is|still needs|still has|have|got)(?: (?:to|be|get|still|left))* (?:doing|done|happen|do|finishing|finished|ready|prepared)(?: {_WINDOW_LEAD}{_DAY})?", 3),
    pattern(r"(?:due|overdue|upcoming|coming up|what is due|dates)(?: (?!(?:to|on the|is)\b)[^\n]{1,40})?", 2),
    pattern(r"(?:(?:show|list|give|tell|read|get)(?: me)? |what(?:'s|s| is| are) (?:on )?)?(?:this (?:week|month)|next (?:week|month)|today|tomorrow|the (?:week|month)|the coming week)(?:'s?)? (?:tasks?|deadlines?|agenda|plan|schedule|to-?dos?|interviews?|dates|appointments|due dates)", 3),
    pattern(r"(?:by when|until when|till when|by what (?:date|day)|how late|what(?:'s|s| is) the latest|when at the latest)\b.*", 3),
    pattern(r"when (?:do|must|should|shall|can|will|am) (?:i|we) (?:have to|need to|got to|supposed to)? ?(?:apply|answer|reply|decide|respond|hand|submit|send|finish|call|talk|speak|meet)\b.*", 3),
    pattern(r"am i (?:late|behind|overdue)(?: (?:with|on|for) .*)?", 3),
    pattern(r"how (?:long|many days|much time|many weeks)(?: do i have| have i got| is (?:there|it)| are (?:there|left))?(?: left)?(?: (?:until|till|before|to|for))+ .*", 2),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Window:
    """From and to, both included; `name` as the answer says it."""

    start: date | None
    end: date | None
    name: str


async def respond(request: Request, desk: Desk) -> Answer:
    await desk.load(("application", "plan"))
    text = request.guess.clause.folded
    entries = agenda(desk.workspace, desk.zone)
    about = mentioned(request, request.guess.clause.words)
    if about is not None:
        entries = [entry for entry in agenda(desk.workspace, desk.zone, closed=True) if entry.document.id == about.id]
    only = _only(text)
    today = desk.today
    if (
        only != "deadline"
        and re.search(
            r"\b(?:missed|miss|overdue|late|behind|forgotten|forgot|forget|past due|slipped|overlooked|overlook)\b",
            text,
        )
        and not re.search(r"\b(?:deadlines? (?:this|next)|coming)\b", text)
    ):
        return _late(entries, today, desk, all_of=about is None)
    chosen = [entry for entry in entries if only is None or entry.kind == only]
    window = _window(text, today)
    single = (
        re.search(r"\b(?:when|what time|which day|what day|next|how (?:long|soon|many days|much time)|where)\b", text)
        and window.start is None
    )
    if single or (about is not None and window.start is None):
        return _next(chosen, entries, only, about is not None, desk, several=about is not None and only is None)
    start, end = window.start or today, window.end
    inside = [entry for entry in chosen if entry.on >= start and (end is None or entry.on <= end)]
    return _listing(inside, chosen, entries, window, only, desk)


def _only(text: str) -> str | None:
    if re.search(r"\binterviews?\b|\b(?:panel|call|round)\b.*\?|\bnext (?:call|round|panel)\b", text):
        return "interview"
    return (
        "deadline"
        if re.search(r"\bdeadlines?\b", text)
        else "task"
        if re.search(r"\b(?:tasks?|to-?dos?)\b", text)
        else None
    )


def _window(text: str, today: date) -> _Window:
    """The days asked about. "This week" is the seven days from today, as people mean it from Thursday on."""
    ahead = re.search(
        rf"(?:next|coming|within|in the next|following) (?P<n>{NUMBER}|few) (?P<u>days?|weeks?|months?)", text
    )
    if ahead:
        number = 3 if ahead["n"] == "few" else read_number(ahead["n"]) or 7
        days = number * {"d": 1, "w": 7, "m": 30}[ahead["u"][0]]
        return _Window(
            today,
            today + timedelta(days=days),
            f"in the next {number} {ahead['u'].rstrip('s')}{'s' if number != 1 else ''}",
        )
    if re.search(
        r"\bthis week\b|\bthe week\b|\bweek ahead\b|\bcoming week\b|\bnext (?:seven|7) days\b|\bmy week\b|\brest of the week\b|\bnext few days\b|\bcoming days\b|\bsoon\b|\bshortly\b",
        text,
    ):
        return _Window(today, today + timedelta(days=7), "in the next 7 days")
    monday = today - timedelta(days=today.weekday())
    if "next week" in text:
        return _Window(monday + timedelta(days=7), monday + timedelta(days=13), "next week")
    if re.search(r"\bthis month\b|\bthe month\b|\bmy month\b", text):
        last = (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        return _Window(today, last, "this month")
    if "next month" in text:
        first = (today.replace(day=28) + timedelta(days=4)).replace(day=1)
        last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        return _Window(first, last, "next month")
    if "weekend" in text:
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        return _Window(saturday, saturday + timedelta(days=1), "at the weekend")
    if re.search(r"\bmy day\b|\bthe day\b(?! after)", text):
        return _Window(today, today, "today")
    found = find_date(text, today)
    if found is None:
        return _Window(None, None, "")
    if re.search(r"\b(?:by|until|till|before)(?: the| next)? *$", text[: found.start]):
        end = found.on - timedelta(days=1) if text[: found.start].rstrip().endswith("before") else found.on
        return _Window(today, end, "until then")
    if re.search(r"\b(?:after|from|since) *$", text[: found.start]):
        return _Window(found.on, None, "from then on")
    return _Window(found.on, found.on, {0: "today", 1: "tomorrow"}.get((found.on - today).days, "on that day"))


_PLURAL = {"deadline": "deadline", "interview": "interview", "task": "task", None: "dated action"}


def _late(entries: list[Entry], today: date, desk: Desk, *, all_of: bool) -> Answer:
    late = [entry for entry in entries if entry.on < today]
    if not late:
        return _answer("You have missed nothing: no open date lies in the past.", [], desk)
    return _answer("Overdue:\n\n" + _lines(late, desk), late, desk)


def _next(
    chosen: list[Entry], entries: list[Entry], only: str | None, named: bool, desk: Desk, *, several: bool
) -> Answer:
    ahead = [entry for entry in chosen if entry.on >= desk.today and (entry.moment is None or entry.moment >= desk.now)]
    if not ahead:
        past = [entry for entry in chosen if entry.on < desk.today]
        text = f"There is no {_PLURAL[only]} ahead" + (" for that application" if named else "") + "."
        other = [entry for entry in entries if entry.on >= desk.today]
        if past:
            text += "\n\nIn the past:\n\n" + _lines(past[-3:], desk)
        elif other and only is not None:
            text += f"\n\nThe nearest dated action is {other[0].line(desk.today, desk.zone)}."
        return _answer(text, [*past[-3:], *other[:1]], desk)
    if several:
        return _answer(_lines(ahead, desk), ahead, desk)
    text = f"Your next {_PLURAL[only]}: {ahead[0].line(desk.today, desk.zone)}."
    return _answer(text, ahead[:1], desk)


def _listing(
    inside: list[Entry], chosen: list[Entry], entries: list[Entry], window: _Window, only: str | None, desk: Desk
) -> Answer:
    name = f" {window.name}" if window.name else ""
    cited = list(inside)
    if inside:
        text = (
            (f"Due{name}:" if only is None else f"{_PLURAL[only].capitalize()}s{name}:") + "\n\n" + _lines(inside, desk)
        )
    else:
        text = f"There is no {_PLURAL[only]}{name}."
    start, end = window.start or desk.today, window.end
    if only is not None:
        others = (
            [e for e in entries if e.kind != only and e.on >= start and (end is None or e.on <= end)]
            if window.start
            else []
        )
        if others and only == "deadline":
            text += (
                ("\n\nOther dated actions:" if inside else "\n\nOther dated actions then:")
                + "\n\n"
                + _lines(others, desk)
            )
            cited += others
    late = [entry for entry in chosen if entry.on < desk.today]
    if late and start <= desk.today:
        text += "\n\nOverdue:\n\n" + _lines(late, desk)
        cited += late
    if not inside and not late and only is None:
        ahead = [entry for entry in entries if end is not None and entry.on > end]
        if ahead:
            text += f" The next one is {ahead[0].line(desk.today, desk.zone)}."
            cited.append(ahead[0])
    return _answer(text, cited, desk)


def _lines(entries: list[Entry], desk: Desk) -> str:
    shown = "\n".join(f"- {entry.line(desk.today, desk.zone)}" for entry in entries[:MAX_LINES])
    return shown + (f"\n- … and {len(entries) - MAX_LINES} more (cut here)" if len(entries) > MAX_LINES else "")


def _answer(text: str, entries: list[Entry], desk: Desk) -> Answer:
    if desk.workspace.truncated:
        text += "\n\nI could not read everything: this answer is truncated."
    return Answer(text, tuple(dict.fromkeys(entry.document.id for entry in entries[:MAX_LINES])))


INTENT = Intent(
    name="deadlines",
    kind="read",
    patterns=PATTERNS,
    examples=("What is due this week?", "Any deadlines tomorrow?", "When is my next interview?"),
    suggestion="say what is due (“what is due this week?”)",
    respond=respond,
)
