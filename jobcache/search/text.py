"""From text to words, the same way for ads and for queries, so that both meet.

Above: index (ads) and query (questions). Below: forms. Works on Unicode text of any script:

* C++, C#, .NET, Node.js, PL/SQL, R&D stay words of their own; their parts are words too where that helps;
* case, accents and width are folded away in Latin, Greek, Cyrillic, Hebrew and Arabic script;
* scripts written without spaces give one word for each sign, so that a phrase of signs finds any part of a text;
* "Go", "R" and "C" are told from "go", "r" and "c" by their capital.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = "".join(chr(code) for code in range(0x20000) if unicodedata.category(chr(code)).startswith("M"))
_SIGN = rf"(?:[^\W_]|[{re.escape(_MARKS)}])"
_PIECE = rf"[^\W_]{_SIGN}*(?:\+{{1,2}}|#)?"
_WORD = re.compile(rf"(?P<dot>(?<![^\s(\[,;:/\"'])\.(?=\w))?(?P<core>{_PIECE}(?:[.&/'’\-‐‑_·]{_PIECE})*)")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CONNECTOR = re.compile(r"[.&/'’\-‐‑_·]")
_SPACED_AMPERSAND = re.compile(r"(?<!\w)(\w) ?& ?(\w)(?!\w)")
_GENDER_TAG = re.compile(r"\(\s*[a-zA-Z](?:\s*[/|]\s*[a-zA-Z*]){1,3}\s*\)")
_GENDER_ENDING = re.compile(
    r"(?<=[^\W\d_]{3})(?:(?:[:*_·]|/-?)(?:innen|in|e|euse|trice|se|ne|a)(?:[·.]s)?|\((?:innen|in|e|euse|trice|se|ne|a|as)\))(?!\w)"
)
_STRIPPED_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]"
)
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
    | {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "\u200c": "", "\u200d": ""}
)
_ELISIONS = frozenset({"l", "d", "j", "m", "t", "s", "c", "n", "qu", "un", "dell", "all", "nell", "sull"})
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
_CAPITAL_ONLY = frozenset({"c", "r"})
_AFTER_THE_VERB_GO = frozenset(
    "to the a ahead beyond for on out and with through into live home back over where all above from up".split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word at `start`..`end` of the (normalised) text.

    `parts` are what a reader would see there, in order. `names` are other whole spellings of the same thing
    (`node.js`, `nodejs`). `exact` says that the parts alone would mean something else (.NET is not a net).
    """

    start: int
    end: int
    parts: tuple[str, ...]
    names: tuple[str, ...] = ()
    exact: bool = False
    unspaced: bool = False


def normalise(text: str) -> str:
    """The text in one Unicode form, without gender tags and endings, with spaces for control characters."""
    text = unicodedata.normalize("NFKC", text)
    text = _CONTROLS.sub(" ", text)
    text = _GENDER_ENDING.sub("", _GENDER_TAG.sub(" ", text))
    return _SPACED_AMPERSAND.sub(r"\1&\2", text)


def fold(word: str) -> str:
    """One word without case, accents and other differences that no searcher means."""
    word = unicodedata.normalize("NFD", word.casefold())
    word = unicodedata.normalize("NFC", _STRIPPED_MARKS.sub("", word))
    return word.translate(_LETTERS)


def words(text: str, *, question: bool = False) -> Iterator[Word]:
    """The words of a normalised text. In a question "go" and "r" mean the languages whatever their case."""
    for match in _WORD.finditer(text):
        core = match["core"]
        pieces = _CONNECTOR.split(core)
        if not all(map(fold, pieces)):
            # Nothing but signs that folding takes away, such as the Arabic stretching sign.
            continue
        if _UNSPACED.search(core):
            yield from _unspaced_words(match.start("core"), core)
        elif len(pieces) == 1:
            yield _simple_word(match, text, question=question)
        else:
            yield from _compound_words(match, pieces, question=question)


def _simple_word(match: re.Match[str], text: str, *, question: bool) -> Word:
    surface = match["core"]
    folded = fold(surface)
    if match["dot"]:
        if folded == "net":
            return Word(match.start(), match.end(), (".net",), exact=True)
        return Word(match.start(), match.end(), (folded,), names=(f".{folded}",))
    if not question and _is_ordinary_use(surface, folded, text, match):
        folded = f"~{folded}"
    return Word(match.start(), match.end(), (folded,))


def _is_ordinary_use(surface: str, folded: str, text: str, match: re.Match[str]) -> bool:
    """Whether "go" here is the verb, "c" or "r" a mere letter."""
    if folded in _CAPITAL_ONLY:
        return surface != folded.upper()
    if folded != "go":
        return False
    if surface != "Go":
        return surface != "GO" or not text.isupper()
    following = _WORD.match(text, match.end() + 1) if text[match.end() : match.end() + 1] == " " else None
    return following is not None and fold(following["core"]) in _AFTER_THE_VERB_GO


def _compound_words(match: re.Match[str], pieces: list[str], *, question: bool) -> Iterator[Word]:
    start, end, core = match.start(), match.end(), match["core"]
    folded = [fold(piece) for piece in pieces]
    connectors = _CONNECTOR.findall(core)
    if connectors[0] in "'’":
        if folded[0] in _ELISIONS and len(folded[1]) > 1:
            # l'analyse: the article says nothing.
            rest = core[len(pieces[0]) + 1 :]
            inner = _WORD.match(core, len(pieces[0]) + 1)
            for word in words(rest, question=question) if inner else ():
                yield Word(
                    start + len(pieces[0]) + 1 + word.start, end, word.parts, word.names, word.exact, word.unspaced
                )
            return
        if len(folded) == 2 and folded[1] == "s":
            yield Word(start, end, (folded[0],), names=(f"{folded[0]}s",))
            return
    whole = "".join(
        piece + connector for piece, connector in zip(folded, [*map(_plain_connector, connectors), ""], strict=True)
    )
    letters_only = all(len(piece) == 1 for piece in folded)
    names = [whole] if letters_only else [whole, "".join(folded)]
    if len(folded) == 2 and folded[1] == "net" and connectors[0] == ".":
        yield Word(start, end, (folded[0],), names=(*names, ".net") if not question else tuple(names), exact=True)
        return
    if "go" in folded and "Go" not in pieces and not question:
        folded = [f"~{part}" if part == "go" else part for part in folded]
    slashed = all(connector == "/" for connector in connectors)
    parts = tuple(
        part
        for part, piece in zip(folded, pieces, strict=True)
        if len(part) > 1 or (slashed and part in _CAPITAL_ONLY and piece == part.upper()) or part.isdigit()
    )
    yield Word(start, end, parts, names=tuple(dict.fromkeys(names)), exact=len(parts) < 2)


def _plain_connector(connector: str) -> str:
    return "-" if connector in "‐‑_·" else "'" if connector == "’" else connector


def _unspaced_words(start: int, core: str) -> Iterator[Word]:
    position = 0
    for match in _UNSPACED.finditer(core):
        yield from _spaced_rest(start + position, core[position : match.start()])
        signs = tuple(fold(sign) for sign in match[0])
        yield Word(start + match.start(), start + match.end(), signs, unspaced=True)
        position = match.end()
    yield from _spaced_rest(start + position, core[position:])


def _spaced_rest(start: int, rest: str) -> Iterator[Word]:
    for word in words(rest):
        yield Word(start + word.start, start + word.end, word.parts, word.names, word.exact)
