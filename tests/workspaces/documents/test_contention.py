"""Updates that would hold a processor for minutes are refused before Yjs sees them; ordinary typing costs nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.workspaces.documents.served import Served, change, cut, deleting, insert, update_of
from workspaces.documents.live_update import NOTHING_NEW, apply_live
from workspaces.documents.text_ids import TextIds
from workspaces.documents.update_bytes import Id, encode_id, encode_number
from workspaces.errors import LiveUpdateRefused

WRITER, LENGTH = 500, 12_000
TYPED, GONE = b"\x04", b"\x01"


def _behind(id_: Id, units: int) -> Id:
    return id_[0], id_[1] + units


def _runs(client: int, content: bytes, places: list[tuple[Id, Id]]) -> bytes:
    """One writer's runs of one unit each, between the two neighbours named."""
    runs = [bytes([content[0] | 0xC0]) + encode_id(left) + encode_id(right) + content[1:] for left, right in places]
    return update_of(encode_number(len(runs)) + encode_id((client, 0)) + b"".join(runs))


def _shared_left(first: Id, count: int) -> bytes:
    return _runs(WRITER, TYPED + b"\x01a", [(first, _behind(first, 2 + n)) for n in range(count)])


def _deleted_already(first: Id, count: int) -> bytes:
    return _runs(WRITER, GONE + b"\x01", [(first, _behind(first, 2 + n)) for n in range(count)])


def _crossed(first: Id, count: int) -> bytes:
    return _runs(WRITER, GONE + b"\x01", [(_behind(first, 5 + n), first) for n in reversed(range(count))])


@pytest.fixture
def long() -> tuple[Served, Id]:
    """A text that begins with one long run, and the id of the run's first unit."""
    served = Served()
    served.take(change(served.client, insert(0, "x" * LENGTH)))
    return served, (served.client.client_id, 0)


@pytest.mark.parametrize("made", [_shared_left, _deleted_already, _crossed])
def test_thousands_of_runs_that_do_not_know_of_each_other_are_refused_as_bytes(
    long: tuple[Served, Id], made: Callable[[Id, int], bytes]
) -> None:
    served, first = long
    before = served.ydoc.encode()
    with pytest.raises(LiveUpdateRefused, match="writers who did not know"):
        served.read(made(first, 6_000))
    assert served.ydoc.encode() == before
    # What was tried has left nothing behind.
    assert served.ydoc.ids().steps == 0
    served.take(change(served.client, insert(3, "still here")))


def test_many_small_updates_reach_the_limit_of_the_document_and_plain_typing_goes_on(long: tuple[Served, Id]) -> None:
    served, first = long
    served.take(update_of(deletes=deleting(first[0], *((2 * n, 1) for n in range(LENGTH // 2)))))
    last = _behind(first, LENGTH - 1)
    refused = accepted = 0
    while not refused:
        try:
            found = served.read(_runs(WRITER + accepted, GONE + b"\x01", [(_behind(first, 1 + 2 * accepted), last)]))
            served.content = apply_live(served.ydoc, found, served.content)
            accepted += 1
        except LiveUpdateRefused:
            refused += 1
    assert 100 < accepted < 400
    # The same count when the document is read anew: no restart resets it.
    assert TextIds(served.ydoc.encode()).steps > 1_000_000
    served.take(change(served.join(9_000), insert(2, "plain")))


def test_typing_prepending_and_deleting_in_one_place_costs_nothing() -> None:
    served = Served()
    for n in range(300):
        served.take(change(served.client, insert(0 if n % 3 else 4, f"{n} ")))
        served.take(change(served.client, cut(0, 1)))
    assert served.ydoc.ids().steps == 0
    assert TextIds(served.ydoc.encode()).steps == 0


def test_writers_who_meet_in_one_place_are_taken_as_they_come() -> None:
    served = Served()
    writers = [served.join(1_000 + n) for n in range(40)]
    for n in range(5):
        for writer in writers:
            served.take(change(writer, insert(0, f"{n}")))
    assert 0 < served.ydoc.ids().steps < 50_000


def test_deleting_what_came_deleted_and_without_a_deletion_changes_nothing() -> None:
    served = Served()
    served.take(change(served.client, insert(0, "ab")))
    client = served.client.client_id
    served.take(_runs(WRITER, GONE + b"\x03", [((client, 0), (client, 1))]))
    # Whoever reads the document names it among the deletions.
    reader = served.join(9_000)
    assert served.read(update_of(deletes=deleting(WRITER, (0, 3)))) == NOTHING_NEW
    served.take(reader.get_update())
    served.take(change(reader, insert(0, "plain ")))
    assert served.content.startswith("plain ab")
