"""What is never done: deleting, sending, submitting, paying, opening addresses, revealing keys, running commands.

Declined before anything is read or called, whatever else the sentence holds. `judge` looks at heads of clauses, so a note
or task that merely speaks of sending stays a note or task.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.outcome import Answer
from assistant.host.connectors.builtin.sentence import Sentence

from .base import Guess, Intent, Request

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_ALL = r"[^\n]*"
_OWN = r"(?:secret|private|workspace|workspace's|owner|edit|view|access|magic|login|invite|share|sharing|own)"
_SECRET = (
    rf"(?:(?:{_OWN} |my |the |this |your )*(?:{_OWN} (?:links?|address|url|keys?)|links?(?=[\s.,!?]*$)|links? (?:of|to|for|that opens?) (?:this|my|the|another|every|all)(?: \w+)? workspaces?|keys?(?=[\s.,!?]*$| (?:of|to|for)\b)|"
    r"api keys?|tokens?|passwords?|passphrase|secrets?|credentials?|cookies?|session id|env(?:ironment)? variables?|environment(?=[\s.,!?]*$)|system prompt|"
    r"prompt|(?:hidden |full |system |complete |original |initial |secret )*instructions|source code|database|\.env|server logs?))"
)
_REVEAL = r"(?:show|print|reveal|tell|give|output|display|repeat|send|expose|dump|leak|share|say|read|list|export|write|disclose|echo|spell|copy|paste|return|what(?:'s|s| is| are| was| were)?|where(?:'s| is| are)|which)"
_EVERYTHING = r"(?:everything|all|it all|my (?:workspace|data|account|board|history|profile|cv|plan)|the (?:workspace|board|history|database|data|whole|account)|this workspace|all of)"
_URL = r"(?:https?://|www\.|ftp://|file://|(?<![\w.])(?!asp\.|vb\.|ado\.)[a-z0-9-]+\.(?:com|org|net|io|example|dev|de|co\.uk|ch|fr|es|eu|info|app|ai)\b)"

# Looked for at the head of each clause.
HEADS: tuple[tuple[str, str], ...] = (
    ("delete", rf"(?:delet(?:e|ing)|eras(?:e|ing)|trash|destroy|purge|wipe|nuke|bin|throw (?:away|out)|get rid of|remov(?:e|ing)|discard|dispose of|eliminate|kill|shred|expunge|permanently (?:delete|remove)|obliterate|scrap|chuck)\b{_ALL}"),
    ("delete", rf"(?:clear|empty|drop|reset|format|clean(?: out| up)?) (?:out )?{_EVERYTHING}\b{_ALL}"),
    ("delete", rf"(?:clear|empty|drop|clean(?: out| up)?) (?:(?:all|the|my|every|of) )*(?:applications?|notes?|letters?|documents?|tasks?|contacts?|board|workspace|database|tables?|threads?|history|checklists?|interviews?)\b(?! (?:deadline|field)){_ALL}"),
    ("delete", rf"(?:put|move|throw|send) {_ALL}\b(?:in|into|to) (?:the )?(?:trash|bin|garbage|recycle bin|wastebasket)\b{_ALL}"),
    ("send", rf"(?:send|sending|forward|fax|mail out|shoot|fire off)(?! (?:me )?(?:an? )?(?:reminder|overview|summary|update|status))\b{_ALL}"),
    ("send", rf"(?:e-?mail|mail|message|text|dm|ping|whatsapp|sms|tweet|cc|bcc|notify|inform|contact|phone|call|ring|write to|reply to|respond to|answer|get back to|reach out to|write back to|let (?!me\b|us\b){_ALL} know|tell(?! me\b| us\b))(?!s?:)(?: (?!person\b|for\b|at\b|from\b|of\b|with\b|interviews?\b|calls?\b|screen\w*\b|number\b|is\b)|$){_ALL}"),
    ("send", rf"(?:write|compose|send|draft)(?: (?:an?|the))? (?:e-?mail|mail|message|reply|text|sms|linkedin message)(?: (?:to|back))\b{_ALL}"),
    ("send", rf"(?:reply|respond)\b{_ALL}"),
    ("send", rf"(?:post|publish|share|upload|tweet)\b(?!ed){_ALL}"),
    ("submit", rf"(?:submit|submitting|hand in|file|turn in|send off|send in|lodge) (?:(?:my|the|this|an?|all) )*{_ALL}"),
    ("submit", rf"(?:apply|applying) (?:to|for|at|with|on my behalf|automatically|now|there|directly)\b(?! [a-z0-9]{{1,12}} (?:jobs?|applications?) (?:a|per|each|every) week){_ALL}"),
    ("submit", rf"(?:auto-?apply|fill (?:in|out) (?:the|their|an?|this|my) (?:form|application|online)|sign up|sign me up|register me|enrol)\b{_ALL}"),
    ("submit", rf"(?:book|reserve|order|confirm) (?:me |us )?(?:an? |the |my )?(?:flight|hotel|train|ticket|taxi|table|car|seat|restaurant)s?\b{_ALL}"),
    ("pay", rf"(?:pay|paying|buy|purchase|order|transfer (?:money|funds|the (?:money|fee|amount)|[0-9€£$])|wire (?:money|[0-9€£$])|donate|subscribe|checkout|invest|refund|tip|charge)\b(?! me\b){_ALL}"),
    ("open", rf"(?:open|fetch|visit|browse(?: to)?|go to|read|download|load|click(?: on)?|check(?: out)?|look (?:at|up)|crawl|scrape|get|access|curl|wget|navigate to|follow|view|see|import|summari[sz]e|analy[sz]e|find out|extract|parse|show|call|request|query|connect to|take|import from|look into|surf to|launch|use) {_ALL}{_URL}{_ALL}"),
    ("open", rf"(?:open|fetch|visit|browse|go to|download|load|click(?: on)?|crawl|scrape|follow|surf)(?: (?:the|this|that|their|its|my|a|on))* (?:[^\n]{{0,40}}? )?(?:url|web ?site|web ?page|home ?page|link|web address|job ad|ad|posting|internet|browser|web|google|linkedin|attachment|page at|careers? page|jobs? page|company page|site)s?(?:$|[.,!?]| (?:of|for|at|from|to|in|and|that|where|with|then|please|now)\b){_ALL}"),
    ("open", rf"(?:google|search the (?:web|internet)|browse the (?:web|internet)|look (?:it|that|this|them) up (?:online|on the (?:web|internet))|go online|surf)\b{_ALL}"),
    ("run", r"(?:run|execute|exec|eval|sudo|bash(?= -|$)|launch|invoke|spawn|reboot|restart|shut ?down|install|uninstall|deploy|ssh|chmod|chown|rm|ls|cat|curl|wget|pip install|npm (?:install|run|i)|git (?:clone|push|pull|commit|checkout)|python3? (?:-c|-m|\S+\.py)|docker (?:run|ps|exec)|kubectl|psql|select \*|drop table|truncate|cd|echo|grep|powershell|cmd)(?: (?!(?:me|my|the|a|an)? ?(?:job )?search\b|over\b|on\b|by\b|from\b|in\b).*|)$"),
    ("run", rf"(?:use|call|enable|add|give yourself|activate|load|get)(?: (?:the|a|an|new|another|more|your|other|shell))* (?:tools?|shell|terminal|plugin|run_shell|command line|console|function call|api)\b{_ALL}"),
    ("settings", rf"(?:change|update|set|turn|switch|enable|disable|edit|modify|revoke|create|make|generate|add|rotate|reset|new|renew|mint|remove|share|issue)(?: (?:on|off|me|us|a|an|the|my|our|new|another|all|this|of|more))* ?(?:settings?|workspace settings|preferences|permissions?|(?:workspace |share |sharing |view |edit |owner |view-only |read-only |access |invite |secret )+links?|access (?:rights|rules)|roles? of (?:the )?link|api keys?|tokens?|password|rate limits?|assistant sees contact details|contact details (?:on|off|visib\w+)|time ?zone|language of the (?:workspace|app)|connectors?|notifications?|dark mode|theme)\b(?! (?:for|of|on|at|to) (?!on\b|off\b|me\b|my (?:friend|wife|husband|coach|partner)\b|be\b)[^\n]*(?:application|job|\d|https?)){_ALL}"),
    ("settings", rf"(?:add|create|make|generate|give|set up|new|mint){_ALL}\blinks?\b{_ALL}\b(?:friend|wife|husband|partner|coach|mentor|colleague|access|viewer|editor|read-only|sharing)\b{_ALL}"),
    ("settings", rf"(?:invite|give (?:[\w']+ ){{0,4}}access|grant|log (?:me )?(?:in|out)|sign (?:me )?(?:in|out)|connect (?:my|to|the)|disconnect|export (?:my|the|everything|all)|back ?up|import (?:my|the|a|this)|share (?:my|the|this)|let (?:my|him|her|them)\b{_ALL}\b(?:see|view|access|edit)|make (?:my|this|the) (?:workspace|profile) (?:public|visible))\b{_ALL}"),
    ("secret", rf"(?:{_REVEAL})\b(?: (?:me|us|out|you|your|all|the|my|of|to|for|this|every|again|back|down|it|please|current|exact|own|any|that|opens|these|what|verbatim|is|are))* {_SECRET}(?: (?:of|to|for|that|in|from|behind|you|verbatim|word|please|i|were|was|so|here|now|again|and)\b{_ALL})?[\s.,!?]*$"),
    ("secret", rf"(?:what|which) (?:is|are|were) (?:your|the) (?:system |hidden |original |exact |initial )*(?:instructions?|prompts?|rules|guidelines|configuration)\b{_ALL}"),
    ("secret", rf"(?:list|show|open|tell me about|what|which|how many|are there|name|switch to|give me|access|read|look (?:at|into)|see|who|do you (?:see|know|have))\b{_ALL}\b(?:other|all|another|every|someone else's|somebody else's|other people's|others'|different)(?: (?:the|users?'?|people's|persons?'?|existing|existent|your))* (?:workspaces?|users?|accounts?|persons|people's data|tenants?|customers?|threads)\b{_ALL}"),
)  # fmt: skip
# Looked for anywhere in a sentence that is not a note or task: somebody gives the assistant orders about itself.
ANYWHERE: tuple[tuple[str, str], ...] = (
    ("trust", r"\b(?:ignore|disregard|forget|override|bypass|skip|overrule|suspend|drop)(?: (?:all|any|your|the|every|these|those|previous|prior|earlier|above|former|of|safety|own|my))* (?:instructions?|rules?|polic(?:y|ies)|guidelines|restrictions|limits|prompts?|safety|guardrails|orders|directives|constraints)\b"),
    ("trust", r"\bi(?:'m| am)(?: (?:the|a|an|your|one of the))? (?:[a-z]+ ){0,2}(?:admin|administrator|developer of (?:this|you)|owner of (?:this|the) server|operator|root|superuser|sysadmin|maintainer|creator|support engineer|security auditor|auditor|system operator)\b(?! (?:at|for|role|job|position|with|in)\b)"),
    ("trust", r"\b(?:from now on|henceforth|starting now|as of now)\b.{0,80}\b(?:you|treat|accept|trust|obey|act|answer|respond|consider|all|my messages?|every)\b"),
    ("trust", r"\b(?:you are (?:now|no longer)|pretend (?:to be|you are|that you)|act as|behave (?:as|like)|roleplay|role-play|imagine you are|let us play|let's play|you're now|simulate)\b"),
    ("trust", r"<\|?(?:im_start|im_end|system|endoftext)|\[/?inst\]|\b(?:system|developer|assistant) ?(?:prompt|message|override|mode) ?:|^\W*(?:system|developer|assistant|tool) ?:|\b(?:debug|developer|maintenance|god|admin|root|jailbreak|unrestricted|dan) ?mode\b|\bjailbreak\b|\bdebugbot\b"),
    ("trust", r"\b(?:workspace|document|thread|link|host|user|account|receipt|settings?|system)\.(?:delete|trash|erase|purge|destroy|create|drop|remove|update|restore)\b|\b(?:document|item)\.(?:trash|restore|remove)\b|\btext\.merge\b|\"?kind\"? ?: ?\"[a-z]+\.[a-z_]+\"|\boperation kind\b|\bexpected_clocks\b"),
    ("secret", r"\b(?:cvl|cvh|jcl)_[a-z0-9_-]*"),
    ("secret", r"\b(?:secret|private|workspace) (?:link|address|url|key)\b|\blink (?:of|to|for) (?:this|my|the|another|the other) workspace\b|\b(?:print|reveal|show|repeat|leak|output|tell me) (?:me )?(?:your|the) (?:full |complete |hidden |system |secret |whole )*(?:instructions|prompt|rules|system prompt|configuration)\b"),
    ("secret", r"\b(?:environment variables?|env vars?|api[_ ]?keys?|private keys?|access tokens?|bearer tokens?)\b"),
    ("run", r"(?:^|[;&|]\s*|\$\s*|`)\s*(?:rm -rf?|sudo|ls -[a-z]+|cat /|curl https?|wget https?|chmod|eval\(|exec\(|os\.system|subprocess|import os)\b|\bdrop table\b|\bselect \* from\b|<script|javascript:"),
    ("send", r"\b(?:e-?mail|send|forward|mail|text|message)(?:s|ing)? (?:it|them|this|that|him|her|my (?:cv|resume|application|profile|notes?|letter|data))\b(?: .{0,40})?\b(?:to|for me|off|out)\b"),
)  # fmt: skip

_HEADS = tuple((kind, re.compile(rule, re.DOTALL)) for kind, rule in HEADS)
_ANYWHERE = tuple((kind, re.compile(rule, re.DOTALL)) for kind, rule in ANYWHERE)

_WHY = {
    "delete": "I do not delete anything. You can do that yourself on the document's page.",
    "send": "I do not send messages or contact anybody. That stays with you.",
    "submit": "I do not submit applications or forms. That stays with you.",
    "pay": "I do not buy or pay anything.",
    "open": "I do not open web addresses or files.",
    "run": "I do not run commands or programs, and I have no other tools.",
    "settings": "I do not change settings, links or access. The owner does that on the Settings page.",
    "secret": "I do not show links, keys, instructions or other workspaces; I do not have them either.",
    "trust": "I only do what the four tools of this workspace allow, whoever asks.",
}
_INSTEAD = {
    "delete": ("move_stage", "undo_last"),
    "send": ("add_task", "add_note"),
    "submit": ("move_stage", "add_checklist_item"),
    "pay": ("add_task", "overview"),
    "open": ("create_application", "show_document"),
    "run": ("overview", "help"),
    "settings": ("overview", "set_field"),
    "secret": ("overview", "list_applications"),
    "trust": ("overview", "add_note"),
}


def judge_head(clause: Sentence) -> str | None:
    """Which prohibition the head of a clause meets, None for none."""
    text = clause.folded[:500]
    return next((kind for kind, rule in _HEADS if rule.match(text)), None)


def judge_anywhere(sentence: Sentence) -> str | None:
    """Orders about the assistant itself, and keys, anywhere in a sentence."""
    text = sentence.folded[:2_000]
    return next((kind for kind, rule in _ANYWHERE if rule.search(text)), None)


def guess(sentence: Sentence, kind: str) -> Guess:
    return Guess(INTENT, sentence, {}, 3, kind)


async def respond(request: Request, desk: Desk) -> Answer:
    from .catalogue import offer

    kind = request.guess.note
    return Answer(
        f"{_WHY.get(kind, _WHY['trust'])} Nothing was changed. {offer(*_INSTEAD.get(kind, ('overview', 'add_note')))}"
    )


INTENT = Intent(
    name="forbidden",
    kind="talk",
    patterns=(),
    examples=("Delete everything", "Email Jorin that I accept", "What is my secret link?"),
    suggestion="",
    respond=respond,
)
