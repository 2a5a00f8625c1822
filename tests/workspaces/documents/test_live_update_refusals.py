"""What a browser's raw update may not do to a document: anything but typing in one text, whatever it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Array, Doc, Map, Text

from tests.hypothesis_profiles import examples
from tests.workspaces.documents.served import (
    CLIENT,
    IDENTITY,
    RETIRED,
    SERVER,
    Served,
    both,
    change,
    cut,
    deleting,
    ids_of,
    insert,
    notes,
    root,
    struct,
    update_of,
)
from workspaces.documents import ydoc as yjs
from workspaces.documents.live_update import NOTHING_NEW, LiveChange, LiveMismatch, apply_live, read_live_update
from workspaces.documents.schema import KINDS
from workspaces.documents.update_bytes import encode_id, encode_number
from workspaces.documents.update_reader import UpdateFlaw, read_update
from workspaces.errors import DomainError, EpochGone, LiveUpdateRefused


def _set(name: str, key: str, value: Any) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        root(doc, name)[key] = value

    return how


def _drop(name: str, key: str) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        del root(doc, name)[key]

    return how


def _item(how: Callable[[Any], Any]) -> Callable[[Doc[Any]], Any]:
    return lambda doc: how(root(doc, "sections")["checklist"]["itm_1"])


def _new_root(doc: Doc[Any]) -> None:
    doc["evil"] = Text("here")


def _root_entry(doc: Doc[Any]) -> None:
    doc["evil"] = Map({"a": 1})


HOSTILE: dict[str, Callable[[Doc[Any]], Any]] = {
    "a field": _set("fields", "title", "Mine"),
    "another field": _set("fields", "nothing", 1),
    "a field away": _drop("fields", "title"),
    "the state": _set("meta", "state", "trashed"),
    "the state away": _drop("meta", "state"),
    "a section": _set("sections", "evil", Map({})),
    "a section away": _drop("sections", "checklist"),
    "an item": _item(lambda item: item.update({"title": "Mine"})),
    "an item away": lambda doc: root(doc, "sections")["checklist"].pop("itm_1"),
    "a new item": lambda doc: root(doc, "sections")["checklist"].update({"itm_9": Map({"rank": "z"})}),
    "a text": _set("texts", "evil", Text("x")),
    "another text in its place": _set("texts", "notes", Text("x")),
    "no text": _drop("texts", "notes"),
    "a new root": _new_root,
    "a new root map": _root_entry,
    "an embed": lambda doc: notes(doc).insert_embed(3, {"a": 1}),
    "a format": lambda doc: notes(doc).format(0, 3, {"bold": True}),
    "formatted text": lambda doc: notes(doc).insert(3, "x", {"bold": True}),
    "a subdocument": lambda doc: root(doc, "fields").update({"doc": Doc()}),
    "an array": lambda doc: root(doc, "fields").update({"list": Array([1, 2])}),
    "numbers": _set("fields", "weekly_goal", [1, 2.5, True, None, {"a": [b"x", "y"]}]),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside typing"])
def test_anything_but_typing_is_refused_while_it_is_bytes(name: str, beside: bool) -> None:
    served = Served()
    how = both(insert(0, "fine"), HOSTILE[name]) if beside else HOSTILE[name]
    before = served.ydoc.encode()
    update = change(served.client, how)
    with pytest.raises(LiveUpdateRefused):
        served.read(update)
    # Nor later, by a client that sends all that it has.
    with pytest.raises(LiveUpdateRefused):
        served.read(served.client.get_update())
    assert served.ydoc.encode() == before


@pytest.mark.parametrize("name", HOSTILE)
def test_the_second_line_of_defence_sees_each_of_them_too(name: str) -> None:
    served = Served()
    update = change(served.client, HOSTILE[name])
    with pytest.raises(LiveMismatch):
        apply_live(served.ydoc, LiveChange("notes", update, 0), served.content)


def test_the_second_line_of_defence_compares_the_length() -> None:
    served = Served()
    update = change(served.client, insert(0, "two"))
    with pytest.raises(LiveMismatch):
        apply_live(served.ydoc, LiveChange("notes", update, 2), served.content)


def test_the_second_line_of_defence_turns_a_failure_of_yjs_into_a_mismatch() -> None:
    served = Served()
    with pytest.raises(LiveMismatch):
        apply_live(served.ydoc, LiveChange("notes", b"\x01\x01\xff", 0), served.content)


def test_each_id_must_belong_to_the_text() -> None:
    served = Served()
    ids = ids_of(served)
    x = b"\x01x"
    fine = update_of(struct(x, origin=ids["H"]))
    assert served.read(fine) == LiveChange("notes", fine, 1)
    after_emoji = (SERVER, ids["emoji"][1] + 1)
    held = encode_id(ids["text"])
    refused = {
        "behind a field": update_of(struct(x, origin=ids["field"])),
        "before a field": update_of(struct(x, right=ids["field"])),
        "between the text and a field": update_of(struct(x, origin=ids["H"], right=ids["field"])),
        "between a field and the text": update_of(struct(x, origin=ids["field"], right=ids["H"])),
        "behind the text's own item": update_of(struct(x, origin=ids["text"])),
        "in a root": update_of(struct(x, parent=b"\x01\x05texts")),
        "in a new root": update_of(struct(x, parent=b"\x01\x04evil")),
        "in an entry of the texts": update_of(struct(x, info=0x24, parent=b"\x01\x05texts\x05notes")),
        "in an entry of the text": update_of(struct(x, info=0x24, parent=b"\x00" + held + b"\x01k")),
        "a key beside neighbours": update_of(struct(x, info=0x24, origin=ids["H"])),
        "in a section": update_of(struct(x, parent=b"\x00" + encode_id(ids["section"]))),
        "in nothing": update_of(struct(x, parent=b"\x00" + encode_id((5, 5)))),
        "inside an emoji, behind": update_of(struct(x, origin=ids["emoji"])),
        "inside an emoji, before": update_of(struct(x, right=after_emoji)),
        "with a gap": update_of(struct(x, clock=1, origin=ids["H"])),
        "on what is not there": update_of(struct(x, origin=(SERVER, 10_000))),
        "on itself": update_of(struct(x, origin=(CLIENT, 0))),
        "on its own future": update_of(struct(x, origin=(CLIENT, 5))),
        "on each other": update_of(struct(x, origin=(78, 0)), struct(x, client=78, origin=(CLIENT, 0))),
        "under the server's id": update_of(
            struct(x, client=SERVER, clock=served.ydoc.ids().known[SERVER], origin=ids["H"])
        ),
        "under the lowest id": update_of(struct(x, client=0, origin=ids["H"])),
        "under the highest id": update_of(struct(x, client=2**53 - 1, origin=ids["H"])),
        "under an id beyond": update_of(struct(x, client=2**53, origin=ids["H"])),
        "a clock beyond": update_of(struct(encode_number(2**31), info=1, origin=ids["H"])),
        "garbage": update_of(struct(x, info=0)),
        "a gap in the log": update_of(struct(b"\x05", info=10)),
        "a binary": update_of(struct(b"\x01x", info=3, origin=ids["H"])),
        "JSON": update_of(struct(b"\x01\x011", info=2, origin=ids["H"])),
        "a value": update_of(struct(b"\x01\x7f", info=8, origin=ids["H"])),
        "a text in the text": update_of(struct(b"\x02", info=7, origin=ids["H"])),
        "a move": update_of(struct(b"\x00\x00\x00", info=11, origin=ids["H"])),
        "a container of no known type": update_of(struct(b"\x09", info=7, origin=ids["H"])),
        "an empty text": update_of(struct(b"\x00", origin=ids["H"])),
        "an empty run": update_of(struct(b"\x00", info=1, origin=ids["H"])),
        "no UTF-8": update_of(struct(b"\x01\xff", origin=ids["H"])),
        "half a character": update_of(struct(b"\x03\xed\xa0\xbd", origin=ids["H"])),
        **{
            f"the control character {control!r}": update_of(
                struct(encode_number(len(control.encode())) + control.encode(), origin=ids["H"])
            )
            for control in ("\x00", "\r", "\x0b", "\x1f", "\x7f", "\x85")
        },
        "a deleted field": update_of(deletes=deleting(SERVER, (ids["field"][1] + 1, 1))),
        "a deleted section": update_of(deletes=deleting(SERVER, (ids["section"][1], 1))),
        "a deleted text": update_of(deletes=deleting(SERVER, (ids["text"][1], 1))),
        "everything deleted": update_of(deletes=deleting(SERVER, (0, served.ydoc.ids().known[SERVER]))),
        "a deletion of what is not there": update_of(deletes=deleting(SERVER, (ids["H"][1], 1), (10_000, 1))),
        "a deletion of somebody unknown": update_of(deletes=deleting(5, (0, 1))),
        "a deletion beyond all clocks": update_of(deletes=deleting(SERVER, (2**53 - 1, 2**53 - 1))),
        "half an emoji deleted": update_of(deletes=deleting(SERVER, (ids["emoji"][1], 1))),
        "the other half deleted": update_of(deletes=deleting(SERVER, (after_emoji[1], 1))),
    }
    before = served.ydoc.encode()
    for name, update in refused.items():
        with pytest.raises(LiveUpdateRefused):
            print(name, served.read(update))
    assert served.ydoc.encode() == before


def test_typing_in_two_texts_at_once_is_refused() -> None:
    ydoc, _ = yjs.create(KINDS["note"], SERVER)
    ydoc.texts["other"] = Text("")
    ydoc.take_update()
    client: Doc[Any] = Doc(client_id=CLIENT)
    client.apply_update(ydoc.encode())
    texts = {"body": "", "other": ""}
    one = change(client, lambda doc: root(doc, "texts")["body"].insert(0, "a"))
    assert read_live_update(one, ydoc, IDENTITY, texts).text == "body"
    change(client, lambda doc: root(doc, "texts")["other"].insert(0, "b"))
    with pytest.raises(LiveUpdateRefused, match="more than one text"):
        read_live_update(client.get_update(), ydoc, IDENTITY, texts)
    apply_live(ydoc, read_live_update(one, ydoc, IDENTITY, texts), "")
    crossing = update_of(struct(b"\x01x", client=5, origin=(CLIENT, 0), right=next(iter(ydoc.ids().texts.values()))))
    with pytest.raises(LiveUpdateRefused):
        read_live_update(crossing, ydoc, IDENTITY, texts)


@pytest.mark.parametrize(
    "update",
    [
        update_of(struct(b"\x01x", client=RETIRED, origin=(SERVER, 40))),
        update_of(struct(b"\x01x", origin=(RETIRED, 3))),
        update_of(struct(b"\x01x", right=(RETIRED, 3))),
        update_of(deletes=deleting(RETIRED, (0, 3))),
    ],
)
def test_what_builds_on_a_replaced_history_is_told_so(update: bytes) -> None:
    with pytest.raises(EpochGone):
        Served().read(update)


def test_a_text_holds_at_most_50000_characters() -> None:
    served = Served()
    room = 50_000 - len(served.content)
    served.take(change(served.client, insert(0, "\U0001f600" * room)))
    assert len(served.content) == 50_000
    with pytest.raises(LiveUpdateRefused, match="50,001"):
        served.read(change(served.join(5), insert(0, "x")))
    assert served.take(change(served.join(6), both(cut(0, 4), insert(0, "x")))).growth == 0
    assert served.take(change(served.join(7), cut(0, 1))).growth == -1


# --- bytes that nobody would send --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "cut short"),
        (b"\x00", "cut short"),
        (b"\x00\x00\x00", "follows"),
        (b"\x80\x00\x00", "more bytes than it needs"),
        (b"\xff" * 12, "too large"),
        (b"\xff\xff\xff\xff\x0f\x00", "promises"),
        (b"\x01\xff\xff\xff\xff\x0f\x05\x00", "promises"),
        (b"\x00\xff\xff\xff\xff\x0f", "promises"),
        (b"\x00\x01\x05\xff\xff\xff\xff\x0f", "promises"),
        (b"\x02" + b"\x01\x05\x00\x00\x01" * 2 + b"\x00", "twice"),
        (b"\x00\x02\x05\x00\x05\x00", "twice"),
        (update_of(struct(b"\xff\xff\xff\x7fx", parent=b"\x01\x01a")), "cut short"),
        (update_of(struct(b"\x01x", parent=b"\x02\x01a")), "neither"),
        (update_of(struct(b"\x05", info=0x40 | 10, right=(1, 1))), "neighbours"),
    ],
)
def test_malformed_bytes_are_told_apart_from_updates(data: bytes, why: str) -> None:
    with pytest.raises(UpdateFlaw, match=why):
        read_update(data)
    with pytest.raises(LiveUpdateRefused):
        Served().read(data)


def test_deep_and_wide_bytes_take_bounded_work() -> None:
    served = Served()
    start = time.process_time()
    deep = update_of(struct(b"\x01" + b"\x75\x01" * 400_000 + b"\x7f", info=8, parent=b"\x01\x01a"))
    assert read_update(deep).structs[CLIENT][0].length == 1
    wide = [(0, 2**40)] * 100_000
    runs = update_of(deletes=deleting(SERVER, *wide))
    # As many clients as there are bytes for, each waiting for the next.
    chain = [struct(b"\x01x", client=c, origin=(c + 1, 0)) for c in range(1_000, 60_000)]
    for update in (deep, runs, update_of(*chain), b"\x00" * 2_000_000):
        with pytest.raises(LiveUpdateRefused):
            served.read(update)
    assert time.process_time() - start < 20


VALID = [
    change(Served().client, how)
    for how in (insert(3, "abc"), both(insert(0, "a\U0001f600"), cut(2, 3)), cut(0, 12), insert(0, "x" * 200))
]


@settings(max_examples=examples(400))
@given(data=st.data())
def test_mutated_bytes_are_refused_or_type_in_the_text_alone(data: st.DataObject) -> None:
    update = bytearray(data.draw(st.sampled_from(VALID)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(update)))
        match data.draw(st.sampled_from(["set", "insert", "delete", "double"])):
            case "set" if at < len(update):
                update[at] = data.draw(st.integers(0, 255))
            case "insert":
                update[at:at] = data.draw(st.binary(min_size=1, max_size=3))
            case "delete":
                del update[at : at + data.draw(st.integers(1, 3))]
            case "double":
                update[at:at] = update[at : at + 6]
    served = Served()
    before = served.ydoc.encode()
    others = {name: root(served.ydoc.doc, name).to_py() for name in ("fields", "sections", "meta")}
    try:
        taken = served.take(bytes(update))
    except DomainError:
        assert served.ydoc.encode() == before
        return
    if taken.text is None:
        assert served.ydoc.encode() == before
    assert {name: root(served.ydoc.doc, name).to_py() for name in others} == others
    # What goes on to others means to them what it means here, and again is nothing new.
    other = Served()
    other.ydoc.apply_update(taken.update or b"\x00\x00")
    assert str(other.ydoc.texts["notes"]) == served.content
    assert served.take(bytes(update)) == NOTHING_NEW


@settings(max_examples=examples(300))
@given(data=st.binary(max_size=60))
def test_random_bytes_are_refused_or_nothing_new(data: bytes) -> None:
    served = Served()
    before = served.ydoc.encode()
    try:
        served.take(data)
    except DomainError:
        assert served.ydoc.encode() == before
