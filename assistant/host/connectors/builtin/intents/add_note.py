"""A new note, alone or about an application; its title is said or is the first words."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from assistant.host.connectors.builtin.changes import create, short_title
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AskBack, Change
from assistant.host.connectors.builtin.sentence import QUOTED, Sentence
from assistant.host.connectors.builtin.targets import application, is_pronoun, mentioned
from assistant.host.connectors.builtin.workspace import Document

from .base import BODY, DET, Intent, Request, pattern

_NEW = r"(?:add|make|create|write|take|leave|save|put|jot|jot down|start|new|file|attach|enter|keep|store|record|drop|post)"
_NOTE = r"(?:a |an |the |my |one |this |another |new |quick |short |small |little |following |personal |as )*(?:notes?|memo|reminder note)(?: down)?"
_ABOUT = r"(?:to|for|on|about|at|in|under|re|regarding|with|against|concerning|of)"
_T = r"(?P<target>(?!(?:self|myself|me)\b)[^\n:]{1,100}?)"
_SAYS = r"(?:[,.]? ?(?:that says|saying|which says|that reads|reading|to say|stating|with the text|with text|that|with the content|containing|as follows|with))"
_SAID = r"(?:that says|saying|which says|that reads|to say|stating|with the text|that|with the content|containing|as follows)"
_TITLED = r"(?:titled|called|named|entitled|with (?:the )?title|with (?:the )?name)"

PATTERNS = (
    pattern(rf"(?:{_NEW} )?{_NOTE},? {_TITLED} (?P<title>[^\n:]{{1,120}}?) {_ABOUT} {DET}(?P<target>[^\n:]{{1,80}}?) ?: ?{BODY}", 3, free=True, note="explicit"),
    pattern(rf"(?:{_NEW} )?{_NOTE},? {_TITLED} (?P<title>[^\n:]{{1,120}}?)(?: ?: ?| ?- |{_SAYS}[:,]? ){BODY}", 3, free=True, note="explicit"),
    pattern(rf"(?:{_NEW} )?{_NOTE} {_ABOUT} {DET}{_T},? {_TITLED} (?P<title>[^\n:]{{1,120}}?) ?: ?{BODY}", 3, free=True, note="explicit"),
    pattern(rf"{_NEW} {_NOTE} {_ABOUT} {DET}{_T}(?: ?: ?| ?- |{_SAYS}[:,]? ){BODY}", 3, free=True, note="explicit"),
    pattern(rf"{_NEW} {_NOTE} {_ABOUT} {DET}(?P<target>[^\n:,]{{1,60}}?), ?{BODY}", 2, free=True, note="explicit"),
    pattern(rf"{_NEW} {_NOTE}(?: ?: ?| ?- |,? {_SAID}[:,]? ?){BODY}", 3, free=True, note="explicit"),
    pattern(rf"{_NEW} {_NOTE} (?P<body>{QUOTED})(?: {_ABOUT} {DET}{_T})?", 3, note="explicit"),
    pattern(rf"{_NEW} (?P<body>{QUOTED}) (?:as|in) {_NOTE}(?: {_ABOUT} {DET}{_T})?", 3, note="explicit"),
    pattern(rf"(?:new |quick |short |my )?(?:notes?|memo) {_ABOUT} {DET}{_T}(?: ?: ?| - ){BODY}", 3, free=True, note="explicit"),
    pattern(rf"(?:new |quick |short |my )?(?:notes?|memo)(?: to self)? ?(?::|-) ?{BODY}", 3, free=True, note="explicit"),
    pattern(rf"{DET}{_T} note ?: ?{BODY}", 2, free=True, note="explicit"),
    pattern(rf"note (?:down )?(?:for|on|about|under) {DET}{_T} that {BODY}", 3, free=True),
    pattern(rf"(?:note|write|jot|put|take|scribble|get)(?: this| it)? down(?: (?:for|on|about|under) {DET}(?P<target>[^\n:]{{1,60}}?))?(?: that|,|:| -)* {BODY}", 3, free=True),
    pattern(rf"(?:make|take) (?:a )?(?:mental )?note(?:s)?(?: of (?:the fact )?)?(?:that|:| of|,)* ?{BODY}", 3, free=True),
    pattern(rf"{DET}(?P<target>[^\n:,]{{1,60}}?)(?: application| job| role)? ?(?:-|:|,) ?(?:please )?(?:note|remember|write down|jot down)(?: down)?(?: that|:|,) ?{BODY}", 3, free=True),
    pattern(rf"note (?:that |down |: ?){BODY}", 3, free=True),
    pattern(rf"(?:remember|keep in mind|bear in mind|don't forget|record|log|save|please record)(?: the fact)? that {BODY}", 3, free=True),
    pattern(rf"(?:for (?:the|my) record|fyi|for my notes|to note|worth noting|nb|n\.b\.)(?:,|:| -| that)* {BODY}", 3, free=True),
    pattern(rf"(?:add|put|write) (?:to|in|into) (?:my |the )?notes(?: that|:| -) {BODY}", 3, free=True, note="explicit"),
    pattern(rf"remember ?: ?{BODY}", 2, free=True),
    pattern(rf"(?:{_NEW} (?:a |an |the |one |another |new |quick |short )*note|note) (?!(?:{_ABOUT}|{_TITLED}|down|to|called|please|now)\b){BODY}", 2, free=True),
    pattern(rf"{_NEW} {_NOTE}(?: {_ABOUT} {DET}{_T})?", 1, note="empty"),
)  # fmt: skip


def plan(request: Request) -> Change:
    guess = request.guess
    target = guess.slot("target")
    owner: Document | None = None
    if target is not None:
        owner = application(request, target)
    body = guess.slot("body")
    if body is None:
        raise AskBack("What should the note say?")
    if owner is None:
        owner = _owner(request, body)
    text = body.words.strip()
    title = guess.words("title") or short_title(text)
    fields = {"title": title[:500], "application": owner.id if owner else None}
    about = f" about {owner.link}" if owner else ""
    return Change(
        operations=(create("note", "note", fields, {"body": text}),),
        lines=(f"Added the note “{{new:note}}”{about}.",),
        reason=f"Add a note about {owner.get('company') or owner.name}" if owner else "Add a note",
        subject=owner.id if owner else None,
        citations=(owner.id,) if owner else (),
        created={"note": plain(title, 120)},
    )


def _owner(request: Request, body: Sentence) -> Document | None:
    """The application that the text is about: the clause before names it, or the text itself, or it is open."""
    named = mentioned(request, body.words[:600])
    if named is not None:
        return named
    documents = request.workspace.documents
    if request.previous is not None and request.previous in documents:
        return documents[request.previous] if documents[request.previous].kind == "application" else None
    if (
        is_pronoun(request.guess.slot("target"))
        and request.here in documents
        and documents[request.here or ""].kind == "application"
    ):
        return documents[request.here or ""]
    return None


INTENT = Intent(
    name="add_note",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "Add a note: recruiters are quiet in December",
        "Note for Larkspur: they use Django",
        "Write down that Halcyon offers 28 days of leave",
    ),
    suggestion="add a note (“note for COMPANY: …”)",
    needs=("application",),
    plan=plan,
)
