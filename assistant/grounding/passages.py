"""An answer's Markdown cut into passages, small enough that what is said in one is said about one thing.

A passage is a stretch between commas, "and"s and full stops. It knows which entities it names; where it names none, it
speaks of those named just before it in the sentence, of the sentence before, or of the list item, row or heading that
it hangs under. Pure. Above: `judging`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .facts import normalised

_SENTENCE = re.compile(r"(?<=[.!?])[)*_\"'’”]*\s+(?=[A-Z*_\[(\"'“])|;\s|(?<=\S)\s[–—]\s|\n")
_SPLIT = re.compile(r",(?!\d)\s*|\s+(?:and|but|while|whereas|vs\.?|versus)\s+|\s\|\s")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|approx|ca|no|vs|dr|mr|ms|inc|co|p\.a|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$", re.I
)
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+|^\s*\*\*[^*]+\*\*:?\s*$")
_TURNING = re.compile(r"\b(?:another|others?|the next one|elsewhere|also|overall|in total|altogether|all)\b", re.I)
_TOKEN = re.compile(r"[^\W_]+(?:[.,:][0-9]+)*[+#]*")


@dataclass(frozen=True, slots=True)
class Passage:
    """`subjects` is empty when the passage speaks of nothing in particular."""

    start: int
    end: int
    text: str
    subjects: frozenset[str]
    sentence: str


@dataclass(frozen=True, slots=True)
class Span:
    """Where an entity's name stands in the text."""

    start: int
    end: int
    entities: frozenset[str]


def passages(text: str, names: Mapping[str, set[str]]) -> tuple[list[Passage], list[Span]]:
    """The passages of `text` in order, and the places where entities are named."""
    spans = _name_spans(text, names)
    found: list[Passage] = []
    hanging: list[tuple[int, frozenset[str]]] = []
    carried: frozenset[str] = frozenset()
    columns: list[frozenset[str]] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if not bare.lstrip().startswith("|"):
            columns = []
        elif not columns:
            columns = [_meant(_named(spans, offset + at, offset + to)) for at, to in _cells(bare)]
        elif any(columns) and not _named(spans, offset, offset + len(bare)):
            # A row that names nothing, under columns that do: each cell speaks of its column.
            for (at, to), subjects in zip(_cells(bare), columns, strict=False):
                found.append(Passage(offset + at, offset + to, bare[at:to], subjects, bare))
            offset += len(line)
            continue
        if not bare.strip():
            carried = frozenset()
        else:
            depth = _depth(bare)
            if depth is not None:
                hanging = [entry for entry in hanging if entry[0] < depth]
                carried = hanging[-1][1] if hanging else frozenset()
            line_passages, own, carried = _line(offset, bare, spans, carried)
            found += line_passages
            if depth is not None and own:
                hanging.append((depth, own))
        offset += len(line)
    return found, spans


def _depth(line: str) -> int | None:
    """How deep a line hangs: headings above list items above their sub-items; None for running text."""
    if _HEADING.match(line):
        return -1
    bullet = _BULLET.match(line)
    return len(bullet.group(1).expandtabs(4)) if bullet else None


def _line(
    offset: int, line: str, spans: list[Span], carried: frozenset[str]
) -> tuple[list[Passage], frozenset[str], frozenset[str]]:
    """The passages of a line, the entities that its first naming passage names, and what the next line inherits."""
    found: list[Passage] = []
    own: frozenset[str] = frozenset()
    table_row = line.lstrip().startswith("|")
    for start, end in _sentences(line):
        sentence = line[start:end]
        if _TURNING.search(sentence):
            carried = frozenset()
        named = [span for span in spans if offset + start <= span.start < offset + end]
        pieces = (
            [(start, end)]
            if table_row
            else _pieces(line, start, end, [(s.start - offset, s.end - offset) for s in named])
        )
        current = carried
        for at, to in pieces:
            here = [span.entities for span in named if offset + at <= span.start < offset + to]
            subjects = _meant(here)
            if not subjects:
                subjects = current or _meant([span.entities for span in named[:1]])
            else:
                own = own or subjects
            current = subjects
            found.append(Passage(offset + at, offset + to, line[at:to], subjects, sentence))
        carried = _meant([span.entities for span in named]) or carried
    return found, own, carried


