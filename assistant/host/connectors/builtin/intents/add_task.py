"""A task on the plan, with its due date where one is said."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from assistant.host.connectors.builtin.changes import add_item
from assistant.host.connectors.builtin.dates import edge_date
from assistant.host.connectors.builtin.markdown import plain
from assistant.host.connectors.builtin.outcome import AskBack, CannotDo, Change
from assistant.host.connectors.builtin.say import value
from assistant.host.connectors.builtin.sentence import QUOTED, Sentence
from assistant.host.connectors.builtin.targets import application, known_company
from assistant.host.connectors.builtin.task_words import dated
from assistant.host.connectors.builtin.workspace import Document

from .add_checklist_item import add_to_checklist
from .base import BODY, DET, Intent, Request, pattern

_ADD = r"(?:add|put|create|make|set|set up|write|place|new|enter|schedule|stick|include|give me|save|plan|note)"
_TASK = r"(?:a |an |the |my |new |another |this |following )*(?:tasks?|to-?dos?|to do(?: item)?|todo item|to-?do item|action item|reminder|plan item)"
_LIST = r"(?:my |the |our )*(?:(?:to-?do|to do|task|tasks|plan)(?:'s)? ?(?:list|s)?|list of tasks|tasks?|plan|agenda|list|reminders?|action list)"
_ME = r"(?:remind me|give me a reminder|set (?:me )?a reminder|send me a reminder|make me remember|don't let me forget|do not let me forget|help me remember|nudge me|ping me|make sure i(?: don't forget| remember)?|i want to remember|i should not forget|i mustn't forget|i must not forget|remember|don't forget|do not forget|i shouldn't forget)"

PATTERNS = (
    pattern(rf"(?:{_ADD} )?{_TASK} (?:for|on|about|regarding|to) (?:the |my )?(?P<target>[^\n:]{{1,80}}?) ?: ?{BODY}", 3, free=True, note="task"),
    pattern(rf"(?:{_ADD} )?{_TASK}(?: (?:for|on|due|by) (?P<due>[^\n:]{{1,30}}?))? ?: ?{BODY}", 3, free=True, note="dated"),
    pattern(rf"{_ADD} {_TASK}(?: (?:called|named|titled|saying|that says|which says))? (?P<body>{QUOTED}[^\n]{{0,60}}?)(?: (?:to|on|in|onto) {_LIST})?", 3, note="task"),
    pattern(rf"{_ADD} {_TASK} (?:to|on|in|onto|into) {_LIST}(?: (?:to|that says|saying|called|named)|:) {BODY}", 3, free=True, note="task"),
    pattern(rf"{_ADD} {_TASK} (?:to|that i(?: have to| must| need to| should)?|in order to) {BODY}", 3, free=True, note="task"),
    pattern(rf"{_ADD} {_TASK} (?:called|named|titled|saying|for) {BODY}", 2, free=True, note="task"),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) (?:as an?|as) (?:new )?(?:task|to-?do|to do|reminder)(?P<when>(?: (?:by|for|on|due|until|in) [^\n]{{1,40}}?)?)", 3, note="task"),
    pattern(rf"{_ADD} (?P<body>[^\n]{{1,400}}?) (?:to|on|in|onto|into) {_LIST}(?P<when>(?:,? (?:(?:by|for|on|due|until|before|in|with) )?[^\n:]{{1,40}}?)?)", 2, note="task"),
    pattern(rf"{_ADD}(?: (?:this|that|the following))? (?:to|on|in|onto) {_LIST} ?: ?{BODY}", 3, free=True, note="task"),
    pattern(rf"(?:to-?do|to do|task|reminder|new task|tasks|new to-?do) ?(?::|-) ?{BODY}", 3, free=True, note="task"),
    pattern(rf"todo {BODY}", 2, free=True, note="task"),
    pattern(rf"{_ME}(?P<due>(?: (?:on|in|by|at|this|next|tomorrow|today|every)? ?[^\n:]{{1,30}}?)?)(?: to|,? that i (?:have to|must|need to|should|want to|wanted to)) {BODY}", 3, free=True, note="remind"),
    pattern(rf"{_ME}(?P<due>(?: (?:on|in|by|this|next|tomorrow|today) ?[^\n:]{{0,25}}?)?)(?: about| of|:| that) {BODY}", 2, free=True, note="remind"),
    pattern(r"(?:i|we)(?: (?:still|also|really))* (?:need to|have to|must|should|ought to|'ve got to|have got to|gotta)(?: (?:still|also|really))* (?P<body>[^\n]{2,300}?) for {DET}(?P<target>[^\n]{1,80}?)(?P<when>(?:,? (?:by|before|until|due|on) [^\n]{1,40}?|,? (?:tomorrow|today|tonight|this [a-z]+|next [a-z]+))?)".replace("{DET}", DET), 1, note="need"),
    pattern(rf"(?:i|we)(?: (?:still|also|really))*(?: need to| have to| must| should|'ve got to| have got to| gotta)(?: (?:still|also|really))* {BODY}", 1, free=True, note="need"),
    pattern(rf"(?:add|create|make|new) (?:a |an |the |new )*(?:task|to-?do|reminder) (?!(?:to|for|on|in|about|called|named|titled|by|due|list|please|that|saying|is|with|regarding)\b){BODY}", 2, free=True, note="task"),
    pattern(rf"{_ADD} {_TASK}", 1, note="empty"),
)  # fmt: skip


def plan(request: Request) -> Change:
    guess = request.guess
    document = request.workspace.plan
    if document is None:
        raise CannotDo("I could not read your plan, so nothing was changed.")
    body = guess.slot("body")
    if body is None:
        raise AskBack("What is the task?")
    about: Document | None = None
    target = guess.slot("target")
    if guess.note == "need" and target is not None:
        known = known_company(request, target.words)
        if known and known.sure:
            return add_to_checklist(request, application(request, target), body)
        # No application of that name: "for …" belongs to the task's own words.
        body = guess.clause.part(len(guess.clause.folded) - len(_from(guess.clause, body)), len(guess.clause.folded))
    elif target is not None:
        known = known_company(request, target.words)
        if (known and known.sure) or not edge_date(target.folded, request.today):
            about = application(request, target)
    title, due = dated(
        body,
        request.today,
        guess.slot("when") or guess.slot("due") or (target if about is None and guess.note == "task" else None),
    )
    if not title:
        raise AskBack("What is the task?")
    operation = add_item(document, "tasks", {"title": title, "due": due, "application": about.id if about else None})
    return Change(
        operations=(operation,),
        lines=(
            f"Added the task “{plain(title, 160)}” to [your plan](#plan)"
            + (f", due {value(due)}" if due else "")
            + (f", for {about.link}" if about else "")
            + ".",
        ),
        reason=f"Add a task: {title}",
        subject=about.id if about else request.previous,
        citations=("plan", *((about.id,) if about else ())),
    )


def _from(clause: Sentence, body: Sentence) -> str:
    place = next((i for i, offset in enumerate(clause.offsets) if offset >= body.offsets[0]), 0)
    return clause.folded[place:]


INTENT = Intent(
    name="add_task",
    kind="change",
    patterns=PATTERNS,
    examples=(
        "Add a task: buy a suit by Friday",
        "Remind me to email the university in 5 days",
        "todo: sort certificates",
    ),
    suggestion="add a task (“remind me to … by DAY”)",
    needs=lambda guess: ("plan", "application") if "target" in guess.slots else ("plan",),
    plan=plan,
)
