"""Applications by stage, tier, work mode, place or company, with their number."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.dates import find_date, read_iso, say_date
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.money import find_money
from assistant.host.connectors.builtin.names import find, tokens
from assistant.host.connectors.builtin.outcome import Answer
from assistant.host.connectors.builtin.sentence import fold
from assistant.host.connectors.builtin.vocabulary import (
    MODE,
    MODE_WORDS,
    NUMBER,
    OPEN_STAGES,
    STAGE,
    STAGES,
    TIER,
    TIER_WORDS,
    find_word,
    read_number,
)
from assistant.host.connectors.builtin.workspace import Document

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

MAX_LINES = 100
_SHOW = r"(?:(?:show|list|give|display|see|view|get|name|tell|pull up|bring up|count|open|print|enumerate|read|read out|present|go through|look at|fetch|find)(?: me| out| up)?(?: a list of)? |what are |which are |what(?:'s|s| is) (?:in|on) |how about |let's see |a list of |list of )"
_PLURAL = r"(?:applications|jobs|job applications|board|pipeline|opportunities|roles|positions|offers|rejections|companies|cards|employers|ones|kanban|vacancies|openings|prospects|leads|kanban board|options|choices|bets|processes)"
_MINE = rf"(?=.*\b(?:my|i|i've|i'm|me|we|{STAGE}|{TIER}|applications?|tracked?|tracking|board|heard|active|open|closed|ongoing)\b)"

PATTERNS = (
    pattern(r"how many (?:offers|rejections|interviews|replies|answers)(?: (?:so far|in total|now|yet|until now|by now|already))*", 2),
    pattern(
        rf"{_SHOW}(?:(?:all|the|every|of|those|only|any) )*(?:jobs|roles|companies|positions|places|employers|everything|those|ones) (?:that |which |where |who )?(?:i|we)(?:'m|'ve)?\b[^\n]*",
        3,
    ),
    pattern(rf"(?:{_SHOW})?(?:(?:all|every|each|the|of|only|just|both) )*(?:my|our) (?:[^\n]{{0,60}}? )?{_PLURAL}(?! like\b)(?: [^\n]*)?", 3),
    pattern(rf"(?:which|what|how many|who|whose)(?: (?:of|are|is|my|the|them|those|number|sort|kind))* (?:[^\n]{{0,40}}? )?(?:applications|jobs|roles|positions|companies|ones|employers|places|offers|rejections|firms|openings)\b{_MINE}(?![^\n]*\b(?:are there (?:for|in)|available|out there|hiring|posted|are open (?:in|for)|open in (?!my\b))\b)(?: [^\n]*)?", 3),
    pattern(rf"(?:which|how many|what)(?: (?:of|are|my|the|them|those|applications))+{_MINE} (?:are|is|have|do|did|were|was)? ?[^\n]*\b(?:{STAGE}|{TIER}|remote|hybrid|on-?site|open|closed|active|pending)\b[^\n]*", 2),
    pattern(r"(?:how many|which|what number of) [^\n]{0,40}\b(?:applications?|jobs)\b[^\n]*\b(?:have i|did i|do i|am i|i have|i've|i sent|i made|are there in total|in total|are (?:still )?(?:open|active|pending|left)|do we)\b[^\n]*", 3),
    pattern(r"(?:how many|which ones?|which|what all)(?: of (?:them|those))? (?:have|did|do|am|was) i(?: (?:already|now|been|so far|still|ever))* (?:appl\w+|sav\w*|withdr\w+|reject\w*|accept\w*|interview\w*|track\w*|wait\w*)\b[^\n]*", 3),
    pattern(r"(?:all |the |all the |every |any )*(?:jobs|ones|companies|roles|positions|places|everything|those|applications|employers)(?: that| which| where| who)? (?:i(?:'ve| have|'m| am| was)?|(?:rejected|invited|offered|declined|turned|ghosted))(?: (?:already|still|been|just|currently))* ?(?:appl\w+|withdr\w+|reject\w+|sav\w+|accept\w+|interview\w*|track\w*|wait\w*|invited|turned|dropped|me\b)[^\n]*", 3),
    pattern(r"what(?:'s|s| is| are| am i)(?: (?:still|currently|now|all|i))* (?:being prepared|in preparation|preparing|drafting|pending|still open|in progress)[^\n]*", 3),
    pattern(rf"{_SHOW}(?:(?:all|the|every|any|only) )*{MODE} (?:jobs|roles|positions|ones|companies) (?:(?:that|which) (?:are|i) )?(?:still |currently )*(?:open|active|on (?:my|the) board|in my|i have|i've|i|track\w*)\b(?! (?:in|for|at)\b)[^\n]*", 3),
    pattern(r"how many applications(?: [^\n]*)?", 2),
    pattern(r"(?:how many|in how many|which) (?:interviews|interview processes|processes|running processes) am i (?:in|doing|going through|part of|still in)[^\n]*", 3),
    pattern(r"(?:my |all |any |the |all of my |every )*(?:job )?applications(?! (?:due|closing)\b|[^\n]*\bdeadlines?\b)(?: [^\n]*)?", 2),
    pattern(rf"(?:do i have|have i got|do i (?:still )?track|am i tracking|what do i have|what have i got)(?: (?:any|some|anything|something|things|still|other|in mind|saved|any of the))* (?:(?:{MODE}|{TIER}|{STAGE}|open|active|closed|part-time|full-time) (?:ones|jobs?|applications?|roles?|positions?|cards?|companies|company)|(?:jobs?|applications?|roles?|positions?|cards?|companies) (?!(?:deadlines?|due)\b)(?:in|at|on|that|with|which|from|near)\b|(?:in|at|near) (?!(?:the )?(?:interviews?|next|coming|my (?:calendar|agenda|plan)|two|three|a)\b)[a-z])[^\n]*", 3),
    pattern(rf"(?:anything|something|what)(?: (?:is|i have|i've got|else|new|still))* (?:in|at) (?:the )?(?:{STAGE})(?: (?:stage|column|phase))?", 2),
    pattern(r"(?:did|has|have|was|is|are|will) (?:anyone|anybody|any (?:company|companies|employer|one|of them|of these)|someone|somebody|any|they all|i)\b[^\n]*\b(?:reject\w*|offer\w*|accept\w*|declin\w*|turn\w* (?:me )?down|repl\w+|respond\w*|invit\w+|interview\w*|hear|heard|no|withdr\w+|refus\w+|hire\w*)\b[^\n]*", 2),
    pattern(r"who(?:'s|s)?(?: all)?(?: (?:has|have|did|is|still|already|else))* (?:reject\w*|turned|declin\w*|invit\w*|offer\w*|made|said|wants?|hasn't|not|refus\w*|waiting|ghost\w*|interview\w*|yet|answer\w*|repl\w*|hire\w*|accept\w*)\b[^\n]*", 2),
    pattern(r"(?:where|who|what|to whom|to what)(?: all| else)? (?:have|did|do|am|was|were) i(?: (?:already|still|so far|currently|ever|not|yet))* (?:appl\w+|interview\w*|heard|hear|reject\w*|wait\w*|been rejected|been invited|withdr\w+|accept\w+|sav\w+|track\w*)\b[^\n]*", 3),
    pattern(r"(?:who|which (?:ones|companies|jobs)) (?:(?:have|did|do) i not|(?:haven't|didn't|don't) i|(?:hasn't|haven't|didn't)) (?:hear|heard|get|got|repl\w+|answer\w*|respon\w+)[^\n]*", 3),
    pattern(r"(?:do i have|have i (?:got|received|had|gotten)|did i (?:get|receive|have)|are there|got|is there|i have)(?: (?:any|an|some|a|no|already|yet|other|open|new|pending|active|outstanding|current|ongoing|more))* (?:job )?(?:offers?|rejections?|applications?)\b[^\n]*", 3),
    pattern(r"(?:any|what|which) (?:job )?(?:offers|rejections|applications)\b[^\n]*", 2),
    pattern(rf"{_SHOW}(?:(?:all|the|everything|every|of|those|only|just|each|any) )*(?:[^\n]{{0,60}}? )?(?:applications|board|pipeline|kanban|applied jobs)\b[^\n]*", 2),
    pattern(rf"{_SHOW}(?:(?:all|the|every|of|those|only|just|each|any) )*(?:{STAGE}|{TIER}|open|active|closed|tracked)(?: and (?:{STAGE}|{TIER}))? (?:jobs|ones|companies|roles|cards|positions|offers|employers|stage|column)\b[^\n]*", 3),
    pattern(rf"{_SHOW}(?:(?:everything|all|what|what's|those|things|ones|cards|whatever|anything|jobs)(?: (?:that|which|is|are|that's|'s|i have|i've got|currently))* )?(?:in|at|on|under|marked|tagged|with)(?: (?:as|the|stage|tier))* (?:{STAGE}|{TIER})(?: (?:stage|column|tier|phase|list))?", 3),
    pattern(rf"(?:what|which|who)(?:'s|s| is| are)(?: (?:all|currently|still|now))* (?:in|at|on|under)(?: (?:the|my))* (?:{STAGE}|board|pipeline)(?: (?:stage|column|tier|phase|list))?", 3),
    pattern(rf"(?:all |the |my )*(?:{STAGE}|{TIER}|open|active) (?:applications|jobs|ones|companies|roles|positions|employers)(?: [^\n]*)?", 2),
    pattern(r"(?:my |the |all (?:my )?)?(?:board|applications|pipeline|kanban board|kanban|offers|rejections|dream jobs)(?: please)?", 2),
    pattern(rf"(?:is|are) (?:anything|something|any(?:thing)? of them|any) (?:still )?(?:in|at) (?:the )?(?:{STAGE})[^\n]*", 2),
    pattern(r"(?:am i|are we) (?:still )?(?:waiting|interviewing)(?: (?:for|to|on|with))?[^\n]*", 2),
)  # fmt: skip

_Test = Callable[[Document], bool]


async def respond(request: Request, desk: Desk) -> Answer:
    await desk.load(("application",))
    text = re.sub(r"\b(?:job offers?(?= like)|what offers? )\b", " offer ", request.guess.clause.folded)
    everything = desk.workspace.applications
    tests, words = _filters(text, everything, desk)
    chosen = [document for document in everything if all(test(document) for test in tests)]
    chosen.sort(key=lambda d: (_place(d), str(d.get("company") or "").casefold(), str(d.get("title") or "").casefold()))
    of = " ".join(words)
    count = f"{len(chosen)} application{'s' if len(chosen) != 1 else ''}"
    if not everything:
        return Answer("There are no applications yet. You can say “add an application: TITLE at COMPANY”.")
    if not chosen:
        return _cut(Answer(f"None of your applications is {of or 'like that'}."), desk)
    # Of a mixed filter the list itself is the number: it is not one that a tool gave.
    counted = not of or re.fullmatch(r"in (?:tier )?\*\*\w+\*\*", of)
    head = (f"{count} {of}:" if of else f"You have {count}:") if counted else f"Applications {of}:"
    lines = [_line(document, by_stage=not any(w.startswith("in **") for w in words)) for document in chosen[:MAX_LINES]]
    if len(chosen) > MAX_LINES:
        lines.append(f"- … and {len(chosen) - MAX_LINES} more (this list is truncated)")
    return _cut(Answer(head + "\n\n" + "\n".join(lines), tuple(d.id for d in chosen[:MAX_LINES])), desk)


def _cut(answer: Answer, desk: Desk) -> Answer:
    if not desk.workspace.truncated:
        return answer
    return Answer(answer.text + "\n\nI could not read everything: this list is truncated.", answer.citations)


def _place(document: Document) -> int:
    stage = document.get("stage")
    return STAGES.index(stage) if stage in STAGES else len(STAGES)


def _line(document: Document, *, by_stage: bool) -> str:
    details = [str(document.get("stage") or "no stage")] if by_stage else []
    if document.get("tier"):
        details.append(str(document.get("tier")))
    day = read_iso(document.get("deadline"))
    if day and document.get("stage") in OPEN_STAGES:
        details.append(f"deadline {say_date(day)}")
    elif document.get("applied_on") and (applied := read_iso(document.get("applied_on"))):
        details.append(f"applied on {say_date(applied)}")
    return f"- {document.link}" + (f": {', '.join(details)}" if details else "")


def _filters(text: str, documents: list[Document], desk: Desk) -> tuple[list[_Test], list[str]]:
    """What narrows the list, as tests and as words for the answer."""
    tests: list[_Test] = []
    words: list[str] = []
    stages = _stages(text)
    if stages:
        tests.append(lambda d: d.get("stage") in stages)
        words.append("in " + " or ".join(f"**{stage}**" for stage in stages))
    elif re.search(
        r"\b(?:open|active|ongoing|in progress|alive|running|current(?:ly)?|pending|live|not (?:closed|over|finished))\b",
        text,
    ):
        tests.append(lambda d: d.get("stage") in OPEN_STAGES)
        words.append("that are open")
    elif re.search(r"\b(?:closed|over|dead|inactive|finished)\b", text):
        tests.append(lambda d: d.get("stage") not in OPEN_STAGES)
        words.append("that are closed")
    if stages in ((), ("applied",)) and (since := _applied_since(text, desk.today)) is not None:
        first, last, said = since
        del tests[:], words[:]
        tests.append(lambda d: (on := read_iso(d.get("applied_on"))) is not None and first <= on <= last)
        words.append(said)
        stages = ("applied",)
    pay = find_money(text)
    if (
        pay is not None
        and (pay.marked or pay.least >= 10_000)
        and re.search(r"\b(?:pay\w*|salar\w+|over|above|more than|at least|under|below|less than)\b", text)
    ):
        least, under = pay.least, re.search(r"\b(?:under|below|less than|at most)\b", text) is not None
        tests.append(lambda d: _pays(d, least, under=under))
        words.append(
            f"that pay {'less' if under else 'at least'} {least:,}" if under else f"that pay {least:,} or more"
        )
    tier = find_word(
        {name: names for name, names in TIER_WORDS.items()}, re.sub(r"\btarget (?:titles?|locations?)\b", "", text)
    )
    if tier:
        chosen = tier[0]
        tests.append(lambda d: d.get("tier") == chosen)
        words.append(f"in tier **{chosen}**")
    mode = find_word(MODE_WORDS, text)
    if mode:
        wanted = mode[0]
        tests.append(lambda d: d.get("work_mode") == wanted)
        words.append(f"that are {wanted}")
    if re.search(r"\b(?:without|no|missing|lack\w*) (?:an? |any )?deadlines?\b", text):
        tests.append(lambda d: not d.get("deadline"))
        words.append("without a deadline")
    elif re.search(r"\bdeadlines?\b", text):
        tests.append(lambda d: bool(d.get("deadline")))
        words.append("with a deadline")
    _by_name(text, documents, desk, tests, words)
    return tests, words


def _applied_since(text: str, today: date) -> tuple[date, date, str] | None:
    """First and last day of "did I apply in the last two weeks", with the words for the answer."""
    if not re.search(r"\b(?:appl(?:y|ied)|sent|submitted)\b", text):
        return None
    span = re.search(rf"\b(?:last|past|previous)(?: (?P<n>{NUMBER}))? (?P<u>days?|weeks?|months?)\b", text)
    if span:
        days = (read_number(span["n"]) if span["n"] else 1) or 1
        days *= {"d": 1, "w": 7, "m": 30}[span["u"][0]]
        return today - timedelta(days=days), today, f"sent in the last {days} days"
    if re.search(r"\bthis week\b", text):
        return today - timedelta(days=today.weekday()), today, "sent this week"
    if re.search(r"\bthis month\b", text):
        return today.replace(day=1), today, "sent this month"
    found = find_date(text, today)
    if found is None:
        return None
    on = found.on
    while on > today:
        on -= timedelta(days=7 if (on - today).days <= 7 else 365)
    if re.search(r"\b(?:since|after|from)(?: the| last)? *$", text[: found.start]):
        return on, today, f"sent since {say_date(on)}"
    return on, on, f"sent on {say_date(on)}"


def _pays(document: Document, least: int, *, under: bool) -> bool:
    low, high = document.get("salary_min"), document.get("salary_max")
    known = [amount for amount in (low, high) if isinstance(amount, int)]
    return bool(known) and (min(known) < least if under else max(known) >= least)


def _by_name(text: str, documents: list[Document], desk: Desk, tests: list[_Test], words: list[str]) -> None:
    place = re.search(
        r"\b(?:in|near|around|at|from|with|for) (?P<p>[a-z][\w .'-]{2,40}?)(?:[?.!]|$| (?:please|now|on|currently|right|these|have|that|which|are|is|do|did|and|still|yet)\b)",
        text,
    )
    if place is None:
        cities = {str(d.get("location") or "").split(",")[0].casefold().strip() for d in documents}
        city = next((c for c in sorted(cities) if len(c) > 3 and re.search(rf"\b{re.escape(fold(c))}\b", text)), None)
        if city is not None and not city.startswith("remote"):
            there = {d.id for d in documents if str(d.get("location") or "").casefold().startswith(city)}
            tests.append(lambda d: d.id in there)
            words.append(f"in {plain(city.title(), 60)}")
        return
    name = re.sub(r"^(?:the|my) ", "", place["p"]).strip()
    located = [
        d for d in documents if set(tokens(name)) and set(tokens(name)) <= set(tokens(str(d.get("location") or "")))
    ]
    if located:
        ids = {d.id for d in located}
        tests.append(lambda d: d.id in ids)
        words.append(f"in {plain(located[0].get('location'), 60) if len(located) == 1 else plain(name.title(), 60)}")
        return
    found = find(name, desk.workspace.named(documents))
    if found and found.sure and not _stages(place["p"]):
        chosen = set(found.ids)
        tests.append(lambda d: d.id in chosen)
        words.append(f"that fit “{plain(name, 60)}”")


_RULES = (
    (r"(?:not|n't|never|no) (?:yet )?(?:hear|heard|answer|repl|respon)\w*|(?:haven't|hasn't|didn't|not)(?: (?:i|they|anyone))?(?: (?:yet|ever))? (?:hear|heard|got|get|repl\w+|answer\w*|respond\w*)|no (?:answer|reply|response)|waiting (?:for|to hear)|ghosted|haven't heard|still waiting|am i waiting", ("applied",)),
    (r"reject\w*|(?<!i )turn(?:ed)? (?:me |us )?down|(?<!i )declin\w*|(?<!i )refus\w*|said no|(?:did|have) i lost", ("rejected",)),
    (r"accept\w*|hired|signed", ("accepted",)),
    (r"offer\w*", ("offer",)),
    (r"withdr\w+|i (?:turn(?:ed)? down|declined?|refused?)|pulled out|dropped out|gave up on", ("withdrawn",)),
    (r"interview\w*|invit\w+", ("interviewing",)),
    (r"screen\w*", ("screening",)),
    (r"prepar\w+|drafting|working on", ("preparing",)),
    (r"(?:have|did|had|do) i (?:already |so far |actually )*appl\w+|i(?:'ve| have)? (?:already )?applied|applied|sent (?:out|off)?|submitted", ("applied",)),
    (r"(?<!have )(?:saved|bookmarked|wish ?list(?:ed)?|backlog|shortlist(?:ed)?|(?:not|n't|yet to) (?:yet )?appl\w+(?: (?:to|for))?(?: yet)?)", ("saved",)),
)  # fmt: skip


def _stages(text: str) -> tuple[str, ...]:
    """The stages that the words name; what was "applied to and not heard back from" is in applied."""
    if re.search(r"\b(?:haven't|have not|not yet|yet to|didn't|did not)(?: i)? (?:yet )?(?:appl\w+|sent)", text):
        return ("saved", "preparing")
    found: list[str] = []
    for rule, stages in _RULES:
        if re.search(rf"\b(?:{rule})\b", text):
            found.extend(stage for stage in stages if stage not in found)
            if stages == ("applied",) and len(found) == 1 and "appl" in text:
                break
    return tuple(sorted(found, key=STAGES.index))


INTENT = Intent(
    name="list_applications",
    kind="read",
    patterns=PATTERNS,
    examples=("Show me all my applications", "Which applications are in interviewing?", "list my dream jobs"),
    suggestion="list your applications (“show all my applications”)",
    respond=respond,
)
