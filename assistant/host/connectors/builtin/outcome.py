"""What a step can come to: a planned change, an answer, a question back, a refusal.

Plans return a `Change`; reading intents return an `Answer`. Where a plan cannot go on it raises `AskBack` or `CannotDo`,
and nothing is called.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Operation = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """Markdown, and the ids of documents and roles that it cites."""

    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """Operations to be written together. `lines` say afterwards what changed (`{new:NAME}` becomes a link to the created
    document), `reason` goes into the history, `subject` is what "it" means in the next clause."""

    operations: tuple[Operation, ...]
    lines: tuple[str, ...]
    reason: str
    subject: str | None = None
    citations: tuple[str, ...] = ()
    created: Mapping[str, str] = field(default_factory=dict)


class AskBack(Exception):
    """The request is understood but not settled: a question for the person, naming what it could be."""

    def __init__(self, text: str, candidates: tuple[str, ...] = ()) -> None:
        self.text = text
        self.candidates = candidates
        super().__init__(text)


class CannotDo(Exception):
    """The request is declined or has nothing to act on."""

    def __init__(self, text: str, citations: tuple[str, ...] = ()) -> None:
        self.text = text
        self.citations = citations
        super().__init__(text)


class AlreadySo(CannotDo):
    """What was asked for is so already: nothing to do, and beside other changes nothing to stop for."""


class Refused(Exception):
    """A tool refused: `code` of the contract, with what it gave along."""

    def __init__(self, code: str, result: Mapping[str, Any]) -> None:
        self.code = code
        self.result = result
        super().__init__(code)
