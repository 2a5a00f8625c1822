"""Normalising: what the person typed, in a form that patterns can read, with a way back to the exact words.

First step of the pipeline; above it stands `classify`. A `Sentence` has two texts: `raw`, the person's own, and `folded`,
lower-case without accents, quotes straightened, runs of spaces joined. Longer quoted passages are one opaque mark in
`folded`, so that what is between quotation marks is never read as a command. `offsets` leads from folded to raw.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

# A private-use character: it cannot be typed by accident, and normalising drops it from what people send.
QUOTED = "\ue000"
MAX_TEXT = 8_000

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ue000-\uf8ff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SINGLE = {
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d",
    "→": "->", "➔": "->", "➜": "->", "⇒": "->", "…": "...", "：": ":", "\t": " ",
}  # fmt: skip
# An opening mark stands after a space or a bracket, a closing one before a space or punctuation.
_DOUBLE_QUOTED = re.compile(r'(?<!\w)"([^"\n]{1,4000})"(?!\w)')
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'((?:[^'\n]|(?<=\w)'(?=\w)){1,4000})'(?!\w)")
_QUOTES = "'\"‘’‚‛“”„«»`"
_PLAIN_WORD = re.compile(r"[a-z0-9+#.-]{1,30}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`offsets` has one entry more than `folded`: `raw[offsets[i]:offsets[j]]` is what `folded[i:j]` was made from."""

    raw: str
    folded: str
    offsets: tuple[int, ...]

    def original(self, start: int, end: int) -> str:
        return self.raw[self.offsets[start] : self.offsets[end]]

    def part(self, start: int, end: int) -> Sentence:
        """The stretch without surrounding spaces."""
        while start < end and self.folded[start] in " \n":
            start += 1
        while end > start and self.folded[end - 1] in " \n":
            end -= 1
        return Sentence(raw=self.raw, folded=self.folded[start:end], offsets=self.offsets[start : end + 1])

    @property
    def words(self) -> str:
        """The stretch verbatim, without quotation marks around the whole."""
        text = self.original(0, len(self.folded)).strip()
        if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
            return text[1:-1].strip()
        start = self.offsets[0]
        if text and text[-1] in _QUOTES and start > 0 and self.raw[start - 1] in _QUOTES:
            return text[:-1].strip()  # the opening mark of a single quoted word lies before the stretch
        return text

    @property
    def plain(self) -> str:
        """`words` folded: quoted passages are readable here."""
        return fold(self.words)

    def headed(self, word: str) -> Sentence:
        """The same with an understood word put before it ("[set] the tier to dream")."""
        start = self.offsets[0]
        return Sentence(raw=self.raw, folded=f"{word} {self.folded}", offsets=(start,) * (len(word) + 1) + self.offsets)

    def __bool__(self) -> bool:
        return bool(self.folded)

    def replaced(self, edit: Callable[[str], tuple[tuple[int, int, str], ...]]) -> Sentence:
        """With some stretches of the folded text spelt otherwise; the raw text stays."""
        folded: list[str] = []
        offsets: list[int] = []
        last = 0
        for start, end, text in edit(self.folded):
            folded.append(self.folded[last:start] + text)
            offsets.extend(self.offsets[last:start])
            offsets.extend([self.offsets[start]] * len(text))
            last = end
        folded.append(self.folded[last:])
        offsets.extend(self.offsets[last:])
        return Sentence(raw=self.raw, folded="".join(folded), offsets=tuple(offsets))


def clean(text: str) -> str:
    """NFC without invisible, directional and control characters; a lone surrogate is dropped too."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = unicodedata.normalize("NFC", text)
    return _INVISIBLE.sub("", text)


def fold(text: str) -> str:
    """Lower case, no accents, straight quotes, single spaces."""
    return read(text, quotes=False).folded


def read(text: str, *, quotes: bool = True) -> Sentence:
    """The sentence of a text of any length (cut at 8,000 characters)."""
    raw = clean(text[:MAX_TEXT]).strip()
    marked = _marks(raw) if quotes else {}
    folded: list[str] = []
    offsets: list[int] = []
    index = 0
    while index < len(raw):
        if index in marked:
            end, opaque = marked[index]
            if opaque:
                folded.append(QUOTED)
                offsets.append(index)
                index = end
                continue
            index += 1  # a short quoted word reads as if it were not quoted
            inner = raw[index : end - 1]
            for place, character in enumerate(inner):
                _put(character, index + place, folded, offsets)
            index = end
            continue
        _put(raw[index], index, folded, offsets)
        index += 1
    offsets.append(len(raw))
    return Sentence(raw=raw, folded="".join(folded), offsets=tuple(offsets)).part(0, len(folded))


def _marks(raw: str) -> dict[int, tuple[int, bool]]:
    straight = "".join(_SINGLE[c] if c in _SINGLE and len(_SINGLE[c]) == 1 else c for c in raw)
    found: dict[int, tuple[int, bool]] = {}
    for pattern in (_DOUBLE_QUOTED, _SINGLE_QUOTED):
        for match in pattern.finditer(straight):
            if not any(start < match.end() and match.start() < end for start, (end, _) in found.items()):
                inner = match.group(1).strip().lower()
                found[match.start()] = (match.end(), _PLAIN_WORD.fullmatch(inner) is None)
    return found


def _put(character: str, index: int, folded: list[str], offsets: list[int]) -> None:
    if character in _SINGLE:
        text = _SINGLE[character]
    elif character.isascii():
        text = character.lower()
    else:
        plain = unicodedata.normalize("NFKD", character)
        text = "".join(c for c in plain if not unicodedata.combining(c)).lower()
        text = "".join(_SINGLE.get(c, c) for c in text)
    for letter in text:
        if letter.isspace():
            letter = "\n" if letter == "\n" else " "
            if folded and folded[-1] in " \n":
                if letter == "\n":
                    folded[-1] = "\n"
                continue
        folded.append(letter)
        offsets.append(index)
