"""The clients of the random histories with live typing: documents that are typed in, and a page that hears of commits.

They speak to the product's sockets; their documents are Yjs as pycrdt makes it.
"""

from __future__ import annotations

from typing import Any

from pycrdt import Doc, Map

from tests.factories import Writer
from tests.replay import apply_messages, content_of, load, stored_updates
from tests.workspaces.realtime.pages import Page
from tests.workspaces.realtime.typists import Typist
from workspaces import facade
from workspaces.models import Document, Workspace


class Desk:
    """One person's tab with one document open: connected or not, what they type stays and is sent when it can be."""

    def __init__(self, writer: Writer, secret: str, document: str, text: str) -> None:
        self.document = document
        self.name = text
        self._path = f"/ws/workspaces/{writer.workspace}/documents/{document}/"
        self._headers = [(b"authorization", b"Bearer " + secret.encode())]
        self._doc: Doc[Any] = Doc()
        self._tab: Typist | None = None
        self.typed: list[bytes] = []

    @property
    def connected(self) -> bool:
        return self._tab is not None

    @property
    def content(self) -> str:
        return str(self._text)

    @property
    def seen(self) -> bool:
        """Whether the document has been loaded here once."""
        return self.name in self._doc.get("texts", type=Map)

    @property
    def _text(self) -> Any:
        return self._doc.get("texts", type=Map)[self.name]

    async def connect(self) -> None:
        if self._tab is None:
            self._tab = await Typist(self._path, self._headers, self._doc).open()

    async def leave(self) -> None:
        if self._tab is not None:
            await self._tab.leave()
            self._tab = None

    def insert(self, at: int, content: str) -> None:
        before = self._doc.get_state()
        self._text.insert(len(self.content[:at].encode()), content)
        self.typed.append(self._doc.get_update(before))

    def delete(self, at: int, count: int) -> None:
        content = self.content
        start, end = (len(content[:index].encode()) for index in (at, at + count))
        updates: list[bytes] = []
        watched = self._doc.observe(lambda event: updates.append(event.update))
        del self._text[start:end]
        self._doc.unobserve(watched)
        self.typed += updates

    async def flush(self) -> None:
        if self._tab is not None:
            await self._tab.flush()

    async def catch_up(self, content: dict[str, Any]) -> None:
        """Until this tab shows that."""
        assert self._tab is not None
        await self._tab.until(lambda: content_of(self._doc) == content)

    async def read_all(self) -> None:
        """Whatever has come so far. A tab that was closed has been refused."""
        tab = self._tab
        while tab is not None and not tab.socket.output_queue.empty():
            await tab.read()
            assert tab.closed is None


class Listener:
    """A page on the workspace's socket that keeps Yjs documents by the commits it hears of."""

    def __init__(self, writer: Writer, secret: str) -> None:
        self.workspace = writer.workspace
        self.docs: dict[str, Doc[Any]] = {}
        self.seq = 0
        self._path = f"/ws/workspaces/{writer.workspace}/"
        self._headers = [(b"authorization", b"Bearer " + secret.encode())]
        self._page: Page | None = None
        self._load()

    def _load(self) -> None:
        # First the number: a commit in between is applied twice rather than missed.
        self.seq = facade.get_hello(workspace=self.workspace)["seq"]
        rows = Document.objects.filter(workspace_id=self.workspace)
        self.docs = {row.doc_id: load(stored_updates(row)) for row in rows}

    @property
    def connected(self) -> bool:
        return self._page is not None

    async def connect(self) -> None:
        if self._page is None:
            self._page = await Page(self._path, self._headers).open()
            await self._page.next("hello")
            await self._page.say({"type": "resume", "after": self.seq})

    async def leave(self) -> None:
        if self._page is not None:
            await self._page.leave()
            self._page = None

    async def catch_up(self) -> dict[str, Any]:
        """What this page shows once it has heard of every event."""
        assert self._page is not None
        while self.seq < Workspace.objects.get(id=self.workspace).seq:
            message = await self._page.next("commit", "resync")
            if message["type"] == "resync":
                self._load()
            elif message["seq"] == self.seq + 1:
                # What came before the resume was answered comes again, in its order.
                apply_messages(self.docs, [message])
                self.seq = message["seq"]
        return {doc_id: content_of(doc) for doc_id, doc in self.docs.items()}
