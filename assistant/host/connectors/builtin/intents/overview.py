"""The big picture: what comes next, what is overdue, where the applications stand."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.agenda import agenda
from assistant.host.connectors.builtin.outcome import Answer
from assistant.host.connectors.builtin.vocabulary import STAGES
from assistant.host.connectors.builtin.workspace import Document

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_SEARCH = r"(?:(?:my|the|our|this) )?(?:job |career )?(?:search|hunt|applications?|job hunting|job search|workspace|pipeline|situation|progress|career|everything|things|all|jobs)"
_NOW = r"(?:,? (?:today|now|right now|at the moment|currently|so far|overall|in general|these days|this week|at present|as of today|please|then|here|lately|for me|again))*"
_SHOW = r"(?:give|show|get|tell|send|provide|bring|hand|display|make|write|prepare|i need|i'd like|see|open|view|i want|let's see|have)(?: me| us)?"
_PICTURE = r"(?:(?:the|an?|my|some|quick|short|brief|full|general|current|daily|weekly|little|complete) )*(?:big picture|overview|summary|status(?: report| update)?|rundown|run-down|update|digest|recap|briefing|overall picture|state of (?:things|play|affairs)|lowdown|dashboard|report|progress report|snapshot|picture|highlights|progress|version|story|state|low-?down|gist|short version)"

PATTERNS = (
    pattern(rf"(?:walk|talk|run|take) me through (?:where (?:i|we|things) (?:am|are|stand)|{_SEARCH}){_NOW}", 3),
    pattern(rf"how (?:am i|are we|is it|are things) (?:getting on|getting along|faring|progressing)(?: (?:with|in) {_SEARCH})?{_NOW}", 3),
    pattern(rf"what(?:'s|s| is| are)? (?:going on|happening|new|the (?:status|state|situation|latest|news|progress)|up|the overall picture|cooking)(?: (?:with|in|of|on|for|about|at) {_SEARCH})?{_NOW}", 3),
    pattern(rf"(?:{_SHOW} )?{_PICTURE}(?: (?:of|on|about|for|with|in|over) (?:{_SEARCH}|where (?:i|we|things|everything|it all) (?:stands?|am|are|is)(?: with {_SEARCH})?|how (?:i'm|i am|it's|things are) (?:doing|going)|my applications))?{_NOW}", 3),
    pattern(rf"(?:is there |are there |have you got |got |do i have |what(?:'s|s| is) (?:the )?|what are (?:the )?)?(?:any |some )?(?:(?:latest|new|recent) )?(?:news|updates?|progress|developments|change|changes|movement)(?: (?:with|in|of|on|for|about|at|from|regarding) (?:{_SEARCH}))?{_NOW}", 3),
    pattern(rf"(?:so )?(?:how|what)(?:'s|s| is| are| does| do)? (?:it|things|everything|{_SEARCH}) (?:all )?(?:look(?:ing)?(?: like)?|going|stand|compare|shaping up){_NOW}", 3),
    pattern(rf"(?:tell|show|remind)(?: me| us)? (?:how|where) (?:{_SEARCH}|it|i|we|things|everything)(?: (?:is|are|am|'m|left|stand|stands|currently|all))*(?: (?:going|doing|off|standing|looking|coming along))?(?: (?:with|in|on) {_SEARCH})?{_NOW}", 3),
    pattern(rf"(?:what(?:'s|s| is| are) )?(?:my |the )?(?:current |overall |general )*(?:situation|status|state of affairs|standing|progress)(?: (?:with|in|of|on) {_SEARCH})?{_NOW}", 2),
    pattern(rf"what (?:should|would|could) (?:be )?my next (?:move|step|steps|action|thing|task)(?: be)?{_NOW}", 3),
    pattern(rf"where (?:does|do|is|are) (?:{_SEARCH}) (?:stand|at|now){_NOW}", 3),
    pattern(rf"(?:so )?where (?:do|am|are) (?:i|we|things)(?: (?:stand|at))?(?: (?:with|in|on|regarding) {_SEARCH})?{_NOW}", 3),
    pattern(rf"how(?:'s|s| is| are| am| do| does| did)? (?:(?:{_SEARCH}|it|i|we|things)(?: (?:going|looking|doing|coming along|progressing|standing|stand|look|shaping up))?)(?: (?:with|in|on) {_SEARCH})?{_NOW}", 3),
    pattern(rf"(?:summari[sz]e|sum up|recap|review|outline) {_SEARCH}{_NOW}", 3),
    pattern(rf"(?:catch me up|bring me up to (?:date|speed)|brief me|fill me in|update me|get me up to speed)(?: (?:on|about|with) {_SEARCH})?{_NOW}", 3),
    pattern(rf"what(?:'s|s| is| are)? (?:my |the )?(?:next|next steps?|next actions?|next (?:thing|move)|most urgent|urgent|important|top priorit(?:y|ies)|priorit(?:y|ies)|first|most important)(?: (?:things?|steps?|actions?|tasks?))?(?: (?:to do|for me|on my (?:list|plate)))?{_NOW}", 3),
    pattern(rf"what (?:should|shall|do|must|can|could|would|ought) (?:i|we|you)(?: (?:have|need|suggest|recommend|think|want|i|me|should|to|we|propose|advise|be))*(?: (?:do|tackle|doing|working on|focusing on|prioriti[sz]ing|concentrating on|tackling|work on|start with|focus on|spend (?:my )?time on|concentrate on|take care of|look at|attend to|be doing|handle|deal with|prioriti[sz]e|begin with))(?: (?:next|now|first|today|right now|at first|about my search|about))*{_NOW}", 3),
    pattern(rf"(?:what(?: (?:needs|requires|deserves|most|needing|here|currently|urgently|really|still))* (?:my )?attention(?: (?:most|first))?|what now|what next|and now|now what|next steps?|what's on my plate|where (?:should|do|shall) i (?:start|begin)|anything (?:urgent|new|i should do|i need to do|i (?:need|should|have) to know|i should know(?: about)?|important|to report|to do))(?: first)?{_NOW}", 3),
    pattern(rf"(?:{_SHOW} )?(?:my |the )?(?:next steps?|priorities|priority|to-?do's for today|next actions?){_NOW}", 2),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    await desk.surface("overview", ("plan", "profile", "application"))
    workspace = desk.workspace
    entries = agenda(workspace, desk.zone)
    ahead = [entry for entry in entries if entry.on >= desk.today]
    late = [entry for entry in entries if entry.on < desk.today]
    cited = [entry.document.id for entry in (*ahead[:5], *late[:5])]
    parts = [f"Next: {ahead[0].line(desk.today, desk.zone)}." if ahead else "Nothing with a date lies ahead."]
    if len(ahead) > 1:
        parts.append("Then:\n\n" + "\n".join(f"- {entry.line(desk.today, desk.zone)}" for entry in ahead[1:5]))
    if late:
        parts.append("Not done yet:\n\n" + "\n".join(f"- {entry.line(desk.today, desk.zone)}" for entry in late[:5]))
    parts.append(_stages(workspace.applications))
    if workspace.truncated:
        parts.append("I could not read everything: this answer is truncated.")
    return Answer("\n\n".join(parts), tuple(dict.fromkeys(cited)))


def _stages(applications: list[Document]) -> str:
    counts = {stage: sum(1 for document in applications if document.get("stage") == stage) for stage in STAGES}
    shown = [f"{count} {stage}" for stage, count in counts.items() if count]
    if not shown:
        return "There are no applications yet. You can say “add an application: TITLE at COMPANY”."
    return f"{len(applications)} application{'s' if len(applications) != 1 else ''}: {', '.join(shown)}."


INTENT = Intent(
    name="overview",
    kind="read",
    patterns=PATTERNS,
    examples=("What's going on with my search?", "What should I do next?", "summary please"),
    suggestion="give you an overview (“what should I do next?”)",
    respond=respond,
)
