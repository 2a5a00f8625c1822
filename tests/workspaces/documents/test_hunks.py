"""Hunks: what several splices of one text add up to, by characters that carry a number each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.text_model import Character, hunks_between, numbered, text_of
from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import Splice
from workspaces.documents.hunks import Hunk, compose
from workspaces.documents.schema import KINDS

Edits = list[tuple[float, float, str]]
TEXT = st.text(alphabet="ab\u00e9\U0001f600", max_size=6)


def carry_out(
    start: str, edits: list[tuple[float, float, str]]
) -> tuple[list[Splice], list[Character], list[Character]]:
    """Splices on a live text, and the numbered characters before and after."""
    ydoc, _ = yjs.create(KINDS["note"], 7)
    if start:
        yjs.apply_edits(ydoc, [Splice("body", 0, "", start, "")])
    before = numbered(start)
    chars = list(before)
    splices = []
    for place, share, insert in edits:
        at = round(place * len(chars))
        gone = chars[at : at + round(share * (len(chars) - at))]
        if not gone and not insert:
            continue
        splice = Splice("body", at, text_of(gone), insert, text_of(chars))
        yjs.apply_edits(ydoc, [splice])
        splices.append(splice)
        chars[at : at + len(gone)] = numbered(insert)
    for hunk in compose(splices) if splices else []:
        if hunk.expect:
            # Its anchor finds it where it stands now.
            assert hunk.anchor is not None
            assert yjs.find_anchored(ydoc, "body", hunk.anchor, hunk.expect) is not None
    return splices, before, chars


@given(TEXT, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), TEXT), min_size=1, max_size=6))
def test_hunks_are_the_runs_of_characters_that_came_and_went(start: str, edits: Edits) -> None:
    splices, before, after = carry_out(start, edits)
    if not splices:
        return
    expected = [(text_of(hunk.put), text_of(hunk.taken)) for hunk in hunks_between(before, after)]
    assert [(hunk.expect, hunk.content) for hunk in compose(splices)] == (expected or [("", "")])


def test_one_splice_is_its_own_hunk() -> None:
    splices, _, _ = carry_out("abc", [(0.34, 0.5, "X")])
    [splice] = splices
    assert compose(splices) == [Hunk("body", "X", "b", splice.anchor)]


def test_what_came_and_went_again_is_an_empty_hunk() -> None:
    splices, _, _ = carry_out("", [(0, 0, "a"), (0, 1, "")])
    assert compose(splices) == [Hunk("body", "", "", {})]
