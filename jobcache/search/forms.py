"""Other forms of a word: singulars, feminine and masculine endings, the head of a German compound, Arabic articles.

Above: index writes the forms of an ad's words beside them, query asks for a word or one of its forms.
Light and rule-based on purpose: a form only ever adds a weaker match, it never replaces the word.
"""

from __future__ import annotations

from functools import lru_cache

# Words whose ending only looks like one.
_WHOLE = frozenset(
    """news business series physics analysis kubernetes redis jenkins pandas rails less sass always this was his has
    its as texas dallas paris reims nantes cannes tours leeds wells athens brussels process access express address
    sous dans plus ausbildung des les las los bis das campus status bonus chaos linux macos""".split()
)
_FEMININE = (
    ("erinnen", "er"), ("orinnen", "or"), ("erin", "er"), ("eurin", "eur"), ("istin", "ist"), ("torin", "tor"),
    ("atin", "at"), ("entin", "ent"), ("antin", "ant"), ("ikerin", "iker"),
    ("euse", "eur"), ("trice", "teur"), ("ienne", "ien"), ("iere", "ier"), ("ieure", "ieur"), ("ante", "ant"),
    ("iera", "iero"), ("dora", "dor"), ("tora", "tor"), ("eira", "eiro"), ("ora", "or"),
    ("frau", "mann"),
)  # fmt: skip
_GERMAN_HEADS = (
    "entwickler", "ingenieur", "techniker", "berater", "leiter", "verkaufer", "fachkraft", "mechaniker", "pfleger",
    "schwester", "kaufmann", "assistent", "informatiker", "lehrer", "fahrer", "meister", "monteur", "spezialist",
    "planer", "architekt", "koch", "therapeut", "arbeiter", "helfer", "kraft", "manager", "redakteur", "elektroniker",
    "administrator", "programmierer", "forscher", "wissenschaftler", "arzt", "analyst", "designer", "bauer", "maler",
)  # fmt: skip


@lru_cache(maxsize=65536)
def other_forms(word: str) -> tuple[str, ...]:
    """Forms of a folded word other than itself, most likely first; empty for names, symbols and short words."""
    if len(word) < 4 or word in _WHOLE:
        return ()
    if not word.isalpha():
        return ()
    if not word.isascii():
        return _arabic_forms(word)
    found: list[str] = []
    singulars = _singulars(word)
    for form in (word, *singulars):
        found.extend(
            form[: -len(end)] + other for end, other in _FEMININE if form.endswith(end) and len(form) > len(end) + 2
        )
    found.extend(singulars)
    for form in (word, *found):
        found.extend(head for head in _GERMAN_HEADS if form.endswith(head) and len(form) >= len(head) + 3)
    return tuple(form for form in dict.fromkeys(found) if form != word)


def asked_forms(word: str) -> tuple[str, ...]:
    """Forms for a word of a question: those above, and for an activity (nursing) who does it (nurse, nurser)."""
    found = list(other_forms(word))
    if word.isascii() and word.isalpha() and word.endswith("ing") and len(word) > 6 and word not in _WHOLE:
        found.extend((word[:-3] + "er", word[:-3] + "e", word[:-3]))
    return tuple(dict.fromkeys(found))


def _singulars(word: str) -> tuple[str, ...]:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return ()
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y", word[:-1])
    if word.endswith("es") and len(word) > 5:
        return (word[:-1], word[:-2])
    return (word[:-1],)


def _arabic_forms(word: str) -> tuple[str, ...]:
    if word.startswith("ال") and len(word) > 4:
        return (word[2:],)
    return ()
