"""Taking off what people say around a request: greetings, "could you please", "I'd like you to"."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from .sentence import Sentence

_OPENERS = (
    r"(?:(?:hey|hi|hello)(?! there| all| assistant| everyone)|good (?:morning|afternoon|evening)|dear|ok|okay|alright|right|so|well|um+|uh+|hm+|great|cool|perfect|thanks|thank you|"
    r"now|and|also|then|oh|ah|yes|yeah|yep|sorry|actually|unfortunately|sadly|luckily|happily|(?:good|bad|great|sad|amazing|big) news|guess what|heads up|hmm+|omg|yay|ugh|hooray|argh|finally|quickly|maybe|btw|by the way|assistant|careervector)(?=[\s,.!:-])",
    r"(?:please|pls|plz|kindly|just|simply)\b",
    r"(?:can|could|would|will|may|might) (?:you|u|i|we)(?: (?:please|kindly|just|also|maybe|possibly|quickly|perhaps))*\b",
    r"(?:would|do) you mind\b",
    r"(?:are you able|is it possible|would it be possible) (?:for you )?to\b",
    r"(?:i|we)(?:'d| would) (?:really )?(?:like|love|want|prefer) (?:for )?(?:you )?to\b",
    r"(?:i|we) (?:really )?(?:want|wanna|wish)(?: you)?(?: to)?\b(?! (?:an?|the|my|more|some)\b)",
    r"(?:i|we) need you to\b",
    r"(?:let's|let us|lets)\b",
    r"(?:let me\b(?! know)|help me\b)",
    r"(?:go ahead and|be so kind (?:and|as to)|do me a favou?r(?: and)?|try to|make sure (?:to|that you))\b",
    r"it would be (?:great|nice|good|lovely|helpful) if you (?:could|can)\b",
    r"(?:i think |i guess )?(?:you|we) (?:should|can|could|may|have to|must)\b",
)
_OPENING = re.compile(rf"(?:{'|'.join(_OPENERS)})[\s,.!:-]*")

# What may follow a request without changing it; patterns that do not end in free text allow it.
TAIL = (
    r"(?:[\s,.!-]*\b(?:please|pls|plz|thanks?(?: (?:you|a lot|so much))?|thx|cheers|for me|now|right now|ok|okay|asap|immediately|"
    r"will you|would you|if you can|if possible|if you please|then|too|as well|again|already|right away|these days|nowadays|for now|at the moment|from now on|after all|i think|lol|haha+|yay|ugh|woohoo|mate|xx?|:d|:p|:'))*"
    r"[\s.!?,;:()~^*<>/\\|\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff-]*"
)


def without_openers(sentence: Sentence) -> Sentence:
    """The sentence from its first word that matters; a sentence of openers only stays as it is."""
    start = 0
    for _ in range(8):
        match = _OPENING.match(sentence.folded, start)
        if match is None or match.end() == start or match.end() >= len(sentence.folded):
            break
        start = match.end()
    return sentence.part(start, len(sentence.folded)) if start else sentence
