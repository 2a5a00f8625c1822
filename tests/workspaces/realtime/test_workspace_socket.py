"""`/ws/workspaces/{ws}/`: greeting, commits in order, resuming, bad messages, endings."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings as django_settings
from django.contrib.sessions.backends.db import SessionStore
from pycrdt import Doc, Map

from workspaces import facade
from workspaces.contracts import Access, Actor, RequestIdentity
from workspaces.http.grants import grant
from workspaces.models import DocumentUpdate, Workspace
from workspaces.realtime import hub, presence, socket
from workspaces.realtime.consumers import WorkspaceSocket
from workspaces.realtime.routing import fallback_patterns, websocket_urlpatterns

pytestmark = pytest.mark.django_db(transaction=True)
APPLICATION = URLRouter([*websocket_urlpatterns, *fallback_patterns])
ORIGIN = b"http://testserver"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "SETTLE_S", 0.0)


class Page:
    """A client's end of one socket."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        self.socket = WebsocketCommunicator(APPLICATION, path, headers=headers)

    async def open(self) -> Page:
        connected, _ = await self.socket.connect(timeout=10)
        assert connected
        return self

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; others are passed over (presence comes when it comes)."""
        while True:
            message = json.loads(await self.socket.receive_from(timeout=10))
            if message["type"] in kinds or (not kinds and message["type"] != "presence"):
                return message

    async def say(self, message: Any) -> None:
        await self.socket.send_to(text_data=message if isinstance(message, str) else json.dumps(message))

    async def code(self) -> int:
        """The code that the server closes with, whatever it says before."""
        while True:
            output = await self.socket.receive_output(timeout=10)
            if output["type"] == "websocket.close":
                return output["code"]

    async def leave(self) -> None:
        await self.socket.disconnect(timeout=10)


class Room:
    """A workspace and its pages."""

    def __init__(self, made: Any) -> None:
        self.id = made.workspace
        self.secret = made.link.secret
        self.access = Access(workspace=made.workspace, link=made.link.id, role="owner")
        self.clock = 1
        self.pages: list[Page] = []

    async def page(self, secret: str | None = None, *, workspace: str | None = None) -> Page:
        header = (b"authorization", b"Bearer " + (secret or self.secret).encode())
        page = await Page(f"/ws/workspaces/{workspace or self.id}/", [header]).open()
        self.pages.append(page)
        return page

    async def link(self, role: str) -> Any:
        return await sync_to_async(facade.create_link)(access=self.access, label="", role=role)

    async def commit(self, value: str) -> dict[str, Any]:
        result = await sync_to_async(facade.commit)(
            workspace=self.id,
            body={
                "reason": "", "expected_clocks": {"profile": self.clock},
                "operations": [{"kind": "field.set", "document": "profile", "field": "name", "value": value}],
            },
            actor=Actor("human", f"link:{self.access.link}"),
            request=RequestIdentity(
                scope=f"link:{self.access.link}", key=f"{value}{self.clock}", route="operations", target=self.id,
                link=self.access.link,
            ),
        )  # fmt: skip
        self.clock += 1
        return dict(result.response)


@pytest.fixture
async def room(transactional_db) -> AsyncIterator[Room]:
    made = Room(await sync_to_async(facade.create_workspace)())
    yield made
    for page in made.pages:
        await page.leave()
    assert hub._hub._inboxes == {}, "a socket left a subscription behind"
    assert presence._rooms == {}


# --- reading -----------------------------------------------------------------------------------------------------


async def test_the_greeting_names_the_documents_and_the_newest_commit(room: Room) -> None:
    await room.commit("Ada")
    page = await room.page()
    assert await page.next() == {
        "type": "hello",
        "documents": [{"id": "profile", "kind": "profile", "clock": 2}, {"id": "plan", "kind": "plan", "clock": 1}],
        "seq": 1,
    }


async def test_every_page_gets_the_commit_and_its_receipt(room: Room) -> None:
    view = await room.link("view")
    pages = [await room.page(), await room.page(), await room.page(view.secret)]
    for page in pages:
        await page.next("hello")
    answer = await room.commit("Ada")
    for page in pages:
        message = await page.next()
        assert (message["type"], message["seq"], message["event"]["id"]) == ("commit", 1, answer["event"])
        assert list(message["updates"]) == ["profile"]
        receipt = await page.next()
        assert (receipt["type"], receipt["receipt"]["id"]) == ("receipt", answer["receipt"]["id"])


async def test_the_updates_rebuild_the_document(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    for name in ("Ada", "Eve"):
        await room.commit(name)
    await page.say({"type": "resume", "after": 0})
    doc: Doc[Any] = Doc()
    for seq in (1, 2):
        message = await page.next("commit")
        assert message["seq"] == seq
        doc.apply_update(base64.b64decode(message["updates"]["profile"]))
    stored = await sync_to_async(facade.get_document)(access=room.access, document="profile")
    assert doc.get("fields", type=Map).to_py() == stored["fields"] == {"name": "Eve"}


async def test_commits_arrive_in_order_without_doubles_whatever_the_hub_does(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    messages = []
    listener = await hub.subscribe(f"workspace:{room.id}")
    for number in range(3):
        await room.commit(f"Ada {number}")
    async with asyncio.timeout(10):
        while len(messages) < 3:
            messages += [f.message for f in await listener.batch() if f.message["type"] == "commit"]
    listener.close()
    for message in (messages[0], messages[2], messages[1]):
        hub.publish(topic=f"workspace:{room.id}", message=message)
    await room.commit("Ada 3")
    assert [(await page.next("commit"))["seq"] for _ in range(4)] == [1, 2, 3, 4]


async def test_a_lost_message_is_filled_in_before_the_next(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await room.page()
    await page.next("hello")
    publish = hub._hub.publish
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    await room.commit("lost too")
    monkeypatch.setattr(hub._hub, "publish", publish)
    await room.commit("heard")
    assert [(await page.next("commit"))["seq"] for _ in range(3)] == [1, 2, 3]


async def test_a_gap_between_processes_is_filled_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await room.page()
    await page.next("hello")
    publish = hub._hub.publish
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    monkeypatch.setattr(hub._hub, "publish", publish)
    for inbox in hub._hub._inboxes.values():
        inbox.announce_gap()
    assert (await page.next("commit"))["seq"] == 1


async def test_the_heartbeat_finds_what_nobody_announced(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkspaceSocket, "TICK_S", 0.02)
    monkeypatch.setattr(WorkspaceSocket, "HEARTBEAT_S", 0.02)
    page = await room.page()
    await page.next("hello")
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await room.commit("lost")
    assert (await page.next("commit"))["seq"] == 1
    assert await page.next("heartbeat") == {"type": "heartbeat"}


async def test_resuming_gives_what_was_missed_in_order_and_goes_on(room: Room) -> None:
    for number in range(5):
        await room.commit(f"Ada {number}")
    page = await room.page()
    assert (await page.next("hello"))["seq"] == 5
    await page.say({"type": "resume", "after": 2})
    assert [(await page.next("commit"))["seq"] for _ in range(3)] == [3, 4, 5]
    await room.commit("Ada 5")
    assert (await page.next("commit"))["seq"] == 6
    await page.say({"type": "resume", "after": 6})
    await page.say({"type": "heartbeat"})
    assert (await page.next())["type"] in ("receipt", "heartbeat")


async def test_a_resuming_page_equals_a_fresh_one(room: Room) -> None:
    stayed = await room.page()
    await stayed.next("hello")
    for number in range(4):
        await room.commit(f"Ada {number}")
    came_back = await room.page()
    await came_back.say({"type": "resume", "after": 1})
    there = [await stayed.next("commit") for _ in range(4)]
    assert [await came_back.next("commit") for _ in range(3)] == there[1:]


async def test_too_far_behind_is_told_to_read_anew(room: Room) -> None:
    for number in range(3):
        await room.commit(f"Ada {number}")
    await sync_to_async(DocumentUpdate.objects.filter(seq=1).delete)()
    page = await room.page()
    await page.next("hello")
    await page.say({"type": "resume", "after": 0})
    assert await page.next() == {"type": "resync", "seq": 3}
    await room.commit("Ada 3")
    assert (await page.next("commit"))["seq"] == 4


async def test_a_page_from_the_future_is_told_to_read_anew(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    await page.say({"type": "resume", "after": 99})
    assert await page.next() == {"type": "resync", "seq": 0}


async def test_other_workspaces_are_not_heard(room: Room) -> None:
    other = Room(await sync_to_async(facade.create_workspace)())
    page = await room.page()
    await page.next("hello")
    await other.commit("elsewhere")
    await room.commit("here")
    message = await page.next("commit")
    assert message["event"]["affected_paths"] == ["profile/fields/name"]
    assert (await page.next("receipt"))["receipt"]["event"] == message["event"]["id"]


async def test_a_view_link_does_not_hear_of_threads_and_connectors(room: Room) -> None:
    view = await room.link("view")
    watching, owning = await room.page(view.secret), await room.page()
    for page in (watching, owning):
        await page.next("hello")
    topic = f"workspace:{room.id}"
    hub.publish(topic=topic, message={"type": "thread", "thread": {"id": "thr_1"}})
    hub.publish(topic=topic, message={"type": "connector", "id": "con_1", "state": "ready"})
    await room.commit("Ada")
    assert (await watching.next())["type"] == "commit"
    assert [(await owning.next())["type"] for _ in range(3)] == ["thread", "connector", "commit"]


# --- presence ----------------------------------------------------------------------------------------------------


async def test_presence_counts_the_sockets_of_each_link(room: Room) -> None:
    edit = await room.link("edit")
    first = await room.page()
    owner = {"link": room.access.link, "role": "owner", "sockets": 1}
    assert await first.next("presence") == {"type": "presence", "here": [owner]}
    second = await room.page(edit.secret)
    both = sorted([owner, {"link": edit.id, "role": "edit", "sockets": 1}], key=lambda e: e["link"])
    assert (await first.next("presence"))["here"] == both
    assert (await second.next("presence"))["here"] == both
    room.pages.remove(second)
    await second.leave()
    assert (await first.next("presence"))["here"] == [owner]


# --- bad messages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [" ", "nope", "{", '{"type": "resume", "type": "resume"}', '{"a": NaN}', '{"a": "\\ud800"}', "[" * 50 + "]" * 50,
     "[" * 100_000, "x" * (1024 * 1024 + 1), '"' + "é" * 600_000 + '"'],
    ids=["blank", "word", "cut", "duplicate", "nan", "surrogate", "deep", "very deep", "large", "large in bytes"],
)  # fmt: skip
async def test_what_is_not_json_closes_the_socket(room: Room, text: str) -> None:
    page = await room.page()
    await page.next("hello")
    await page.say(text)
    assert await page.code() == 4400


async def test_binary_closes_the_socket(room: Room) -> None:
    page = await room.page()
    await page.socket.send_to(bytes_data=b"\x00\x01")
    assert await page.code() == 4400


BAD: list[tuple[Any, str]] = [
    (5, "type"), ("x", "type"), (None, "type"), ([], "type"), ({}, "type"), ({"type": 5}, "type"),
    ({"type": ""}, "type"),
    ({"type": "shutdown"}, "type"), ({"type": "commit"}, "type"), ({"type": "websocket.close"}, "type"),
    ({"type": "link.revoked"}, "type"), ({"type": "resume"}, "after"), ({"type": "resume", "after": None}, "after"),
    ({"type": "resume", "after": "1"}, "after"), ({"type": "resume", "after": True}, "after"),
    ({"type": "resume", "after": -1}, "after"), ({"type": "resume", "after": 1.0}, "after"),
    ({"type": "resume", "after": 10**300}, "after"), ({"type": "resume", "after": 0, "force": True}, "force"),
    ({"type": "heartbeat", "x": 1}, "x"),
]  # fmt: skip


async def test_a_bad_message_is_answered_and_the_socket_stays(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    for message, path in BAD:
        await page.say(message if isinstance(message, dict) else json.dumps(message))
        answer = await page.next()
        assert answer["type"] == "error", message
        assert answer["problem"]["code"] == "invalid_request", message
        assert [e["path"] for e in answer["problem"]["errors"]] == [path], message
    await page.say({"type": "heartbeat"})
    assert await page.next() == {"type": "heartbeat"}


async def test_a_flood_of_messages_closes_the_socket(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkspaceSocket, "BURST", 3)
    monkeypatch.setattr(WorkspaceSocket, "MESSAGES_PER_S", 0.001)
    page = await room.page()
    await page.next("hello")
    for _ in range(5):
        await page.say({"type": "heartbeat"})
    assert await page.code() == 4429


# --- who may ---------------------------------------------------------------------------------------------------


async def cookie_page(room: Room, origin: bytes | None, *, granted: str | None = None) -> Page:
    def make() -> str:
        session = SessionStore()
        grant(session, Access(workspace=granted or room.id, link=room.access.link, role="owner"))
        session.save()
        assert session.session_key is not None
        return session.session_key

    key = await sync_to_async(make)()
    headers = [(b"cookie", f"a=b; {django_settings.SESSION_COOKIE_NAME}={key}; c".encode())]
    if origin is not None:
        headers.append((b"origin", origin))
    page = await Page(f"/ws/workspaces/{room.id}/", headers).open()
    room.pages.append(page)
    return page


async def test_a_browser_of_our_own_origin_is_greeted(room: Room) -> None:
    page = await cookie_page(room, ORIGIN)
    assert (await page.next())["type"] == "hello"


@pytest.mark.parametrize(
    "origin",
    [None, b"", b"null", b"https://testserver", b"http://testserver:8000", b"http://evil.example",
     b"http://testserver.evil.example", b"http://sub.testserver", b"http://testserver/\xff"],
)  # fmt: skip
async def test_a_cookie_from_another_origin_is_refused(room: Room, origin: bytes | None) -> None:
    page = await cookie_page(room, origin)
    assert await page.code() == 4403


async def test_a_session_that_opened_another_workspace_finds_nothing(room: Room) -> None:
    page = await cookie_page(room, ORIGIN, granted="ws_01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert await page.code() == 4404


@pytest.mark.parametrize("cookie", [b"", b"sessionid=nope", b"sessionid=", b"\xff\xfe", b"sessionid=" + b"x" * 9000])
async def test_a_browser_without_a_session_is_refused(room: Room, cookie: bytes) -> None:
    page = await Page(f"/ws/workspaces/{room.id}/", [(b"cookie", cookie), (b"origin", ORIGIN)]).open()
    room.pages.append(page)
    assert await page.code() == 4401


@pytest.mark.parametrize("secret", ["nope", "cvl_" + "A" * 43, "x" * 5000])
async def test_an_unknown_bearer_is_refused(room: Room, secret: str) -> None:
    assert await (await room.page(secret)).code() == 4401


async def test_a_bearer_may_come_from_any_origin_but_only_to_its_workspace(room: Room) -> None:
    bearer = (b"authorization", b"Bearer " + room.secret.encode())
    page = await Page(f"/ws/workspaces/{room.id}/", [bearer, (b"origin", b"http://evil.example")]).open()
    room.pages.append(page)
    assert (await page.next())["type"] == "hello"
    other = await sync_to_async(facade.create_workspace)()
    for workspace in (other.workspace, "ws_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nope"):
        assert await (await room.page(workspace=workspace)).code() == 4404


@pytest.mark.parametrize("path", ["/ws/", "/ws/workspaces//", "/ws/workspaces/ws_x", "/ws/nowhere/", "/"])
async def test_any_other_address_is_closed_with_a_code(path: str) -> None:
    page = await Page(path, []).open()
    assert await page.code() == 4404
    await page.leave()


# --- endings -----------------------------------------------------------------------------------------------------


async def test_revoking_a_link_closes_its_sockets_and_no_others(room: Room) -> None:
    edit = await room.link("edit")
    theirs, ours = await room.page(edit.secret), await room.page()
    for page in (theirs, ours):
        await page.next("hello")
    await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
    assert await theirs.code() == 4401
    await room.commit("Ada")
    assert (await ours.next("commit"))["seq"] == 1


async def test_a_revocation_that_nobody_heard_of_is_found_by_the_heartbeat(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkspaceSocket, "TICK_S", 0.02)
    monkeypatch.setattr(WorkspaceSocket, "HEARTBEAT_S", 0.02)
    edit = await room.link("edit")
    page = await room.page(edit.secret)
    await page.next("hello")
    monkeypatch.setattr(hub._hub, "publish", lambda **_: None)
    await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
    assert await page.code() == 4401


async def test_a_revocation_during_the_handshake_is_not_missed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = await room.link("edit")
    subscribe = hub.subscribe

    async def late(*topics: str, **options: Any) -> hub.Subscription:
        await sync_to_async(facade.revoke_link)(access=room.access, link=edit.id)
        return await subscribe(*topics, **options)

    monkeypatch.setattr(socket.hub, "subscribe", late)
    assert await (await room.page(edit.secret)).code() == 4401
    monkeypatch.setattr(socket.hub, "subscribe", subscribe)


async def test_an_erased_workspace_closes_its_sockets(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    hub.publish(topic=f"workspace:{room.id}", message={"type": "workspace.erased"})
    assert await page.code() == 4410
    await Workspace.objects.filter(id=room.id).aupdate(erased_at="2026-11-30T00:00:00Z")
    assert await (await room.page()).code() == 4401


async def _run(room: Room, send: Callable[[dict[str, Any]], Any]) -> tuple[asyncio.Task[None], asyncio.Queue[Any]]:
    """The consumer below a server of our own, for what no well-behaved client does."""
    received: asyncio.Queue[Any] = asyncio.Queue()
    await received.put({"type": "websocket.connect"})
    scope = {
        "type": "websocket", "path": f"/ws/workspaces/{room.id}/", "query_string": b"",
        "headers": [(b"authorization", b"Bearer " + room.secret.encode())],
    }  # fmt: skip
    return asyncio.create_task(APPLICATION(scope, received.get, send)), received


async def test_a_reader_that_stops_is_given_up_and_its_buffer_is_bounded(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TICK_S", 0.02), ("STALL_S", 0.05), ("CLOSE_S", 0.05)):
        monkeypatch.setattr(WorkspaceSocket, name, value)
    greeted, stuck = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send" and '"hello"' in message["text"]:
            greeted.set()
        elif greeted.is_set():
            stuck.set()
            await asyncio.Event().wait()  # the network takes nothing any more

    task, _ = await _run(room, send)
    async with asyncio.timeout(20):
        await greeted.wait()
        await room.commit("Ada")
        await stuck.wait()
        await task


async def test_a_reader_that_is_too_slow_is_closed_and_told_to_come_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []
    gate, holding = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message["type"] == "websocket.send" and '"hold"' in message["text"]:
            holding.set()
            await gate.wait()

    task, received = await _run(room, send)
    topic = f"workspace:{room.id}"
    async with asyncio.timeout(20):
        while not any(m["type"] == "websocket.send" for m in sent):
            await asyncio.sleep(0)
        while not holding.is_set():
            hub.publish(topic=topic, message={"type": "hold"})
            await asyncio.sleep(0)
        for number in range(hub.CAPACITY_FRAMES + 10):
            hub.publish(topic=topic, message={"type": "fill", "n": number})
        await asyncio.sleep(0)
        gate.set()
        while sent[-1]["type"] != "websocket.close":
            await asyncio.sleep(0)
        assert sent[-1]["code"] == 1013
        await received.put({"type": "websocket.disconnect", "code": 1013})
        await task
    assert hub._hub._inboxes == {}


async def test_a_failure_inside_closes_the_socket_instead_of_leaving_it_deaf(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await room.page()
    await page.next("hello")

    def fail(**_: Any) -> None:
        raise RuntimeError("database away")

    monkeypatch.setattr(facade, "list_commits_after", fail)
    hub.publish(topic=f"workspace:{room.id}", message={"type": "commit", "seq": 7})
    assert await page.code() == 1011
