"""From the person's sentence to what it asks for: one intent, or several changes joined with "and".

Second step of the pipeline. Sees no workspace, no document and no tool; only what the person typed. Where it is not sure it
answers `unclear`, which declines with a suggestion: there is no fallback that acts.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .corrected import plainer
from .intents import forbidden
from .intents.base import Guess
from .intents.catalogue import BY_NAME, CATALOGUE
from .politeness import without_openers
from .sentence import Sentence, read
from .shorthand import spelt_out
from .targets import is_pronoun
from .typos import mended

MAX_CLAUSES = 6
# Intents whose words are the person's own free text: what is in them is never an order.
_FREE_TEXT = frozenset({"add_note", "append_text", "add_task", "add_checklist_item", "add_contact", "add_interview"})
_LEADS = (
    r"(?:move|put|shift|set|change|update|make|mark|add|note|write|remind|append|create|clear|remove|delete|pin|unpin|tick|check|cross|complete|save|track|schedule|book|"
    r"jot|rename|withdraw|drop|advance|push|bump|switch|remember|take|log|record|todo|task|for|its|it|the|that|i|they|next|deadline|checklist|contact|new|accept|my|"
    r"send|email|e-mail|submit|pay|open|fetch|run|tell|postpone|extend|raise|lower|increase|insert|enter|untick|reopen|flag|forward|erase|trash|print|show|reveal)"
)
_JOINTS = re.compile(
    rf"\s*(?:;\s*|[,.!]?\s+(?:and|then|plus|&)(?:\s+(?:also|then|please|additionally))*\s+|,\s+|[.!]\s+|\n+|\s+also\s+)(?=(?:please |also |then |just )*{_LEADS}\b)"
)
_PIECES = re.compile(r"(?:[.;!?\n]+\s*|,?\s+(?:and then|and|then)\s+|,\s+)(?:also |then |please )*")
_TELLING = re.compile(
    r"\s*(?:[,;.!?:]+(?:\s+(?:and|so|but|please|then|therefore|hence))*\s+|\s+(?:and|so|->?)\s+|\n+)(?=[a-z])"
)
# Changes of an application that "it" can stand for.
_ABOUT_IT = frozenset({"move_stage", "set_field", "add_interview", "add_checklist_item"})
_NEGATION = re.compile(r"\b(?:not|never|cannot|without)\b|n't\b")
_NEGATIVE_ORDER = re.compile(
    r"(?:don't|do not|dont|never|no need to|stop|you (?:should not|shouldn't|must not|mustn't))\b(?! forget| let me forget| want (?:the|to)? ?.*any ?more| interested)"
)
_CONDITION = re.compile(
    r"(?:if|once|unless|as soon as|in case|whenever|assuming|provided|suppose|supposing)\b|when\b(?!'s| is| are| do| does| did| was| were| will| should| can| have| must)|(?:the moment|every time|each time|after|until) (?:they|he|she|i|we|it)\b"
)
_LATER = re.compile(
    r" (?:if|unless|as soon as|in case|once|when|whenever|until) (?:they|he|she|it|i|we|you|there|nobody|nothing|someone|the)\b"
)
# Reports often leave out the "I".
_DROPPED_I = re.compile(
    r"(?:(?:just|finally|already|also|officially|sadly|now) )*(?:got|had|need to|still need to|have to|must|found|saw|spotted|sent|applied|withdrew|accepted|declined|finished|finally|met|spoke|talked|passed|landed|received|"
    r"submitted|completed|signed|turned|pulled|been|decided|did|rang|called|asked|updated|wrote|bought|booked|practi[sc]ed|prepared|learned|learnt|moved|"
    r"interviewing|interviewed|waiting|preparing|invited|not going|won't|heard|made it|through to|at the|in the final|dropped out|backed out)\b"
)
_QUESTION = re.compile(
    r"(?:should i|shall i|would (?:it|you|they|i)|why|what if|what happens|what would|did (?:i|you|they|we)|do i|do you|have (?:i|you|we)|has|is|are|was|were|does|am i|which|who|whom|whose|where|"
    r"when (?:is|are|do|does|did|was|will)|what(?! a\b)|how|show|list|display|find|search|look (?:for|up|at)|view|tell me|summari[sz]e|"
    r"count|browse)\b"
)
_OTHER_LANGUAGES = re.compile(
    r"\b(?:ich|und|der|die|das|ist|nicht|meine?n?|bitte|zeig(?:e)?|verschieb(?:e)?|auf|fur|mir|heute|morgen|wie|welche|kann|kannst|fuge|bewerbung(?:en)?|eine?n?|notiz|"
    r"je|le|la|les|mon|mes|une?|pour|avec|est|que|quelles?|montre(?:-moi)?|ajoute[rz]?|deplace[rz]?|candidatures?|demain|"
    r"el|los|las|mis?|una|para|con|que|cuales|muestra(?:me)?|anade|mueve|solicitud(?:es)?|manana|por|favor)\b"
)


# Every word that some pattern waits for.
_WORDS = frozenset(
    word for intent in CATALOGUE for entry in intent.patterns for word in re.findall(r"[a-z]{5,}", entry.regex.pattern)
)

_EVIDENCE = (
    ("list_applications", re.compile(r"\b(?:of|are|do|have) my (?:jobs|applications|companies)\b|\bowes? me\b")),
    ("overview", re.compile(r"\bthing to do (?:now|next|first|today)\b|\bmy (?:job )?search\b")),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence asks for: one guess, or several changes in order."""

    guesses: tuple[Guess, ...]

    @property
    def first(self) -> Guess:
        return self.guesses[0]

    @property
    def changes(self) -> bool:
        return all(guess.intent.kind == "change" for guess in self.guesses)


