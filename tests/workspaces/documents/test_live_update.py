"""What a browser's raw update may do to a document: type in one text, and nothing else whatever it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Array, Doc, Map, Text, merge_updates

from tests.hypothesis_profiles import examples
from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import DropItem, PutItem, SetField, SetMeta, Splice
from workspaces.documents.live_update import (
    NOTHING_NEW,
    Identity,
    LiveChange,
    LiveMismatch,
    apply_live,
    read_live_update,
)
from workspaces.documents.schema import KINDS
from workspaces.documents.update_bytes import encode_id, encode_number
from workspaces.documents.update_reader import UpdateFlaw, read_update
from workspaces.errors import DomainError, EpochGone, LiveUpdateRefused

SERVER, RETIRED, CLIENT = 4_243, 99, 77
IDENTITY = Identity(SERVER, frozenset({RETIRED}))
START = "Hello \U0001f600 world"


class Served:
    """A server's document with something in all its parts, and a client that has read it."""

    def __init__(self, kind: str = "application") -> None:
        self.kind = KINDS[kind]
        self.ydoc, _ = yjs.create(self.kind, SERVER)
        yjs.apply_edits(
            self.ydoc,
            [
                SetField("title", "Engineer"),
                SetField("title", "Senior engineer"),
                PutItem("checklist", "itm_1", {"rank": "a", "title": "Call"}),
                PutItem("checklist", "itm_2", {"rank": "b", "title": "Write"}),
                DropItem("checklist", "itm_2"),
                Splice("notes", 0, "", "Hello there, \U0001f600 world", ""),
                Splice("notes", 5, " there,", "", "Hello there, \U0001f600 world"),
                SetMeta("state", "archived"),
                SetMeta("state", "active"),
            ],
        )
        self.content = START
        assert str(self.ydoc.texts["notes"]) == START
        self.client = self.join(CLIENT)

    def join(self, client: int) -> Doc[Any]:
        doc: Doc[Any] = Doc(client_id=client)
        doc.apply_update(self.ydoc.encode())
        return doc

    def read(self, update: bytes) -> LiveChange:
        return read_live_update(update, self.ydoc.ids(), IDENTITY, {"notes": self.content})

    def take(self, update: bytes) -> LiveChange:
        change = self.read(update)
        if change.text is not None:
            self.content = apply_live(self.ydoc, change, self.content)
        assert self.ydoc.ids().known == yjs.TextIds(self.ydoc.encode()).known
        return change


def root(doc: Doc[Any], name: str) -> Any:
    return doc.get(name, type=Map)


def notes(doc: Doc[Any]) -> Any:
    return root(doc, "texts")["notes"]


def change(doc: Doc[Any], how: Callable[[Doc[Any]], Any]) -> bytes:
    before = doc.get_state()
    with doc.transaction():
        how(doc)
    return doc.get_update(before)


def insert(at: int, content: str) -> Callable[[Doc[Any]], Any]:
    return lambda doc: notes(doc).insert(at, content)


def cut(start: int, end: int) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        del notes(doc)[start:end]

    return how


def both(*steps: Callable[[Doc[Any]], Any]) -> Callable[[Doc[Any]], Any]:
    def how(doc: Doc[Any]) -> None:
        for step in steps:
            step(doc)

    return how


# --- what is let through -----------------------------------------------------------------------------------------


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
    taken = read_live_update(update, ydoc.ids(), IDENTITY, {"body": ""})
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


# --- what is refused ---------------------------------------------------------------------------------------------


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


def struct(
    content: bytes,
    *,
    info: int = 4,
    client: int = CLIENT,
    clock: int = 0,
    origin: tuple[int, int] | None = None,
    right: tuple[int, int] | None = None,
    parent: bytes = b"",
) -> bytes:
    """One client's one struct."""
    info |= (0x80 if origin else 0) | (0x40 if right else 0)
    neighbours = b"".join(encode_id(entry) for entry in (origin, right) if entry)
    return b"\x01" + encode_id((client, clock)) + bytes([info]) + neighbours + parent + content


def update_of(*structs: bytes, deletes: bytes = b"\x00") -> bytes:
    return encode_number(len(structs)) + b"".join(structs) + deletes


def deleting(client: int, *ranges: tuple[int, int]) -> bytes:
    listed = b"".join(encode_number(start) + encode_number(count) for start, count in ranges)
    return b"\x01" + encode_number(client) + encode_number(len(ranges)) + listed


def ids_of(served: Served) -> dict[str, Any]:
    """Ids in the served document by what they are, found by looking at the structs."""
    found: dict[str, Any] = {}
    for entry in read_update(served.ydoc.encode()).structs[SERVER]:
        if entry.text == "Hello":
            found["H"] = (SERVER, entry.clock)
        if entry.text and "world" in entry.text:
            found["emoji"] = (SERVER, entry.clock + entry.text.index("\U0001f600"))
        if entry.parent == "fields":
            found["field"] = (SERVER, entry.clock)
        if entry.parent == "sections":
            found["section"] = (SERVER, entry.clock)
        if entry.parent == "texts":
            found["text"] = (SERVER, entry.clock)
    return found


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
    assert read_live_update(one, ydoc.ids(), IDENTITY, texts).text == "body"
    change(client, lambda doc: root(doc, "texts")["other"].insert(0, "b"))
    with pytest.raises(LiveUpdateRefused, match="more than one text"):
        read_live_update(client.get_update(), ydoc.ids(), IDENTITY, texts)
    apply_live(ydoc, read_live_update(one, ydoc.ids(), IDENTITY, texts), "")
    crossing = update_of(struct(b"\x01x", client=5, origin=(CLIENT, 0), right=next(iter(ydoc.ids().texts.values()))))
    with pytest.raises(LiveUpdateRefused):
        read_live_update(crossing, ydoc.ids(), IDENTITY, texts)


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
