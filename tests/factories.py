"""Workspaces, writers and operations for tests: short to write, and through the real facade.

A `Writer` is one actor at one workspace. It fills in the clocks that a careful client would send (what the database
says now) unless a test gives its own, and counts up idempotency keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workspaces import facade
from workspaces.commits.lookups import document_rows, receipt_row, receipt_rows_of_turn
from workspaces.contracts import Access, Actor, CommitResult, Enclosing, RequestIdentity

_keys = itertools.count(1)

Operation = dict[str, Any]


def op(kind: str, document: str, **fields: Any) -> Operation:
    return {"kind": kind, "document": document, **fields}


def pairs(**values: Any) -> list[dict[str, Any]]:
    """`{"field", "value"}` for each keyword."""
    return [{"field": name, "value": value} for name, value in values.items()]


def set_field(document: str, field: str, value: Any) -> Operation:
    return op("field.set", document, field=field, value=value)


def create(name: str, kind: str = "application", *, texts: Mapping[str, str] | None = None, **fields: Any) -> Operation:
    contents = [{"text": text, "content": content} for text, content in (texts or {}).items()]
    return op("document.create", f"new:{name}", document_kind=kind, fields=pairs(**fields), texts=contents)


def add_item(document: str, section: str, position: Any = "end", **values: Any) -> Operation:
    return op("item.add", document, section=section, item=pairs(**values), position=position)


def append(document: str, text: str, content: str) -> Operation:
    return op("text.append", document, text=text, content=content)


def replace(document: str, text: str, old: str, new: str) -> Operation:
    return op("text.replace", document, text=text, old=old, new=new)


def move_stage(document: str, stage: str, position: Any = None) -> Operation:
    return op("application.move_stage", document, stage=stage, position=position)


def clocks_now(workspace: str, documents: Any) -> dict[str, int]:
    """What a client that has just read would expect: 0 for a new document, else the clock."""
    named = list(dict.fromkeys(documents))
    rows = document_rows(workspace, [d for d in named if not d.startswith("new:")])
    return {d: 0 if d.startswith("new:") else rows[d].clock for d in named if d.startswith("new:") or d in rows}


@dataclass
class Writer:
    """`link` None is a system actor. `thread` and `turn` are an agent's."""

    workspace: str
    actor: Actor
    scope: str
    link: str | None = None
    thread: str | None = None
    turn: str | None = None
    keys: set[str] = field(default_factory=set)

    def request(self, *, key: str | None, route: str, target: str) -> RequestIdentity:
        return RequestIdentity(
            scope=self.scope,
            key=key or f"key-{next(_keys)}",
            route=route,
            target=target,
            link=self.link,
            origin_event="tev_1" if self.thread else None,
            thread=self.thread,
            turn=self.turn,
        )

    def commit(
        self,
        *operations: Operation,
        reason: str = "",
        clocks: Mapping[str, int] | None = None,
        key: str | None = None,
        enclosing: Enclosing | None = None,
    ) -> CommitResult:
        if clocks is None:
            clocks = clocks_now(self.workspace, [o["document"] for o in operations])
        body = {"reason": reason, "expected_clocks": dict(clocks), "operations": list(operations)}
        return self.send(body, key=key, enclosing=enclosing)

    def send(self, body: Any, *, key: str | None = None, enclosing: Enclosing | None = None) -> CommitResult:
        """A commit with a body as it is."""
        return facade.commit(
            workspace=self.workspace,
            body=body,
            actor=self.actor,
            request=self.request(key=key, route="operations", target=self.workspace),
            enclosing=enclosing,
        )

    def undo(
        self,
        receipt: str | None,
        *,
        clocks: Mapping[str, int] | None = None,
        key: str | None = None,
        only_thread: str | None = None,
        reason: str | None = None,
    ) -> CommitResult:
        assert receipt is not None
        if clocks is None:
            row = receipt_row(self.workspace, receipt)
            clocks = clocks_now(self.workspace, _documents(row.affected_paths)) if row else {}
        body: dict[str, Any] = {"expected_clocks": dict(clocks)}
        if reason is not None:
            body["reason"] = reason
        return facade.undo_receipt(
            workspace=self.workspace,
            receipt=receipt,
            body=body,
            actor=self.actor,
            request=self.request(key=key, route="undo", target=receipt),
            only_thread=only_thread,
        )

    def undo_turn(self, turn: str, *, clocks: Mapping[str, int] | None = None, key: str | None = None) -> CommitResult:
        if clocks is None:
            rows = [row for row in receipt_rows_of_turn(self.workspace, turn) if row.undone_by is None]
            clocks = clocks_now(self.workspace, _documents([p for row in rows for p in row.affected_paths]))
        return facade.undo_turn(
            workspace=self.workspace,
            turn=turn,
            body={"expected_clocks": dict(clocks)},
            actor=self.actor,
            request=self.request(key=key, route="undo-turn", target=turn),
        )

    # --- shorthands for setting a scene --------------------------------------------------------------------------

    def new(self, kind: str = "application", *, texts: Mapping[str, str] | None = None, **fields: Any) -> str:
        """A new document; gives its id."""
        result = self.commit(create("it", kind, texts=texts, **fields))
        return str(result.response["documents"]["new:it"])

    def item(self, document: str, section: str, **values: Any) -> str:
        """A new item at the end; gives its id."""
        before = {i["id"] for i in self.read(document)["sections"].get(section, [])}
        self.commit(add_item(document, section, **values))
        [made] = [i["id"] for i in self.read(document)["sections"][section] if i["id"] not in before]
        return str(made)

    @property
    def access(self) -> Access:
        return Access(self.workspace, self.link or "", "owner")

    def read(self, document: str) -> dict[str, Any]:
        return facade.get_document(access=self.access, document=document)

    def clock(self, document: str) -> int:
        return int(self.read(document)["clock"])

    def column(self, stage: str) -> list[str]:
        """The active applications of a stage, in the order of their places."""
        page = facade.list_documents(access=self.access, kind="application", limit=100)
        cards = [d for d in page["items"] if d["fields"]["stage"] == stage]
        return [d["id"] for d in sorted(cards, key=lambda d: (d["fields"]["rank"], d["id"]))]


def _documents(paths: list[str]) -> list[str]:
    return [path.partition("/")[0] for path in paths]


def open_workspace(*, sample: bool = False) -> Writer:
    """A new workspace, as its owner."""
    made = facade.create_workspace(label="Test", sample=sample)
    return human(made.workspace, made.link.id)


def human(workspace: str, link: str) -> Writer:
    return Writer(workspace, Actor("human", f"link:{link}"), f"link:{link}", link=link)


def another_human(owner: Writer, role: str = "edit") -> Writer:
    """Somebody with a link of their own to the same workspace."""
    return human(owner.workspace, facade.create_link(access=owner.access, label="Other", role=role).id)


def agent(owner: Writer, *, thread: str = "thr_1", turn: str = "trn_1") -> Writer:
    """The assistant in a turn that the owner's link asked for."""
    actor = Actor("agent", "careervector-assistant:builtin:con_1")
    return Writer(owner.workspace, actor, f"connector:con_1:{thread}", link=owner.link, thread=thread, turn=turn)


def system(owner: Writer, task: str = "test") -> Writer:
    return Writer(owner.workspace, Actor("system", f"system:{task}"), f"system:{task}")
