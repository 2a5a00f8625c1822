"""What of a role is searchable, as five columns of words. Above: ads.store. Below: text, forms, vocabulary.

A column holds its words in reading order, then other spellings and forms of them behind barriers, so that a phrase
never runs across two of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from jobcache.search import vocabulary
from jobcache.search.forms import other_forms
from jobcache.search.text import Word, fold, normalise, words

_BARRIER = " ~ "
_REMOTE_WORDS = frozenset({"remote", "remotely", "homeoffice", "telework", "teletravail", "teletrabajo"})
# "remote sensing" and the like speak of the trade, not of the place of work.
_REMOTE_TRADES = frozenset({"sensing", "control", "monitoring", "access", "desktop", "diagnostics", "handling"})
_HYBRID_WORK = frozenset({"work", "working", "role", "position", "model", "office", "job", "schedule", "setup"})


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """The columns of the full-text table; `title_words` is the length of the title in words, at least 1."""

    title: str
    company: str
    place: str
    attributes: str
    body: str
    title_words: int


def index_entry(
    *, title: str, company: str, location: str, country: str, work_mode: str, employment_type: str, text: str
) -> IndexEntry:
    """The searchable words of one role; blank fields are unknown."""
    # A title in small letters says nothing about "go" or "r" by its case.
    title_words = list(words(normalise(title), question=title.islower()))
    return IndexEntry(
        title=_column(title_words),
        company=_column(list(words(normalise(company)))),
        place=_place_column(location, country, work_mode),
        attributes=" ".join(
            filter(None, (vocabulary.WORK_MODE_WORDS.get(work_mode), vocabulary.EMPLOYMENT_WORDS.get(employment_type)))
        ),
        body=_column(_without_false_modes(list(words(normalise(text))), work_mode)),
        title_words=max(1, len(title_words)),
    )


def _column(found: list[Word]) -> str:
    main = [part for word in found for part in word.parts]
    extras = [name for word in found for name in word.names]
    pairs = vocabulary.joined_pairs()
    extras.extend(first + second for first, second in pairwise(main) if (first, second) in pairs)
    spaced = {part for word in found if not word.unspaced for part in word.parts}
    extras.extend(form for part in dict.fromkeys(main) if part in spaced for form in other_forms(part))
    return _BARRIER.join([" ".join(main), *dict.fromkeys(extras)])


def _without_false_modes(found: list[Word], work_mode: str) -> list[Word]:
    """An ad that is known to be on site is not found as remote because it says "this is not remote"."""
    if not work_mode:
        return found
    kept: list[Word] = []
    for position, word in enumerate(found):
        following = found[position + 1].parts[:1] if position + 1 < len(found) else ()
        spoken = fold("".join(word.parts))
        false_remote = work_mode != "remote" and spoken in _REMOTE_WORDS and not _REMOTE_TRADES.intersection(following)
        false_hybrid = work_mode != "hybrid" and spoken == "hybrid" and bool(_HYBRID_WORK.intersection(following))
        if false_remote or false_hybrid:
            kept.append(Word(word.start, word.end, tuple(f"~{part}" for part in word.parts)))
        else:
            kept.append(word)
    return kept


def _place_column(location: str, country: str, work_mode: str) -> str:
    main = list(vocabulary.place_words(location))
    others: list[tuple[str, ...]] = []
    names = vocabulary.other_place_names()
    for start in range(len(main)):
        for length in range(1, vocabulary.longest_place_name() + 1):
            others.extend(names.get(tuple(main[start : start + length]), ()))
    others.extend(vocabulary.country_names(country))
    if country:
        others.append((country.lower(),))
    if work_mode == "remote":
        others.append(("remote",))
    column = _column(list(words(normalise(location))))
    return _BARRIER.join([column, *(" ".join(name) for name in dict.fromkeys(others))])