def _cells(row: str) -> list[tuple[int, int]]:
    """Where the cells of a table row stand."""
    bars = [match.start() for match in re.finditer(r"(?<!\\)\|", row)]
    ends = [*bars[1:], len(row)]
    return [(bar + 1, end) for bar, end in zip(bars, ends, strict=True) if row[bar + 1 : end].strip() or end < len(row)]


def _named(spans: list[Span], start: int, end: int) -> list[frozenset[str]]:
    return [span.entities for span in spans if start <= span.start < end]


def _meant(named: list[frozenset[str]]) -> frozenset[str]:
    """The entities that a stretch is about: those that most of the names in it belong to.

    "Backend Engineer" may be two applications; "Backend Engineer at Acme" is one.
    """
    if not named:
        return frozenset()
    votes: dict[str, int] = {}
    for entities in named:
        for entity in entities:
            votes[entity] = votes.get(entity, 0) + 1
    most = max(votes.values())
    winners = frozenset(entity for entity, number in votes.items() if number == most)
    # Two different things side by side, neither covering the other's name: both are meant.
    return winners if most > 1 else frozenset(votes)


def _sentences(line: str) -> list[tuple[int, int]]:
    cuts = [0]
    for match in _SENTENCE.finditer(line):
        if not _ABBREVIATION.search(line[max(0, match.start() - 12) : match.start() + 1].rstrip()):
            cuts.append(match.end())
    return [(a, b) for a, b in zip(cuts, [*cuts[1:], len(line)], strict=True) if line[a:b].strip()]


def _pieces(line: str, start: int, end: int, names: list[tuple[int, int]]) -> list[tuple[int, int]]:
    cuts = [start]
    for match in _SPLIT.finditer(line, start, end):
        if not any(a <= match.start() < b for a, b in names):
            cuts.append(match.end())
    return [(a, b) for a, b in zip(cuts, [*cuts[1:], end], strict=True) if line[a:b].strip()]


def _name_spans(text: str, names: Mapping[str, set[str]]) -> list[Span]:
    by_name: dict[str, set[str]] = {}
    for entity, given in names.items():
        for name in given:
            if len(name) >= 2:
                by_name.setdefault(name, set()).add(entity)
            short = _short(name)
            if short:
                by_name.setdefault(short, set()).add(entity)
    tokens = [(match.group().casefold(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    first: dict[str, list[tuple[list[str], set[str]]]] = {}
    for name, entities in by_name.items():
        words = name.split()
        if words:
            first.setdefault(words[0], []).append((words, entities))
    spans: list[Span] = []
    index = 0
    while index < len(tokens):
        best: tuple[int, frozenset[str]] | None = None
        for words, entities in first.get(tokens[index][0], ()):
            if [token for token, _, _ in tokens[index : index + len(words)]] == words and (
                best is None or len(words) > best[0]
            ):
                best = (len(words), frozenset(entities))
        if best is None:
            index += 1
            continue
        spans.append(Span(tokens[index][1], tokens[index + best[0] - 1][2], best[1]))
        index += best[0]
    for entity in names:
        for match in re.finditer(re.escape(entity), text):
            spans.append(Span(match.start(), match.end(), frozenset({entity})))
    return sorted(spans, key=lambda span: span.start)


def _short(name: str) -> str | None:
    """The first word of a longer name, when it is one that stands for the whole: "Larkspur" of "Larkspur Systems"."""
    words = name.split()
    return words[0] if len(words) > 1 and len(words[0]) >= 5 and words[0] not in _GENERIC else None


_GENERIC = frozenset(
    "senior junior backend frontend platform software engineer developer data product project research technical"
    " interview letter notes about python cloud systems full-stack fullstack machine quality security customer"
    " service sales marketing business digital global united general first second third anschreiben application"
    " applied check write follow prepare update email review finish salary offer company meeting phone".split()
)

__all__ = ["Passage", "Span", "normalised", "passages"]
