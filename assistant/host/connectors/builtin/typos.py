"""Mending slips in the words that patterns look for ("dedline", "intervieuw"): never in names, never in what is quoted.

Part of normalising. A lower-case word that is one slip away from exactly one known word is read as that word; the raw text
is not touched, so a name that looks like a slip still reaches the slots as it was typed.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Collection

from rapidfuzz.distance import DamerauLevenshtein

from .sentence import Sentence

_KNOWN = frozenset(
    """application applications applied deadline deadlines interview interviews interviewing screening preparing withdrawn
    withdraw rejected rejection accepted offer offers contact contacts checklist strategy summary profile resume letter
    letters remind reminder tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february
    september october november december weekly salary location remote hybrid company recruiter schedule search append
    overview undo revert delete remove email submit phone skills language languages certificate overdue upcoming
    positions position vacancies engineer engineering developer status next track create change update number please
    stage title goal notes task tasks todo finished complete completed should could would write saved""".split()
)
# Correct words that no pattern holds and that a slip could lead away from.
_NEAR = frozenset(
    """applicant applicants interviewer interviewers interviewee lettered contracted stages tasked noted trace trick nest nets better matter
    litter creates creator reach phoned skilled remained trail station statue statutes shall cold wold applies complied summery strategic
    writer writers engine engines developed saver summit numbers numb trade crack track remind remain emails undue""".split()
)
_ENDING = re.compile(r"(?:ing|ed|es|er|ers|or|ors|ly|s|e|d)$")
_STEMS = frozenset(_ENDING.sub("", word) for word in _KNOWN)
_WORD = re.compile(r"(?<![\w@./'+-])[a-z]{5,14}(?![\w@/+])")
_BY_LENGTH: dict[int, list[str]] = {}
for _word in sorted(_KNOWN):
    if len(_word) >= 5:
        _BY_LENGTH.setdefault(len(_word), []).append(_word)


def mended(sentence: Sentence, *, correct: Collection[str] = (), limit: int = 60) -> Sentence:
    """The sentence with slips in known words mended up to its first colon; looks at its first `limit` words only.

    `correct` are words that patterns hold as they are ("titled"), which are no slips of their neighbours ("title").
    """
    colon = re.search(r":(?=\s|$)", sentence.folded)
    end = colon.start() if colon else len(sentence.folded)

    def edits(text: str) -> tuple[tuple[int, int, str], ...]:
        found = []
        for count, match in enumerate(_WORD.finditer(text, 0, end)):
            if count >= limit:
                break
            word = match.group()
            if word in _NEAR or _ENDING.sub("", word) in _STEMS or word in _KNOWN or word in correct:
                continue
            # A capital letter inside a sentence is a name's.
            if match.start() > 0 and sentence.raw[sentence.offsets[match.start()]].isupper():
                continue
            near = [
                known
                for length in (len(word) - 1, len(word), len(word) + 1)
                for known in _BY_LENGTH.get(length, ())
                if known[0] == word[0] and DamerauLevenshtein.distance(word, known, score_cutoff=1) <= 1
            ]
            if len(near) == 1:
                found.append((match.start(), match.end(), near[0]))
        return tuple(found)

    return sentence.replaced(edits)
