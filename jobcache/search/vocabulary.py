"""The packaged word lists: places, countries, joined words, synonyms, optional words. Read once, folded like all text.

Above: index, query, plan. Below: text and the files in `data/`.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pycountry

from jobcache.search.text import fold, normalise, words

_DATA = Path(__file__).parent / "data"
_COUNTRY_LANGUAGES = ("de", "fr", "es", "it")
# What an ad's closed values are called by those who search for them.
WORK_MODE_WORDS = {
    "remote": "remote remotely telework teleworking homeoffice wfh teletravail teletrabajo fernarbeit",
    "hybrid": "hybrid hybride hibrido ibrido",
    "onsite": "onsite inoffice",
}
EMPLOYMENT_WORDS = {
    "full": "fulltime vollzeit permanent",
    "part": "parttime teilzeit",
    "contract": "contract contractor freelance freelancer freiberuflich",
    "temporary": "temporary temp befristet temporaire temporal",
    "seasonal": "seasonal season saison saisonnier saisonal",
    "internship": "internship intern praktikum praktikant stagiaire becario tirocinio",
    "apprenticeship": "apprenticeship apprentice ausbildung lehrling azubi lehrstelle alternance apprenti aprendiz",
}
JUNIOR_WORDS = ("junior", "jr", "graduate", "trainee", "entry", "apprentice", "intern", "debutant")
SENIOR_WORDS = ("senior", "sr", "lead", "head", "principal", "staff", "chief", "director", "leiter")


def place_words(text: str) -> tuple[str, ...]:
    """The parts of a place's name in order."""
    return tuple(part for word in words(normalise(text)) for part in word.parts)


@cache
def joined_pairs() -> frozenset[tuple[str, str]]:
    """Pairs of folded words that are also written as one."""
    return frozenset((first, second) for first, second in _rows("joined.tsv"))


@cache
def optional_words() -> frozenset[str]:
    """Folded words that a question may hold though no ad has to."""
    return frozenset(fold(word) for line in _lines("optional.txt") for word in line.split())


@cache
def synonyms() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Word → (always as good, as good among other words)."""
    close: dict[str, list[str]] = {}
    wide: dict[str, list[str]] = {}
    for row in _rows("synonyms.tsv"):
        cut = row.index("|") if "|" in row else len(row)
        near, far = [fold(word) for word in row[:cut]], [fold(word) for word in row[cut + 1 :]]
        for word in near:
            close.setdefault(word, []).extend(other for other in near if other != word)
            wide.setdefault(word, []).extend(far)
    return {word: (tuple(dict.fromkeys(others)), tuple(dict.fromkeys(wide[word]))) for word, others in close.items()}


@cache
def other_place_names() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A place's name (its parts) → its other names (their parts)."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for row in _rows("places.tsv"):
        names = list(dict.fromkeys(place_words(name) for name in row))
        for name in names:
            found[name] = tuple(other for other in names if other != name)
    return found


@cache
def longest_place_name() -> int:
    """Parts of the longest name in the list of places."""
    return max(len(name) for name in other_place_names())


@cache
def country_names(code: str) -> tuple[tuple[str, ...], ...]:
    """What a country (ISO 3166-1 alpha-2) is called, as parts: English, some other languages, and usual short names."""
    country = pycountry.countries.get(alpha_2=code)
    if country is None:
        return ()
    name = getattr(country, "common_name", country.name)
    names = [name, country.name]
    for language in _COUNTRY_LANGUAGES:
        catalogue = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language], fallback=True)
        names.append(catalogue.gettext(name))
    names.extend(word for row in _rows("countries.tsv") if row[0] == code for word in row[1:])
    return tuple(dict.fromkeys(parts for parts in map(place_words, names) if parts))


def _lines(name: str) -> Iterator[str]:
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def _rows(name: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("\t") if cell.strip()] for line in _lines(name)]
