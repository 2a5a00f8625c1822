"""Updates as bytes: what is read from a splice's update, and what is no splice."""

from __future__ import annotations

from typing import Any

import pytest
from pycrdt import Doc, Map, Text

from workspaces.documents.update_bytes import TextChange, marks, read_text_change


def document() -> tuple[Doc[Any], Text, list[bytes]]:
    """A document of client 7 with the text `body`, made at clock 0, and the updates that follow."""
    doc: Doc[Any] = Doc(client_id=7)
    texts = doc.get("texts", type=Map)
    texts["body"] = Text("")
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    return doc, texts["body"], updates


def test_an_insertion_tells_its_id_and_its_neighbours_in_utf16_units() -> None:
    doc, text, updates = document()
    text.insert(0, "a\U0001f600b")
    text.insert(1, "x")
    assert str(text) == "ax\U0001f600b"
    first, second = (read_text_change(update) for update in updates)
    assert first == TextChange(inserted=(7, 1), left=None, right=None, deleted=None)
    assert second == TextChange(inserted=(7, 5), left=(7, 1), right=(7, 2), deleted=None)
    doc.get_update()


def test_a_deletion_tells_something_that_it_deleted() -> None:
    _, text, updates = document()
    text.insert(0, "abc")
    del text[1:2]
    assert read_text_change(updates[1]) == TextChange(inserted=None, left=None, right=None, deleted=(7, 2))


def test_an_update_that_is_no_splice_is_refused() -> None:
    doc, _, updates = document()
    doc.get("fields", type=Map)["title"] = "x"
    with pytest.raises(ValueError, match="no text"):
        read_text_change(updates[0])


def test_marks_go_directly_behind_and_before_the_ids() -> None:
    doc, text, _ = document()
    text.insert(0, "a\U0001f600b")
    del text[0:1]
    text.insert(0, "<")
    copy: Doc[Any] = Doc()
    copy.apply_update(doc.get_update())
    copy.apply_update(marks(behind=[((7, 3), "1"), ((7, 4), "2")], before=[((7, 2), "3"), ((7, 4), "4")]))
    assert str(copy.get("texts", type=Map)["body"]) == "<3\U0001f60014b2"


def test_no_marks_are_an_empty_update() -> None:
    assert marks(behind=[], before=[]) == b"\x00\x00"
