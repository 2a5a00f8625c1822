"""The profile: contact data, place, headline, skills, languages and the other sections of a CV."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Any

from assistant.host.connectors.builtin import cv_entries
from assistant.host.connectors.builtin.changes import add_item, one_line, set_field, update_item
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AlreadySo, AskBack, CannotDo, Change, Operation
from assistant.host.connectors.builtin.places import read_country
from assistant.host.connectors.builtin.say import field_name, value
from assistant.host.connectors.builtin.sentence import Sentence, fold
from assistant.host.connectors.builtin.workspace import Document

from .base import BODY, VALUE, Intent, Request, pattern

_FIELDS = {
    "phone": ("phone", "phone number", "telephone", "telephone number", "mobile", "mobile number", "cell", "cell phone", "number", "cell number", "mobile phone", "tel"),
    "email": ("email", "e-mail", "email address", "e-mail address", "mail", "mail address"),
    "city": ("city", "town", "home town", "hometown", "place of residence", "residence", "home city"),
    "name": ("name", "full name", "last name", "surname"),
    "label": ("headline", "label", "job title", "professional title", "tagline", "profession", "title"),
    "url": ("website", "web site", "homepage", "home page", "url", "web page", "personal site", "site", "portfolio link", "portfolio url"),
    "address": ("address", "street address", "street", "home address", "postal address"),
    "postal_code": ("postcode", "post code", "postal code", "zip", "zip code"),
    "region": ("region", "state", "county", "canton"),
    "country_code": ("country", "country code"),
    "image": ("photo", "picture", "image", "profile picture"),
}  # fmt: skip
_NAMES = {word: name for name, words in _FIELDS.items() for word in words}
_FIELD = "(?P<field>" + "|".join(sorted(_NAMES, key=lambda w: -len(w))) + ")"
_SET = r"(?:set|change|update|make|put|edit|fix|correct|enter|switch|replace|modify)"
_ADD = r"(?:add|put|include|list|append|write|insert|save|enter|record)"
_CV = r"(?:my |the )?(?:cv|resume|profile|curriculum vitae)"
_ON_CV = rf"(?:(?:,|\.| -)? ?(?:and )?(?:please )?(?:add (?:that|it|this)|put (?:that|it|this)(?: in| on| down)?|update (?:that|it)|note (?:that|it) (?:in|on))(?: (?:to|in|on|into|among) (?:{_CV}|(?:my |the )?(?:skills|languages|skill set|list of (?:skills|languages)))(?: list| section)?)?|,? (?:add|put) (?:that|it) (?:to|on|in) {_CV})"
_LANGUAGE = r"(?P<language>english|german|french|spanish|italian|portuguese|dutch|polish|swedish|danish|norwegian|finnish|czech|russian|ukrainian|turkish|arabic|hebrew|hindi|urdu|bengali|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|greek|romanian|hungarian|bulgarian|croatian|serbian|slovak|slovenian|latvian|lithuanian|estonian|welsh|irish|scottish gaelic|catalan|basque|persian|farsi|swahili|afrikaans|swiss german|sign language|latin|esperanto|icelandic)"
_LEVEL = r"(?P<level>[abc][12](?: level)?|native(?: speaker)?|mother tongue|fluent(?:ly)?|bilingual|business fluent|conversational|basic|beginner|intermediate|advanced|proficient|professional|upper intermediate|elementary|working proficiency|well|a little|a bit)"
_ONE_SKILL = r"(?P<skill>[^\n:]{1,150}?)"

PATTERNS = (
    pattern(rf"{_SET} (?:my |the )(?:new )?{_FIELD}(?: (?:in|on|of) {_CV})?(?: (?:to|as|is|=)|:)+ {VALUE}", 3, note="field"),
    pattern(rf"my (?:new |current |correct )?{_FIELD}(?: (?:in|on) {_CV})?(?: is(?: now)?| changed to| has changed to|:| should be| =)+ {VALUE}", 3, note="field"),
    pattern(rf"(?:i have|i've got|i got|here is|here's|this is) (?:a |my )?new {_FIELD}(?:,|:| -| which is| -)? {VALUE}", 3, note="field"),
    pattern(rf"(?:new {_FIELD})(?: is|:) {VALUE}", 2, note="field"),
    pattern(rf"{_SET} {_FIELD} (?:in|on|of) {_CV} to {VALUE}", 3, note="field"),
    pattern(rf"(?:use|take|save|store) {VALUE} (?:as|for) my (?:new )?(?P<field>phone(?: number)?|e-?mail(?: address)?|website)", 3, note="field"),
    pattern(rf"(?:add|put|save|enter) (?:my )?(?P<field>phone(?: number)?|e-?mail(?: address)?|website|address|postcode)(?:,|:)? {VALUE} (?:to|in|on) {_CV}", 3, note="field"),
    pattern(rf"(?:put|set|write|enter|save) my {_FIELD} (?:down )?as {VALUE}", 3, note="field"),
    pattern(r"i(?:'ve| have)?(?: (?:just|now|recently))* (?:moved|relocated)(?: house)? to (?P<value>(?![^\n]*\b(?:interviews?|round|stage|offer|screening|phase|column)\b).+?)", 3, note="city"),
    pattern(rf"i(?:'m| am)? (?:now )?(?:live|living|based|am based|am living|reside)(?: now)? in {VALUE}(?: now)?", 3, asserts=True, note="city"),
    pattern(rf"(?:call me|my name is(?: now)?) {VALUE}", 3, note="name"),
    pattern(rf"(?:clear|remove|delete|erase) my (?P<field>phone(?: number)?|e-?mail(?: address)?|website|address|postcode|photo|headline)(?: (?:from|on|in) {_CV})?", 3, note="clear"),
    # Languages.
    pattern(rf"i(?:'m| am)? (?:also |can |now |currently )*(?:learning|studying|speak|know|talk|learnt|learned|am learning|study) {_LANGUAGE}(?:,? (?:at|on|to|with|to an?|at an?|,)?(?: an?| the)? ?\(?{_LEVEL}\)?(?: level| proficiency)?)?(?: now)?{_ON_CV}?", 3, asserts=True, note="language"),
    pattern(rf"i(?:'m| am) (?P<level>fluent|native|bilingual|proficient|conversational|a beginner|intermediate|advanced|[abc][12])(?: speaker)?(?: (?:in|of))? {_LANGUAGE}{_ON_CV}?", 3, asserts=True, note="language"),
    pattern(rf"my {_LANGUAGE}(?: level)? (?:is|has reached|is at|is on)(?: now)?(?: at| on)? ?{_LEVEL}(?: level)?(?: now)?{_ON_CV}?", 3, asserts=True, note="language"),
    pattern(rf"{_ADD} (?:the language )?{_LANGUAGE}(?:,? ?(?:at|with|as)?(?: the)?(?: level)? ?\(?{_LEVEL}\)?(?: level)?)? (?:to|in|on|under|as)(?: my| the| a)? (?:languages?(?: (?:section|skills|list))?(?: (?:of|in|on) {_CV})?|cv|resume|profile)", 3, note="language"),
    pattern(rf"{_ADD} {_LANGUAGE} (?:to|in|on|under) (?:my |the )?languages?(?: (?:section|list))?(?:,| at| with| as| \(| -)* ?{_LEVEL}\)?(?: level)?", 3, note="language"),
    pattern(rf"(?:new |add (?:an? |the )?)?language:? {_LANGUAGE}(?:,? ?(?:at|with|as)? ?\(?{_LEVEL}\)?(?: level)?)?(?: (?:to|in|on) {_CV})?", 3, note="language"),
    pattern(rf"{_SET} (?:my )?{_LANGUAGE}(?: level)? to {_LEVEL}", 3, note="language"),
    # Skills.
    pattern(rf"{_ADD} {_ONE_SKILL} (?:to|in|on|under|into) (?:my |the )?(?:list of )?(?:skills?|skill ?set|competences|competencies|abilities)(?: (?:section|list))?(?: (?:of|in|on) {_CV})?", 3, note="skill"),
    pattern(rf"{_ADD} {_ONE_SKILL} as (?:a |an )?(?:new )?skills?(?: (?:to|in|on) {_CV})?", 3, note="skill"),
    pattern(rf"{_ADD} (?:the |a |a new |new |these |following )*skills?:? {_ONE_SKILL}(?: (?:to|in|on) {_CV})?", 3, note="skill"),
    pattern(rf"new skills?:? {_ONE_SKILL}", 3, note="skill"),
    pattern(rf"i(?:'ve| have)? (?:also |now |just |can )*(?:know|learned|learnt|master|mastered|picked up|use|can use|am good at|work with|understand|do) {_ONE_SKILL}(?: now| well| quite well)*{_ON_CV}", 3, asserts=True, note="skill"),
    pattern(rf"{_ADD} {_ONE_SKILL}(?: down)? as (?:a |an )?(?:new )?skills?(?:,| at| with| \(| -| on)*(?: an?)? (?P<level>beginner|basic|intermediate|advanced|expert|professional|proficient|fluent)\)?(?: level)?", 3, note="skill"),
    pattern(rf"{_ADD} {_ONE_SKILL}(?: down)? (?:to|in|on|under|into|among) (?:my |the )?skills?(?: list| section)?(?:,| at| with| \(| -| on| as)*(?: an?)? (?P<level>beginner|basic|intermediate|advanced|expert|professional|proficient|fluent)\)?(?: level)?", 3, note="skill"),
    pattern(rf"{_ADD} {_ONE_SKILL} down as (?:a |an )?(?:new )?skills?", 3, note="skill"),
    # Other sections.
    *cv_entries.PATTERNS,
    pattern(rf"{_ADD} (?:a |an |the |my |new )*(?P<section>certificate|certification|award|publication|project|interest|hobby|reference|volunteer(?:ing)?(?: work)?|work experience|(?:job|position)(?= (?:to|in|on) )|degree|education|course)(?: (?:to|in|on) {_CV})? ?: ?{BODY}", 3, free=True, note="section"),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,300}}?) (?:to|in|on|under) (?:my )(?P<section>certificates|certifications|awards|publications|projects|interests|hobbies|references|work experience|experience|education|work history)(?: (?:section|list))?(?: (?:of|in|on) {_CV})?", 3, note="section"),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,300}}?) (?:to|on|in|into) {_CV}", 1, note="unclear"),
)  # fmt: skip

_SECTIONS = {
    "certif": ("certificates", "name", "issuer"), "award": ("awards", "title", "awarder"), "publication": ("publications", "name", "publisher"),
    "project": ("projects", "name", None), "interest": ("interests", "name", None), "hobb": ("interests", "name", None),
    "reference": ("references", "name", None), "volunteer": ("volunteer", "organization", None), "degree": ("education", "area", "institution"),
    "education": ("education", "area", "institution"), "course": ("certificates", "name", "issuer"), "work": ("work", "position", "name"),
    "job": ("work", "position", "name"), "position": ("work", "position", "name"), "experience": ("work", "position", "name"),
}  # fmt: skip
_EMAIL = re.compile(r"[^\s@,;<>()]{1,64}@[^\s@,;<>()]{1,120}\.[A-Za-z]{2,20}")
_PHONE = re.compile(r"\+?[0-9(][0-9 ()./-]{4,26}[0-9]")


def plan(request: Request) -> Change:
    document = request.workspace.profile
    if document is None:
        raise CannotDo("I could not read your profile, so nothing was changed.")
    note = request.guess.note
    if note == "language":
        return _language(request, document)
    if note == "skill":
        return _skills(request, document)
    if note.startswith("entry_"):
        return _entry(document, *cv_entries.entry(request.guess))
    if note == "section":
        return _section(request, document)
    if note == "unclear":
        body = plain(request.guess.words("body"), 80)
        raise AskBack(f"Where should “{body}” go? Say “add {body} to my skills” or “add {body} to my profile summary”.")
    return _field(request, document, note)


def _field(request: Request, document: Document, note: str) -> Change:
    field = _NAMES.get(request.guess.plain("field"), note) if note in ("field", "clear") else note
    slot = request.guess.slot("value")
    settings: dict[str, Any] = {field: None} if note == "clear" else _values(field, slot)
    operations: list[Operation] = []
    lines = []
    for name, new in settings.items():
        was = document.get(name)
        # What the tools do not show (e-mail, phone) may well be there.
        if was == new and not (new is None and name in ("email", "phone")):
            continue
        operations.append(set_field(document, name, new))
        lines.append(
            f"Cleared the {field_name(name)} in [your profile](#profile)."
            if new is None
            else f"Set the {field_name(name)} in [your profile](#profile)"
            + (f" from {value(was)}" if was else "")
            + f" to **{value(new)}**."
        )
    if not operations:
        raise AlreadySo(
            f"The {field_name(field)} in [your profile](#profile) is that already, so there is nothing to change.",
            ("profile",),
        )
    return Change(
        tuple(operations), tuple(lines), f"Set {listed_names(settings)} in the profile", "profile", ("profile",)
    )


def listed_names(settings: dict[str, Any]) -> str:
    return " and ".join(field_name(name) for name in settings)


def _values(field: str, slot: Sentence | None) -> dict[str, Any]:
    if slot is None:
        raise AskBack(f"What should the {field_name(field)} be?")
    words = one_line(slot.words).rstrip("!?").strip()
    words = words[:-1].rstrip() if words.endswith(".") and field != "name" else words
    if field == "email" or (field == "address" and _EMAIL.fullmatch(words)):
        found = _EMAIL.search(words)
        if not found:
            raise AskBack("Which e-mail address is it? I need one such as name@example.org.")
        return {"email": found.group().rstrip(".")}
    if field == "phone":
        found = _PHONE.search(words)
        if not found:
            raise AskBack("Which phone number is it?")
        return {"phone": found.group()}
    if field in ("url", "image"):
        found = re.search(r"https?://\S+|(?:www\.)?[\w-]+(?:\.[\w-]+)+(?:/\S*)?", words)
        if not found:
            raise AskBack("Which address is it? I need one that starts with https://.")
        address = found.group().rstrip(".,)")
        return {field: address if address.startswith("http") else f"https://{address}"}
    if field == "country_code":
        code = read_country(slot.plain)
        if code is None:
            raise AskBack("Which country is it?")
        return {field: code}
    if field == "city":
        words = re.sub(
            r"(?i)\s+(?:now|last (?:week|month|year)|recently|this (?:week|month|year)|today|yesterday)$", "", words
        )
        if (alone := read_country(fold(words))) is not None:
            return {"country_code": alone}
        city, _, rest = words.partition(",")
        code = read_country(rest.strip().lower()) if rest else None
        return {"city": city.strip(), "country_code": code} if code else {"city": words}
    return {field: words}


def _language(request: Request, document: Document) -> Change:
    guess = request.guess
    words = guess.words("language")
    name = words[:1].upper() + words[1:]
    level = guess.words("level")
    level = re.sub(r"(?i)\s*level$|^a (?=beginner)", "", level)
    level = level.upper() if re.fullmatch(r"(?i)[abc][12]", level) else {"fluently": "fluent"}.get(level.lower(), level)
    for item in document.items("languages"):
        if str(item.get("language") or "").casefold() == name.casefold() and isinstance(item.get("id"), str):
            was = item.get("fluency")
            if not level or was == level:
                raise AlreadySo(
                    f"{name} is in [your profile](#profile) already"
                    + (f" ({plain(was)})" if was else "")
                    + ", so there is nothing to change.",
                    ("profile",),
                )
            return Change(
                (update_item(document, "languages", item["id"], {"fluency": level}),),
                (f"Set {name} in [your profile](#profile) from {value(was)} to **{plain(level)}**.",),
                f"Set the level of {name} in the profile",
                "profile",
                ("profile",),
            )
    return Change(
        (add_item(document, "languages", {"language": name, "fluency": level or None}),),
        (f"Added the language {name}" + (f" ({plain(level)})" if level else "") + " to [your profile](#profile).",),
        f"Add the language {name} to the profile",
        "profile",
        ("profile",),
    )


def _skills(request: Request, document: Document) -> Change:
    slot = request.guess.slot("skill")
    if slot is None:
        raise AskBack("Which skill should I add?")
    known = {str(item.get("name") or "").casefold() for item in document.items("skills")}
    operations: list[Operation] = []
    names, there = [], []
    for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*;\s*|\s*&\s*", one_line(slot.words))[:20]:
        level = re.search(r"\s*\((?P<l>[^)]{1,40})\)$", part)
        name = re.sub(
            r"(?i)^(?:the |a |my |skills? |called )+(?=\S)", "", part[: level.start()] if level else part
        ).strip(" .'\"")
        if not name:
            continue
        if name.casefold() in known:
            there.append(name)
            continue
        known.add(name.casefold())
        operations.append(
            add_item(
                document,
                "skills",
                {"name": name, "level": level["l"] if level else request.guess.words("level") or None},
            )
        )
        names.append(name)
    if not operations:
        raise AlreadySo(
            f"{', '.join(plain(name, 80) for name in there) or 'That'} is among the skills of [your profile](#profile) already.",
            ("profile",),
        )
    line = f"Added {', '.join(plain(name, 80) for name in names)} to the skills of [your profile](#profile)."
    return Change(tuple(operations), (line,), f"Add to the skills: {', '.join(names)}", "profile", ("profile",))


def _entry(document: Document, section: str, item: dict[str, Any]) -> Change:
    said = ", ".join(str(content) for content in item.values() if content)
    return Change(
        (add_item(document, section, item),),
        (f"Added “{plain(said, 160)}” to the {section} of [your profile](#profile).",),
        f"Add to {section} in the profile",
        "profile",
        ("profile",),
    )


def _section(request: Request, document: Document) -> Change:
    word, body = request.guess.plain("section"), request.guess.slot("body")
    if body is None:
        raise AskBack("What should I add?")
    section, first, second = next(found for start, found in _SECTIONS.items() if word.startswith(start))
    text = one_line(body.words)
    item: dict[str, Any] = {}
    text, start, end = cv_entries.without_period(text)
    if section in ("work", "education", "projects", "volunteer"):
        item |= {"start": start, "end": end}
    elif section in ("certificates", "awards"):
        item["date"] = start
    elif section == "publications":
        item["release_date"] = start
    parts = re.split(r" (?:at|from|by|with) |, ", text, maxsplit=1) if second else [text]
    item[first] = parts[0].strip()
    if second and len(parts) > 1:
        item[second] = parts[1].strip()
    if section == "work" and "name" not in item:
        raise AskBack(
            f"Where did you work as “{plain(parts[0], 80)}”? For instance “add a job: {plain(parts[0], 60)} at COMPANY”."
        )
    return Change(
        (add_item(document, section, item),),
        (f"Added “{plain(text, 160)}” to the {section} of [your profile](#profile).",),
        f"Add to {section} in the profile",
        "profile",
        ("profile",),
    )


INTENT = Intent(
    name="update_profile",
    kind="change",
    patterns=PATTERNS,
    examples=("change my city to Cardiff", "Add Kubernetes to my skills", "I speak French at B1 level, add that"),
    suggestion="update your profile (“add … to my skills”)",
    needs=("profile",),
    plan=plan,
)
