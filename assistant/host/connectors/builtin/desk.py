"""The only door to the tools: reads the workspace page by page, searches, writes one batch, undoes one receipt.

Above it stand the connector and the reading intents. Every call goes through the turn's session, which raises once the
turn is cancelled; so each step ends there at the latest.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from assistant.host.connectors.base import Assignment, TurnSession

from .outcome import Operation, Refused
from .times import read_moment, zone_of
from .workspace import Document, Workspace

# 500 applications of some 2 kB each fill about 40 pages of 32 KiB.
MAX_PAGES = 60
SURFACES = {"application": "board", "note": "notes", "letter": "letters", "plan": "plan", "profile": "profile"}


class Desk:
    """One turn's view of the world."""

    def __init__(self, turn: Assignment, session: TurnSession) -> None:
        self._turn = turn
        self._session = session
        self._pages = 0
        context = turn.context
        self.zone: ZoneInfo = zone_of(context.get("time_zone") if isinstance(context.get("time_zone"), str) else None)
        moment = read_moment(context.get("now"))
        self.now: datetime = (moment or datetime.now(self.zone)).astimezone(self.zone)
        self.workspace = Workspace()

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def here(self) -> str | None:
        """The document that the person has open."""
        document = self._turn.context.get("document")
        return document if isinstance(document, str) and document else None

    @property
    def receipts(self) -> list[Mapping[str, Any]]:
        """The thread's newest active receipts, newest first."""
        receipts = self._turn.context.get("receipts")
        if not isinstance(receipts, (list, tuple)):
            return []
        return [r for r in receipts if isinstance(r, Mapping) and isinstance(r.get("id"), str)]

    @property
    def history(self) -> Sequence[Mapping[str, str]]:
        return self._turn.history

    async def load(self, kinds: Iterable[str]) -> Workspace:
        """All documents of these kinds, through as many pages as they need."""
        for kind in kinds:
            if kind not in self.workspace.complete:
                await self.surface(SURFACES[kind], (kind,))
                self.workspace.complete.add(kind)
        return self.workspace

    async def surface(self, name: str, kinds: Sequence[str]) -> list[Document]:
        """The pages of a surface, to the last document of these kinds: a surface lists one kind after the other."""
        taken: list[Document] = []
        cursor = None
        while True:
            result = await self._context(surface=name, cursor=cursor)
            page = self.workspace.take(result)
            taken.extend(page)
            cursor = result.get("next_cursor")
            passed = any(document.kind in kinds for document in taken) and page and page[-1].kind not in kinds
            alone = all(kind in ("plan", "profile") for kind in kinds) and any(d.kind in kinds for d in page)
            if not isinstance(cursor, str) or passed or alone:
                return taken
            if self._pages >= MAX_PAGES:
                self.workspace.truncated = True
                return taken

    async def document(self, doc_id: str) -> Document | None:
        """One document, fresh; None where there is none (any more)."""
        try:
            result = await self._context(document=doc_id)
        except Refused as refusal:
            if refusal.code in ("not_found", "invalid_request"):
                return None
            raise
        if self.workspace.take(result):
            self.workspace.whole.add(doc_id)
        return self.workspace.documents.get(doc_id)

    async def search(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        names = (
            "query", "location", "country", "work_mode", "employment_type", "posted_within_days", "salary_min", "currency", "limit", "cursor",
        )  # fmt: skip
        return await self._call("search_jobcache", {name: arguments.get(name) for name in names})

    async def apply(self, operations: Sequence[Operation], reason: str) -> Mapping[str, Any]:
        """One batch. The clocks are those of the documents as last read; a new document has 0."""
        clocks = []
        for doc_id in dict.fromkeys(str(operation["document"]) for operation in operations):
            known = self.workspace.documents.get(doc_id)
            clocks.append({"document": doc_id, "clock": known.clock if known and not doc_id.startswith("new:") else 0})
        return await self._call(
            "apply_workspace_operations",
            {
                "reason": reason[:300],
                "expected_clocks": clocks,
                "operations": [dict(operation) for operation in operations],
            },
        )

    async def undo(self, receipt: str, documents: Iterable[str], reason: str) -> Mapping[str, Any]:
        clocks = [{"document": doc_id, "clock": self.workspace.documents[doc_id].clock} for doc_id in documents]
        return await self._call(
            "undo_workspace_receipt", {"receipt": receipt, "expected_clocks": clocks, "reason": reason[:300]}
        )

    def days_ahead(self, days: int) -> date:
        return self.today + timedelta(days=days)

    async def _context(
        self, *, surface: str | None = None, document: str | None = None, cursor: str | None = None
    ) -> Mapping[str, Any]:
        self._pages += 1
        result = await self._call(
            "get_workspace_context", {"surface": surface, "document": document, "job": None, "cursor": cursor}
        )
        # What was left out of a page and cannot be paged to is not seen by this turn, and the answer says so.
        if result.get("omitted") and not result.get("next_cursor"):
            self.workspace.truncated = True
        return result

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        result = await self._session.call_tool(name, arguments)
        if not isinstance(result, Mapping) or result.get("status") != "ok":
            result = result if isinstance(result, Mapping) else {}
            raise Refused(str(result.get("code") or "malformed"), result)
        return result
