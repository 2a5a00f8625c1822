"""A person at an application's company: name, role, e-mail, phone."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Any

from assistant.host.connectors.builtin.changes import add_item, one_line, update_item
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AskBack, Change
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.targets import application, is_pronoun, mentioned

from .base import BODY, DET, Intent, Request, pattern

_ADD = r"(?:add|save|store|create|put|note|record|new|enter|keep|log|register|write down|include)"
_CONTACT = r"(?:a |an |the |my |new |another |this |following )*contact(?: person| details?| info(?:rmation)?)?"
_T = r"(?P<target>[^\n:,]{1,80}?)"
_ROLES = (
    r"(?:(?:senior |lead |head |technical |chief |talent |internal |external |in-house |hr |hiring |engineering |people )*"
    r"(?:recruiter|hiring manager|manager|contact person|contact|engineering manager|team lead|tech lead|lead|interviewer|boss|talent partner|hr manager|hr person|hr partner|hr|"
    r"headhunter|engineer|developer|cto|ceo|coo|cfo|founder|director|head of [a-z]+|vp of [a-z]+|vp|partner|coordinator|referrer|referral|team leader|supervisor|lead engineer|"
    r"talent acquisition(?: manager| partner| specialist)?|head of engineering|principal|department head|colleague))"
)
_NAME = r"(?P<name>(?!(?:called|a|an|the|very|nice|good|not|on|in|at|away|here|there|now|ill|leaving|my|our|back|gone|sick|new|late)\b)[^\n,:;]{2,60}?)"
_MORE = r"(?P<more>(?:[,;(:-]| and (?:her|his|their|the)| with| \().{1,300})?"
_PHONE_WORD = r"(?:phone(?: number)?|telephone(?: number)?|number|mobile(?: number)?|cell(?: number)?|tel)"
_MAIL_WORD = r"(?:e-?mail(?: address)?|mail(?: address)?|address)"
_NUMBER = r"(?P<phone>\+?[0-9(][0-9 ()./-]{5,24}[0-9])"
_MAIL = r"(?P<email>[^\s@,;<>()]{1,64}@[^\s@,;<>()]{1,120}\.[a-z]{2,20})"

PATTERNS = (
    pattern(rf"(?:put|note|write|jot|take) down (?P<body>[^\n,:;]{{2,60}},[^\n]{{0,120}}?(?:@|https?://)[^\n]{{1,160}}?) (?:for|at) {DET}{_T}", 4, free=True),
    pattern(rf"{_ADD} {_CONTACT} (?:for|at|to|from|of|on|in|with) {DET}{_T} ?[:,-] ?{BODY}", 3, free=True),
    pattern(rf"(?:new )?contact(?: person)? (?:for|at|from|of) {DET}{_T}(?: ?: ?| is ){BODY}", 3, free=True),
    pattern(rf"{_ADD} {_CONTACT}(?: called| named|:)? (?P<body>[^\n]{{2,300}}?) (?:for|at|to|from|of|with) {DET}{_T}", 2),
    pattern(rf"{_ADD} (?P<body>[^\n]{{2,300}}?) (?:as|to) (?:a |an |the |my )?(?:new )?(?:contacts?|contact person|contacts list|contact list) (?:for|at|of|from|on|with|in) {DET}{_T}", 3),
    pattern(rf"{_ADD} (?P<body>[^\n]{{2,300}}?) to (?:the )?contacts (?:for|at|of) {DET}{_T}", 3),
    pattern(rf"{_ADD} (?P<body>[^\n]{{2,300}}?) to {DET}{_T}(?:'s?)? contacts", 3),
    pattern(rf"{_ADD} {_NAME}(?:,| who is| as| is)? (?:a |an |the |my )?(?P<role>{_ROLES}) (?:at|for|from|of|with) {DET}{_T}{_MORE}", 2),
    pattern(rf"(?:my|the|our|their) (?P<role>{_ROLES}) (?:at|for|from|with|of) {DET}{_T} (?:is|will be|is called|is named|'s name is|:)(?: now)? (?:called |named )?{_NAME}{_MORE}", 3, asserts=True),
    pattern(rf"{DET}{_T}(?:'s?) (?P<role>{_ROLES}) (?:is|is called|is named|will be|:) (?:called |named )?{_NAME}{_MORE}", 3, asserts=True),
    pattern(rf"(?:the )?(?:name of )(?:my|the) (?P<role>{_ROLES}) (?:at|for|from|with) {DET}{_T} is {_NAME}{_MORE}", 3, asserts=True),
    pattern(rf"{_NAME} (?:is|will be) (?:my|the|our|a|their|an) (?:new )?(?P<role>{_ROLES}) (?:at|for|from|with|of) {DET}{_T}{_MORE}", 3, asserts=True),
    pattern(rf"{_NAME} (?:from|at|of) {DET}{_T} is (?:my|the|our|a|their|an) (?:new )?(?P<role>{_ROLES}){_MORE}", 3, asserts=True),
    pattern(rf"(?:i )?(?:met|spoke (?:to|with)|talked (?:to|with)|had a call with|know|heard from) {_NAME} (?:from|at|of) {DET}{_T}(?P<more>[,.;] .{{2,200}}?)[,.;]? (?:and |so |please |can you )*(?:add|save|note|put|keep) (?:him|her|them|that)(?: down)?(?: (?:as|to|in|on) (?:an? |the |my )*contacts?(?: list)?)?", 3, note="met"),
    pattern(rf"{DET}{_T}(?:'s?)? contact(?: person)?(?: ?: ?| is (?:now )?){BODY}", 3, free=True, asserts=True),
    pattern(rf"(?:at|from) {DET}{_T},? (?:i )?(?:met|spoke (?:to|with)|talked (?:to|with)|know) {_NAME},? (?:(?:the|a|an|their|who is (?:the|a|an)) )?(?P<role>{_ROLES}){_MORE}", 3, asserts=True),
    pattern(rf"{_ADD} {_NAME}(?: (?:from|at|of) | \((?:from )?){DET}{_T}\)? (?:as|to|in) (?:an? |the |my |new )*contacts?(?: person| list)?{_MORE}", 3),
    pattern(rf"{DET}{_T}(?:'s?) (?:new |current )?(?P<role>{_ROLES}) (?:is|is called|is named|will be|is now|:) (?:now |called |named )*{_NAME}{_MORE}", 3, asserts=True),
    pattern(rf"contact {DET}{_T} ?: ?(?P<body>[^\n]*?(?:@[^\s@]+\.|[0-9]{{4}})[^\n]*)", 3, free=True),
    pattern(rf"{_NAME} ?[(,] ?(?P<more>[^\n()]{{5,120}}?) ?[),] (?:is|will be) (?:my|the|our|a|their|an) (?:new )?(?P<role>{_ROLES}) (?:at|for|from|with|of) {DET}{_T}", 3, asserts=True),
    pattern(rf"(?:{_ADD} )?{_NAME}(?:'s?) {_MAIL_WORD}(?: is|:|,| as)? ?{_MAIL},? (?:under|at|from|for|with|to|in) {DET}(?P<target>[^\n:]{{1,80}}?)", 3, note="detail"),
    pattern(rf"(?:{_ADD} )?{_NAME}(?:'s?) {_PHONE_WORD}(?: is|:|,| as)? ?{_NUMBER},? (?:under|at|from|for|with|to|in) {DET}(?P<target>[^\n:]{{1,80}}?)", 3, note="detail"),
    pattern(rf"(?:i )?(?:met|spoke (?:to|with)|talked (?:to|with)|had a call with|know) {_NAME},? (?:the|a|an|their|who is (?:the|a|an)) (?P<role>{_ROLES}) (?:at|from|of|for|with) {DET}{_T}{_MORE}", 2, asserts=True),
    pattern(rf"{_ADD} (?:the |a |this )?{_PHONE_WORD},? (?:is )?{_NUMBER} (?:for|of|from) {_NAME} (?:at|from|of|with|in) {DET}(?P<target>[^\n:]{{1,80}}?)", 3, note="detail"),
    pattern(rf"{_ADD} (?:the |an |this )?{_MAIL_WORD},? (?:is )?{_MAIL} (?:for|of|from) {_NAME} (?:at|from|of|with|in) {DET}(?P<target>[^\n:]{{1,80}}?)", 3, note="detail"),
    pattern(rf"(?:{_ADD} )?{_NAME}(?:'s?) {_PHONE_WORD}(?: (?:at|from) {DET}(?P<target>[^\n:]{{1,80}}?))? (?:is|:|as) ?{_NUMBER}(?: (?:at|from|for) {DET}(?P<other>[^\n:]{{1,80}}?))?", 2, note="detail"),
    pattern(rf"(?:{_ADD} )?{_NAME}(?:'s?) {_MAIL_WORD}(?: (?:at|from) {DET}(?P<target>[^\n:]{{1,80}}?))? (?:is|:|as) ?{_MAIL}(?: (?:at|from|for) {DET}(?P<other>[^\n:]{{1,80}}?))?", 2, note="detail"),
    pattern(rf"(?:the )?{_PHONE_WORD} (?:of|for) {_NAME} (?:at|from|of) {DET}(?P<target>[^\n:]{{1,80}}?) is {_NUMBER}", 3, note="detail"),
    pattern(rf"(?:the )?{_MAIL_WORD} (?:of|for) {_NAME} (?:at|from|of) {DET}(?P<target>[^\n:]{{1,80}}?) is {_MAIL}", 3, note="detail"),
    pattern(rf"{_NAME} (?:at|from) {DET}{_T} (?:can be reached|is reachable) (?:at|on|under) (?P<more>.{{5,120}})", 3, note="detail"),
    pattern(rf"{_ADD} {_CONTACT}(?: ?: ?){BODY}", 2, free=True),
    pattern(rf"{_ADD} {_CONTACT}(?: (?:for|at|to|from|of) {DET}{_T})?", 1),
)  # fmt: skip

_EMAIL_IN = re.compile(r"(?:mailto:)?(?P<v>[^\s@,;<>()]{1,64}@[^\s@,;<>()]{1,120}\.[A-Za-z]{2,20})")
_PHONE_IN = re.compile(r"(?P<v>\+?[0-9(][0-9 ()./-]{5,24}[0-9])")
_URL_IN = re.compile(r"(?P<v>https?://[^\s,;<>()]+)")
_LABEL = re.compile(
    r"^(?:(?:and )?(?:(?:his|her|their|the|my) )?(?:phone(?: number)?|telephone|tel|mobile|cell|e-?mail(?: address)?|mail|number|title|role|position|job title|profile|linkedin|url)(?: is|:|\.)?\s*|(?:who|she|he|they)(?: is|'s| are) (?:the |a |an |their |our |my )?|(?:an?|the|is|as|reachable (?:at|on)|on|at|and|with) )+",
    re.IGNORECASE,
)


def plan(request: Request) -> Change:
    guess = request.guess
    person = _person(request)
    if not person.get("name"):
        raise AskBack("What is the person's name?")
    target = guess.slot("target") or guess.slot("other")
    document = None
    if is_pronoun(target) and guess.slot("body") is not None:
        document = mentioned(request, guess.slots["body"].words)
    if document is None:
        document = application(request, target)
    name = str(person["name"])
    for item in document.items("contacts"):
        if str(item.get("name") or "").casefold() == name.casefold() and isinstance(item.get("id"), str):
            changes = {
                field: content for field, content in person.items() if field != "name" and item.get(field) != content
            }
            if changes:
                return Change(
                    (update_item(document, "contacts", item["id"], changes),),
                    (f"Updated the contact {plain(name, 80)} of {document.link}: {', '.join(changes)}.",),
                    f"Update a contact of {document.get('company') or document.name}",
                    document.id,
                    (document.id,),
                )
    details = ", ".join(plain(person[field], 120) for field in ("title", "email", "phone", "url") if person.get(field))
    return Change(
        operations=(add_item(document, "contacts", person),),
        lines=(
            f"Added the contact {plain(name, 80)}" + (f" ({details})" if details else "") + f" to {document.link}.",
        ),
        reason=f"Add a contact to {document.get('company') or document.name}",
        subject=document.id,
        citations=(document.id,),
    )


def _person(request: Request) -> dict[str, Any]:
    guess = request.guess
    person: dict[str, Any] = {}
    if guess.slot("name") is not None:
        person["name"] = one_line(guess.words("name")).strip(" .,;")
        if guess.slot("role") is not None:
            person["title"] = guess.words("role").strip()
        for field in ("phone", "email"):
            if guess.slot(field) is not None:
                person[field] = guess.words(field).strip()
        if guess.slot("more") is not None:
            _details(guess.slots["more"], person, with_name=False)
    elif guess.slot("body") is not None:
        _details(guess.slots["body"], person, with_name=True)
    return person


def _details(words: Sentence, person: dict[str, Any], *, with_name: bool) -> None:
    """ "Odile Brackwater, lead engineer, odile@kestrel.example" piece by piece; each keeps its words."""
    text = one_line(words.words)
    for field, seeker in (("email", _EMAIL_IN), ("url", _URL_IN), ("phone", _PHONE_IN)):
        found = seeker.search(text)
        if found:
            person.setdefault(field, found["v"].rstrip("."))
            text = text[: found.start()] + " , " + text[found.end() :]
    for piece in re.split(
        r"\s*[,;()]\s*|\s+-\s+|\s+–\s+|\s+and (?:her|his|their|the) |\s+who is |\s+is (?:the|a|an) ", text
    ):
        piece = _LABEL.sub("", piece.strip(" .:"))
        piece = piece.strip(" .:-")
        if not piece or re.fullmatch(r"(?i)(?:and|is|e-?mail|phone|tel|at|on|called|named|number)", piece):
            continue
        if with_name and "name" not in person:
            person["name"] = re.sub(r"(?i)^(?:called|named|name:?) ", "", piece)
        elif "title" not in person:
            person["title"] = piece
        elif "note" not in person:
            person["note"] = piece


INTENT = Intent(
    name="add_contact",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "Add a contact for Kestrel: Odile Brackwater, lead engineer",
        "My recruiter at Halcyon is Fenn Addlestrop",
    ),
    suggestion="add a contact (“add a contact for COMPANY: NAME, ROLE”)",
    needs=("application",),
    plan=plan,
)
