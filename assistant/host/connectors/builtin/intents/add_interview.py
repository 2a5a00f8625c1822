"""An interview with its time in the person's zone; without a day or a time it asks."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from assistant.host.connectors.builtin.changes import add_item
from assistant.host.connectors.builtin.dates import FoundDate, find_dates
from assistant.host.connectors.builtin.outcome import AskBack, Change
from assistant.host.connectors.builtin.say import say_moment
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.targets import application, is_pronoun, mentioned
from assistant.host.connectors.builtin.times import FoundTime, find_time, plus_minutes, rfc3339, to_utc, zone_of
from assistant.host.connectors.builtin.vocabulary import INTERVIEW_WORDS, find_word
from assistant.host.connectors.builtin.workspace import Document

from .base import Intent, Request, pattern

_MEETING = r"(?:interviews?|(?:phone|video|screening|zoom|teams|intro|introductory|hr|recruiter|technical|tech|first|second|final|coding) (?:call|screen|screening|chat|meeting|session|round|test|challenge)|(?:first|second|third|final|last|next|1st|2nd|3rd|technical|panel|coding|onsite) round|round|phone screen|assessment(?: day| cent(?:er|re))?|call|meeting|coffee chat|chat|trial day|panel|on-?site)"
_DAY = r"(?:today|tonight|tomorrow|tmrw|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|next week|in [a-z0-9]+ (?:days?|weeks?)|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}|the \d{1,2}(?:st|nd|rd|th)|at \d|\d{1,2}:\d{2}|noon)"
_DATED = (
    rf"(?!(?:i|we)(?: (?:still|also|really))*(?: need| have to| must| should|'ve got to)\b)(?=.*\b{_DAY}(?:\b|(?<=\d)))"
)
_BOOK = r"(?:schedule|add|book|plan|arrange|set up|put|enter|record|save|create|log|note|register|make|new|fix|organi[sz]e|place|insert)"
_NOT_ME = r"(?!(?:i|we|you|i'm|i've|i'll|i'd|we're|we've)(?![\w']))"
_T = rf"(?P<target>{_NOT_ME}[^\n:]{{1,80}}?)"
_KIND = r"(?:phone|telephone|video|panel|technical|tech|final|first|second|third|last|1st|2nd|3rd|onsite|on-site|next|hr|screening|coding|in-person|job|follow-up|recruiter|team|zoom|teams|intro)"
_KINDED = rf"(?:(?:{_KIND} )*(?:interviews?|round|screen|screening|(?<=[a-z] )call)|call)"
_STOP = r"(?= (?:on|at|for|from|tomorrow|today|tonight|this|next|in|by|via|with|over|between|the|is|will be|takes|was|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)|,| -|:|\.)"

PATTERNS = (
    pattern(rf"{_DATED}(?:{_BOOK} )?(?:an? |the |my |new )*(?P<what>{_KINDED}) ?[:,-] ?{_T}(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}{_BOOK} (?:the |my )?(?P<target>{_NOT_ME}[^\n:]{{1,60}}?)(?:'s?)? (?P<what>{_KINDED})(?: in| down| on)? ?[:,-] ?(?P<when>.+)", 3, free=True),
    pattern(rf"{_DATED}(?P<what>{_KINDED}) ?[:,-] ?{_T}(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:i'm|i am|we're|i'll be) (?P<what>meeting(?: with)?|seeing|talking (?:to|with)|speaking (?:to|with)) (?:the )?{_T}(?P<when>{_STOP}.+)", 2, free=True),
    pattern(rf"{_DATED}{_BOOK} (?P<what>(?:an? |the |my |another |new |this )*[^\n:]{{0,40}}?{_MEETING})(?: is)? (?:with|at|for|to|by|from) (?:the |my )?{_T}(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}{_BOOK} (?:an? |the |my )*(?P<target>{_NOT_ME}[^\n:]{{1,60}}?)(?:'s?)? (?P<what>{_KINDED})(?P<when>{_STOP}.+)", 2, free=True),
    pattern(rf"{_DATED}(?:i|we|i'm|i am|we're)(?:'ve| have|'ll| will| am| are)?(?: (?:just|got|have|having|now|a|invited|to|been|scheduled|doing|booked|meeting|agreed|on|confirmed|for|also|received))* (?P<what>(?:an? |the |my |another )*[^\n:]{{0,30}}?{_MEETING})(?: (?:scheduled|booked|coming up|invitation|planned|arranged|set up))? (?:with|at|for|from|by|to) (?:the |my )?{_T}(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:my |the |an? |our )?(?P<what>[^\n:]{{0,30}}?{_MEETING}) (?:with|at|for|from) (?:the |my )?{_T}(?P<when>{_STOP}.+)", 2, free=True),
    pattern(rf"{_DATED}(?:the |my )?(?P<target>{_NOT_ME}[^\n:]{{1,60}}?)(?: (?:has|have|just))* (?:wants?|would like|invited|asked|scheduled|is interviewing|will interview|interviews|booked|confirmed|offered|set up|want)(?: me| us)?(?: (?:to|for|in|for an?|an?|my|the|with))* (?P<what>[^\n:]{{0,25}}?{_MEETING})(?: me| with me)?(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:the |my |our )?(?P<target>(?!(?:my|the|our|an?|{_KIND})\b)[^\n:]{{1,60}}?)(?:'s?)? (?P<what>{_KINDED})(?: (?:is|will be|takes place|is scheduled|was set|is set|is on|has been scheduled|:))*(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:the |my |our )?(?P<target>{_NOT_ME}[^\n:]{{1,60}}?)(?:'s?)? (?P<what>chat|meeting|round|session|assessment(?: day| cent(?:er|re))?|screening|appointment|trial day)(?: (?:is|will be|takes place|is scheduled|is set|:))+(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:the |my )?{_T} (?:wants?|would like|asked|plans?|agreed)(?: me)? to (?P<what>talk|speak|meet|chat|see me|call me|interview me|call|video ?call|have an? [a-z ]{{0,20}}?(?:call|chat|interview|meeting))(?: (?:to|with) me)?(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_DATED}(?:interviewing|interview) (?:with|at) (?:the )?{_T}(?P<when>{_STOP}.+)", 3, free=True),
    pattern(rf"{_BOOK} (?P<what>(?:an? |the |my |another |new )*[^\n:]{{0,30}}?interview)(?: (?:with|at|for) (?:the |my )?{_T})?(?P<when>)", 1),
    pattern(rf"{_DATED}{_BOOK} (?P<what>(?:an? |the |my |another |new )*[^\n:]{{0,30}}?interview)(?P<when> .+)", 1, free=True),
)  # fmt: skip

_PLACE = re.compile(
    r"(?<!\w)(?P<on>on|via|over|by|through|using|at|in) (?P<place>(?:(?:ms |microsoft )?teams|zoom|google meet|skype|webex|meet|jitsi|video(?: call)?|phone|the phone|"
    r"(?:the|their|our) (?:[a-z]+ )?(?:office|headquarters|hq|building|site|studio)(?: in [a-z ]{2,30})?|room [\w ]{1,20}|person))(?!\w)"
)
_ROUND = re.compile(
    r"(?:first|second|third|final|last|next|1st|2nd|3rd) (?:round|interview)|final|trial day|assessment(?: day| cent(?:er|re))?|coffee chat|recruiter call|hr call"
)
_CUT_TARGET = re.compile(
    r"\s+(?:is|scheduled|booked|planned|coming up|which|that|for a|for an|for the|as|over|via)\b.*$"
)


def plan(request: Request) -> Change:
    guess = request.guess
    target, when = guess.slot("target"), guess.slot("when")
    said = when.folded if when is not None else ""
    dates = find_dates(said, request.today) or find_dates(guess.clause.folded, request.today)
    text = said if when is not None and find_dates(said, request.today) else guess.clause.folded
    clock = find_time(text, tuple((found.start, found.end) for found in dates))
    if clock is None:
        whole = find_dates(guess.clause.folded, request.today)
        clock = find_time(guess.clause.folded, tuple((found.start, found.end) for found in whole))
    document = _document(request, target)
    if not dates:
        raise AskBack(f"On which day and at what time is the interview for {document.link}?", (document.id,))
    if clock is None:
        raise AskBack(f"At what time is the interview for {document.link} on that day?", (document.id,))
    item = _item(request, dates, clock)
    starts = datetime.fromisoformat(str(item["starts_at"]).replace("Z", "+00:00"))
    zone = zone_of(str(item["time_zone"]))
    kind = f" ({item['kind']})" if item.get("kind") else ""
    return Change(
        operations=(add_item(document, "interviews", item),),
        lines=(
            f"Added an interview{kind} for {document.link}: **{say_moment(starts, zone)}**"
            + (f" to {_until(item, zone)}" if item.get("ends_at") else "")
            + ".",
        ),
        reason=f"Add an interview with {document.get('company') or document.name}",
        subject=document.id,
        citations=(document.id,),
    )


def _until(item: dict[str, Any], zone: Any) -> str:
    return f"{datetime.fromisoformat(str(item['ends_at']).replace('Z', '+00:00')).astimezone(zone):%H:%M}"


def _document(request: Request, target: Sentence | None) -> Document:
    if is_pronoun(target):
        named = mentioned(request, request.guess.clause.words)
        return named if named is not None else application(request, target)
    assert target is not None
    cut = _CUT_TARGET.search(target.folded)
    return application(request, target.part(0, cut.start()) if cut else target)


def _item(request: Request, dates: list[FoundDate], clock: FoundTime) -> dict[str, Any]:
    text = request.guess.clause.folded
    day: date = dates[0].on
    zone = zone_of(clock.zone) if clock.zone else request.zone
    starts = to_utc(day, clock.starts, zone)
    item: dict[str, Any] = {}
    if clock.ends is not None:
        last = day + timedelta(days=1) if clock.ends <= clock.starts else day
        item["ends_at"] = rfc3339(to_utc(last, clock.ends, zone))
    elif clock.minutes:
        item["ends_at"] = rfc3339(plus_minutes(day, clock.starts, clock.minutes, zone))
    place = _PLACE.search(text)
    plain_text = _without_company(request, text)
    kind = find_word(INTERVIEW_WORDS, plain_text)
    found_round = _ROUND.search(plain_text)
    shown = place["place"] if place else None
    if shown in ("phone", "the phone", "person"):
        shown = None if shown != "person" else "in person"
    return {
        "kind": _kind(kind[0] if kind else None, plain_text),
        "starts_at": rfc3339(starts),
        **item,
        "time_zone": zone.key,
        "place": _verbatim(request, place, shown),
        "note": found_round.group() if found_round else None,
    }


def _kind(kind: str | None, text: str) -> str | None:
    """A kind that is said outright; "call" alone does not make it the telephone when a video tool is named."""
    outright = find_word(
        {name: words for name, words in INTERVIEW_WORDS.items() if name in ("technical", "panel", "onsite", "video")},
        text,
    )
    if re.search(r"\bphone|telephone\b", text):
        return "phone"
    return outright[0] if outright else kind


def _without_company(request: Request, text: str) -> str:
    target = request.guess.slot("target")
    return text.replace(target.folded, " ") if target is not None else text


def _verbatim(request: Request, place: re.Match[str] | None, shown: str | None) -> str | None:
    if place is None or shown is None:
        return None
    return request.guess.clause.original(*place.span("place")) if shown != "in person" else shown


INTENT = Intent(
    name="add_interview",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "I have a phone interview with Brackenfield tomorrow at 14:00",
        "Tideline Labs interview next Monday 16:30 on video",
    ),
    suggestion="add an interview (“interview with COMPANY on DAY at TIME”)",
    needs=("application",),
    plan=plan,
)
