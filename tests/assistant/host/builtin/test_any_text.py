"""Any text of up to 8,000 characters gives an answer, soon, and never a write that nobody asked for."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.host.connectors.builtin.classify import classify
from assistant.host.connectors.builtin.intents.catalogue import CATALOGUE
from assistant.host.connectors.builtin.sentence import read

from .matching import SAMPLE
from .tool_model import Thread, load_sample

SMALL_WORDS = (
    "move to the offer note that and set deadline for of on by add task remind me find jobs in with Larkspur Quillmark Tideline"
    " : , . ? ! 'x y' \"q r\" -> = 5 2027-01-15 12/13 14:00 85k € next Friday tomorrow undo it this delete"
)
EXAMPLES = (example for intent in CATALOGUE for example in intent.examples)
WORDS = sorted({word for text in (SMALL_WORDS, *EXAMPLES) for word in text.split()})


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
async def test_any_characters_are_answered(text: str) -> None:
    model, _ = load_sample(SAMPLE)
    session = await Thread(model).say(text)
    assert session.text


@given(st.lists(st.sampled_from(WORDS), max_size=40))
@settings(max_examples=300, deadline=None)
async def test_any_words_are_answered(words: list[str]) -> None:
    model, _ = load_sample(SAMPLE)
    session = await Thread(model).say(" ".join(words))
    assert session.text


@pytest.mark.parametrize(
    "text",
    [
        "a" * 8_000,
        "move " * 1_600,
        "move Larkspur to " * 470,
        "note for " + "x " * 3_990,
        "add 'x' to the " * 530,
        "' " * 4_000,
        '"' * 8_000,
        "and " * 2_000,
        "set the deadline of the deadline of " * 220,
        "find " + "jobs in " * 990,
        "interview with Larkspur tomorrow at 14:00 " * 190,
        "1 " * 4_000,
        "1/" * 4_000,
        "https://" * 1_000,
        "I " + "just " * 1_590,
        "show me the " * 660,
        "the next last " * 570,
        "my recruiter at Larkspur is " * 285,
        ("i applied to " + "b " * 50) * 70,
        "\n".join(["note: x"] * 990),
        "€ 1.000 " * 1_000,
        "undo the last change you made to it " * 220,
        "what " * 1_600,
        "please " * 1_140,
        "\u202e\u200b" * 4_000,
        "\ud800" * 100,
        "ſß" * 4_000,
    ],
    ids=lambda text: repr(text[:30]),
)
async def test_long_texts_are_answered_within_a_second(text: str) -> None:
    model, _ = load_sample(SAMPLE)
    started = time.process_time()
    session = await Thread(model).say(text[:8_000])
    assert session.text
    assert time.process_time() - started < 1.0


@given(st.text(max_size=200))
@settings(deadline=None)
def test_folding_keeps_the_way_back_to_the_words(text: str) -> None:
    sentence = read(text)
    assert len(sentence.offsets) == len(sentence.folded) + 1
    assert list(sentence.offsets) == sorted(sentence.offsets)
    assert sentence.words in sentence.raw


def test_a_long_note_is_kept_to_its_last_character() -> None:
    body = "word " * 1_500 + "end"
    guess = classify(f"Add a note: {body}").first
    assert guess.intent.name == "add_note"
    assert guess.words("body") == body


def test_classifying_is_quick() -> None:
    started = time.process_time()
    for intent in CATALOGUE:
        for example in intent.examples:
            assert classify(example).first.intent.name == intent.name
    assert time.process_time() - started < 2.0