def classify(text: str) -> Reading:
    """The reading of any text; never raises."""
    sentence = read(text)
    return _read(without_openers(mended(spelt_out(sentence), correct=_WORDS)), sentence)


def _read(sentence: Sentence, whole: Sentence) -> Reading:
    if not sentence.folded:
        return Reading((_unclear(sentence),))
    plain = _plainly(sentence)
    sentence = plain or sentence
    guess = best(sentence)
    free = guess is not None and guess.intent.name in _FREE_TEXT and (guess.free or guess.strength >= 3)
    kind = (
        None
        if guess is not None and ((free and guess.strength >= 3) or _is_clearing(guess))
        else forbidden.judge_head(sentence)
    )
    if kind is None and not free and not (guess is not None and guess.free):
        kind = forbidden.judge_anywhere(whole)
    if kind is not None:
        return Reading((forbidden.guess(sentence, kind),))
    parts = _split(sentence, guess)
    if parts is not None:
        return parts
    told = _after_telling(sentence) if guess is None or (guess.strength < 2 and guess.intent.kind == "change") else None
    if told is not None:
        return Reading((told,))
    if not free and (guess is None or guess.intent.name not in ("search_jobs", "help", "undo_last")):
        kind = _forbidden_piece(sentence, guess)
        if kind is not None:
            return Reading((forbidden.guess(sentence, kind),))
    if guess is None:
        return Reading((_read_only(sentence) or _unclear(sentence),))
    return Reading((_settled(guess, sentence),))


def _plainly(sentence: Sentence) -> Sentence | None:
    """The plainer form, where it is clearly a stage or a choice of an application."""
    plain = plainer(sentence)
    guess = best(plain) if plain is not None else None
    if guess is None or guess.strength < 3:
        return None
    known = guess.intent.name == "move_stage" or (
        guess.intent.name == "set_field" and guess.note in ("work_mode", "tier")
    )
    return plain if known else None


def _read_only(sentence: Sentence) -> Guess | None:
    """Exactly one reading intent with strong evidence in a question: reading is harmless."""
    if not _QUESTION.match(sentence.folded) or _NEGATION.search(sentence.folded[:400]):
        return None
    found = [name for name, words in _EVIDENCE if words.search(sentence.folded[:200])]
    return Guess(BY_NAME[found[0]], sentence, {}, 1, "") if len(found) == 1 else None


def best(sentence: Sentence, *, question: bool | None = None) -> Guess | None:
    """The strongest intent for one clause; orders are not read out of questions, nor reports out of denials."""
    text = sentence.folded
    asks = _QUESTION.match(text) is not None if question is None else question
    doubtful = text.rstrip().endswith("?")
    negated = _NEGATION.search(text[:400]) is not None
    told = sentence.headed("i") if _DROPPED_I.match(text) else None
    chosen: Guess | None = None
    for intent in CATALOGUE:
        if asks and intent.kind == "change":
            continue
        guess = intent.match(sentence, asserting=not (negated or doubtful))
        if told is not None and intent.kind == "change":
            other = intent.match(told, asserting=not (negated or doubtful))
            if other is not None and (guess is None or other.strength > guess.strength):
                guess = other
        if guess is not None and (chosen is None or guess.strength > chosen.strength):
            chosen = guess
    return chosen


def _settled(guess: Guess, sentence: Sentence) -> Guess:
    """The guess, unless a "not" or an "if" makes an order uncertain."""
    if guess.intent.kind not in ("change", "undo"):
        return guess
    text = sentence.folded
    if _NEGATIVE_ORDER.match(text):
        return _unclear(sentence, "negated")
    if _CONDITION.match(text) or (not guess.free and _LATER.search(text)):
        return _unclear(sentence, "condition")
    return guess


