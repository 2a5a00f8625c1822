"""A new application is added, or one is reported that is not here yet ("I applied to X as a Y today")."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from assistant.host.connectors.builtin.changes import create, move_stage, set_field
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.names import find
from assistant.host.connectors.builtin.outcome import AlreadySo, AskBack, Change
from assistant.host.connectors.builtin.role_words import read_role, widened_date
from assistant.host.connectors.builtin.say import value
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.workspace import Document

from .base import Intent, Request, pattern

_NEW = r"(?:add|create|track|tracking|save|saving|start|open|make|new|record|register|log|bookmark|store|put in|enter|set up|follow|keep track of|keep|insert|start tracking|monitor|note)"
_NOUN = r"(?:job application|application|job|role|position|vacancy|opportunity|opening|job ad|job posting|posting|job offer|card|entry)"
_ROLE = r"(?P<role>.+?)"
_I = r"(?:i|we)(?:'ve| have)?(?: (?:just|finally|already|also|now))*"

PATTERNS = (
    pattern(rf"keep an eye on (?:the |an? )(?P<role>[^\n]{{2,80}}? {_NOUN} (?:at|with) [^\n]{{2,80}}?)", 3, note="new"),
    pattern(rf"(?:i'm|i am) interested in (?:the |an? )(?P<role>[^\n]{{2,80}}? {_NOUN} (?:at|with) [^\n]{{2,80}}?)", 2, asserts=True, note="new"),
    pattern(rf"(?:put|stick|place) (?:an? |the |this )?(?P<role>[^\n]{{2,80}}? {_NOUN} (?:at|with) [^\n]{{2,80}}?) (?:on|in|onto) (?:my |the )(?:board|list|tracker|pipeline)", 3, note="new"),
    pattern(rf"note down (?:an? |the |this )?(?:new )?{_NOUN} ?: ?{_ROLE}", 4, note="new"),
    pattern(r"(?:save|add|track|bookmark|store|keep|remember)(?: (?:this|the|that))?(?: (?:link|url|job|ad|posting|page))?:? (?P<role>https?://[^\s]+)", 2, note="new"),
    pattern(rf"{_NEW}(?: (?:this|the|that|a|an|my|new|another|following|job|for))* {_NOUN}(?! (?:search|hunt|plan|strategy)\b)(?: i (?:saw|found|like|want))?(?: (?:for|as|called|named|of|titled))?(?: (?:an?|the)(?= ))? ?[:-]? ?{_ROLE}", 3, note="new"),
    pattern(rf"new {_NOUN} ?:? ?{_ROLE}", 3, note="new"),
    pattern(r"(?:save|add|track|bookmark|store|keep|follow)(?: (?:this|the|that|a|new|one|link|url|job|ad|posting|page|role))*:? (?P<role>https?://[^\s]+,? (?!(?:to|for|on|as|under|in|at)\b)[^\n]{3,200})", 3, note="new"),
    pattern(rf"(?:{_NEW}|put|stick) (?:an? |another |this |the |one )*(?:new )?{_NOUN} (?:on|to|in|onto|into) (?:my |the )?(?:board|list|tracker|pipeline|kanban|applications)(?: ?:| -|,| for| as) ?{_ROLE}", 3, note="new"),
    pattern(rf"(?:add|create|save|track|record|log|register|bookmark|enter|insert|include) (?:an? |the |this |another |that )?(?P<role>(?![^\n]*\b(?:contact|recruiter|note|task|interview|checklist)\b)[^\n:]{{2,80}}? {_NOUN} (?:at|@|with|from) [^\n]+?)", 2, note="new"),
    pattern(r"(?:i (?:want|plan|intend|hope|am going|'m going|would like|'d like) to )?apply(?: for a job)? (?:to|at|with) (?P<company>[^\n]{1,80}?) (?:as|for)(?: an?| the)? (?P<title>[^\n]{2,100}?)(?:,|\.| -|:)? (?:so |and |please )*(?:add|save|track|note) (?:it|that|this)(?: (?:to|on) (?:my |the )?(?:board|list))?", 3, note="wish"),
    pattern(rf"(?:there(?:'s| is)|{_I} (?:found|saw|spotted|noticed|discovered))(?: (?:an?|this|new|open|dream|interesting|great|nice|good|cool))* (?:{_NOUN}(?= (?:at|with) ))?(?P<role>(?! ?{_NOUN} (?:at|with))[^\n]{{0,160}}?(?:at|@|with) [^\n]{{2,120}}?)(?:,|\.| -)? (?:and |so |please |can you )*(?:add|save|track|bookmark|store|keep)(?: (?:it|this|that|one))+(?: (?:to|on|in) (?:my |the )?(?:board|list|tracker|pipeline|applications))?", 3, note="new"),
    pattern(rf"(?:{_I} )?(?:applied|sent (?:an|my) application) (?P<when>today|yesterday|this morning|this afternoon|last (?:night|week|[a-z]+day)|on [^\n]{{3,25}}?)(?: (?:to|at|with))+ (?P<company>[^\n]{{1,80}}?),? (?:as|for)(?: (?:an?|the|their))*(?: {_NOUN}(?: of| as)?)? (?P<title>[^\n]{{2,100}}?)(?: {_NOUN})?", 3, asserts=True, note="applied"),
    pattern(rf"(?P<when>today|yesterday|this morning|this afternoon|last (?:night|week|[a-z]+day)|on [^\n,]{{3,25}}?),? {_I} (?:applied|sent (?:an|my) application)(?: (?:to|at|with))+ (?P<company>[^\n]{{1,80}}?),? (?:as|for)(?: (?:an?|the|their))*(?: {_NOUN}(?: of| as)?)? (?P<title>[^\n]{{2,100}}?)(?: {_NOUN})?", 3, asserts=True, note="applied"),
    pattern(rf"{_NEW} (?:an? |the |this )?(?P<role>[^\n]{{2,120}}? (?:{_NOUN} )?(?:at|@|with) [^\n]+?)(?: (?:to|on|in|as) (?:my |the |a )?(?:board|list|pipeline|tracker|applications|workspace|saved jobs|saved|new application|application))", 3, note="new"),
    pattern(r"(?:track|bookmark|save|follow|keep track of|log) (?:an? |the )?(?P<role>[^\n]{2,120}? (?:at|@) [^\n]+?)", 2, note="new"),
    pattern(rf"{_I} (?:found|saw|spotted|discovered|came across|noticed|seen) (?:an? |the |this |new |interesting |nice |great )*(?:{_NOUN})?(?: (?:as|for|:))?(?: an?)? ?[:,]? ?(?P<role>[^\n]{{2,120}}? (?:{_NOUN} )?(?:at|@|with) [^\n]+?)", 2, note="new"),
    pattern(rf"(?:{_I} )?(?:applied|sent (?:an|my) application|submitted (?:an|my) application)(?: (?:to|at|with))+ (?P<company>[^\n]{{1,80}}?),? (?:as|for)(?: (?:an?|the|their))*(?: {_NOUN}(?: of| as)?)? (?P<title>[^\n]{{2,100}}?)(?: (?:{_NOUN}))?(?P<when>(?:,? (?:today|yesterday|on .{{3,25}}|last .{{3,12}}|this (?:morning|afternoon|week)|(?:a|two|three|[0-9]+) (?:days?|weeks?) ago|earlier))*)", 3, asserts=True, note="applied"),
    pattern(rf"(?:{_I} )?(?:applied|sent (?:an|my) application|submitted (?:an|my) application) (?:for|as)(?: (?:an?|the|their))*(?: {_NOUN} (?:of|as)(?: an?)?)? (?P<title>[^\n]{{2,100}}?)(?: (?:{_NOUN}))? (?:at|with|@|to|in) (?P<company>[^\n]{{1,80}}?)(?P<when>(?:,? (?:today|yesterday|on .{{3,25}}|last .{{3,12}}|this (?:morning|afternoon|week)|(?:a|two|three|[0-9]+) (?:days?|weeks?) ago|earlier))*)", 3, asserts=True, note="applied"),
    pattern(rf"{_NEW} (?:an? |the |my )?(?:new )?{_NOUN}", 1, note="empty"),
)  # fmt: skip


def plan(request: Request) -> Change:
    guess = request.guess
    if guess.note == "applied":
        return _applied(request)
    if guess.note == "wish":
        title = read_role(guess.slots["title"], request.today).get("title")
        return _create(request, {"title": title, "company": guess.words("company").strip(" ,.")})
    role = guess.slot("role")
    if role is None:
        raise AskBack(
            "Which job is it? Please give me title and company, for instance “add an application: Backend Engineer at Thistledown”."
        )
    fields = read_role(_bare(role), request.today)
    return _create(request, fields)


def _bare(role: Sentence) -> Sentence:
    lead = re.match(r"(?:(?:for|as|of|is|called|titled|an?|the|:|-) )+(?=\S)", role.folded)
    if lead and not re.match(r"(?:at|with) ", role.folded):
        return role.part(lead.end(), len(role.folded))
    return role


def _applied(request: Request) -> Change:
    guess = request.guess
    company, day = guess.slots["company"], request.today
    when = guess.slot("when")
    if when is not None:
        _, said = widened_date(when, request.today)
        day = said if said and said <= request.today else request.today
    existing = _existing(request, guess.words("company"), guess.words("title"))
    if existing is not None:
        return _already(request, existing, day.isoformat())
    fields = read_role(company, request.today)
    name = fields.get("company") or fields.get("title") or guess.words("company")
    fields = {k: v for k, v in fields.items() if k not in ("company", "title")}
    title = guess.slots["title"]
    cut, said = widened_date(title, request.today)
    if said is not None:
        title, day = cut, min(said, request.today)
    parts = read_role(title, request.today)
    fields = {**{k: v for k, v in parts.items() if k not in ("company", "title")}, **fields}
    return _create(
        request,
        {
            "title": parts.get("title") or title.words,
            "company": name,
            **fields,
            "stage": "applied",
            "applied_on": day.isoformat(),
        },
    )


def _existing(request: Request, company: str, title: str) -> Document | None:
    """The application that is here already under this company and title."""
    both = find(f"{title} {company}", request.workspace.named(request.workspace.applications))
    if both and both.sure and len(both.ids) == 1:
        return request.workspace.documents[both.ids[0]]
    return None


def _already(request: Request, document: Document, day: str) -> Change:
    if document.get("stage") == "applied":
        raise AlreadySo(f"{document.link} is in **applied** already, so there is nothing to change.", (document.id,))
    operations = [move_stage(document, "applied")]
    lines = [f"Moved {document.link} from {document.get('stage')} to **applied**."]
    if not document.get("applied_on"):
        operations.append(set_field(document, "applied_on", day))
        lines.append(f"Set its applied on date to {value(day, request.zone)}.")
    return Change(
        tuple(operations), tuple(lines), f"Move {document.get('company')} to applied", document.id, (document.id,)
    )


def _create(request: Request, fields: dict[str, object]) -> Change:
    title, company = str(fields.get("title") or ""), str(fields.get("company") or "")
    if title and not company and "url" in fields:
        raise AskBack("Which company is it at? I store the address, but I do not open it.")
    if not title and not company:
        raise AskBack("Which job is it? Please give me title and company; I store an address, but I do not open it.")
    if not company:
        raise AskBack(
            f"At which company is “{plain(title, 80)}”? For instance “add an application: {plain(title, 60)} at COMPANY”."
        )
    if not title:
        raise AskBack(f"What is the title of the job at {plain(company, 80)}?")
    same = [
        document
        for document in request.workspace.applications
        if str(document.get("title") or "").casefold() == title.casefold()
        and str(document.get("company") or "").casefold() == company.casefold()
    ]
    if same:
        raise AskBack(
            f"{same[0].link} is in your workspace already. Should I change that one? I have not added a second.",
            (same[0].id,),
        )
    order = (
        "title",
        "company",
        "location",
        "url",
        "stage",
        "tier",
        "deadline",
        "applied_on",
        "work_mode",
        "salary_min",
        "salary_max",
        "salary_currency",
        "salary_period",
    )
    chosen = {name: fields[name] for name in order if fields.get(name) is not None}
    details = [
        f"{name.replace('_', ' ')} {value(chosen[name], request.zone)}"
        for name in chosen
        if name not in ("title", "company")
    ]
    return Change(
        operations=(create("application", "application", chosen),),
        lines=("Added {new:application}" + (f": {'; '.join(details)}." if details else " in **saved**."),),
        reason=f"Add {title} at {company}",
        subject=None,
        created={"application": plain(f"{company} – {title}", 160)},
    )


INTENT = Intent(
    name="create_application",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "Add an application: Backend Engineer at Thistledown",
        "I applied to Fenwick Solar as a Grid Engineer today",
    ),
    suggestion="add an application (“add an application: TITLE at COMPANY”)",
    needs=("application",),
    plan=plan,
)
