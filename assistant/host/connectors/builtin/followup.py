"""Answers to our own questions, and "the same for X": read with the thread's last lines in mind.

Uses the ids in our own last message only to tell which candidates were offered; they count again only if this turn reads
them. Above: the connector. Below: `classify`.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .classify import Reading, classify
from .names import Named, find
from .outcome import Answer
from .politeness import TAIL
from .sentence import Sentence, read

_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.){1,300})\]\(#([A-Za-z0-9_:.-]{1,80})\)")
_ASKED = re.compile(r"I have not (?:changed|added) ")
_YES = re.compile(
    rf"(?:yes|yeah|yep|yup|sure|correct|exactly|right|that one|that's (?:it|right|the one)|do it|ok|okay|go ahead|please do|indeed|of course|y|the one|yes please)(?:[,.! ]+(?:that one|please|do it|do that|that's it|go ahead|exactly|the one))*{TAIL}"
)
_NO = re.compile(
    rf"(?:no|nope|none|neither|cancel|never ?mind|nothing|forget it|stop|leave it|skip it|none of (?:them|these|those)|n|not? (?:that|this)(?: one)?)(?:[,.! ]+(?:thanks|thank you|of them|none|neither|forget it|never ?mind|cancel|leave it))*{TAIL}"
)
_ORDINALS = {"first": 0, "1st": 0, "1": 0, "one": 0, "former": 0, "top": 0, "second": 1, "2nd": 1, "2": 1, "two": 1, "other": 1, "third": 2, "3rd": 2, "3": 2, "fourth": 3, "4th": 3, "4": 3, "last": -1, "latter": -1, "bottom": -1, "fifth": 4, "5": 4}  # fmt: skip
_ORDINAL = re.compile(
    rf"(?:i mean(?:t)? |take |use |choose |pick |number |option |no\. ?)?(?:the )?(?:number |option )?(?P<n>{'|'.join(_ORDINALS)})(?: (?:one|application|job|option|note|letter|of them))?{TAIL}"
)
_CHOICE = re.compile(
    rf"(?:(?:i mean(?:t)?|it's|it is|i'm talking about|take|use|choose|pick|i want|for|at|the one (?:at|in|from|with|for)|that (?:is|would be)) )?(?:the )?(?P<name>.{{1,120}}?){TAIL}",
    re.DOTALL,
)
_SAME = re.compile(
    rf"(?:(?:do )?(?:the )?same (?:thing )?(?:for|with|to|at|goes for)|and (?:the same )?(?:for|with)|also (?:for|with)?|likewise (?:for|with)?|and also(?: for)?|ditto for|what about|how about|and)(?: the)? (?P<target>[^\n]{{1,80}}?)(?: (?:too|as well|also))?{TAIL}"
)


@dataclass(frozen=True, slots=True)
class Followed:
    """A reading with what the thread adds: `chosen` documents, those last spoken of, or an answer that settles it."""

    reading: Reading
    chosen: frozenset[str] = frozenset()
    spoken_of: tuple[str, ...] = ()
    answer: Answer | None = None


def follow(text: str, history: Sequence[Mapping[str, str]]) -> Followed:
    """The reading of a text in its thread."""
    reading = classify(text)
    said, asked = _last(history, "assistant"), _last(history, "user")
    candidates = _candidates(said)
    spoken_of = tuple(doc_id for doc_id in candidates if doc_id not in ("plan", "profile"))
    sentence = read(text)
    if said and asked and _ASKED.search(said) and len(sentence.folded) <= 150:
        settled = _reply(sentence, reading, candidates, asked)
        if settled is not None:
            return replace(settled, spoken_of=spoken_of)
    if (asked and reading.first.strength <= 1) or _same_starts(sentence):
        again = _same(sentence, asked)
        if again is not None:
            return Followed(again, spoken_of=spoken_of)
    return Followed(reading, spoken_of=spoken_of)


def _same_starts(sentence: Sentence) -> bool:
    return re.match(r"(?:do )?(?:the )?same\b|ditto\b|likewise\b|what about\b|how about\b", sentence.folded) is not None


def _last(history: Sequence[Mapping[str, str]], role: str) -> str:
    return next(
        (
            str(line.get("text") or "")
            for line in reversed(history[-20:])
            if isinstance(line, Mapping) and line.get("role") == role
        ),
        "",
    )


def _candidates(text: str) -> dict[str, str]:
    """Ids and labels of the links in a message of ours, in their order."""
    found: dict[str, str] = {}
    for match in _LINK.finditer(text[:8_000]):
        found.setdefault(match[2], re.sub(r"\\(.)", r"\1", match[1]))
    return found


def _reply(sentence: Sentence, reading: Reading, candidates: dict[str, str], asked: str) -> Followed | None:
    folded = sentence.folded
    if _NO.fullmatch(folded):
        return Followed(reading, answer=Answer("All right, I have changed nothing."))
    picked: str | None = None
    ids = list(candidates)
    if _YES.fullmatch(folded) and len(ids) == 1:
        picked = ids[0]
    ordinal = _ORDINAL.fullmatch(folded)
    if picked is None and ordinal and ids:
        place = _ORDINALS[ordinal["n"]]
        picked = ids[place] if -len(ids) <= place < len(ids) else None
    if (
        picked is None
        and (reading.first.intent.name in ("unclear", "show_document", "out_of_scope") or reading.first.strength <= 1)
        and ids
    ):
        choice = _CHOICE.fullmatch(folded)
        if choice:
            found = find(
                sentence.part(*choice.span("name")).words, [_named(i, label) for i, label in candidates.items()]
            )
            picked = found.ids[0] if found and found.sure and len(found.ids) == 1 else None
    if picked is None:
        return None
    return Followed(classify(asked), chosen=frozenset({picked}))


def _named(doc_id: str, label: str) -> Named:
    company, dash, title = label.partition(" – ")
    return Named(doc_id, title=title if dash else label, company=company if dash else "")


def _same(sentence: Sentence, asked: str) -> Reading | None:
    """The last request once more, for another target."""
    found = _SAME.fullmatch(sentence.folded)
    if found is None:
        return None
    before = classify(asked)
    if len(before.guesses) != 1 or "target" not in before.first.slots or before.first.intent.kind == "talk":
        return None
    target = sentence.part(*found.span("target"))
    guess = replace(before.first, slots={**before.first.slots, "target": target})
    return Reading((guess,))