def _unclear(sentence: Sentence, note: str = "") -> Guess:
    text = sentence.folded
    if not note:
        if _NEGATIVE_ORDER.match(text) or (
            _NEGATION.search(text[:300]) and best(read(_NEGATION.sub("", text[:300])), question=False)
        ):
            note = "negated"
        elif _CONDITION.match(text):
            note = "condition"
        elif len(_OTHER_LANGUAGES.findall(text[:300])) >= max(2, len(text[:300].split()) // 3):
            note = "language"
    return Guess(BY_NAME["unclear"], sentence, {}, 1, note)


def _is_clearing(guess: Guess) -> bool:
    """ "Remove the deadline" empties a field; nothing is deleted."""
    return guess.strength >= 2 and (
        (guess.intent.name == "set_field" and guess.note in ("clear", "unpin", "plan_remove", "weekly_goal"))
        or (guess.intent.name == "update_profile" and guess.note == "clear")
        or (guess.intent.name == "create_application" and guess.note == "wish")
        or (guess.intent.name in ("undo_last", "move_stage") and guess.strength >= 3)
        or (guess.intent.name == "undo_last" and guess.note != "which")
    )


def _split(sentence: Sentence, guess: Guess | None) -> Reading | None:
    """Several changes in one sentence; None where it is one. What follows a colon is one free text."""
    if _QUESTION.match(sentence.folded) or _CONDITION.match(sentence.folded) or _NEGATIVE_ORDER.match(sentence.folded):
        return None
    colon = re.search(r":(?=\s)", sentence.folded)
    limit = min(colon.start() if colon else len(sentence.folded), 700)
    for joint in _JOINTS.finditer(sentence.folded, 0, limit):
        left = without_openers(sentence.part(0, joint.start()))
        right = without_openers(sentence.part(joint.end(), len(sentence.folded)))
        if not left.folded or not right.folded:
            continue
        first = best(left)
        if first is None or first.intent.kind != "change" or first.strength < 2:
            continue
        kind = forbidden.judge_head(right)
        if (
            kind is not None
            and (second := best(right)) is not None
            and (_is_clearing(second) or (second.intent.name in _FREE_TEXT and second.strength >= 3))
        ):
            kind = None
        if kind is not None and not first.free:
            return Reading((forbidden.guess(sentence, kind),))
        rest = _rest(right, left, first)
        if rest is not None and len(rest) < MAX_CLAUSES:
            return (
                Reading((_settled(first, left), *rest))
                if all(g.intent.kind == "change" for g in (_settled(first, left), *rest))
                else None
            )
    return None


def _after_telling(sentence: Sentence) -> Guess | None:
    """An order about "it" or "them" after words that only tell of a company ("Kestrel rang, so move them to screening")."""
    if _QUESTION.match(sentence.folded) or _CONDITION.match(sentence.folded) or _NEGATIVE_ORDER.match(sentence.folded):
        return None
    for joint in _TELLING.finditer(sentence.folded, 0, 300):
        left = without_openers(sentence.part(0, joint.start()))
        right = without_openers(sentence.part(joint.end(), len(sentence.folded)))
        if not left.folded or not right.folded:
            continue
        guess = best(right)
        if guess is not None and guess.intent.kind == "read" and guess.strength >= 3 and guess.slot("target") is None:
            return guess
        if guess is not None and guess.intent.name == "complete_task" and is_pronoun(guess.slot("task")):
            return replace(guess, slots={**guess.slots, "task": left}, note="told")
        if guess is None or guess.intent.name not in _ABOUT_IT or guess.strength < 2:
            continue
        if (
            is_pronoun(guess.slot("target"))
            and not guess.note.startswith(("plan", "weekly_goal", "mode_wish"))
            and _settled(guess, right) is guess
        ):
            return replace(guess, context=left)
    return None


def _rest(right: Sentence, left: Sentence, first: Guess) -> tuple[Guess, ...] | None:
    """The readings of what follows; beside free text only what clearly is an order of its own counts."""
    more = _split(right, None)
    if more is not None:
        return more.guesses if more.changes else None
    guess = best(right)
    if guess is None or guess.intent.kind != "change" or guess.strength < 2:
        verb = left.folded.split(" ", 1)[0]
        guess = best(right.headed(verb)) if not first.free else None
        if guess is None or guess.intent.name not in ("set_field", "move_stage"):
            return None
    needed = 3 if first.free and guess.intent.name != "move_stage" else 2
    if guess.strength < needed or (first.free and guess.intent.name == "complete_task"):
        return None
    settled = _settled(guess, right)
    return (settled,) if settled.intent.kind == "change" else None


def _forbidden_piece(sentence: Sentence, guess: Guess | None) -> str | None:
    """A forbidden order further on in a sentence that is not free text."""
    if guess is not None and guess.free:
        return None
    start = 0
    for count, joint in enumerate(_PIECES.finditer(sentence.folded, 0, 1_500)):
        if count > 25:
            break
        start = joint.end()
        piece = without_openers(sentence.part(start, len(sentence.folded)))
        kind = forbidden.judge_head(piece) if piece.folded else None
        if kind is not None:
            other = best(piece)
            if not (
                other is not None and (_is_clearing(other) or (other.intent.name in _FREE_TEXT and other.strength >= 3))
            ):
                return kind
    return None
