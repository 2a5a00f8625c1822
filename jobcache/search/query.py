"""A question as terms: what must be found, in which spellings, and what else would do.

Above: plan. Below: text, forms, vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobcache.search import vocabulary
from jobcache.search.forms import asked_forms
from jobcache.search.text import Word, normalise, words

MAXIMUM_TERMS = 16
_RUNS = re.compile(
    "[\u3040-\u309f]+|[\u30a0-\u30ff\u31f0-\u31ff]+|[\u3005-\u3007\u3400-\u9fff\uf900-\uffff]+|[^\u3005-\u30ff\u31f0-\u9fff]+"
)
_KANA = re.compile("[\u3040-\u309f]{1,2}")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that is looked for. Each string is a phrase of space-separated words.

    `spellings` are the thing itself, `forms` other forms and close synonyms, `wider` words that do only when other
    terms keep the meaning narrow. `optional`: an ad need not hold it. `plain` is the word that a misspelling of it
    would be looked up by, empty when that makes no sense (symbols, unspaced scripts, phrases).
    """

    spellings: tuple[str, ...]
    forms: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    optional: bool = False
    plain: str = ""


def read_query(text: str) -> tuple[Term, ...]:
    """The distinct terms of a question in order, at most 16; none when it holds no word of any script."""
    found = list(words(normalise(text), question=True))
    terms: list[Term] = []
    position = 0
    while position < len(found):
        word = found[position]
        following = found[position + 1] if position + 1 < len(found) else None
        if following is not None and _is_joined(word, following):
            terms.append(_joined_term(word.parts[0], following.parts[0]))
            position += 2
            continue
        terms.extend(_terms(word, beside=_neighbours(found, position)))
        position += 1
    distinct = list({term.spellings: term for term in terms}.values())[:MAXIMUM_TERMS]
    if all(term.optional for term in distinct):
        # Nothing but "the" and "in": then these are what is looked for.
        return tuple(Term(term.spellings, term.forms, term.wider, plain=term.plain) for term in distinct)
    return tuple(distinct)


def _is_joined(word: Word, following: Word) -> bool:
    simple = all(len(one.parts) == 1 and not one.names for one in (word, following))
    return simple and (word.parts[0], following.parts[0]) in vocabulary.joined_pairs()


def _neighbours(found: list[Word], position: int) -> tuple[str, ...]:
    """What this word makes when written as one with the word before or after it: Software Entwickler."""
    joined = []
    for first, second in ((position - 1, position), (position, position + 1)):
        if first >= 0 and second < len(found):
            parts = (*found[first].parts, *found[second].parts)
            if len(parts) == 2 and all(len(part) > 3 and part.isalpha() for part in parts):
                joined.append("".join(parts))
    return tuple(joined)


def _joined_term(first: str, second: str) -> Term:
    joined = first + second
    close, wider = vocabulary.synonyms().get(joined, ((), ()))
    return Term((joined, f"{first} {second}", f"{first}-{second}"), forms=close, wider=wider)


def _terms(word: Word, *, beside: tuple[str, ...]) -> Iterator[Term]:
    if word.unspaced:
        for run in _RUNS.findall("".join(word.parts)):
            yield Term(
                (" ".join(run),), optional=_KANA.fullmatch(run) is not None or run in vocabulary.optional_words()
            )
        return
    if len(word.parts) == 1 and not word.names:
        yield _simple_term(word.parts[0], beside)
        return
    if word.names and "/" in word.names[0] and all(_stands_alone(part) for part in word.parts):
        # Python/Django and C/C++ are two things, PL/SQL is one.
        for part in word.parts:
            yield _simple_term(part, ())
        return
    spellings = list(word.names)
    if word.parts and not word.exact:
        spellings.append(" ".join(word.parts))
    closed = vocabulary.synonyms().get(word.names[0], ((), ()))[0] if word.names else ()
    yield Term(tuple(dict.fromkeys(spellings)), forms=closed)


def _stands_alone(part: str) -> bool:
    return len(part) > 3 or not part.isalpha() or part in {"c", "r"}


def _simple_term(word: str, beside: tuple[str, ...]) -> Term:
    close, wider = vocabulary.synonyms().get(word, ((), ()))
    forms = list(asked_forms(word))
    for form in tuple(forms):
        more_close, more_wide = vocabulary.synonyms().get(form, ((), ()))
        close, wider = (*close, *more_close), (*wider, *more_wide)
    forms.extend((*close, *beside))
    return Term(
        spellings=(word,),
        forms=tuple(form for form in dict.fromkeys(forms) if form != word),
        wider=tuple(other for other in dict.fromkeys(wider) if other != word and other not in forms),
        optional=word in vocabulary.optional_words(),
        plain=word if word.isalpha() or word[:-1].isalpha() else "",
    )
