"""Units that the document has already: the same ones again are nothing new, others under the same ids are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspaces.documents.live_update import NOTHING_NEW
from workspaces.errors import EpochGone

from .served import CLIENT, Served, change, insert, notes


@pytest.mark.parametrize("words", ["V", "Vector", "\U0001f600"])
def test_another_writer_under_the_same_client_id_is_told_instead_of_losing_its_words(words: str) -> None:
    served = Served()
    impostor = served.join(CLIENT)
    served.take(change(impostor, insert(0, "E")))
    stored = served.ydoc.encode()
    with pytest.raises(EpochGone):
        served.read(change(served.client, insert(0, words)))
    assert served.ydoc.encode() == stored


def test_what_differs_only_behind_an_equal_beginning_is_told_too() -> None:
    served = Served()
    twin = served.join(CLIENT)
    served.take(change(twin, insert(0, "equal, then this")))
    with pytest.raises(EpochGone):
        served.read(change(served.client, insert(0, "equal, then that and more")))


@given(st.lists(st.text("ab\U0001f600é\n", min_size=1, max_size=6), min_size=1, max_size=8), st.data())
def test_whatever_a_client_sends_again_from_anywhere_is_nothing_new(words: list[str], data: st.DataObject) -> None:
    served = Served()
    vectors = [served.client.get_state()]
    for word in words:
        at = data.draw(st.sampled_from([0, len(str(notes(served.client)).encode())]))
        served.take(change(served.client, insert(at, word)))
        vectors.append(served.client.get_state())
    again = served.client.get_update(data.draw(st.sampled_from(vectors)))
    assert served.read(again) == NOTHING_NEW
    assert served.read(served.client.get_update()) == NOTHING_NEW


def test_words_that_were_deleted_meanwhile_may_be_sent_again() -> None:
    served = Served()
    typed = change(served.client, insert(0, "gone soon"))
    served.take(typed)
    other = served.join(CLIENT + 1)
    served.take(change(other, lambda doc: notes(doc).clear()))
    assert served.read(typed) == NOTHING_NEW
