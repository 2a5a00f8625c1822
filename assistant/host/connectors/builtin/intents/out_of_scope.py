"""What has nothing to do with a job search here: declined with a suggestion. Also what every unknown sentence becomes."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.outcome import Answer

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_ANY = r"[^\n]*"
PATTERNS = (
    pattern(rf"{_ANY}\b(?:weather|forecast|temperature|raining|snowing|joke|jokes|riddle|poem|haiku|song|lyrics|story|recipe|horoscope|football|soccer|lottery|stock price|share price|exchange rate|bitcoin|movie|film|series|netflix|spotify|youtube|president|prime minister|capital (?:of|city)|population of|pizza|restaurant|train times?|flights?|hotel|translate|translation|meaning of life|world cup|super bowl|olympics|news headlines|headlines)\b{_ANY}", 2, note="topic"),
    pattern(rf"(?:write|code|program|generate|implement|debug|fix|create|make|compose|draft|build)(?: (?:me|us|up|out))?(?: (?:an?|the|some|my|this|short|simple|little|good))* (?:[^\n]{{0,30}}? )?(?:function|program|script|code|algorithm|class|regex|sql|query|app|website|essay|article|blog post|tweet|post|html page|poem|story|game|image|picture|logo|spreadsheet|presentation|bash|loop|bug)\b{_ANY}", 2, note="make"),
    pattern(rf"who (?:won|wins|is winning|lost|played|scored|invented|wrote|discovered|painted|directed|sang|was|is the)\b(?!{_ANY}\b(?:contact|recruiter|hiring|interviewer)\b){_ANY}", 2),
    pattern(rf"(?:tell|sing|read|play|say)(?: (?:me|us))? (?:an?|some|something)\b(?!{_ANY}\b(?:about my|about the)\b){_ANY}", 2),
    pattern(rf"(?:what(?:'s|s| is)|calculate|compute|solve|how much is)(?: the)? (?:[0-9]+ ?[-+*/x^] ?[0-9]+|square root|sum of|product of|percent){_ANY}", 3),
    pattern(rf"(?:what time is it|what(?:'s| is) the time|what(?:'s| is) the date|what day is (?:it|today)|set (?:a |an )?(?:timer|alarm)|turn (?:on|off|up|down)|play (?:some )?music|call me (?:a|an) |order me|book me|drive me|translate){_ANY}", 3),
    pattern(rf"(?:do you (?:like|love|have|think|believe|feel|dream|sleep|eat|know any|speak)|are you (?:a|an|human|real|alive|sure|ok|happy|chatgpt|gpt|ai)|how old are you|where are you from|i love you|will you marry|how are you){_ANY}", 2, note="self"),
    pattern(rf"(?:write|draft|compose|create|generate|make|prepare|improve|rewrite|proofread|correct|polish|tailor|translate)(?: (?:me|us|up))?(?: (?:an?|the|my|this|some|new|good))* (?:[^\n]{{0,30}}? )?(?:cover letter|letter|motivation letter|cv|resume|e-?mail|answer|reply|application|summary|bio)\b(?!{_ANY}(?::| as ))(?: (?:for|to|about|in|so)\b{_ANY})?", 2, note="writing"),
    pattern(rf"(?:should i|would you|do you think|is it (?:worth|wise|good)|which (?:one )?(?:is|should)|what do you think)\b{_ANY}", 2, note="advice"),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    from .catalogue import offer

    if request.guess.note == "writing":
        return Answer(
            f"I do not write texts by myself; I only add your own words to notes and letters. {offer('append_text', 'show_document', 'add_note')}"
        )
    if request.guess.note == "advice":
        return Answer(
            f"I cannot judge that for you, and I changed nothing. {offer('overview', 'show_document', 'add_note')}"
        )
    return Answer(
        f"I cannot help with that: I only work on your job search in this workspace. {offer('overview', 'search_jobs', 'add_task')}"
    )


INTENT = Intent(
    name="out_of_scope",
    kind="talk",
    patterns=PATTERNS,
    examples=("Tell me a joke", "What's the weather in Bristol tomorrow?"),
    suggestion="",
    respond=respond,
)
