"""Reading through how people tell things: a value put right in the same breath, a subject that carries on after "and", "record that".

Only folded text is edited, so that what is cut out for names and values stays the person's own.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from .sentence import Sentence

_VERB = r"(?:move|put|set|change|mark|make|update|switch)"
_RIGHTED = re.compile(
    rf"{_VERB} [^\n]{{1,80}}? (?P<drop>(?:to|as|into) [\w-]+(?: [\w-]+)?,? (?:no|no wait|wait|wait no|sorry|sorry no|i mean|i meant|actually|rather|or rather|scratch that|make that)[,:]? )(?:to|as|into) [\w-]+(?: [\w-]+)?[.! ]*$"
)
_CARRIED = re.compile(
    r"[^\s,]{2,40}(?: (?!changed|reopened|reconsidered|called|rang|phoned|wrote|replied|came|got)[^\s,]{1,40}){0,3} "
    r"(?P<drop>(?:have |has )?(?:changed (?:their|its) minds?|reopened the (?:role|job|position)|reconsidered|called(?: me)?(?: back)?|rang(?: me)?(?: back)?|phoned(?: me)?|wrote(?: back| to me)?|replied|came back|got back to me),? and (?:now )?)"
    r"(?:want|wants|would like|invited|offered|made|rejected|turned|said|have invited|have offered)\b"
)
_RECORDED = re.compile(r"(?P<drop>(?:record|log|save|register|store|enter) that )")


def plainer(sentence: Sentence) -> Sentence | None:
    """The sentence without what it takes back or only tells; None where there is nothing of the kind."""
    for rule in (_RIGHTED, _CARRIED, _RECORDED):
        match = rule.match(sentence.folded[:400])
        if match is not None:
            return _without(sentence, *match.span("drop"))
    return None


def _without(sentence: Sentence, start: int, end: int) -> Sentence:
    if start == 0:
        return sentence.part(end, len(sentence.folded))
    return sentence.replaced(lambda _: ((start, end, ""),))
