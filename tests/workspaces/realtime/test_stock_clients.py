"""Stock clients against the real servers: y-websocket in Node and pycrdt's provider type, see each other, come back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tests.factories import human, set_field
from workspaces import facade
from workspaces.contracts import Access

from .stock_typists import PATIENCE_S, NodeTypist, PycrdtTypist
from .web_process import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)


class Scene:
    """A workspace with an application, the web processes over it, and the Node clients."""

    def __init__(self, valkey_url: str) -> None:
        made = facade.create_workspace()
        self.workspace, self.secret = made.workspace, made.link.secret
        self.access = Access(workspace=made.workspace, link=made.link.id, role="owner")
        self.writer = human(made.workspace, made.link.id)
        self.document = self.writer.new(title="Engineer")
        self.webs: list[WebProcess] = []
        self.typists: list[NodeTypist] = []
        self._valkey_url = valkey_url

    def web(self, server: str) -> WebProcess:
        web = WebProcess(server, self._valkey_url)
        self.webs.append(web)
        return web.start()

    def rooms(self, web: WebProcess) -> str:
        """What a stock provider is given for its server; the document is its room."""
        return f"{web.ws}/ws/workspaces/{self.workspace}/documents"

    def node(self, web: WebProcess, *, link: str | None = None, **params: str) -> NodeTypist:
        typist = NodeTypist(self.rooms(web), self.document, link or self.secret, params)
        self.typists.append(typist)
        return typist

    def pycrdt(self, web: WebProcess) -> PycrdtTypist:
        return PycrdtTypist(self.rooms(web), self.document, self.secret)

    def notes(self, web: WebProcess) -> str:
        return str(web.read(self.workspace, self.document, self.secret)["texts"].get("notes", ""))

    def link(self, role: str) -> Any:
        return facade.create_link(access=self.access, label="", role=role)


@pytest.fixture
def scene(transactional_db, shared_valkey: str) -> Iterator[Scene]:
    made = Scene(shared_valkey)
    yield made
    for typist in made.typists:
        typist.close()
    for web in made.webs:
        web.kill()


def until(condition: Callable[[], Any], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.03)


def agreed(*typists: NodeTypist, content: str) -> None:
    for typist in typists:
        typist.until(lambda seen: seen["texts"].get("notes") == content, what=f"a client that reads {content!r}")


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_y_websocket_types_sees_who_is_there_and_comes_back_after_a_crash(scene: Scene, server: str) -> None:
    web = scene.web(server)
    ada, bob = scene.node(web), scene.node(web, room="1")
    for typist in (ada, bob):
        typist.until(lambda seen: seen["synced"], what="synchronised")
    for turn in range(5):
        ada.do("type", text="notes", content=f"a{turn} ")
        bob.do("insert", text="notes", at=0, content=f"b{turn} ✓ ")
    until(lambda: len(scene.notes(web)) == 5 * 3 + 5 * 5, "all typing stored")
    stored = scene.notes(web)
    agreed(ada, bob, content=stored)
    assert sorted(stored.replace("✓", "").split()) == sorted([f"{who}{turn}" for who in "ab" for turn in range(5)])
    # The server's own commits, and awareness.
    scene.writer.commit(set_field(scene.document, "company", "Acme"))
    bob.until(lambda seen: seen["fields"].get("company") == "Acme", what="the server's commit")
    ada.do("state", state={"user": {"name": "Zoë"}})
    me = ada.seen["client"]
    bob.until(lambda seen: seen["others"].get(str(me)) == {"user": {"name": "Zoë"}}, what="Ada's state")
    # Gone, and back: what was typed meanwhile is not lost, and nothing is doubled.
    web.kill()
    for typist in (ada, bob):
        typist.until(lambda seen: not seen["connected"], what="disconnected")
    ada.do("insert", text="notes", at=0, content="[ada was offline] ")
    bob.do("type", text="notes", content="[bob too]")
    web.start()
    for typist in (ada, bob):
        typist.until(lambda seen: seen["synced"], what="synchronised again")
    until(lambda: len(scene.notes(web)) == len(stored) + 27, "what was typed offline is stored")
    agreed(ada, bob, content=scene.notes(web))
    for words in (stored, "[ada was offline] ", "[bob too]"):
        assert scene.notes(web).count(words) == 1
    # Stock clients take a state that they knew only with a higher clock: the next move of a caret.
    ada.do("state", state={"user": {"name": "Zoë"}, "cursor": 3})
    bob.until(lambda seen: seen["others"].get(str(me), {}).get("cursor") == 3, what="Ada's state again")
    ada.do("disconnect")
    bob.until(lambda seen: str(me) not in seen["others"], what="Ada gone")


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
async def test_pycrdts_provider_types_with_y_websocket(transactional_db, scene: Scene, server: str) -> None:
    web = await asyncio.to_thread(scene.web, server)
    ada = await asyncio.to_thread(scene.node, web)
    await asyncio.to_thread(ada.until, lambda seen: seen["synced"], what="synchronised")
    async with scene.pycrdt(web) as bob:
        bob.text("notes").insert(0, "from Python ✓")
        await asyncio.to_thread(agreed, ada, content="from Python ✓")
        ada.do("insert", text="notes", at=13, content=" and Node")
        async with asyncio.timeout(PATIENCE_S):
            while str(bob.text("notes")) != "from Python ✓ and Node":
                await asyncio.sleep(0.02)
    ada.do("insert", text="notes", at=0, content="> ")
    bob.text("notes").insert(0, "- ")
    async with PycrdtTypist(scene.rooms(web), scene.document, scene.secret, bob.doc) as again:
        async with asyncio.timeout(PATIENCE_S):
            while len(stored := await asyncio.to_thread(scene.notes, web)) != 26 or str(again.text("notes")) != stored:
                await asyncio.sleep(0.02)
    await asyncio.to_thread(agreed, ada, content=stored)


def test_a_stock_client_that_is_refused_stops_and_tells_why(scene: Scene) -> None:
    web = scene.web("uvicorn")
    edit, view = scene.link("edit"), scene.link("view")
    ada, other, reader = scene.node(web), scene.node(web, link=edit.secret), scene.node(web, link=view.secret)
    for typist in (ada, other, reader):
        typist.until(lambda seen: seen["synced"], what="synchronised")
    ada.do("insert", text="notes", at=0, content="Hello")
    agreed(other, reader, content="Hello")
    other.do("field", name="title", value="Overwritten")
    other.until(lambda seen: seen["closed"] == 4403, what="refused")
    reader.do("insert", text="notes", at=0, content="mine")
    reader.until(lambda seen: seen["closed"] == 4403, what="refused")
    facade.revoke_link(access=scene.access, link=edit.id)
    late = scene.node(web, link=edit.secret)
    late.until(lambda seen: seen["closed"] == 4401, what="revoked")
    stored = web.read(scene.workspace, scene.document, scene.secret)
    assert (stored["texts"]["notes"], stored["fields"]["title"]) == ("Hello", "Engineer")
    assert ada.do("look")["fields"]["title"] == "Engineer"


async def test_typing_awareness_and_revocation_cross_two_web_processes(transactional_db, scene: Scene) -> None:
    first, second = [await asyncio.to_thread(scene.web, server) for server in ("daphne", "uvicorn")]
    edit = await sync_to_async(scene.link)("edit")
    ada = await asyncio.to_thread(scene.node, first)
    bob = await asyncio.to_thread(scene.node, second, link=edit.secret)
    for typist in (ada, bob):
        await asyncio.to_thread(typist.until, lambda seen: seen["synced"], what="synchronised")
    for turn in range(10):
        ada.do("type", text="notes", content=f"a{turn} ")
        bob.do("type", text="notes", content=f"b{turn} ")
    async with asyncio.timeout(PATIENCE_S):
        while len(stored := await asyncio.to_thread(scene.notes, first)) != 60:
            await asyncio.sleep(0.05)
    await asyncio.to_thread(agreed, ada, bob, content=stored)
    assert await asyncio.to_thread(scene.notes, second) == stored
    ada.do("state", state={"user": {"name": "Ada"}})
    bob.do("state", state={"user": {"name": "Bob"}})
    for mine, theirs, name in ((ada, bob, "Bob"), (bob, ada, "Ada")):
        client = str(theirs.seen["client"])
        state = {"user": {"name": name}}
        await asyncio.to_thread(mine.until, lambda seen, c=client, s=state: seen["others"].get(c) == s, what=name)
    # Who comes late hears of those elsewhere too.
    late = await asyncio.to_thread(scene.node, first)
    both = {str(typist.seen["client"]) for typist in (ada, bob)}
    await asyncio.to_thread(late.until, lambda seen: both <= seen["others"].keys(), what="both states")
    await sync_to_async(facade.revoke_link)(access=scene.access, link=edit.id)
    await asyncio.to_thread(bob.until, lambda seen: seen["closed"] == 4401, what="revoked")
    gone = str(bob.seen["client"])
    await asyncio.to_thread(ada.until, lambda seen: gone not in seen["others"], what="Bob gone")
