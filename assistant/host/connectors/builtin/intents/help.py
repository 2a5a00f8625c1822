"""What the assistant can do, with examples from the catalogue. Calls no tool."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.outcome import Answer

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_SELF = r"(?:this|it|you|the assistant|careervector|this (?:thing|tool|app|chat|assistant|page|rail)|that)"
PATTERNS = (
    pattern(r"(?:i need |get |some |more |show |give me |please |can i get )*help(?: (?:me|please|page|text|menu))*(?: (?:here|out|with (?:this|you|it|that|using .*)))?", 3),
    pattern(r"(?:what|which)(?: (?:all|things|kinds? of (?:things|questions|stuff)|questions|tasks|commands?|else|sort of things|exactly))? (?:can|could|do|are|is) (?:you|i|we|it|this|the assistant)(?: (?:able to|actually|really))? ?(?:do|help(?: me)?(?: with)?|ask(?: you)?|able to do|capable of|say(?: here| to you)?|understand|know|good (?:at|for)|offer|use|type(?: here)?|tell you|for|here for|write)(?: (?:here|for me|with|about|now|in here|exactly|to you))*", 3),
    pattern(rf"how (?:does|do|can|could|should|would|to)(?: (?:i|we|one))? ?(?:{_SELF}|use|work with|talk to|start|begin|get started)(?: (?:{_SELF}|work|works|function|help(?: me)?|use|start|to use|get started|operate|with|here|start with))*", 3),
    pattern(rf"(?:who|what) (?:are|is) {_SELF}(?: (?:for|about|supposed to do))?", 3),
    pattern(r"(?:commands?|options?|features?|functions?|instructions for use|manual|tutorial|usage|menu|\?+|list (?:of )?(?:commands|features|abilities)|show (?:me )?(?:the )?(?:commands|options|features|examples|what you can do)|(?:show|give|tell)(?: me)?(?: (?:some|a few|an|more))? (?:examples?|sample (?:commands|questions|sentences))(?: (?:of|for) .*)?|(?:give|show|tell)(?: me)?(?: some| a few)? (?:ideas|hints|tips|suggestions)(?: (?:of|for|on|about) (?:what|things|how)[^\n]*)?|(?:what|which) (?:sort|kind|type)s? of (?:things|questions|commands|stuff|requests) (?:can|could|may|should) i (?:ask|say|type|use|give)(?: you)?|examples?|your (?:abilities|capabilities|features|skills)|capabilities|explain (?:yourself|how (?:this|it|you) works?|what you (?:can )?do)|tell me what you can do|tell me how (?:this|it|you) works?|introduce yourself|tell me about yourself|(?:i )?(?:don't|do not) know (?:what to (?:do|ask|say|type)|how (?:this|it) works)|i'm (?:new here|lost|stuck)|how can you help(?: me)?|what now can i ask|get started|getting started)", 3),
    pattern(r"(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening|day)|hey there|hi there|hello there|howdy|yo|greetings|hola|salut|bonjour)(?: (?:assistant|there|you|all|everyone))?", 3, note="hello"),
    pattern(r"(?:thanks|thank you|thx|cheers|ta|great|cool|nice|perfect|ok|okay|good job|well done|awesome|excellent|got it|good|super|that's (?:great|all|it|fine|good|perfect))(?: (?:so much|a lot|very much|you|thanks|that's all|for (?:that|your help|the help|everything)|assistant|job|work))*", 3, note="thanks"),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    from .catalogue import suggestions

    lines = "\n".join(f"- {line}" for line in suggestions())
    if request.guess.note == "thanks":
        return Answer("You are welcome. Next you could ask “what should I do next?” or “what is due this week?”.")
    lead = "Hello. " if request.guess.note == "hello" else ""
    return Answer(
        f"{lead}I work in this workspace, in English, without a language model. I can:\n\n{lines}\n\n"
        "Each change can be undone. I do not delete, send, submit or pay anything, and I open no web addresses."
    )


INTENT = Intent(
    name="help",
    kind="talk",
    patterns=PATTERNS,
    examples=("What can you do?", "help", "How does this work?"),
    suggestion="say what I can do (“help”)",
    respond=respond,
)
