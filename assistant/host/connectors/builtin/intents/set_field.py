"""One field of a document gets a value or is cleared: deadline, tier, next step, work mode, salary, weekly goal, pin, title."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from assistant.host.connectors.builtin.changes import one_line, set_field
from assistant.host.connectors.builtin.dates import find_date, read_iso
from assistant.host.connectors.builtin.field_values import Setting, clear_setting, settings_for
from assistant.host.connectors.builtin.outcome import AlreadySo, AskBack, CannotDo, Change
from assistant.host.connectors.builtin.places import find_city, read_country
from assistant.host.connectors.builtin.say import field_name, value
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.targets import (
    application,
    current,
    is_pronoun,
    look_for_written,
    settle,
    written,
)
from assistant.host.connectors.builtin.vocabulary import FIELD, LETTER_STATUS, MODE, NUMBER, TIER, read_field, reader
from assistant.host.connectors.builtin.workspace import Document

from .base import DET, OF, TARGET, VALUE, Guess, Intent, Request, pattern

_SET = r"(?:set|change|up|update|make|put|move|push|postpone|extend|adjust|edit|fix|correct|enter|record|shift|bring|alter|switch|add|modify|define|give|increase|raise|lower|reduce|bump|register|reschedule|delay)"
_CLEAR = r"(?:clear|remove|delete|unset|drop|erase|empty|wipe|cancel|reset|take off|take away|get rid of|strip|blank|forget|scrap)"
_TO = r"(?: (?:to|as|=|is|be|until|till|by|on|at|for|forward to|back to|out to|into|with)|:|,)+ "
_IS = r"(?:(?: (?:has been|was|is|got|have been) (?:pushed|moved|postponed|extended|changed|set|shifted|brought forward|delayed|put)(?: back| out| forward)? to| should read| should say| reads| ought to be| has become| is called| is really| is actually| turned out to be| falls on| ends on| ends| is| are| was| has been| will be| should be| must be| =| has moved to| moved to| was moved to| is now| changed to| goes to| got moved to| becomes| got extended to| has been extended to| was extended to)(?: now)?|'s|:| -)+ "
_FIELD = rf"(?P<field>{FIELD})"
_NO_FIELD = rf"(?!(?:the |its |my )?(?:{FIELD})(?:'s)?(?: (?:of|for|on|to|as|at)\b|:))(?![^\n]*'s? (?:work ?mode|mode|tier|priority|work model)\b)(?![^\n]*\bwork ?mode\b)"
_LETTER = r"(?:cover |motivation |covering )?letter"
_DATEISH = r"(?:(?:->|=>|=|to|until) )?(?P<value>(?:on |by |is )?(?:the )?(?:[0-9]{1,4}(?:st|nd|rd|th|[-./]|$| )|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|tomorrow|today|tonight|next |this |in |end |eo[dwmy]|christmas|new year|mid|a week|two weeks|day after)[^\n]{0,40}?)"
_GOAL = r"(?:weekly|week's|per-week) (?:goal|target|quota|aim|objective)|(?:goal|target|quota) (?:for the week|per week|a week|of the week|each week)"
_PLAN_FIELD = r"(?P<plan>target titles?|target roles?|target locations?|preferred locations?|target cities|available from|availability|earliest start(?: date)?|start date|notice|desired work mode|preferred work mode|work mode|(?:minimum|min|lowest|desired|target|expected|lowest acceptable) (?:salary|pay)|salary (?:floor|minimum|expectations?|goal|target|wish|requirement)s?)"
_OF_PLAN = ("weekly_goal", "plan", "mode_wish", "plan_pay", "plan_add", "plan_remove")
_OF_LETTER = ("letter_status", "letter_field", "letter_recipient", "letter_language")
_AMOUNT = r"(?P<value>.*\d.*)"

PATTERNS = (
    pattern(rf"make it (?P<value>[0-9]{{1,3}}|{NUMBER}) (?:applications?|jobs?) (?:a|per|each|every) week", 3, note="weekly_goal"),
    # The plan.
    pattern(rf"{_SET} {DET}(?:{_GOAL}|goal){_TO}(?P<value>[^\n]{{1,40}}?)(?: (?:applications?|jobs?|a week|per week|each week|weekly|every week|/ ?week))*", 3, note="weekly_goal"),
    pattern(rf"(?:my |the |new )*(?:{_GOAL}|goal|target) ?(?::|=|->) ?(?P<value>[^\n]{{1,40}}?)(?: (?:applications?|jobs?|a week|per week|each week|weekly|every week|/ ?week))*", 2, note="weekly_goal"),
    pattern(rf"(?:my |the |new )*(?:{_GOAL}) (?P<value>[0-9]{{1,3}}|{NUMBER})", 2, note="weekly_goal"),
    pattern(rf"{_SET} {DET}(?:{_GOAL}) (?P<value>[0-9]{{1,3}}|{NUMBER})", 2, note="weekly_goal"),
    pattern(rf"{DET}(?:{_GOAL}){_IS}(?P<value>[^\n]{{1,40}}?)(?: (?:applications?|jobs?|a week|per week|each week|weekly))*", 3, note="weekly_goal"),
    pattern(r"(?:i(?:'d like| want| plan| aim|'m aiming| am aiming|'ll| will)?(?: to)? |aim (?:to|for) |aiming for )?(?:apply (?:to|for)|aim for|send(?: out)?|do|manage|submit|for)? ?(?P<value>[a-z0-9]{1,12}) (?:applications?|jobs?)(?: (?:a|per|each|every)) week(?: (?:is|as) my goal)?", 2, note="weekly_goal"),
    pattern(rf"{_SET} (?:my |the |our |(?=target|preferred|minimum|availab|desired|earliest)){_PLAN_FIELD}(?: in (?:my|the) plan)?(?:(?: (?:to|as|=|is|be|into)|:)+ ){VALUE}", 3, note="plan"),
    pattern(rf"(?:add|put|include) {VALUE} (?:to|as|in|on|among) (?:my |the |a |an |our |another |one of my )*(?:new )?(?:list of )?(?P<plan>target (?:titles?|roles?|jobs?|positions?|locations?|cities|places|towns|city)|preferred locations?)(?: list)?", 3, note="plan_add"),
    pattern(rf"(?:remove|drop|delete|take|strike|cross out) {VALUE} (?:from|off|out of) (?:my |the |our )*(?:list of )?(?P<plan>target (?:titles?|roles?|jobs?|positions?|locations?|cities|places|towns)|preferred locations?)(?: list)?", 3, note="plan_remove"),
    pattern(r"(?:i (?:want|need|expect|won't work for|wouldn't take|won't take|'d like|would like|am asking for|ask for) |i'm asking for )?(?:to )?(?:earn |make |get |be paid |get paid |a salary of )?(?:at least|a minimum of|no less than|not less than|less than|minimum|nothing (?:below|under)|nothing less than|anything (?:below|under)) (?P<value>[^\n\w]{0,2}\w{0,3} ?(?:\d[\d.,']{2,}|\d+ ?k)[^\n]{0,30}?)", 2, note="plan_pay"),
    pattern(rf"my {_PLAN_FIELD}{_IS}{VALUE}", 3, note="plan"),
    pattern(rf"(?:i'm|i am|i will be|i'll be) (?:available|free)(?: to start)? (?P<plan>from|as of|starting|on|after) {VALUE}", 3, note="plan"),
    pattern(rf"i(?: can| could| would| will|'ll| am able to|'m able to| am ready to|'m ready to|'d be able to)(?: (?:only|already))? start(?: work(?:ing)?)? (?P<plan>on|from|in|as of|at) {VALUE}", 3, note="plan"),
    pattern(rf"(?:i (?:only )?want to work|i'd like to work|i'd rather work|rather work|i'd prefer(?: to work| working)?|prefer(?:ably)?(?: to work| working)?|i prefer(?: to work| working)?|i only work|only work|work)(?: (?:only|fully|mostly|completely))* (?P<value>{MODE})(?: (?:from now on|only|jobs|work|roles|now|positions))*", 2, note="mode_wish"),
    # Notes and letters.
    pattern(rf"pin {DET}(?:note )?{TARGET}(?: note)?(?: to the top| at the top| on top)?", 3, note="pin"),
    pattern(rf"(?:keep|stick|put|have) {DET}(?:note )?{TARGET}(?: note)? (?:pinned|at the top of (?:my|the) notes|on top of (?:my|the) notes)", 3, note="pin"),
    pattern(rf"(?:unpin|un-pin|remove the pin (?:from|of)|take the pin off) {DET}(?:note )?{TARGET}(?: note)?", 3, note="unpin"),
    pattern(rf"(?:mark|set|flag|make) {DET}(?:note )?{TARGET}(?: note)? (?:as )?pinned", 3, note="pin"),
    pattern(rf"(?:mark|set|make|flag|switch|change|update|move|put) {DET}(?:(?:status|state) of {DET})?(?P<target>[^\n]{{0,80}}?{_LETTER}[^\n]{{0,80}}?)(?: back| again)? (?:as|to|to be|is|=|into)? ?(?:a )?(?P<value>final|draft|finished|finalised|finalized|ready|complete|done)(?: version| status)?", 3, note="letter_status"),
    pattern(rf"{DET}(?P<target>[^\n]{{0,80}}?{_LETTER}[^\n]{{0,80}}?) (?:is|are|was)(?: (?:now|finally|again|back|just|still|only|to))* (?:a )?(?P<value>final|draft|finished|finalised|finalized|ready|complete|done)(?: version)?", 3, asserts=True, note="letter_status"),
    pattern(rf"(?:finali[sz]e) {DET}(?P<target>[^\n]{{0,80}}?{_LETTER}[^\n]{{0,80}}?)(?P<value>)", 3, note="letter_status"),
    pattern(rf"(?:rename|retitle) {DET}(?P<target>[^\n]{{0,80}}?(?:note|letter)[^\n]{{0,80}}?) (?:to|as|into) {VALUE}", 3, note="rename_written"),
    pattern(rf"{_SET} {DET}(?:title|name) of {DET}(?P<target>[^\n]{{0,80}}?(?:note|letter)[^\n]{{0,80}}?){_TO}{VALUE}", 3, note="rename_written"),
    pattern(rf"(?:rename|retitle) {DET}{TARGET} (?:to|as|into) {VALUE}", 2, note="rename"),
    pattern(rf"{_SET} {DET}(?P<field>recipient|language) {OF} {DET}(?P<target>[^\n]{{0,80}}?letter[^\n]{{0,80}}?){_TO}{VALUE}", 3, note="letter_field"),
    pattern(rf"(?:address|direct) {DET}(?P<target>[^\n]{{0,80}}?letter(?: (?:to|for) (?:(?! to ).){{1,60}}?)?) to {VALUE}", 3, note="letter_recipient"),
    pattern(rf"{DET}(?P<target>[^\n]{{0,80}}?letter[^\n]{{0,80}}?) (?:should be |is |must be |needs to be |will be |has to be |should )?(?:now )?(?:addressed|directed|goes|go) to {VALUE}", 3, asserts=True, note="letter_recipient"),
    pattern(rf"{DET}(?P<target>[^\n]{{0,80}}?letter[^\n]{{0,80}}?) (?:should be|is|must be|needs to be|will be|has to be) (?:written )?in (?P<value>english|german|french|spanish|italian|dutch|portuguese|polish|swedish|danish|norwegian|finnish|czech)", 3, asserts=True, note="letter_language"),
    pattern(rf"(?:make|switch|set|change|mark|flag) {DET}(?P<target>[^\n]{{0,80}}?letter[^\n]{{0,80}}?) (?:to |as |into |in |be )*(?P<value>english|german|french|spanish|italian|dutch|portuguese|polish|swedish|danish|norwegian|finnish|czech)", 3, note="letter_language"),
    pattern(rf"{DET}(?P<field>recipient|language) {OF} {DET}(?P<target>[^\n]{{0,80}}?letter[^\n]{{0,80}}?){_IS}{VALUE}", 3, asserts=True, note="letter_field"),
    # Cleared.
    pattern(rf"(?:take|pull) {DET}{_FIELD} (?:off|away from|from|out of) {DET}{TARGET}", 3, note="clear"),
    pattern(rf"(?:forget (?:about )?|ignore |no more |no )(?:the )?{_FIELD} {OF} {DET}{TARGET}(?: any ?more| any longer)?", 3, note="clear"),
    pattern(rf"{DET}{TARGET} (?:doesn't|does not|don't|no longer|didn't) (?:have|has|need|got)(?: (?:a|an|any|the))? {_FIELD}(?: any ?more| any longer| now)?", 3, note="clear"),
    pattern(rf"{DET}{TARGET} ?: ?no {_FIELD}(?: any ?more| any longer| now)?", 3, note="clear"),
    pattern(rf"{DET}{TARGET}(?:'s?)? {_FIELD} (?:is|was|has been) (?:gone|no longer valid|off|cancelled|canceled|obsolete|dropped|lifted|removed)", 3, note="clear"),
    pattern(rf"{_CLEAR} {DET}{_FIELD} {OF} {DET}{TARGET}", 3, note="clear"),
    pattern(rf"{_CLEAR} {DET}{TARGET}(?:'s?)? {_FIELD}", 3, note="clear"),
    pattern(rf"{_CLEAR} (?:the |its |this |that )?(?P<field>(?!(?:link|url|title|name|place|city|state|status|posting|job ad|website|company|language)\b){FIELD})", 2, note="clear"),
    pattern(rf"{DET}{TARGET} (?:has|have|with) no (?:more )?{_FIELD}(?: any ?more| any longer| now)?", 3, note="clear"),
    pattern(rf"there(?:'s| is| are) no {_FIELD} (?:for|at|on|with) {DET}{TARGET}(?: any ?more| any longer)?", 3, note="clear"),
    pattern(rf"{DET}{_FIELD} {OF} {DET}{TARGET} (?:is|are) (?:gone|no longer (?:valid|needed|necessary|relevant)|not needed(?: any ?more)?|unnecessary|off|cancelled|canceled|obsolete)", 3, note="clear"),
    # Tier and work mode.
    pattern(rf"(?:make|mark|set|put|consider|call|tag|flag|move|treat|rate|rank|classify|change|label|turn|update|upgrade|downgrade|switch|bump|drop|lower|raise|demote|promote|shift) {DET}{_NO_FIELD}{TARGET} (?:(?:as|to|into|in|under|at|be|down to|up to) )?(?:be )?(?:a |an |my |the |one of my |of )*(?P<value>{TIER})(?: (?:tier|jobs?|compan(?:y|ies)|applications?|choice|role|employer|list|priority|option|one|bet))*", 3, note="tier"),
    pattern(rf"{DET}{_NO_FIELD}{TARGET} (?:is|'s|should be|has become|became|would be|counts as)(?: now| actually| really)* (?:a |an |my |the |one of my |just a |only a )*(?P<value>{TIER})(?: (?:tier|jobs?|company|application|choice|role|employer|priority|option|one|bet))*(?: now| for me| of mine)?", 3, asserts=True, note="tier"),
    pattern(rf"(?:make|mark|set|put|change|switch|flag|tag|update) {DET}{_NO_FIELD}{TARGET} (?:(?:as|to|into|is|be) )?(?:a |an )?(?P<value>{MODE})(?: (?:job|role|position|work|one))?", 3, note="work_mode"),
    pattern(rf"{DET}{_NO_FIELD}{TARGET} (?:is|'s|became|has become|went|turned|will be|would be|can be|got|has gone)(?: now| actually| going| all)* (?:a |an |fully |completely |all |100% )*(?P<value>{MODE})(?: (?:job|role|position|work|one))?(?: only| now| after all)*", 3, asserts=True, note="work_mode"),
    pattern(rf"{DET}{_NO_FIELD}{TARGET} (?:allows|offers|lets|permits|does|wants|requires|expects)(?: (?:me|people|us|everyone|staff))?(?: to)?(?: (?:work|be|come|do|working))?(?: (?:fully|completely|all|in))* ?(?P<value>{MODE})(?: (?:work|working|days))?(?: now)?", 2, asserts=True, note="work_mode"),
    # Where a job was found, where it is, what the company is called now.
    pattern(rf"i (?:found|saw|heard (?:about|of)|discovered|know (?:about|of)|came across|learned (?:about|of)|learnt (?:about|of)|was told about) {DET}{TARGET}(?: job| role| position| ad| posting| opening)? (?:through|via|by way of|thanks to|from) (?:the |my |an? )?{VALUE}", 3, asserts=True, note="source"),
    pattern(rf"i (?:found|saw|discovered|came across) {DET}{TARGET}(?: job| role| position| ad| posting| opening) (?:on|at|in) (?:the )?{VALUE}", 2, asserts=True, note="source"),
    pattern(rf"{DET}{TARGET}(?: job| role| position| ad| lead)? (?:came|comes|was found|was recommended) (?:to me )?(?:through|via|from|by|on) (?:the |my |an? )?{VALUE}", 2, asserts=True, note="source"),
    pattern(rf"{DET}{TARGET} (?:is|are|'s|would be)(?: (?:actually|now|really))* (?:based|located|situated)(?: now)? (?:in|at|near) {VALUE}", 3, asserts=True, note="location"),
    pattern(rf"{DET}{TARGET} (?:is|'s|would be)(?: (?:actually|now|really))* in (?P<value>[a-z][^\n]{{2,40}}?)", 1, asserts=True, note="city"),
    pattern(rf"{DET}(?:(?:company|firm|employer) (?:behind|of|for) {DET})?{TARGET} (?:is now called|has been renamed(?: to)?|was renamed(?: to)?|renamed itself(?: to)?|changed its name to|is now known as|now goes by|are now called) {VALUE}", 3, asserts=True, note="company"),
    pattern(rf"(?:here(?:'s| is) )?{DET}(?:link|url|posting|ad|job ad|web ?page|page|web address|address) (?:for|to|of|at) {DET}{TARGET}(?: job| role| position)?(?: ?: ?| is(?: at)? | = ?|, ?)(?P<value>https?://\S+)", 3, note="url"),
    pattern(rf"{DET}{TARGET}(?:'s?)? (?:link|url|posting|ad|job ad|web ?page|page)(?: ?: ?| is(?: at)? | = ?|, ?| )(?P<value>https?://\S+)", 3, note="url"),
    # A named field of an application.
    pattern(rf"{DET}{TARGET}(?:'s?)? (?P<field>deadline|due date|closing date|next step date|follow-up date|application date)(?: -|,|:)? {_DATEISH}", 2, asserts=True, note="field"),
    pattern(rf"(?:the |new )*(?P<field>deadline|due date|closing date|next step date|follow-up date|application date)(?: {OF})? {DET}{TARGET}(?: -|,|:)? {_DATEISH}", 2, asserts=True, note="field"),
    pattern(rf"(?:the |new )?{_FIELD}(?: {OF})? {DET}(?P<target>[^\n:]{{1,80}}?) ?: {VALUE}", 2, asserts=True, note="field"),
    pattern(rf"(?P<field>next step|next action|next steps) {OF} {DET}(?P<target>[^\n:]{{1,80}}?)(?: is|:| -|: to| is to|,) ?{VALUE}", 3, free=True, note="field"),
    pattern(rf"{DET}(?P<target>[^\n:]{{1,80}}?)(?:'s?)? (?P<field>next step|next action)(?: is|:| -| is to) ?{VALUE}", 3, free=True, note="field"),
    pattern(rf"{_SET} {DET}{_FIELD} {OF} {DET}{TARGET}{_TO}{VALUE}", 3, note="field"),
    pattern(rf"{_SET} {DET}(?P<target>[^\n]{{1,120}}?)(?:'s?)? {_FIELD}{_TO}{VALUE}", 3, note="field"),
    pattern(rf"(?:set|add|put|enter|record|note|give|register)(?: (?:the|a|an|this))? {_FIELD} (?:of )?(?P<value>(?:(?!(?: for | on | to | at )).){{1,60}}?) (?:for|on|to|at) {DET}{TARGET}", 2, note="field"),
    pattern(rf"(?:give) {DET}{TARGET} (?:a |an |the )?{_FIELD} (?:of |on )?{VALUE}", 3, note="field"),
    pattern(rf"{_SET} (?:the |its |this |that |a )?{_FIELD}(?: (?:to|as|=|is|by|until)|:) {VALUE}", 2, note="field"),
    pattern(rf"{_SET} {DET}{_FIELD} {OF} {DET}{TARGET}(?P<value>)", 1, note="field"),
    pattern(rf"{DET}{_FIELD} {OF} {DET}{TARGET}{_IS}{VALUE}", 3, asserts=True, note="field"),
    pattern(rf"{DET}{TARGET}(?:'s?)? {_FIELD}{_IS}{VALUE}", 2, asserts=True, note="field"),
    pattern(rf"{DET}{TARGET} (?:has|have|got|has got) (?:a |an |the |its )?{_FIELD} (?:of |on |at |by |in )?{VALUE}", 2, asserts=True, note="field"),
    pattern(rf"(?:the |its )(?P<field>{FIELD}){_IS}{VALUE}", 1, asserts=True, note="field"),
    pattern(rf"{DET}{TARGET} (?:closes|is closing|expires|ends|is due|are due)(?: on| by| at)? {VALUE}", 2, asserts=True, note="closes"),
    pattern(rf"(?:apply|application|applications)(?: to| for| at)? {DET}{TARGET} (?:by|before|no later than|closes?|is due|due) {VALUE}", 1, note="closes"),
    pattern(rf"{DET}{TARGET} (?:pays|pay|offers|is paying|would pay|is offering) (?:me |around |about |between |roughly )*{_AMOUNT}", 2, asserts=True, note="salary"),
    pattern(rf"{DET}{TARGET} (?:has |have )?(?:raised|increased|improved|upped|lowered|reduced|bumped|changed)(?: up)? (?:the|its|their|my|your)(?: (?:salary|pay|money))? ?(?:offer|salary|pay|range|package)? (?:up |down )?to {_AMOUNT}", 3, asserts=True, note="salary"),
    pattern(rf"(?:i )?applied (?:to|at|for|with) {DET}{TARGET} on (?P<value>[^\n]{{3,30}})", 1, note="applied_on"),
    pattern(rf"(?:postpone|extend|push back|push|move|delay|reschedule|shift) {DET}{TARGET}(?:'s)? (?P<field>deadline|due date|next step date)(?: back| out| forward)? (?:to|until|till|by) {VALUE}", 3, note="field"),
)  # fmt: skip


def plan(request: Request) -> Change:
    guess = request.guess
    note = guess.note
    if note in _OF_PLAN:
        return _plan_field(request)
    if note in ("pin", "unpin", "rename_written", *_OF_LETTER):
        return _written_field(request)
    if note == "rename":
        return _rename(request)
    if note in ("clear", "field"):
        field = read_field(guess.plain("field"))
        if field is None:
            raise CannotDo(
                "I do not know that field. I can set deadline, next step, location, salary, tier and work mode."
            )
        if note == "clear":
            document = _document(request, field)
            return _change(document, clear_setting(field, document), request)
    else:
        field = {"closes": "deadline", "city": "location"}.get(note, note)
    slot = guess.slot("value")
    if slot is None:
        raise AskBack(f"What should the {field_name(field)} be?")
    if field == "stage":
        raise AskBack(
            "To which stage should it go? The stages are saved, preparing, applied, screening, interviewing, offer, accepted, rejected and withdrawn."
        )
    if note == "city" and not (find_city(slot.folded) or read_country(slot.folded)):
        raise CannotDo(
            "I am not sure what you would like me to change. Say for instance “set the location of COMPANY to PLACE”."
        )
    document = _document(request, field)
    return _change(document, _later(request, field, slot, document) or settings_for(field, slot, request), request)


def _document(request: Request, field: str) -> Document:
    target = request.guess.slot("target")
    if field in ("recipient", "language"):
        return written(request, target, ("letter",))
    return application(request, target)


def _change(document: Document, settings: list[Setting], request: Request) -> Change:
    operations, lines = [], []
    for setting in settings:
        was = document.get(setting.field)
        if was == setting.value or (was in (None, "") and setting.value is None):
            continue
        operations.append(set_field(document, setting.field, setting.value))
        lines.append(_line(document, setting, request))
    if not operations:
        first = settings[0]
        state = "empty already" if first.value is None else f"**{value(first.value, request.zone)}** already"
        raise AlreadySo(
            f"The {field_name(first.field)} of {document.link} is {state}, so there is nothing to change.",
            (document.id,),
        )
    names = str(document.get("company") or document.name)
    word = "Clear" if settings[0].value is None else "Set"
    return Change(
        operations=tuple(operations),
        lines=tuple(lines),
        reason=f"{word} {field_name(settings[0].field)} of {names}",
        subject=document.id,
        citations=(document.id,),
    )


def _line(document: Document, setting: Setting, request: Request) -> str:
    was, name = document.get(setting.field), field_name(setting.field)
    if setting.field == "pinned":
        return f"{'Pinned' if setting.value else 'Unpinned'} {document.link}."
    if setting.value is None:
        return f"Cleared the {name} of {document.link} (it was {value(was, request.zone)})."
    before = f"{value(was, request.zone)} → " if was not in (None, "", []) else ""
    return f"Set the {name} of {document.link}: {before}**{value(setting.value, request.zone)}**."


def _later(request: Request, field: str, slot: Sentence, document: Document) -> list[Setting] | None:
    """ "by two days" moves a date that is there; None where the words say something else."""
    found = re.fullmatch(rf"(?P<n>{NUMBER}) (?P<u>days?|weeks?|months?)(?: later)?", slot.folded.strip(" .!"))
    was = read_iso(document.get(field))
    if (
        found is None
        or was is None
        or not re.search(rf"\b(?:by|another) {re.escape(slot.folded)}", request.guess.clause.folded)
    ):
        return None
    moved = find_date(f"in {found['n']} {found['u']}", was)
    return [Setting(field, moved.on.isoformat())] if moved else None


def _plan_field(request: Request) -> Change:
    guess = request.guess
    document = request.workspace.plan
    if document is None:
        raise CannotDo("I could not read your plan, so nothing was changed.")
    if guess.note == "mode_wish":
        field = "work_mode"
    elif guess.note == "plan_pay":
        field = "plan_salary"
    elif guess.note in ("plan_add", "plan_remove"):
        return _change(document, [_list_setting(request, document)], request)
    elif guess.note == "plan":
        field = _plan_name(guess.plain("plan"))
    else:
        field = guess.note
    if guess.slot("value") is None:
        raise AskBack(f"What should the {field_name(field)} be?")
    return _change(document, settings_for(field, guess.slots["value"], request), request)


def _list_setting(request: Request, document: Document) -> Setting:
    """Target titles or locations with some added or taken out."""
    guess = request.guess
    field = _plan_name(guess.plain("plan").replace("position", "title").replace("job", "title"))
    said = settings_for(field, guess.slots["value"], request)[0].value or []
    kept = [str(entry) for entry in document.get(field) or []]
    known = {entry.casefold() for entry in kept}
    if guess.note == "plan_add":
        return Setting(field, [*kept, *(entry for entry in said if entry.casefold() not in known)])
    gone = {entry.casefold() for entry in said}
    if not gone & known:
        raise CannotDo(f"I found no such entry among the {field_name(field)} of [your plan](#plan).", ("plan",))
    return Setting(field, [entry for entry in kept if entry.casefold() not in gone])


def _plan_name(text: str) -> str:
    if "title" in text or "role" in text:
        return "target_titles"
    if re.search(r"location|cit|place|town", text):
        return "target_locations"
    if "mode" in text:
        return "work_mode"
    return "plan_salary" if "salary" in text or "pay" in text else "available_from"


def _written_field(request: Request) -> Change:
    guess = request.guess
    kinds = ("letter",) if guess.note in _OF_LETTER else ("note",)
    if guess.note == "rename_written" and "letter" in guess.plain("target"):
        kinds = ("letter",)
    target, new_title = guess.slot("target"), guess.words("value")
    if guess.note == "rename_written":
        target, new_title = _renamed(request, kinds)
    document = written(request, target, kinds)
    if guess.note in ("pin", "unpin"):
        return _change(document, [Setting("pinned", guess.note == "pin")], request)
    if guess.note == "letter_status":
        return _change(document, [Setting("status", reader(LETTER_STATUS).get(guess.plain("value"), "final"))], request)
    if guess.note in ("letter_recipient", "letter_language"):
        return _change(document, settings_for(guess.note[7:], guess.slots["value"], request), request)
    if guess.note == "letter_field":
        return _change(document, settings_for(guess.plain("field"), guess.slots["value"], request), request)
    return _change(document, [Setting("title", one_line(new_title))], request)


def _renamed(request: Request, kinds: tuple[str, ...]) -> tuple[Sentence | None, str]:
    """Which words name the document and which are its new title: a title may hold a "to" itself."""
    guess = request.guess
    target, title = guess.slot("target"), guess.words("value")
    if target is None or guess.slot("value") is None:
        return target, title
    start = guess.clause.folded.find(target.folded)
    for place in re.finditer(r" (?:to|as|into) ", guess.slots["value"].folded):
        end = guess.clause.folded.find(guess.slots["value"].folded, start) + place.start()
        longer = guess.clause.part(start, end)
        found = look_for_written(request, longer, kinds)
        if found and found.sure and len(found.ids) == 1:
            target, title = (
                longer,
                guess.clause.part(end + len(place.group()), len(guess.clause.folded)).words.rstrip(".!"),
            )
    return target, title


def _rename(request: Request) -> Change:
    target = request.guess.slot("target")
    if is_pronoun(target) or target is None:
        document = current(request, "note", "letter", "application")
    else:
        found = look_for_written(request, target, ("note", "letter"))
        document = (
            settle(request, found, target.words, "note") if found and found.sure else application(request, target)
        )
    return _change(document, [Setting("title", one_line(request.guess.words("value")))], request)


def _needs(guess: Guess) -> tuple[str, ...]:
    if guess.note in _OF_PLAN:
        return ("plan",)
    if guess.note == "rename":
        return ("application", "note", "letter")
    if guess.note in ("pin", "unpin") or (guess.note == "rename_written" and "letter" not in guess.plain("target")):
        return ("application", "note")
    in_letter = guess.note in (*_OF_LETTER, "rename_written") or guess.plain("field") in (
        "recipient",
        "language",
    )
    return ("application", "letter") if in_letter else ("application",)


INTENT = Intent(
    name="set_field",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "Set the deadline for Larkspur to 2027-01-15",
        "Make Brackenfield a dream job",
        "Clear the deadline on Tideline Labs",
    ),
    suggestion="set a field (“set the deadline for COMPANY to DAY”)",
    needs=_needs,
    plan=plan,
)
