"""Does a search for public job ads hold private words? Asked before the words leave for JobCache.

Refused are a link, an id of ours, an e-mail address, a phone number, and the names of the workspace's person and
contacts: whole names, and their distinctive parts. Spacing, case, punctuation, accents, look-alike letters, invisible
characters and digits for letters do not hide them. Pure: the names come in, nothing of the workspace does.
Source: contract section 8.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from .common_words import COMMON_WORDS, DEPARTMENT_WORDS

# Letters of other scripts that look like Latin ones, and Latin letters that NFKD does not take apart.
_LOOK_ALIKES = str.maketrans(
    {
        "а": "a", "в": "b", "е": "e", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y",
        "х": "x", "і": "i", "ј": "j", "ѕ": "s", "ԁ": "d", "ɡ": "g", "ո": "n", "һ": "h", "ԛ": "q", "ԝ": "w", "ӏ": "l",
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u",
        "χ": "x", "ω": "w", "γ": "y", "μ": "u",
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ɑ": "a", "ħ": "h", "ŧ": "t",
    }
)  # fmt: skip
_DIGITS_FOR_LETTERS = tuple(
    str.maketrans({"0": "o", "1": one, "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "$": "s", "@": "a", "|": "l"})
    for one in "li"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

_LINK = re.compile(r"(?:cvl|cvh|jcl)(?:_[a-z0-9_-]{6,}|[a-z0-9_-]{40,})")
_SECRET = re.compile(r"(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[a-z0-9_-]{32,}")
_OWN_ID = re.compile(
    r"(?<![a-z0-9])(?:ws|lnk|link|con|thr|trn|tev|evt|op|rcp|tcl|imp|hst|host|itm|item)_(?=[a-z]*\d)[0-9a-z]{6,}"
    r"|(?<![a-z0-9])(?:application|note|letter):(?=[a-z]*\d)[0-9a-z]{6,}"
)
_ULID = re.compile(r"0[0-7][0-9a-hjkmnp-tv-z]{24}")
_EMAIL = re.compile(
    r"[\w.+%-]+\s*@\s*[\w-]+(?:\s*\.\s*[\w-]+)+"
    r"|[\w.+%-]+\s*[(\[{<]\s*at\s*[)\]}>]\s*[\w-]+"
    r"|[\w.+%-]+\s+at\s+[\w-]+\s+dot\s+[a-z]{2,}"
    r"|mailto\s*:",
)
_PHONE = re.compile(r"(?<![\w])(?:\+|\(\s*\+?)?\s*\d(?:[\s().\-/]*\d){6,}(?!\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d-\d{1,2}-\d{1,2}")
_AMOUNT = r"[1-9]\d{0,2}(?:[.,' ]?\d00)+"
_AMOUNTS = re.compile(rf"{_AMOUNT}(?:\s*[-–]\s*{_AMOUNT})?")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")

_PHONE_DIGITS = range(7, 16)
_MIN_PART = 3


def is_private(texts: Iterable[str], *, names: Iterable[str]) -> bool:
    """True when one of `texts` (what would be sent) holds something private. `names` are full names, any case."""
    known = [words for name in names for words in _spellings(name) if words]
    return any(_holds_secret(text) or _holds_phone(text) or _holds_name(text, known) for text in texts)


def holds_secret(text: str) -> bool:
    """True for a link, an id of ours or an e-mail address: the check for values that are not words, as a cursor."""
    return _holds_secret(text)


def _holds_secret(text: str) -> bool:
    plain = _plain(text)
    squashed = re.sub(r"\s+", "", plain)
    return bool(
        _LINK.search(squashed)
        or _SECRET.search(plain)
        or _OWN_ID.search(plain)
        or _OWN_ID.search(squashed)
        or _ULID.search(re.sub(r"[^a-z0-9]", "", plain))
        or _EMAIL.search(plain)
    )


def _holds_phone(text: str) -> bool:
    for match in _PHONE.finditer(_plain(text)):
        written = match.group().strip()
        groups = re.findall(r"\d+", written)
        digits = sum(map(len, groups))
        if digits not in _PHONE_DIGITS or all(_YEAR.fullmatch(group) for group in groups):
            continue
        if _DATE.fullmatch(written) or _AMOUNTS.fullmatch(written):
            continue
        international = written.startswith(("+", "(", "00", "0"))
        # "80000-100000" is a salary; "555 123 4567" and "5551234567" are not.
        if international or len(groups) >= 3 or max(map(len, groups)) >= 9 or (len(groups) == 2 and digits == 7):
            return True
    return False


def _holds_name(text: str, names: list[tuple[str, ...]]) -> bool:
    for words in _readings(text):
        present = set(words)
        for name in names:
            # The name of a department says nothing about anybody.
            if all(word in DEPARTMENT_WORDS for word in name):
                continue
            whole = "".join(name)
            if len(whole) >= 2 and (_spans(words, whole) or _spans(words, "".join(reversed(name)))):
                return True
            if len(whole) >= 6 and any(whole in word for word in present):
                return True
            if _UNSPACED.search(whole) and any(whole in word for word in present):
                return True
            for part in name:
                distinctive = len(part) >= _MIN_PART and part not in COMMON_WORDS
                if distinctive and (part in present or _spans(words, part)):
                    return True
    return False


def _spans(words: list[str], target: str) -> bool:
    """True when some run of whole words, written together, gives `target`: "t a m s i n" and "tam-sin" do."""
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            if not target.startswith(joined):
                break
            if joined == target:
                return True
    return False


def _readings(text: str) -> Iterator[list[str]]:
    """The words of `text` as read plainly, with umlauts spelled out, and with digits read as letters."""
    yield _WORD.findall(_plain(text))
    yield _WORD.findall(_plain(_composed(text).translate(_UMLAUTS)))
    for table in _DIGITS_FOR_LETTERS:
        yield _WORD.findall(_plain(text).translate(table))


def _spellings(name: str) -> set[tuple[str, ...]]:
    """A name's words, plainly and with umlauts spelled out."""
    plain = tuple(word for word in _WORD.findall(_plain(name)) if not word.isdigit())
    spelled = tuple(w for w in _WORD.findall(_plain(_composed(name).translate(_UMLAUTS))) if not w.isdigit())
    return {plain, spelled}


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _plain(text: str) -> str:
    """Lower case without accents, invisible characters or look-alikes; digits of every script as 0-9."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = []
    for character in decomposed:
        category = unicodedata.category(character)
        if category in ("Mn", "Me", "Cf", "Cc") and character not in "\n\t":
            continue
        kept.append(str(unicodedata.digit(character)) if category == "Nd" else character)
    return "".join(kept).translate(_LOOK_ALIKES)
