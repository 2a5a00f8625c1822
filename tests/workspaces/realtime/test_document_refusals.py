"""How a document socket ends, with which code, and that what it was refused for reached nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pycrdt
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.contrib.sessions.backends.db import SessionStore

from tests.factories import human, op
from workspaces import facade
from workspaces.http import rate_limits
from workspaces.http.grants import grant
from workspaces.realtime import hub, live_queue, socket, yprotocol
from workspaces.realtime import room as rooms
from workspaces.realtime.document_socket import DocumentSocket
from workspaces.realtime.yprotocol import Entry

from .typists import Desk, Typist

pytestmark = pytest.mark.django_db(transaction=True)


def update_of(change: Callable[[pycrdt.Doc], Any], doc: pycrdt.Doc) -> bytes:
    """What a client's Doc would send for a change, without sending it."""
    copy: pycrdt.Doc = pycrdt.Doc()
    copy.apply_update(doc.get_update())
    before = copy.get_state()
    change(copy)
    return copy.get_update(before)


def rename(doc: pycrdt.Doc) -> None:
    doc.get("fields", type=pycrdt.Map)["title"] = "Overwritten"


# --- what cannot be read ------------------------------------------------------------------------------------------


async def test_text_closes_the_socket(desk: Desk) -> None:
    for text in ("hello", '{"type":"heartbeat"}', ""):
        typist = await desk.typist()
        await typist.socket.send_input({"type": "websocket.receive", "text": text})
        assert await typist.code() == 4400


@pytest.mark.parametrize(
    "data",
    [b"", b"\x05", b"\x00", b"\x00\x00\x05\x01", b"\x00\x02\x02\x00", b"\x01\x02\x01", b"\x03\x00", b"\xff" * 40,
     b"\x00\x02" + b"\x81\x80\x40" + bytes(1024 * 1024 + 1), yprotocol.awareness([Entry(1, 1, "[]")]),
     yprotocol.awareness([Entry(1, 1, '{"x":"' + "x" * 20_000 + '"}')])],
    ids=["nothing", "unknown kind", "cut", "cut vector", "cut update", "cut awareness", "more than a query", "noise",
         "over 1 MiB", "a state that is no object", "a state too large"],
)  # fmt: skip
async def test_what_is_no_message_closes_the_socket(desk: Desk, data: bytes) -> None:
    typist = await desk.typist()
    await typist.send(data)
    assert await typist.code() == 4400


# --- who may, and what there is -----------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["application:01ARZ3NDEKTSV4RRFFQ69G5FAV", "nope", "x" * 300, "profile:1", "é"])
async def test_an_unknown_document_is_not_found(desk: Desk, document: str) -> None:
    assert await (await desk.typist(document=document, sync=False)).code() == 4404


async def test_another_workspaces_document_is_not_found(desk: Desk) -> None:
    other = await sync_to_async(facade.create_workspace)()
    theirs = await sync_to_async(human(other.workspace, other.link.id).new)(title="Theirs")
    assert await (await desk.typist(document=theirs, sync=False)).code() == 4404
    assert await (await desk.typist(other.link.secret, sync=False)).code() == 4404


async def test_a_document_in_the_trash_is_not_found_until_it_is_restored(desk: Desk) -> None:
    await desk.commit(op("document.trash", desk.document))
    assert await (await desk.typist(sync=False)).code() == 4404
    await desk.commit(op("document.restore", desk.document))
    assert (await desk.typist()).synced


