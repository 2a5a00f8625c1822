"""Documents as Yjs: layout, updates, projection, characters against bytes, anchors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import Map, Text

from tests.replay import content_of
from tests.replay import load as load_plain
from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import (
    DropItem,
    Edit,
    PutItem,
    SetField,
    SetItemValue,
    SetMeta,
    Splice,
    minimal_splice,
)
from workspaces.documents.schema import KINDS

NOTE = KINDS["note"]
# One to four bytes of UTF-8, combining marks, a joiner, a variation selector.
LETTERS = "ab\u00e9\u0301\u20ac\U0001f600\U0001f469\u200d\U0001f4bb\ufe0f\n"
TEXT = st.text(alphabet=LETTERS, max_size=12)


def note(body: str = "") -> yjs.YDocument:
    ydoc, _ = yjs.create(NOTE, 7)
    if body:
        yjs.apply_edits(ydoc, [Splice("body", 0, "", body, "")])
    return ydoc


def body_of(ydoc: yjs.YDocument) -> str:
    return yjs.project(ydoc).texts["body"]


def splice(ydoc: yjs.YDocument, at: int, delete: str, insert: str) -> Splice:
    """Carries one splice out; gives it with its anchor."""
    before = body_of(ydoc)
    assert before[at : at + len(delete)] == delete
    made = Splice("body", at, delete, insert, before)
    yjs.apply_edits(ydoc, [made])
    assert body_of(ydoc) == before[:at] + insert + before[at + len(delete) :]
    return made


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_new_document_has_every_container_so_that_no_two_writers_make_one(kind: Any) -> None:
    ydoc, update = yjs.create(kind, 7)
    assert set(ydoc.sections.keys()) == set(kind.sections)
    assert set(ydoc.texts.keys()) == set(kind.texts)
    assert all(isinstance(ydoc.sections[s], Map) for s in kind.sections)
    assert all(isinstance(ydoc.texts[t], Text) for t in kind.texts)
    assert content_of(load_plain([update])) == {"state": "active", "fields": {}, "sections": {}, "texts": {}}


def test_edits_give_one_update_that_brings_another_copy_to_the_same_state() -> None:
    ydoc, first = yjs.create(KINDS["application"], 7)
    edits: list[Edit] = [
        SetField("title", "Engineer"),
        SetField("salary_min", 90_000),
        PutItem("checklist", "itm_1", {"rank": "a0", "title": "CV", "done": False}),
        SetItemValue("checklist", "itm_1", "done", True),
        PutItem("contacts", "itm_2", {"rank": "a0", "name": "Ada"}),
        DropItem("contacts", "itm_2"),
        SetField("title", None),
        Splice("notes", 0, "", "Hello", ""),
        SetMeta("state", "archived"),
    ]
    update = yjs.apply_edits(ydoc, edits)
    copy = yjs.load(KINDS["application"], 7, [first, update])
    state = yjs.project(copy)
    assert state == yjs.project(ydoc)
    assert state.state == "archived"
    assert state.fields == {"salary_min": 90_000}
    assert type(state.fields["salary_min"]) is int
    assert state.sections["checklist"] == {"itm_1": {"rank": "a0", "title": "CV", "done": True}}
    assert state.sections["contacts"] == {}
    assert state.texts == {"notes": "Hello"}


def test_whole_numbers_stay_whole_also_inside_filters() -> None:
    ydoc, first = yjs.create(KINDS["plan"], 7)
    filters = {"posted_within_days": 14, "work_mode": "remote"}
    update = yjs.apply_edits(
        ydoc, [PutItem("saved_searches", "itm_1", {"rank": "a0", "name": "x", "filters": filters})]
    )
    [item] = yjs.project(yjs.load(KINDS["plan"], 7, [first, update])).sections["saved_searches"].values()
    assert item["filters"] == filters
    assert type(item["filters"]["posted_within_days"]) is int
    assert type(item["filters"]["work_mode"]) is str


def test_the_clients_id_is_the_same_in_every_process_and_another_one_an_epoch() -> None:
    assert yjs.client_id_of("ws_1", "plan", 1) == yjs.client_id_of("ws_1", "plan", 1)
    ids = {yjs.client_id_of(w, d, e) for w in ("ws_1", "ws_2") for d in ("plan", "profile") for e in (1, 2)}
    assert len(ids) == 8
    assert all(0 < i < 2**32 for i in ids)


@given(TEXT, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), TEXT), max_size=8))
def test_splices_count_in_characters_whatever_their_bytes(start: str, edits: list[tuple[float, float, str]]) -> None:
    ydoc = note(start)
    updates = [ydoc.encode()]
    expected = start
    for place, share, insert in edits:
        at = round(place * len(expected))
        delete = expected[at : at + round(share * (len(expected) - at))]
        if not delete and not insert:
            continue
        updates.append(yjs.apply_edits(ydoc, [Splice("body", at, delete, insert, expected)]))
        expected = expected[:at] + insert + expected[at + len(delete) :]
        assert body_of(ydoc) == expected
    assert content_of(load_plain(updates))["texts"].get("body", "") == expected


@given(TEXT, TEXT, TEXT, st.integers(0, 11))
def test_an_anchor_finds_its_stretch_after_any_edit_beside_it(left: str, middle: str, right: str, extra: int) -> None:
    ydoc = note(left + right)
    anchor = splice(ydoc, len(left), "", middle).anchor if middle else None
    if anchor is None:
        return
    assert yjs.find_anchored(ydoc, "body", anchor, middle) == len(left)
    # Something new before, at both brims and after; then the old neighbours go.
    new = LETTERS[extra % len(LETTERS)]
    splice(ydoc, 0, "", new)
    assert yjs.find_anchored(ydoc, "body", anchor, middle) == len(left) + 1
    splice(ydoc, len(left) + 1, "", new)
    splice(ydoc, len(left) + 2 + len(middle), "", new)
    assert yjs.find_anchored(ydoc, "body", anchor, middle) == len(left) + 2
    splice(ydoc, 0, new + left + new, "")
    content = body_of(ydoc)
    splice(ydoc, len(middle), content[len(middle) :], "")
    assert body_of(ydoc) == middle
    assert yjs.find_anchored(ydoc, "body", anchor, middle) == 0


@given(TEXT.filter(lambda t: len(t) > 1), st.data())
def test_an_edit_inside_the_stretch_is_noticed(middle: str, data: st.DataObject) -> None:
    ydoc = note("<>")
    anchor = splice(ydoc, 1, "", middle).anchor
    assert anchor is not None
    at = data.draw(st.integers(1, len(middle) - 1))
    splice(ydoc, 1 + at, "", "!")
    assert yjs.find_anchored(ydoc, "body", anchor, middle) is None


def test_a_deleted_stretch_is_lost_and_found_again_when_it_is_put_back() -> None:
    ydoc = note("one three")
    anchor = splice(ydoc, 4, "", "two ").anchor
    assert anchor is not None
    gone = splice(ydoc, 4, "two ", "")
    assert yjs.find_anchored(ydoc, "body", anchor, "two ") is None
    splice(ydoc, gone.at, "", "two ")
    assert yjs.find_anchored(ydoc, "body", anchor, "two ") == 4


def located(ydoc: yjs.YDocument, anchor: dict[str, Any]) -> yjs.Located:
    behind, before = yjs.anchor_ids(anchor)
    return yjs.locate(ydoc, "body", behind=behind, before=before)


@given(TEXT, TEXT)
def test_the_place_of_a_deletion_is_found_whatever_is_typed_before_and_after(left: str, right: str) -> None:
    ydoc = note(left + "gone" + right)
    anchor = splice(ydoc, len(left), "gone", "").anchor
    assert anchor is not None
    assert yjs.find_anchored(ydoc, "body", anchor, "") == len(left)
    splice(ydoc, len(left + right), "", "after")
    splice(ydoc, 0, "", "before")
    found = yjs.find_anchored(ydoc, "body", anchor, "")
    # With nothing left on one side, what was typed at that very place may stand on either side.
    there = {len("before" + left)}
    there |= set() if right else {len("before" + left + "after")}
    there |= set() if left else {0}
    assert found in there


@given(TEXT, TEXT.filter(bool), TEXT, st.booleans())
def test_an_anchor_is_remade_in_another_document(left: str, middle: str, right: str, changed: bool) -> None:
    old = note(left + right)
    anchor = splice(old, len(left), "", middle).anchor
    assert anchor is not None
    if changed:
        # Inside; put back in the new document.
        splice(old, len(left) + len(middle) // 2, "", "!")
    content = body_of(old)
    new = note()
    whole = splice(new, 0, "", content).anchor
    made = yjs.remade_anchor(located(old, anchor), anchor, whole, content)
    assert made is not None
    if changed:
        assert yjs.find_anchored(new, "body", made, middle) is None or middle in content.replace("!", "")
        splice(new, len(left) + len(middle) // 2, "!", "")
    assert yjs.find_anchored(new, "body", made, middle) == len(left)
    splice(new, len(left), "", "\U0001f600")
    splice(new, len(left + middle) + 1, "", "\U0001f600")
    if not (changed and len(middle) == 1):
        assert yjs.find_anchored(new, "body", made, middle) == len(left) + 1


def test_an_anchor_of_a_deleted_stretch_is_remade_by_its_neighbours() -> None:
    old = note("one three")
    anchor = splice(old, 4, "", "two ").anchor
    assert anchor is not None
    splice(old, 4, "two ", "")
    new = note()
    whole = splice(new, 0, "", "one three").anchor
    made = yjs.remade_anchor(located(old, anchor), anchor, whole, "one three")
    assert made is not None
    assert yjs.find_anchored(new, "body", made, "two ") is None
    splice(new, 4, "", "two ")
    assert yjs.find_anchored(new, "body", made, "two ") == 4


@given(TEXT, TEXT)
def test_a_place_between_characters_can_be_anchored(left: str, right: str) -> None:
    ydoc = note(left + right)
    anchor = yjs.anchor_place(ydoc, "body", len(left))
    assert body_of(ydoc) == left + right
    assert yjs.find_anchored(ydoc, "body", anchor, "") == len(left)
    if left:
        splice(ydoc, 0, "", "\u20ac")
        assert yjs.find_anchored(ydoc, "body", anchor, "") == len(left) + 1


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), TEXT), min_size=1, max_size=6), st.data())
def test_every_anchor_tells_whether_its_stretch_is_whole(
    edits: list[tuple[float, float, str]], data: st.DataObject
) -> None:
    """Against a model: each character carries a number of its own, so where it went is known."""
    ydoc = note()
    model: list[tuple[int, str]] = []
    made: list[tuple[dict[str, Any], list[tuple[int, str]]]] = []
    number = 0
    for place, share, insert in edits:
        at = round(place * len(model))
        gone = model[at : at + round(share * (len(model) - at))]
        if not gone and not insert:
            continue
        edit = splice(ydoc, at, "".join(c for _, c in gone), insert)
        assert edit.anchor is not None
        new = []
        for character in insert:
            number += 1
            new.append((number, character))
        model[at : at + len(gone)] = new
        if new:
            made.append((edit.anchor, new))
    content = body_of(ydoc)
    assert content == "".join(c for _, c in model)
    for anchor, stretch in made:
        expected = "".join(c for _, c in stretch)
        whole = [i for i in range(len(model)) if model[i : i + len(stretch)] == stretch]
        found = yjs.find_anchored(ydoc, "body", anchor, expected)
        if whole:
            assert [found] == whole
        elif found is not None:
            # Put back by other hands: it stands there again, character by character.
            assert content[found : found + len(expected)] == expected


def test_an_incomplete_anchor_finds_nothing() -> None:
    assert yjs.find_anchored(note("abc"), "body", {"epoch": 1}, "abc") is None


@given(TEXT, TEXT)
def test_a_minimal_splice_carried_out_gives_the_new_text(before: str, after: str) -> None:
    ydoc = note(before)
    edit = minimal_splice("body", before, after)
    if edit is not None:
        yjs.apply_edits(ydoc, [edit])
    assert body_of(ydoc) == after
