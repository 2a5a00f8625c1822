"""A search in the public job ads. Only the person's own words and bounded filters go out; never a document's text."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant.host.connectors.builtin import search_words
from assistant.host.connectors.builtin.markdown import link, plain
from assistant.host.connectors.builtin.outcome import Answer, AskBack, Refused
from assistant.host.connectors.builtin.say import salary, value
from assistant.host.connectors.builtin.targets import application
from assistant.host.connectors.builtin.vocabulary import EMPLOYMENT, MODE
from assistant.host.connectors.builtin.workspace import Document

from .base import DET, Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_SEEK = r"(?:find|search(?: (?:for|the (?:job ads|job market|corpus|jobs|market|web)(?: for)?|out|jobs?(?: for)?))?|look(?:ing)?(?: (?:around|out))? for|look up|hunt(?:ing)? for|browse|seek|seeking|scan for|discover|i'm looking for|i am looking for|i'm searching for|i am searching for|query|job search(?: for)?|searching for|run a (?:job )?search for|do a (?:job )?search for|start a (?:job )?search for|check for)"
_OFFER = r"(?:show|list|get|give|suggest|recommend|display|pull up|fetch|bring)(?: me| us)?|what|which|i want|i need|i'd like|got|have you got|do you have|see"
_EXIST = r"(?:are there(?: any| some| many)?|is there(?: an?| any)?|any|anything|do you know(?: of)?(?: any)?|do you (?:have|see|find)(?: any)?|how many)"
_JOBS = r"(?:jobs|roles|positions|openings|vacancies|gigs|opportunities|job offers|job ads|job postings|postings|job openings|internships|apprenticeships|ads|traineeships|placements|employers|listings|contracts)"
_JOB = r"(?:job|role|position|opening|vacancy|work|gig|opportunity|internship|apprenticeship|traineeship|placement|employment|posting|contract)"
_LIKE = r"(?:like|similar to|comparable to|such as|resembling|in the style of|along the lines of|close to|related to|matching)"
_MORE = (
    r"(?:(?:some|any|more|other|further|new|similar|comparable|additional|alternative|out|for|the|all|a few|me|few) )*"
)

PATTERNS = (
    pattern(r"what(?:'s|s| is) (?:out there|going|around|available|on the market)(?P<words> (?:for|in) (?!(?:my|me|us|the|this|that|today|tomorrow)\b)[^\n]+)", 3),
    pattern(rf"(?:(?:{_SEEK}|{_OFFER}|{_EXIST}) )?(?:me )?{_MORE}(?:[^\n]{{0,40}}? )?(?:{_JOBS}|{_JOB}|ones?|something|anything|stuff) (?:that (?:are|is) )?{_LIKE} {DET}(?P<like>[^\n]{{1,80}}?)", 3),
    pattern(rf"(?:{_SEEK} )?(?:more|other|similar|others) {_LIKE} {DET}(?P<like>[^\n]{{1,80}}?)", 2),
    pattern(rf"(?:(?:{_SEEK}|{_OFFER}|{_EXIST}) )?(?:me )?{_MORE}(?:similar|comparable|related|other|alternative) (?:{_JOBS}|{_JOB}|ones?|things?) (?:to|as|like|than) {DET}(?P<like>[^\n]{{1,80}}?)", 3),
    pattern(r"(?:is there|are there|do you have|have you got|got|do you know(?: of)?|can you find)(?: me)? (?:anything|something|any work|work|anyone hiring)(?: (?:new|good|going|interesting|suitable|out there|available|at all|around))*(?P<words> (?:for|as|with) (?!(?:my|me|us|the|this|that|today|tomorrow|tonight|it)\b)[^\n]+)", 2),
    pattern(rf"(?P<words>(?:{EMPLOYMENT}|{MODE})(?: [^\n]{{1,80}})? (?:work|jobs?|roles?|positions?|gigs?|vacancies|openings)\b[^\n]*)", 1),
    pattern(rf"(?P<words>[^\n]{{1,60}} (?:{EMPLOYMENT}|{MODE}) (?:work|jobs?|roles?|positions?|gigs?)\b[^\n]*)", 1),
    pattern(r"(?P<words>(?:[^\n]{1,60} )?(?:apprenticeships|internships|traineeships|placements|gigs|vacancies|openings)\b[^\n]*)", 1),
    pattern(
        rf"(?:i need|i want|i'd like|i would like|i'm after|i am after|need|want|get me|find me) (?:an? |some |any )(?P<words>(?![^\n]*\b(?:note|task|reminder|interview|application)\b)[^\n]*\b(?:{_JOBS}|{_JOB})\b[^\n]*)",
        3,
    ),
    pattern(rf"{_SEEK}:? (?P<words>[^\n]*\b(?:{_JOBS}|{_JOB})\b[^\n]*)", 3),
    pattern(rf"{_EXIST} (?P<words>(?![^\n]*\b(?:my|i)\b)[^\n]*\b(?:{_JOBS}|{_JOB})\b[^\n]*)", 3),
    pattern(rf"(?:{_OFFER})(?P<words>(?![^\n]*\b(?:my|i|applications?)\b) [^\n]*\b{_JOBS}\b[^\n]*)", 2),
    pattern(rf"(?:{_OFFER})(?P<words> [^\n]*\b(?:jobs|roles|positions|openings|vacancies)\b[^\n]*\b(?:are there|available|out there|near me|around here|on the market|advertised|posted|open|going)\b[^\n]*)", 3),
    pattern(r"(?:who(?:'s|s| is| are)? (?:currently |now )?(?:hiring|hires?|recruiting|looking for|seeking)|is (?:anyone|anybody|someone) (?:hiring|looking for|recruiting)|which companies (?:are hiring|hire|are looking for|seek)|companies (?:hiring|that hire))(?P<words> [^\n]*)", 3),
    pattern(rf"{_SEEK}:? (?P<words>(?!(?:my|the note|the letter|it|this|that)\b)[^\n]+)", 2),
    pattern(r"(?P<words>[^\n]{0,80}?\b(?:jobs|roles|positions|vacancies|openings|internships)\b(?: (?:in|near|around|as|involving|at|with|paying|posted|since|from|for|that|over|above|published|within|remote)\b[^\n]*|, [^\n]*)?)", 1),
    pattern(r"(?P<words>(?:remote|part-time|full-time|freelance)[^\n]{1,80}\b(?:work|job|role|position)\b[^\n]*)", 1),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    guess = request.guess
    like: Document | None = None
    if guess.slot("like") is not None:
        await desk.load(("application",))
        like = application(request, guess.slots["like"])
        arguments: dict[str, Any] = {"query": search_words.public_title(str(like.get("title") or ""))}
        if not arguments["query"]:
            raise AskBack(f"{like.link} has no title that I could search for. Which job should I look for?", (like.id,))
        extra = search_words.read_search(
            guess.clause.folded[: guess.clause.folded.find(guess.plain("like"))], guess.clause
        )
        arguments |= {name: content for name, content in extra.items() if name != "query" and content is not None}
    else:
        words = guess.slots.get("words", guess.clause)
        arguments = search_words.read_search(words.folded, words, request.today)
    if not arguments.get("query"):
        fallback = search_words.fallback_query(guess.clause.folded, arguments)
        if not fallback:
            raise AskBack("What kind of job should I search for? For instance “find Python jobs in Bristol”.")
        arguments["query"] = fallback
    arguments.setdefault("limit", 10)
    try:
        result = await desk.search(arguments)
    except Refused as refusal:
        return _refused(refusal)
    return _answer(result, arguments, like)


def _refused(refusal: Refused) -> Answer:
    if refusal.code == "private_query":
        return Answer(
            "I did not search: the words look private (a name, an address, a phone number or an id), and a search goes to public job ads. Try a job title and a place, for instance “find Python jobs in Bristol”."
        )
    if refusal.code in ("jobcache_unavailable", "credentials_misconfigured"):
        return Answer("The job search is not available at the moment; your workspace is not affected. Try again later.")
    raise refusal


def _answer(result: Any, arguments: dict[str, Any], like: Document | None) -> Answer:
    roles = [role for role in result.get("roles") or [] if isinstance(role, dict)]
    said = _said(arguments) + (f" (from the title of {like.link})" if like else "")
    if not roles:
        return Answer(
            f"I found no job ads for {said}. Fewer filters or other words may help.", (like.id,) if like else ()
        )
    lines = [f"{place}. {_role(role)}" for place, role in enumerate(roles, start=1)]
    total = result.get("total")
    shown = f"{len(roles)} of {total}" if isinstance(total, int) and total > len(roles) else f"{len(roles)}"
    text = f"Job ads for {said}, {shown}:\n\n" + "\n".join(lines)
    if result.get("truncated") or result.get("next_cursor"):
        text += "\n\nThere are more than are shown here (truncated)."
    text += "\n\nTo keep one, say “add an application: TITLE at COMPANY”."
    return Answer(
        text, tuple(str(role.get("role")) for role in roles if role.get("role")) + ((like.id,) if like else ())
    )


def _role(role: dict[str, Any]) -> str:
    name = " – ".join(str(role[part]) for part in ("company", "title") if role.get(part)) or "Untitled ad"
    details = [plain(role[part], 120) for part in ("location", "work_mode") if role.get(part)]
    if role.get("employment_type"):
        kind = str(role["employment_type"])
        details.append({"full": "full-time", "part": "part-time"}.get(kind, plain(kind, 40)))
    pay = role.get("salary")
    if isinstance(pay, str) and pay:
        details.append(plain(pay, 80))
    elif isinstance(pay, dict):
        details.extend(_pay(pay))
    if role.get("posted_on"):
        details.append(f"posted {value(role['posted_on'])}")
    state = role.get("freshness", {}).get("state") if isinstance(role.get("freshness"), dict) else None
    if state in ("stale", "expired"):
        details.append(f"{state}: it may be gone")
    return link(name, str(role.get("role") or "")) + (f": {', '.join(details)}" if details else "")


def _pay(pay: dict[str, Any]) -> list[str]:
    fields = {
        "salary_min": pay.get("min", pay.get("salary_min")),
        "salary_max": pay.get("max", pay.get("salary_max")),
        "salary_currency": pay.get("currency"),
        "salary_period": pay.get("period"),
    }
    said = salary(fields)
    return [said] if said else []


def _said(arguments: dict[str, Any]) -> str:
    parts = [f"“{plain(arguments['query'], 120)}”"]
    if arguments.get("location"):
        parts.append(f"in {plain(arguments['location'], 80)}")
    if arguments.get("country"):
        parts.append(f"in {arguments['country']}")
    if arguments.get("work_mode"):
        parts.append(str(arguments["work_mode"]))
    if arguments.get("employment_type"):
        parts.append(
            {"full": "full-time", "part": "part-time"}.get(
                arguments["employment_type"], str(arguments["employment_type"])
            )
        )
    if arguments.get("salary_min"):
        parts.append(f"from {arguments['salary_min']:,} {arguments.get('currency') or ''}".strip())
    if arguments.get("posted_within_days"):
        parts.append(
            f"posted within {arguments['posted_within_days']} day{'s' if arguments['posted_within_days'] != 1 else ''}"
        )
    return ", ".join(parts)


INTENT = Intent(
    name="search_jobs",
    kind="read",
    patterns=PATTERNS,
    examples=("Find Python jobs in Bristol", "search for remote data engineer roles", "more jobs like the Kestrel one"),
    suggestion="search public job ads (“find Python jobs in Bristol”)",
    respond=respond,
)
