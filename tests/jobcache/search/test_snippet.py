"""Snippets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jobcache.search.snippet import MAXIMUM_SNIPPET, make_snippet

LONG = " ".join(f"Sentence number {number} speaks of nothing." for number in range(40))


def test_a_short_text_is_its_own_snippet_on_one_line() -> None:
    assert make_snippet("First line.\nSecond   line.", frozenset({"second"})) == "First line. Second line."


def test_a_long_text_is_cut_from_the_sentence_that_has_a_wanted_word() -> None:
    snippet = make_snippet(f"{LONG} We write Node.js here. {LONG}", frozenset({"node.js"}))
    assert snippet.startswith("… We write Node.js here. Sentence number 0")
    assert snippet.endswith(" …")
    assert len(snippet) <= MAXIMUM_SNIPPET


def test_without_a_wanted_word_the_beginning_is_shown() -> None:
    assert make_snippet(LONG, frozenset({"python"})).startswith("Sentence number 0 speaks")


@given(st.text(max_size=900), st.frozensets(st.text("abc", max_size=3), max_size=3))
def test_no_snippet_is_longer_than_agreed(text: str, wanted: frozenset[str]) -> None:
    snippet = make_snippet(text, wanted)
    assert len(snippet) <= MAXIMUM_SNIPPET
    assert "\n" not in snippet
