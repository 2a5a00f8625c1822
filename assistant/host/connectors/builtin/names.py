"""Finding which documents a name means: companies and titles, accents, typos, possessives, "the X one".

Above it stand the plans. Knows documents only as `Named` (id and its names). Two that match equally are both answered:
the caller asks. A name with a word that fits nothing is at best a guess (`sure` is False) and is asked about too.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import DamerauLevenshtein

from .sentence import fold

_TOKEN = re.compile(r"[a-z0-9][a-z0-9]*(?:\+\+|#)?|\.net\b")
# Words around a name that name nothing themselves.
NOISE = frozenset(
    """the a an my our your this that these those of at with for from to by in on about regarding re and or as it its his her their is are
    was job jobs role roles position application applications one ones opportunity card opening vacancy posting company firm employer
    people guys team folks process gig entry listing place thing ltd gmbh inc plc llc ag se co s please now m w d x f i me us we
    hr recruiter there here some any all just still also again which what called named titled document new out""".split()
)
_TRANSLITERATED = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "ß": "ss"}
# Weights: a company's first word says most, words shared by many documents say least.
_HEAD, _COMPANY, _TITLE, _OTHER = 4.0, 2.0, 1.5, 1.0


@dataclass(frozen=True, slots=True)
class Named:
    """A document as names see it. `owner` holds words of the application that a note or letter belongs to."""

    id: str
    title: str
    company: str = ""
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """`ids` best first; more than one means that the words fit them equally. `sure`: every word of the name fits."""

    ids: tuple[str, ...]
    sure: bool = True

    def __bool__(self) -> bool:
        return bool(self.ids)


NOTHING = Found(())


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Folded words: `C++` and `C#` whole, possessive s dropped."""
    folded = re.sub(r"'s\b|s'(?=\s|$)", lambda m: "s" if m.group() == "s'" else "", fold(text))
    return tuple(_TOKEN.findall(folded.replace("&", " ")))


@lru_cache(maxsize=8192)
def spellings(text: str) -> frozenset[str]:
    """All words of a text, folded in both ways: `Mühlbach` → mühlbach as `muhlbach` and `muehlbach`."""
    longer = "".join(_TRANSLITERATED.get(c, c) for c in text.lower())
    return frozenset(tokens(text)) | frozenset(tokens(longer))


def find(name: str, documents: Sequence[Named], *, loose: bool = False) -> Found:
    """The documents that the name means.

    Strict (default): `name` is a name and little else. Loose: `name` is a whole sentence in which companies are looked for.
    """
    words = [word for word in tokens(name[:600]) if word not in NOISE][: 60 if loose else 14]
    if not words or not documents:
        return NOTHING
    index = _Index(documents)
    hits = {word: index.lookup(word) for word in dict.fromkeys(words)}
    if loose:
        return _loose(words, hits, index)
    scores: dict[str, float] = defaultdict(float)
    matched: dict[str, set[str]] = defaultdict(set)
    for word, found in hits.items():
        for document, weight in found.items():
            scores[document] += weight
            matched[document].add(word)
    if not scores:
        return _joined(name, documents)
    complete = [d for d in scores if len(matched[d]) == len(hits)]
    if complete:
        exact = [d for d in complete if index.is_exactly(d, words)]
        return Found(tuple(_best(exact or complete, {d: scores[d] for d in complete}) if not exact else exact))
    whole = _joined(name, documents)
    if whole:
        return whole
    best = _best(list(scores), scores)
    # A word that fits nowhere is forgiven only beside a company's own first word.
    heads = [d for d in best if any(index.is_head(d, word) for word in matched[d])]
    return Found(tuple(heads or best), sure=False) if heads else NOTHING


def _loose(words: list[str], hits: dict[str, dict[str, float]], index: _Index) -> Found:
    scores: dict[str, float] = defaultdict(float)
    headed: set[str] = set()
    for word, found in hits.items():
        for document, weight in found.items():
            scores[document] += weight
            if index.is_head(document, word):
                headed.add(document)
    if not headed:
        return NOTHING
    by_head: dict[str, list[str]] = defaultdict(list)
    for document in headed:
        by_head[index.head(document)].append(document)
    chosen: list[str] = []
    for group in by_head.values():
        chosen.extend(_best(group, scores))
    return Found(tuple(sorted(chosen, key=index.position)))


