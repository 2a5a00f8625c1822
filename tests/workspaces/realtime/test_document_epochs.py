"""A document that is rebuilt has another history: tabs of the old one are told to reload, and nothing is doubled."""

from __future__ import annotations

import pycrdt
import pytest
from asgiref.sync import sync_to_async

from tests.factories import op, replace
from workspaces import facade
from workspaces.commits import persist
from workspaces.realtime import hub

from .typists import Desk

pytestmark = pytest.mark.django_db(transaction=True)


async def rebuild(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Types backwards, of which Yjs keeps a trace, until the document gets a new epoch."""
    with monkeypatch.context() as small:
        small.setattr(persist, "MAX_STATE_BYTES", 1_000)
        await desk.commit(op("text.append", desk.document, text="notes", content="<>"))
        before = await sync_to_async(facade.open_live)(workspace=desk.room.id, document=desk.document)
        for _ in range(40):
            await desk.commit(*[replace(desk.document, "notes", "<", "<x")] * 5)
            state = await sync_to_async(facade.open_live)(workspace=desk.room.id, document=desk.document)
            if state.epoch != before.epoch:
                return
    raise AssertionError("never rebuilt")


async def test_a_rebuild_while_connected_asks_for_a_reload(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await rebuild(desk, monkeypatch)
    assert [await ada.code(), await bob.code()] == [4409, 4409]
    stored = (await desk.stored())["texts"]["notes"]
    fresh = await desk.typist()
    await fresh.reads("notes", stored)
    fresh.type("notes", 0, "> ")
    await fresh.flush()
    other = await desk.typist()
    await other.reads("notes", "> " + stored)


async def test_a_stale_tab_is_told_before_it_is_sent_anything(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await desk.typist()
    await ada.leave()
    await rebuild(desk, monkeypatch)
    stale = await desk.typist(doc=ada.doc, sync=False)
    await stale.send(pycrdt.create_sync_message(ada.doc))
    assert await stale.code() == 4409
    assert stale.content_messages == 0
    assert str(stale.text("notes")) == ""


async def test_a_stale_tab_that_sends_its_typing_first_changes_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await desk.typist()
    await ada.leave()
    ada.type("notes", 0, "old")
    await rebuild(desk, monkeypatch)
    before = await desk.stored()
    stale = await desk.typist(doc=ada.doc, sync=False)
    await stale.send(pycrdt.create_update_message(ada.doc.get_update()))
    assert await stale.code() == 4409
    assert await desk.stored() == before


async def test_a_rebuild_that_nobody_told_of_is_noticed_with_the_next_message(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await desk.typist()
    with monkeypatch.context() as unheard:
        unheard.setattr(hub._hub, "publish", lambda **_: None)
        await rebuild(desk, monkeypatch)
    before = str(ada.text("notes"))
    await desk.commit(op("text.append", desk.document, text="notes", content="!"))
    assert await ada.code() == 4409
    assert str(ada.text("notes")) == before
