"""One document, shown; or one of its fields, asked for by name. Its texts are quoted as the document's own words."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.host.connectors.builtin import showing
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.names import Found, find
from assistant.host.connectors.builtin.outcome import Answer, CannotDo
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.targets import (
    application,
    current,
    is_pronoun,
    known_company,
    look_for_written,
    settle,
)
from assistant.host.connectors.builtin.vocabulary import FIELD, read_field
from assistant.host.connectors.builtin.workspace import Document

from .base import DET, TARGET, Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_SHOW = r"(?:(?:show|open|display|view|see|read|get|pull up|bring up|look at|take me to|go to|give|present|print|let's see|check|have a look at|take a look at|describe|recite|find|review|fetch|summari[sz]e|look up|load|bring|jump to|switch to|reveal)(?: me| us| out| to me| up| over| through)*(?: back)?)"
_CV = r"(?:cv|resume|curriculum vitae|curriculum|profile|vita|c\.v\.|personal profile|personal data|skills?|languages?|work experience|experience|education|summary|certificates|contact data)"
_PLAN = r"(?:plan|strategy|tasks?|task list|to-?do(?: ?list)?s?|to do list|goals?|career plan|search plan|job search plan|job search strategy|saved searches|game plan|open tasks)"
_ABOUT = r"(?:about|on|for|to|of|from|titled|called|named|with|regarding|at|in|concerning)"
_OBJECT = r"(?:job application|application|job|role|position|card|details?|entry|info(?:rmation)?|data|record|opportunity|file|contacts?|checklist|interviews?|posting|status|offer)"
_NOTE = r"(?P<kind>notes?|memos?)"
_LETTER = r"(?P<kind>(?:(?:cover|covering|motivation|application|german|english|french|draft|final|finished|written|first|second|other|old|latest|new) )*letters?)"
_STATUS = r"(?:how far (?:along )?(?:am i|are we|is it) (?:with|at|in|for) |how(?:'s|s| is| are| did| was) |what(?:'s|s| is) (?:the )?(?:status|state|stage|situation|story|latest|news|progress|deal|up)(?: of| with| on| at| for| about| regarding)? |where (?:am i|are we|do i stand|do we stand|are things|is) (?:with|at|on|in the process with|in the process at)? ?|any (?:news|updates?|progress|word) (?:on|from|about|with|of|regarding) |what(?:'s|s| is) (?:happening|going on|new) (?:with|at) |which stage is |what stage is |in which stage is )"

PATTERNS = (
    pattern(rf"what(?:'s|s| is)(?: (?:the|my))* {_OBJECT} (?:at|for|to|with|of) {DET}{TARGET} (?:like|about)", 3),
    pattern(rf"(?:{_SHOW} )(?:(?:the|my|our|all|whole|full|entire|current|of) )*(?P<single>{_CV}|{_PLAN})(?: (?:please|document|page|again|section|details))?", 3),
    pattern(r"(?:(?:my|the) )?(?P<single>cv|resume|profile|plan|strategy|tasks|to-?do list|to do list|skills|languages|work experience|education|certificates|saved searches)", 2),
    pattern(rf"what(?:'s|s| is| are| does)?(?: (?:in|on|my|the|currently))* (?P<single>{_CV}|{_PLAN})(?: (?:say|look like|contain|again|include|like))*", 3),
    pattern(r"(?:what|which) (?P<single>tasks?|skills|languages|to-?dos?|saved searches) (?:do i have|have i|are (?:there|open|left|on my (?:list|plan))|did i|have i got|do i speak|are in my (?:cv|profile|plan)|am i|i have)\b.*", 3),
    pattern(r"(?:what do i need to do|what have i to do|what's left to do|what tasks are left)(?P<single>)", 1, note="tasks"),
    pattern(r"what(?:'s|s| is) (?:my )(?P<own>name|phone(?: number)?|e-?mail(?: address)?|city|address|website|headline|weekly goal|goal|target (?:titles?|locations?|salary)|minimum salary|salary expectations?|strategy|work mode|availability|summary|country|postcode)", 3),
    pattern(rf"{_SHOW} (?:(?:the|my|all|those|of|any|other|second|first|latest|last|newest|2nd|1st|pinned) )*{_NOTE} (?:i (?:have|wrote|made|took) )?(?:{_ABOUT} )?{DET}(?!{_ABOUT}\b){TARGET}", 3),
    pattern(rf"{_SHOW} (?:(?:the|my|all|of) )*{_LETTER} (?:i (?:have|wrote) )?(?:{_ABOUT} )?{DET}(?!{_ABOUT}\b){TARGET}", 3),
    pattern(rf"{_SHOW} (?:(?:the|my|a|all|of) )*{TARGET}(?:'s?)? {_NOTE}(?: again)?", 3),
    pattern(rf"{_SHOW} (?:(?:the|my|a|all|of) )*{TARGET}(?:'s?)? {_LETTER}(?: again)?", 3),
    pattern(rf"(?:(?:{_SHOW}|what are|which are|do i have any|are there any|how many|what|which) )(?:(?:all|the|my|of|me|any) )*{_NOTE}(?: do i have| are there| have i| i have| there)?", 3, note="list"),
    pattern(rf"(?:(?:{_SHOW}|what are|which are|do i have any|are there any|how many|what|which) )(?:(?:all|the|my|of|me|any) )*{_LETTER}(?: do i have| are there| have i| i have| written)*", 3, note="list"),
    pattern(r"(?:my |all (?:my )?|the )(?P<kind>notes|letters)", 2, note="list"),
    pattern(rf"(?:my |the )?(?P<kind>notes?|(?:cover )?letters?) (?:about|on|for|to|from) {DET}{TARGET}", 1),
    pattern(rf"what(?:'s|s| is| have i| did i)?(?: (?:written|noted|stated|said|put|write|there))+(?: down)? (?:in|on) (?:the |my )?{TARGET} {_NOTE}", 3),
    pattern(rf"what(?:'s|s| is)? (?:written|noted|stated|said|there) (?:in|on) (?:the |my )?(?:{TARGET} )?{_LETTER}(?: (?:to|for) {DET}(?P<other>[^\n]{{1,60}}?))?", 3),
    pattern(rf"(?:give|show|get|tell|open|pull up|read)(?: me)? (?:everything|all|all there is|what(?:ever)? (?:we|you|i) (?:have|know)|all (?:the )?(?:details|info|information|data)|the (?:details|info|facts))(?: (?:that )?(?:you|we|i) (?:have|know))? (?:on|about|for|from|regarding) {DET}{TARGET}", 3),
    pattern(rf"what(?:'s|s| is| does| do| did)?(?: (?:in|it|there))* (?:the |my |this |that )?{_NOTE} (?:(?:{_ABOUT} )?{DET}{TARGET} )?(?:say|says|about|read|contain|contains|hold)?", 2),
    pattern(rf"what(?:'s|s| is| does)(?: in| inside)? (?:the |my )?{_NOTE} (?:(?:called|titled|named|about|on|for) )?{TARGET}(?: (?:say|says|contain|contains))?", 3),
    pattern(rf"what(?:'s|s| is| does) (?:in |inside )?(?:the |my |this |that )(?:{TARGET} )?{_NOTE}(?: (?:say|says|contain|read|about))?", 3),
    pattern(rf"what(?:'s|s| is| does) (?:in |inside )?(?:the |my |this |that )(?:{TARGET} )?{_LETTER}(?: (?:say|says|contain|read|to {DET}(?P<other>[^\n]{{1,60}}?)))*", 3),
    pattern(rf"what (?:did|have|do) i (?:write|written|say|said|put|tell them|have)(?: down)? (?:in|on|to) (?:the |my )?(?:{TARGET} )?{_LETTER}(?: (?:to|for) {DET}(?P<other>[^\n]{{1,60}}?))?", 3),
    pattern(rf"what (?:did|have|do) i (?:write|written|say|said|put|have|noted?)(?: down)? (?:in|on) (?:the |my )?{TARGET} {_NOTE}", 3),
    pattern(rf"what (?:did|have|do) i (?:write|written|note|noted|put down|jot(?:ted)? down|have)(?: down)? (?:about|on|for|regarding) {DET}{TARGET}", 2, note="wrote"),
    pattern(rf"{_SHOW} (?:(?:the|my|all|full|me|whole|of) )*{_OBJECT} (?:i (?:have|sent) )?(?:at|for|to|with|of|on|about|from) {DET}{TARGET}", 3),
    pattern(rf"{_SHOW} (?:(?:the|my|all|full) )*{TARGET}(?:'s?)? {_OBJECT}", 2),
    pattern(rf"what does (?:(?:the|my) )?(?:{_OBJECT} (?:at|for|to|with|of) )?{DET}{TARGET} (?:look like|say|contain|involve|include)", 3),
    pattern(rf"(?:tell me|what do (?:you|i|we) (?:know|have)|give me (?:the )?(?:details|info|information|facts)|details|info|information|more)(?: everything| all| more| something)?(?: (?:about|on|of|for))+ {DET}{TARGET}", 2),
    pattern(rf"{_STATUS}(?:the |my )?(?:{_OBJECT} (?:at|for|to|with|of) )?{DET}{TARGET}(?: (?:application|job|going|doing|at|in|now|coming along|looking|progressing|process|look(?:ing)? like|these days))*", 2),
    pattern(rf"(?:what|how much|when|who|which|where)(?:'s|s| is| are| was| did| does| do| will| am)?(?: (?:the|my|i|its|we))* (?P<field>{FIELD}|next step|contacts?|recruiter|contact person|hiring manager|checklist) (?:at|for|of|with|on|from) {DET}{TARGET}", 3, note="field"),
    pattern(rf"(?:what|which|where)(?:'s|s| is| are)? {DET}{TARGET}(?:'s) (?P<field>{FIELD}|next step|contacts?|recruiter|checklist)", 3, note="field"),
    pattern(rf"(?:what|how much) (?:does|do|is|would|will) {DET}{TARGET} (?P<field>pay|paying|offer|offering)(?: me)?", 3, note="salary"),
    pattern(rf"when did i (?:apply|send (?:my|the) application)(?: (?:to|at|for|with))+ {DET}{TARGET}(?P<field>)", 3, note="applied_on"),
    pattern(rf"(?:did|have) i (?:already |ever |yet )?(?:apply|applied|sent? (?:an|my) application)(?: (?:to|at|for|with))+ {DET}{TARGET}(?: yet| already)?(?P<field>)", 3, note="stage"),
    pattern(rf"(?:is|are) (?:the |my )?{TARGET} (?:a |an |still |already |now |in |at |on |the )*(?P<field>remote|hybrid|on-?site|dream|target|safe|interviewing|screening|applied|offer|rejected|accepted|saved|preparing|withdrawn|open|active)\b.*", 2, note="is"),
    pattern(rf"where is {DET}{TARGET} (?:located|based)(?P<field>)", 3, note="location"),
    pattern(rf"who (?:is|are) (?:my|the) (?P<field>contacts?|recruiter|contact person|hiring manager|interviewer) (?:at|for|with|from) {DET}{TARGET}", 3, note="field"),
    pattern(r"(?:what(?:'s|s| is) )?(?:in|on|about) (?P<target>this|this page|this (?:note|letter|application|job|document)|it)", 2),
    pattern(rf"(?:{_SHOW}|what(?:'s|s| is)(?: in)?) (?P<target>this|it|that|this (?:note|letter|application|job|document|one))", 2),
    pattern(rf"{_SHOW} (?!an? )(?:(?:the|my) )?(?P<target>[^\n]{{2,80}}?)", 1),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    guess = request.guess
    single = guess.plain("single") or ("tasks" if guess.note == "tasks" else "")
    if single or guess.slot("own") is not None:
        return await _single(single, guess.plain("own"), desk)
    kinds = _kinds(guess.plain("kind"), guess.note)
    if guess.note == "list":
        await desk.load(("application", *kinds))
        return showing.listing(desk.workspace.of_kind(*kinds), kinds[0], truncated=desk.workspace.truncated)
    target = guess.slot("target") or guess.slot("other")
    if guess.plain("kind") and guess.slot("target") is not None and guess.plain("target") == "":
        target = guess.slot("other")
    document = await _find(request, desk, target, kinds)
    fresh = await desk.document(document.id)
    if fresh is None:
        raise CannotDo("That document is not there any more.")
    field = _field(request)
    lead = showing.field_answer(fresh, field, desk.zone) if field else None
    return showing.document_answer(fresh, desk.workspace, desk.zone, desk.today, lead=lead)


def _field(request: Request) -> str | None:
    guess = request.guess
    if guess.note in ("salary", "applied_on", "stage", "location"):
        return guess.note
    if guess.note == "is":
        word = guess.plain("field")
        return (
            "work_mode"
            if word in ("remote", "hybrid", "onsite", "on-site")
            else "tier"
            if word in ("dream", "target", "safe")
            else "stage"
        )
    if guess.note == "field":
        word = guess.plain("field")
        if word.startswith(("contact", "recruiter", "hiring", "interviewer")):
            return "contacts"
        return "checklist" if word == "checklist" else read_field(word)
    return None


def _kinds(word: str, note: str) -> tuple[str, ...]:
    if "letter" in word or word == "anschreiben":
        return ("letter",)
    return ("note",) if word or note in ("list", "wrote") else ()


async def _single(single: str, own: str, desk: Desk) -> Answer:
    word = single or own
    in_plan = re.fullmatch(
        r"(?:plan|strategy|tasks?|task list|to-?do.*|to do list|goals?|career plan|search plan|job search (?:plan|strategy)|saved searches|game plan|open tasks|weekly goal|goal|target .*|minimum salary|salary expectations?|work mode|availability)",
        word,
    )
    document = await desk.document("plan" if in_plan else "profile")
    if document is None:
        raise CannotDo(f"I could not read your {'plan' if in_plan else 'profile'}.")
    lead = None
    if own:
        name = {
            "goal": "weekly_goal",
            "e-mail": "email",
            "headline": "label",
            "website": "url",
            "availability": "available_from",
            "country": "country_code",
            "postcode": "postal_code",
        }.get(own.split(" address")[0].split(" number")[0], own.replace(" ", "_"))
        name = (
            "salary_min"
            if "salary" in own
            else "target_titles"
            if own.startswith("target title")
            else "target_locations"
            if own.startswith("target loc")
            else name.removesuffix("_address").removesuffix("_number")
        )
        name = {"phone": "phone", "email": "email"}.get(name, name)
        lead = showing.field_answer(document, name, desk.zone)
    return showing.document_answer(document, desk.workspace, desk.zone, desk.today, lead=lead)


async def _find(request: Request, desk: Desk, target: Sentence | None, kinds: tuple[str, ...]) -> Document:
    """The document that is meant; with no kind said an application goes before notes and letters."""
    if is_pronoun(target):
        await desk.load(("application", "note", "letter"))
        return current(request, *(kinds or ("application", "note", "letter")))
    assert target is not None
    if kinds:
        await desk.load(("application", *kinds))
        found = look_for_written(request, target, kinds)
        if not found:
            # "My notes about X" where X has none of its own: the notes inside the application.
            known = known_company(request, target.words)
            if known and known.sure and kinds == ("note",):
                return application(request, target)
        return settle(request, found, target.words, kinds[0])
    await desk.load(("application",))
    known = known_company(request, target.words)
    if known and known.sure:
        return application(request, target)
    await desk.load(("note", "letter"))
    documents = desk.workspace.of_kind("note", "letter")
    written = find(target.words, desk.workspace.named(documents))
    if written and written.sure:
        return settle(request, written, target.words, "document")
    best: Found = known or written
    if not best:
        raise CannotDo(
            f"I found nothing in your workspace that fits “{plain(target.words, 80)}”. I can show your applications, notes, letters, plan and profile: try “show all my applications”."
        )
    return settle(request, best, target.words, "document")


INTENT = Intent(
    name="show_document",
    kind="read",
    patterns=PATTERNS,
    examples=("Open my notes about Larkspur", "Show the letter to Kestrel", "show me my CV"),
    suggestion="show a document (“show the letter to COMPANY”, “show me my CV”)",
    respond=respond,
)
