"""What an intent is: its patterns, what it needs to know, and what it does. One small file each beside this one.

Patterns read one clause of the person's own words, folded and without courtesies; they see no data and call nothing.
`strength` says how sure a match is: 3 names its object, 2 is the usual wording, 1 is a last resort. The strongest match
wins, at equal strength the intent that stands first in the catalogue.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from assistant.host.connectors.builtin.outcome import Answer, Change
from assistant.host.connectors.builtin.politeness import TAIL
from assistant.host.connectors.builtin.sentence import Sentence
from assistant.host.connectors.builtin.workspace import Workspace

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

# Patterns see this much of a clause; free text at its end may be longer.
HEAD = 700

# Pieces of patterns. TARGET is a name, BODY free text to the end.
TARGET = r"(?P<target>(?!(?:i|we|you|i'm|i've|i'll|i'd|we're|we've)(?![\w']))[^\n]{1,120}?)"
BODY = r"(?P<body>.+)"
VALUE = r"(?P<value>.+?)"
DET = r"(?:(?:the|my|our|a|an|this|that|some|another|its|their|any) )?"
OF = r"(?:of|for|on|at|in|from|with|to|about|by)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """`free`: the last group is free text, kept to its last character. `asserts`: a statement that a "not" turns round."""

    regex: re.Pattern[str]
    strength: int = 2
    free: bool = False
    asserts: bool = False
    note: str = ""


def pattern(text: str, strength: int = 2, *, free: bool = False, asserts: bool = False, note: str = "") -> Pattern:
    """Compiled once; a closed pattern tolerates courtesies and punctuation at its end."""
    return Pattern(re.compile(text + ("" if free else TAIL), re.DOTALL), strength, free, asserts, note)


@dataclass(frozen=True, slots=True)
class Guess:
    """What a clause was taken for. `slots` are stretches of it by name; `note` says which kind of wording matched, `context` is
    what was said before it in the same breath ("Kestrel rang, move them to screening")."""

    intent: Intent
    clause: Sentence
    slots: Mapping[str, Sentence]
    strength: int
    note: str = ""
    free: bool = False
    context: Sentence | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        needs = self.intent.needs
        return needs if isinstance(needs, tuple) else needs(self)

    def slot(self, name: str) -> Sentence | None:
        found = self.slots.get(name)
        return found if found is not None and found else None

    def words(self, name: str) -> str:
        found = self.slots.get(name)
        return found.words if found is not None else ""

    def plain(self, name: str) -> str:
        found = self.slots.get(name)
        return found.folded if found is not None else ""


@dataclass(frozen=True, slots=True)
class Request:
    """One clause to be planned, with the bounded context: what a plan may look at."""

    guess: Guess
    workspace: Workspace
    now: datetime
    zone: ZoneInfo
    here: str | None = None
    previous: str | None = None
    spoken_of: tuple[str, ...] = ()
    chosen: frozenset[str] = field(default_factory=frozenset)

    @property
    def today(self) -> date:
        return self.now.date()


Plan = Callable[[Request], Change]
Respond = Callable[[Request, "Desk"], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Intent:
    """`kind` change: `plan` gives operations. read, undo: `respond` may call tools. talk: `respond` calls none.

    `needs` are the document kinds to read before planning, where they depend on the wording by a function of the guess. `suggestion` is what a refusal offers instead.
    """

    name: str
    kind: Literal["change", "read", "undo", "talk"]
    patterns: tuple[Pattern, ...]
    examples: tuple[str, ...]
    suggestion: str
    needs: tuple[str, ...] | Callable[[Guess], tuple[str, ...]] = ()
    plan: Plan | None = None
    respond: Respond | None = None

    def match(self, clause: Sentence, *, asserting: bool = True) -> Guess | None:
        """The strongest of its patterns that fits the whole clause; reports only where the clause asserts something."""
        head = clause.folded[:HEAD]
        best: Guess | None = None
        for entry in self.patterns:
            if (best is not None and entry.strength <= best.strength) or (entry.asserts and not asserting):
                continue
            found = entry.regex.fullmatch(head)
            if found is None or (len(head) < len(clause.folded) and not entry.free):
                continue
            slots: dict[str, Sentence] = {}
            for name in found.re.groupindex:
                start, end = found.span(name)
                if start < 0:
                    continue
                if entry.free and end == len(head):
                    end = len(clause.folded)
                slots[name] = clause.part(start, end)
            best = Guess(self, clause, slots, entry.strength, entry.note, entry.free)
        return best