def companies(text: str, documents: Sequence[Named]) -> tuple[Found, ...]:
    """Each company that a sentence mentions, as its own answer (several documents of one company stay together)."""
    found = find(text, documents, loose=True)
    index = _Index(documents)
    groups: dict[str, list[str]] = defaultdict(list)
    for document in found.ids:
        groups[index.head(document)].append(document)
    return tuple(Found(tuple(group)) for group in groups.values())


def _best(documents: Iterable[str], scores: dict[str, float]) -> list[str]:
    chosen = list(documents)
    top = max(scores[d] for d in chosen)
    return [d for d in chosen if scores[d] >= top - 0.01]


def _joined(name: str, documents: Sequence[Named]) -> Found:
    """Names written together or apart ("tidelinelabs", "Quill mark")."""
    squeezed = "".join(word for word in tokens(name) if word not in NOISE)
    if len(squeezed) < 5:
        return NOTHING
    scored: dict[str, float] = {}
    for document in documents:
        for part in (document.company, document.title):
            longer = "".join(_TRANSLITERATED.get(c, c) for c in part.lower())
            for text in {part, longer}:
                other = "".join(tokens(text))
                if len(other) >= 5 and abs(len(other) - len(squeezed)) <= 3:
                    scored[document.id] = max(scored.get(document.id, 0.0), fuzz.ratio(squeezed, other))
    if not scored or max(scored.values()) < 86:
        return NOTHING
    return Found(tuple(_best(list(scored), scored)))


class _Index:
    """Words of documents with their weight; made per question, so nothing of a workspace outlives its turn."""

    def __init__(self, documents: Sequence[Named]) -> None:
        self._weights: dict[str, dict[str, float]] = defaultdict(dict)
        self._heads: dict[str, frozenset[str]] = {}
        self._first: dict[str, str] = {}
        self._whole: dict[str, tuple[frozenset[str], ...]] = {}
        self._place = {document.id: place for place, document in enumerate(documents)}
        for document in documents:
            head = next(iter(tokens(document.company)), "")
            head_spellings = spellings(document.company.split(" ")[0]) if head else frozenset()
            self._heads[document.id] = head_spellings
            self._first[document.id] = head or document.id
            self._whole[document.id] = (
                frozenset(tokens(document.title)),
                frozenset(tokens(document.company)),
                frozenset(tokens(f"{document.title} {document.company}")),
            )
            for text, weight in (
                (document.extra, _OTHER),
                (document.title, _TITLE),
                (document.company, _COMPANY),
            ):
                for word in spellings(text):
                    if word not in NOISE:
                        self._weights[word][document.id] = weight
            for word in head_spellings:
                self._weights[word][document.id] = _HEAD

    def lookup(self, word: str) -> dict[str, float]:
        """Documents that have the word; only if none has it, those with one that is a typo away."""
        if word in self._weights:
            return self._weights[word]
        if len(word) > 3 and word.endswith("s") and word[:-1] in self._weights:
            return self._weights[word[:-1]]
        if word + "s" in self._weights:
            return self._weights[word + "s"]
        near: dict[str, float] = {}
        if len(word) >= 4:
            for known, documents in self._weights.items():
                nearness = _nearness(word, known)
                if nearness:
                    for document, weight in documents.items():
                        near[document] = max(near.get(document, 0.0), weight * nearness)
        return near

    def is_head(self, document: str, word: str) -> bool:
        return any(word == head or word == head + "s" or _nearness(word, head) for head in self._heads[document])

    def is_exactly(self, document: str, words: Sequence[str]) -> bool:
        """The words are the whole title, the whole company, or both."""
        given = frozenset(words)
        return any(given == frozenset(w for w in whole if w not in NOISE) for whole in self._whole[document] if whole)

    def head(self, document: str) -> str:
        return self._first[document]

    def position(self, document: str) -> int:
        return self._place[document]


@lru_cache(maxsize=65536)
def _nearness(word: str, known: str) -> float:
    """0 where two words are not a typo apart, else how near they are."""
    if min(len(word), len(known)) < 4 or abs(len(word) - len(known)) > 3:
        return 0.0
    if len(word) >= 5 and known.startswith(word):
        return 0.9
    distance = DamerauLevenshtein.distance(word, known, score_cutoff=2)
    allowed = 1 if max(len(word), len(known)) < 8 else 2
    if distance <= allowed and (word[0] == known[0] or distance == 1):
        return 0.9 if distance == 1 else 0.8
    return 0.0
