"""The messages of a document socket: what pycrdt and the npm packages really send is read and written alike."""

from __future__ import annotations

import pycrdt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspaces.realtime import yprotocol
from workspaces.realtime.yprotocol import Auth, AwarenessUpdate, Entry, QueryAwareness, SyncStep1, Unreadable, Update

numbers = st.integers(0, 2**53 - 1)
clocks = st.integers(0, 2**32 - 1)
states = st.none() | st.text(st.characters(codec="utf-8")).filter(lambda text: text != "null")


def typed(text: str) -> pycrdt.Doc:
    doc: pycrdt.Doc = pycrdt.Doc(client_id=2**53 - 2)
    doc.get("t", type=pycrdt.Text).insert(0, text)
    return doc


def test_what_pycrdt_sends_is_read() -> None:
    doc = typed("héllo")
    assert yprotocol.read(pycrdt.create_sync_message(doc)) == SyncStep1({2**53 - 2: 5})
    step_2 = pycrdt.handle_sync_message(pycrdt.create_sync_message(pycrdt.Doc())[1:], doc)
    assert step_2 is not None
    assert yprotocol.read(step_2) == Update(doc.get_update())
    assert yprotocol.read(pycrdt.create_update_message(doc.get_update())) == Update(doc.get_update())
    awareness = pycrdt.Awareness(doc)
    awareness.set_local_state({"user": {"name": "Zoë"}})
    message = pycrdt.create_awareness_message(awareness.encode_awareness_update([doc.client_id]))
    [entry] = yprotocol.read(message).entries
    assert (entry.client, entry.text) == (doc.client_id, '{"user":{"name":"Zo\\u00eb"}}')


def test_what_is_written_pycrdt_reads() -> None:
    doc, other = typed("héllo"), pycrdt.Doc()
    assert yprotocol.sync_step_1(doc.get_state()) == pycrdt.create_sync_message(doc)
    assert yprotocol.sync_update(doc.get_update()) == pycrdt.create_update_message(doc.get_update())
    pycrdt.handle_sync_message(yprotocol.sync_step_2(doc.get_update())[1:], other)
    assert str(other.get("t", type=pycrdt.Text)) == "héllo"
    awareness = pycrdt.Awareness(other)
    sent = yprotocol.awareness([Entry(5, 1, '{"a":"ü"}'), Entry(2**53 - 1, 2**31, "{}")])
    awareness.apply_awareness_update(pycrdt.read_message(sent[1:]), "test")
    assert {client: awareness.states[client] for client in (5, 2**53 - 1)} == {5: {"a": "ü"}, 2**53 - 1: {}}


# Written by lib0 0.2.120, y-protocols 1.0.7 and yjs 13.6.33: a Doc with the client id 4294967295 that typed "é✓" and
# deleted the second character; its awareness, set and then removed; a query.
TYPED = bytes.fromhex("0102ffffffff0f000401017402c3a981ffffffff0f000101ffffffff0f010101")
RECORDED = [
    ("00000701ffffffff0f02", SyncStep1({4294967295: 2})),
    ("000120" + TYPED.hex(), Update(TYPED)),
    ("000220" + TYPED.hex(), Update(TYPED)),
    (
        "012001ffffffff0f01187b2275736572223a7b226e616d65223a225a6fc3ab227d7d",
        AwarenessUpdate((Entry(4294967295, 1, '{"user":{"name":"Zoë"}}'),)),
    ),
    ("010c01ffffffff0f02046e756c6c", AwarenessUpdate((Entry(4294967295, 2, None),))),
    ("03", QueryAwareness()),
]


@pytest.mark.parametrize(("encoded", "message"), RECORDED)
def test_what_the_npm_packages_send_is_read_and_written_alike(encoded: str, message: yprotocol.Message) -> None:
    assert yprotocol.read(bytes.fromhex(encoded)) == message
    match message:
        case SyncStep1(vector):
            written = yprotocol.sync_step_1(yprotocol.write_vector(vector))
        case Update(update):
            written = yprotocol.sync_step_2(update) if encoded[3] == "1" else yprotocol.sync_update(update)
        case AwarenessUpdate(entries):
            written = yprotocol.awareness(entries)
        case _:
            written = yprotocol.query_awareness()
    assert written.hex() == encoded


def test_a_message_with_more_or_less_than_itself_is_refused() -> None:
    whole = [
        pycrdt.create_sync_message(typed("a")), yprotocol.sync_update(b"\x00\x00"), yprotocol.query_awareness(),
        yprotocol.awareness([Entry(1, 2, "{}"), Entry(3, 4, None)]),
    ]  # fmt: skip
    for message in whole:
        yprotocol.read(message)
        for wrong in (message[:-1], message + b"\x00"):
            with pytest.raises(Unreadable):
                yprotocol.read(wrong)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x04", b"\x80", b"\x00", b"\x00\x03\x00", b"\x00\x00", b"\x00\x00\x05\x00", b"\x7f",
     b"\xff" * 20, b"\x00\x00\x01\x80", b"\x01\x01\x01", b"\x01\x04\x01\x01\x01\x02", b"\x01\x05\x01\x01\x01\x01\xff",
     yprotocol.sync_step_1(b"\x02\x05\x01\x05\x02"), yprotocol.sync_step_1(b"\x01\x05\x80\x80\x80\x80\x10"),
     yprotocol.sync_step_1(b"\x01\x80\x80\x80\x80\x80\x80\x80\x10\x01"), yprotocol.sync_step_1(b"\xd1\x86\x03"),
     b"\x01\x02\x81\x10"],
    ids=["nothing", "kind 4", "cut number", "no step", "step 3", "no block", "short block", "kind 127", "endless",
         "cut vector", "cut entry", "short state", "not UTF-8", "a client twice", "clock over 32 bits",
         "client over 53 bits", "a vector too long", "too many entries"],
)  # fmt: skip
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        yprotocol.read(data)


def test_what_a_server_says_of_permissions_means_nothing_from_a_client() -> None:
    assert yprotocol.read(b"\x02\x00\x02no") == Auth()


@given(st.dictionaries(numbers, clocks, max_size=20))
def test_a_state_vector_comes_back_as_it_was(vector: dict[int, int]) -> None:
    assert yprotocol.read(yprotocol.sync_step_1(yprotocol.write_vector(vector))) == SyncStep1(vector)


@given(st.lists(st.builds(Entry, numbers, clocks, states), max_size=10))
def test_awareness_comes_back_as_it_was(entries: list[Entry]) -> None:
    assert yprotocol.read(yprotocol.awareness(entries)) == AwarenessUpdate(tuple(entries))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        message = yprotocol.read(data)
    except Unreadable:
        return
    assert isinstance(message, SyncStep1 | Update | AwarenessUpdate | QueryAwareness | Auth)
