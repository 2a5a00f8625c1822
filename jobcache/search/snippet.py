"""A short plain-text piece of an ad's text, around what was looked for. Above: service. Below: text."""

from __future__ import annotations

import re

from jobcache.search.forms import other_forms
from jobcache.search.text import normalise, words

MAXIMUM_SNIPPET = 400
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_LOOKED_AT = 20_000


def make_snippet(text: str, wanted: frozenset[str]) -> str:
    """At most 400 characters of `text` in one line, from the start of the first sentence that has a wanted word."""
    text = " ".join(text.split())
    if len(text) <= MAXIMUM_SNIPPET:
        return text
    start = _first_sentence(text[:_LOOKED_AT], wanted) if wanted else 0
    before = "… " if start else ""
    room = MAXIMUM_SNIPPET - len(before)
    if len(text) - start <= room:
        # The end of the text fits: show as much before it as there is room for, from a sentence's start.
        return before + text[start:]
    cut = text[start : start + room - 2]
    space = cut.rfind(" ")
    return before + (cut[:space] if space > room // 2 else cut).rstrip(" ,;:–-") + " …"


def _first_sentence(text: str, wanted: frozenset[str]) -> int:
    position = 0
    for sentence in _SENTENCE_END.split(text):
        start = text.index(sentence, position)
        position = start + len(sentence)
        for word in words(normalise(sentence)):
            spoken = {*word.parts, *word.names, *(form for part in word.parts for form in other_forms(part))}
            if spoken & wanted:
                return start
    return 0
