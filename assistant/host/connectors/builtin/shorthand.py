"""Spelling out what people type for short: missing apostrophes, "w/", "gonna", "'s been".

Part of normalising: only the folded text that patterns read is spelt out, the raw text that slots are cut from stays. Words
that mean something else as they stand ("id", "ill", "were") are left unless the next word settles it.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from .sentence import Sentence

_ALWAYS = {
    "ive": "i've", "im": "i'm", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "havent": "haven't", "hasnt": "hasn't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "wont": "won't", "cant": "can't", "couldnt": "couldn't", "shouldnt": "shouldn't",
    "wouldnt": "wouldn't", "theyre": "they're", "theyve": "they've", "youre": "you're", "youve": "you've", "weve": "we've", "thats": "that's",
    "theres": "there's", "heres": "here's", "whos": "who's", "whats": "what's", "wheres": "where's", "whens": "when's", "hows": "how's",
    "gonna": "going to", "gotta": "have to", "wanna": "want to", "gimme": "give me", "lemme": "let me", "ur": "your", "r": "are", "u": "you",
    "w/": "with", "w/o": "without", "abt": "about", "bc": "because", "appl": "application", "tho": "though", "cos": "because",
    "interviewd": "interviewed", "sched": "schedule", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow", "2morrow": "tomorrow",
    "app": "application", "apps": "applications", "intvw": "interview", "msg": "message",
}  # fmt: skip
_WORD = re.compile(
    r"(?<![\w'@./+#-])(?:"
    + "|".join(sorted(map(re.escape, _ALWAYS), key=lambda w: -len(w)))
    + r")(?![\w'@/+#-]|\.[a-z])"
)
_SETTLED = (
    (re.compile(r"(?<![\w'])id(?= (?:like|love|prefer|rather|say|want)\b)"), "i'd"),
    (re.compile(r"(?<![\w'])ill(?= (?:be|have|need|take|meet|see|send|do|go|speak|talk|start|interview|apply|call)\b)"), "i'll"),
    (re.compile(r"(?<=\w)'s(?= (?:been|got|just|now been|already|moved|become|made|gone|sent|offered|rejected|asked|invited|turned|accepted)\b)"), " has"),
)  # fmt: skip


def spelt_out(sentence: Sentence) -> Sentence:
    """The sentence with short forms spelt out in its folded text."""

    def edits(text: str) -> tuple[tuple[int, int, str], ...]:
        found = [(m.start(), m.end(), _ALWAYS[m.group()]) for m in _WORD.finditer(text, 0, 1_500)]
        for rule, long in _SETTLED:
            found.extend((m.start(), m.end(), long) for m in rule.finditer(text, 0, 1_500))
        return tuple(sorted(found))

    return sentence.replaced(edits)