async def test_a_document_that_goes_into_the_trash_closes_its_sockets(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await desk.commit(op("document.archive", desk.document))
    await desk.commit(op("document.trash", desk.document))
    assert [await ada.code(), await bob.code()] == [4404, 4404]


async def test_a_document_that_goes_unheard_into_the_trash_is_missed_by_the_heartbeat(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TICK_S", "HEARTBEAT_S"):
        monkeypatch.setattr(DocumentSocket, name, 0.02)
    monkeypatch.setattr(rooms, "CHECK_S", 0.0)
    ada, bob = await desk.typist(), await desk.typist()
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await desk.commit(op("document.trash", desk.document))
    assert [await ada.code(), await bob.code()] == [4404, 4404]


async def test_typing_into_the_trash_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await desk.typist()
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await desk.commit(op("document.trash", desk.document))
    ada.type("notes", 0, "too late")
    await ada.flush()
    assert await ada.code() == 4404


async def test_revoking_a_link_closes_its_sockets_and_no_others(desk: Desk) -> None:
    edit = await desk.room.link("edit")
    theirs, ours = await desk.typist(edit.secret), await desk.typist()
    await sync_to_async(facade.revoke_link)(access=desk.room.access, link=edit.id)
    assert await theirs.code() == 4401
    ours.type("notes", 0, "still here")
    await ours.flush()
    await ours.reads("notes", "still here")


@pytest.mark.parametrize("found", ["by the heartbeat", "by the next update"])
async def test_a_revocation_that_nobody_heard_of_is_found(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    if found == "by the heartbeat":
        monkeypatch.setattr(DocumentSocket, "TICK_S", 0.02)
        monkeypatch.setattr(DocumentSocket, "HEARTBEAT_S", 0.02)
    edit = await desk.room.link("edit")
    theirs, ours = await desk.typist(edit.secret), await desk.typist()
    with monkeypatch.context() as unheard:
        unheard.setattr(hub._hub, "publish", lambda **_: None)
        await sync_to_async(facade.revoke_link)(access=desk.room.access, link=edit.id)
    if found == "by the next update":
        theirs.type("notes", 0, "revoked")
        await theirs.flush()
    assert await theirs.code() == 4401
    assert (await desk.stored())["clock"] == 1
    assert str(ours.text("notes")) == ""


async def test_a_revocation_during_the_handshake_is_not_missed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = await desk.room.link("edit")
    subscribe = hub.subscribe

    async def late(*topics: str, **options: Any) -> hub.Subscription:
        await sync_to_async(facade.revoke_link)(access=desk.room.access, link=edit.id)
        return await subscribe(*topics, **options)

    with monkeypatch.context() as slow:
        slow.setattr(socket.hub, "subscribe", late)
        assert await (await desk.typist(edit.secret, sync=False)).code() == 4401


async def test_an_erased_workspace_closes_its_sockets(desk: Desk) -> None:
    ada = await desk.typist()
    hub.publish(topic=f"workspace:{desk.room.id}", message={"type": "workspace.erased"})
    assert await ada.code() == 4410


async def test_a_browser_types_from_our_own_origin_only(desk: Desk) -> None:
    def make() -> str:
        session = SessionStore()
        grant(session, desk.room.access)
        session.save()
        return str(session.session_key)

    cookie = f"{django_settings.SESSION_COOKIE_NAME}={await sync_to_async(make)()}".encode()
    path = f"/ws/workspaces/{desk.room.id}/documents/{desk.document}"
    for origin, code in ((b"http://testserver", None), (b"http://evil.example", 4403), (None, 4403)):
        headers = [(b"cookie", cookie), *([] if origin is None else [(b"origin", origin)])]
        typist = Typist(path, headers)
        desk.typists.append(typist)
        await typist.open(sync=code is None)
        assert code is None or await typist.code() == code
    nobody = Typist(path, [])
    desk.typists.append(nobody)
    assert await (await nobody.open(sync=False)).code() == 4403


# --- view links ---------------------------------------------------------------------------------------------------


async def test_a_view_link_reads_along_and_is_closed_when_it_types(desk: Desk) -> None:
    view = await desk.room.link("view")
    ada = await desk.typist()
    ada.type("notes", 0, "gone")
    await ada.flush()
    await ada.reads("notes", "gone")
    del ada.text("notes")[0:4]
    ada.type("notes", 0, "kept")
    await ada.flush()
    reader = await desk.typist(view.secret)
    await reader.reads("notes", "kept")
    # What a stock client says when it is asked what it has: all of it known, though it names deletions.
    await reader.send(yprotocol.sync_step_2(reader.doc.get_update()))
    await reader.send(yprotocol.sync_step_2(b"\x00\x00"))
    ada.type("notes", 4, "!")
    await ada.flush()
    await reader.reads("notes", "kept!")
    reader.type("notes", 0, "mine ")
    await reader.flush()
    assert await reader.code() == 4403
    assert (await desk.stored())["texts"]["notes"] == "kept!"
    assert str(ada.text("notes")) == "kept!"


async def test_a_view_links_awareness_is_ignored_and_it_sees_the_others(desk: Desk) -> None:
    view = await desk.room.link("view")
    ada, reader = await desk.typist(), await desk.typist(view.secret)
    await reader.say_state({"user": {"name": "Nobody"}})
    await ada.say_state({"user": {"name": "Ada"}})
    await reader.until(lambda: reader.others() == {ada.doc.client_id: {"user": {"name": "Ada"}}})
    await ada.send(yprotocol.query_awareness())
    while ada.awareness.meta.get(ada.doc.client_id) is None or await ada.is_quiet() is False:
        await ada.read()
    assert ada.others() == {}


# --- updates that are refused -------------------------------------------------------------------------------------


async def test_an_update_of_anything_but_a_text_is_refused_and_reaches_nobody(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    before = await desk.stored()
    await ada.send(yprotocol.sync_update(update_of(rename, ada.doc)))
    assert await ada.code() == 4403
    assert await desk.stored() == before
    bob.type("notes", 0, "unharmed")
    await bob.flush()
    late = await desk.typist()
    await late.reads("notes", "unharmed")
    for typist in (bob, late):
        assert typist.doc.get("fields", type=pycrdt.Map)["title"] == "Engineer"


@pytest.mark.parametrize("update", [b"", b"\x01", b"\xff" * 30, b"\x00\x00\x00", b"\x01\x01\x05\x00\x04"])
async def test_an_update_that_cannot_be_read_is_refused(desk: Desk, update: bytes) -> None:
    typist = await desk.typist()
    await typist.send(yprotocol.sync_update(update))
    assert await typist.code() == 4403


async def test_what_a_refused_client_sent_behind_it_does_not_count(desk: Desk) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    await ada.send(yprotocol.sync_update(update_of(rename, ada.doc)))
    assert await ada.code() == 4403
    ada.type("notes", 0, "behind")
    await ada.flush()
    bob.type("notes", 0, "beside")
    await bob.flush()
    assert (await desk.settled(2))["texts"]["notes"] == "beside"


async def test_a_refused_update_does_not_spoil_the_group_it_came_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await desk.typist(), await desk.typist()
    gate, merging = asyncio.Event(), live_queue.in_database_thread

    async def held(*call: Any, **options: Any) -> Any:
        await gate.wait()
        return await merging(*call, **options)

    monkeypatch.setattr(live_queue, "in_database_thread", held)
    bob.type("notes", 0, "one ")
    await bob.flush()
    await ada.send(yprotocol.sync_update(update_of(rename, ada.doc)))
    bob.type("notes", 4, "two")
    await bob.flush()
    room = next(iter(rooms._rooms.values()))
    async with asyncio.timeout(10):
        while len(room.typing._waiting) < 2:
            await asyncio.sleep(0)
    gate.set()
    assert await ada.code() == 4403
    await bob.reads("notes", "one two")
    stored = await desk.settled(3)
    assert (stored["texts"]["notes"], stored["fields"]["title"], stored["clock"]) == ("one two", "Engineer", 3)


async def test_too_much_typing_in_a_second_closes_the_socket(
    desk: Desk, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    settings.CAREERVECTOR_RATE_LIMITS = {**settings.CAREERVECTOR_RATE_LIMITS, "live_updates": 5, "live_bytes": 10_000}
    # Time stands still: a slow machine would else see several windows.
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: 1_000_000.0)
    rate_limits.forget_local()
    ada = await desk.typist()
    for turn in range(8):
        ada.type("notes", turn, "x")
    await ada.flush()
    assert await ada.code() == 4429
    rate_limits.forget_local()
    bob = await desk.typist()
    bob.type("notes", 0, "y" * 10_001)
    await bob.flush()
    assert await bob.code() == 4429
    assert "y" not in (await desk.stored())["texts"].get("notes", "")
    rate_limits.forget_local()


# --- failures -----------------------------------------------------------------------------------------------------


async def test_a_database_that_fails_closes_the_socket_and_the_client_brings_its_typing_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await desk.typist()

    def fail(**_: Any) -> None:
        raise RuntimeError("database away")

    with monkeypatch.context() as away:
        away.setattr(facade, "merge_live", fail)
        ada.type("notes", 0, "not lost")
        await ada.flush()
        assert await ada.code() == 1011
    again = await desk.typist(doc=ada.doc)
    await again.read()
    other = await desk.typist()
    await other.reads("notes", "not lost")


async def test_a_reader_that_is_too_slow_is_closed_and_told_to_come_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "CAPACITY_BYTES", 200)
    ada, bob = await desk.typist(), await desk.typist()
    ada.type("notes", 0, "x" * 1_000)
    await ada.flush()
    assert await bob.code() == 1013
