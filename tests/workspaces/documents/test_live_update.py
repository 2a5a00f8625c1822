"""What a browser's raw update may do to a document: type in one text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Doc, merge_updates

from tests.hypothesis_profiles import examples
from tests.workspaces.documents.served import (
    CLIENT,
    IDENTITY,
    SERVER,
    START,
    Served,
    both,
    change,
    cut,
    insert,
    notes,
    root,
    struct,
    update_of,
)
from workspaces.documents import ydoc as yjs
from workspaces.documents.live_update import NOTHING_NEW, LiveChange, apply_live, read_live_update
from workspaces.documents.schema import KINDS


@pytest.mark.parametrize(
    ("how", "growth"),
    [
        (insert(0, "Oh. "), 4),
        (insert(5, "\U0001f680\u00e9\n\t"), 4),
        (insert(len(START.encode()), "!"), 1),
        (cut(0, 6), -6),
        (cut(6, 10), -1),
        (both(insert(2, "xyz"), cut(3, 4)), 2),
        (both(insert(2, "xyz"), cut(2, 5)), 0),
        (both(cut(0, 12), insert(0, "a\U0001f600b")), -6),
    ],
)
def test_typing_and_deleting_in_one_text_is_let_through(how: Callable[[Doc[Any]], Any], growth: int) -> None:
    served = Served()
    update = change(served.client, how)
    taken = served.take(update)
    assert (taken.text, taken.growth) == ("notes", growth)
    assert served.content == str(notes(served.client)) == str(served.ydoc.texts["notes"])
    assert served.ydoc.doc.get_state() == served.client.get_state()


def test_text_typed_and_removed_before_it_was_sent_comes_as_a_deleted_run() -> None:
    served = Served()
    before = served.client.get_state()
    change(served.client, insert(5, "never mind"))
    change(served.client, cut(5, 15))
    change(served.client, insert(5, ","))
    taken = served.take(served.client.get_update(before))
    assert taken.growth == 1
    assert served.content == str(notes(served.client)) == "Hello, \U0001f600 world"
    assert served.take(change(served.client, cut(5, 6))).growth == -1


def test_the_first_characters_of_an_empty_text_name_their_parent() -> None:
    ydoc, _ = yjs.create(KINDS["note"], SERVER)
    client: Doc[Any] = Doc(client_id=CLIENT)
    client.apply_update(ydoc.encode())
    update = change(client, lambda doc: root(doc, "texts")["body"].insert(0, "a"))
    taken = read_live_update(update, ydoc, IDENTITY, {"body": ""})
    assert taken == LiveChange("body", update, 1)
    assert apply_live(ydoc, taken, "") == "a"


def test_what_is_known_is_no_change_also_with_all_deletions_that_there_ever_were() -> None:
    served = Served()
    first = change(served.client, insert(5, "!"))
    served.take(first)
    for update in (first, served.client.get_update(), served.ydoc.encode(), b"\x00\x00"):
        assert served.take(update) == NOTHING_NEW


def test_only_what_is_new_in_an_update_goes_on() -> None:
    served = Served()
    change(served.client, both(insert(0, "abc"), cut(5, 6)))
    served.take(served.client.get_update())
    change(served.client, insert(0, "x"))
    taken = served.take(served.client.get_update())
    assert taken.update == update_of(struct(b"\x01x", clock=3, right=(CLIENT, 0)))
    assert served.content == str(notes(served.client))


def test_a_run_of_which_a_part_is_known_goes_on_from_there() -> None:
    served = Served()
    client = served.client
    typed = [change(client, insert(6 + index * 4, "\U0001f600")) for index in range(3)]
    served.take(typed[0])
    taken = served.take(merge_updates(*typed))
    assert taken.growth == 2
    assert served.content == str(notes(client)) == str(served.ydoc.texts["notes"])
    # As one struct, whose first two units are known.
    client.apply_update(change(served.join(78), insert(0, "")))
    squashed = client.get_update()
    assert served.take(squashed) == NOTHING_NEW
    mirror = Served()
    mirror.client = client
    mirror.take(typed[0])
    assert mirror.take(squashed).growth == 2
    assert mirror.content == served.content


def test_several_clients_that_build_on_each_other_come_in_one_update() -> None:
    served = Served()
    one, two = served.join(11), served.join(12)
    for index in range(20):
        change(one, insert(0, "a"))
        two.apply_update(one.get_update())
        change(two, insert(1, "\u00e9" if index % 3 else "\U0001f600"))
        one.apply_update(two.get_update())
    taken = served.take(two.get_update())
    assert taken.growth == 40
    assert served.content == str(notes(two)) == str(notes(one))


@settings(max_examples=examples(60))
@given(data=st.data())
def test_whatever_is_typed_by_several_clients_ends_as_yjs_has_it(data: st.DataObject) -> None:
    served = Served()
    clients = [served.join(11), served.join(1_000_001), served.join(2**40)]
    for _ in range(data.draw(st.integers(1, 12))):
        doc = data.draw(st.sampled_from(clients))
        content = str(notes(doc))
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 4)))
        typed = data.draw(st.text(alphabet="a \u00e9\u20ac\U0001f600\n", max_size=4))
        low, high = len(content[:start].encode()), len(content[:end].encode())
        update = change(doc, both(cut(low, high), insert(low, typed)))
        choice = data.draw(st.integers(0, 3))
        taken = served.take(update if choice else doc.get_update())
        assert len(served.content) == len(str(served.ydoc.texts["notes"]))
        if choice == 1 and taken.text is not None:
            for other in clients:
                other.apply_update(taken.update)
    for doc in clients:
        served.take(doc.get_update(served.ydoc.state_vector()))
    for doc in clients:
        doc.apply_update(served.ydoc.encode())
        assert str(notes(doc)) == served.content
