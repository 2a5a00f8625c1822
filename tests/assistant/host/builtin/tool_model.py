"""The four tools over a plain in-memory model of a workspace: as strict as the real ones, without a server.

Arguments are checked against the emitted tool schemas, values against the document schema, clock sets exactly. Surfaces
show what the real ones show (`workspaces.context`), page by page.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from assistant.host.connectors.builtin import BuiltinConnector
from assistant.tools import tool_definitions
from assistant.wire import Assignment
from workspaces.documents.schema import KINDS, SYSTEM_FIELDS
from workspaces.documents.values import check_value

TODAY = date(2026, 11, 30)
_SURFACES = {
    "overview": {"plan": 2, "profile": 0, "application": 1, "note": 0, "letter": 0},
    "board": {"application": 1},
    "application": {"application": 1, "note": 0, "letter": 0},
    "profile": {"profile": 2},
    "notes": {"note": 2, "application": 0},
    "letters": {"letter": 2, "application": 0},
    "plan": {"plan": 2, "application": 0},
    "jobs": {"plan": 2, "application": 0},
}
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Refusal(Exception):
    def __init__(self, code: str, details: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.details = dict(details or {})
        super().__init__(code)


class ToolModel:
    """A workspace with its tools. `calls` holds every call made, `receipts` the thread's, newest first."""

    def __init__(self, *, page: int = 28 * 1024, roles: Sequence[Mapping[str, Any]] = ()) -> None:
        self.documents: dict[str, dict[str, Any]] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.results: list[dict[str, Any]] = []
        self.receipts: list[dict[str, Any]] = []
        self.roles = list(roles)
        self.page = page
        self.contact_details = False
        # Called before each write with its number: where a test lets somebody else be quicker.
        self.before_write: Any = None
        self._numbers = itertools.count(1)
        self._undo: dict[str, dict[str, Any]] = {}
        self._schemas = {tool["name"]: Draft202012Validator(tool["parameters"]) for tool in tool_definitions()}
        for kind in ("profile", "plan"):
            self.documents[kind] = self._empty(kind, kind)

    # --- the session's side ------------------------------------------------------------------------------------

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        arguments = json.loads(json.dumps(arguments))
        self.calls.append((name, arguments))
        try:
            problems = [error.message for error in self._schemas[name].iter_errors(arguments)]
            if problems:
                raise AssertionError(f"{name} got arguments that do not fit its schema: {problems[:3]} in {arguments}")
            result = getattr(self, f"_{name}")(arguments)
            result = {"status": "ok", "source": "workspace", "notice": "data", **result}
        except Refusal as refusal:
            result = {
                "status": "refused",
                "code": refusal.code,
                "message": "",
                "details": refusal.details,
                "retryable": False,
            }
        self.results.append(copy.deepcopy(result))
        return json.loads(json.dumps(result))

    def _get_workspace_context(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments["document"] is not None:
            document = self.documents.get(arguments["document"])
            if document is None:
                raise Refusal("not_found")
            return {
                "surface": None,
                **self._projection([(document, 2)]),
                "truncated": False,
                "omitted": 0,
                "next_cursor": None,
            }
        depths = _SURFACES[arguments["surface"] or "overview"]
        order = list(depths)
        rows = sorted((d for d in self.documents.values() if d["kind"] in depths), key=lambda d: order.index(d["kind"]))
        start = int(arguments["cursor"] or 0)
        end, room = start, self.page
        while end < len(rows) and (end == start or room > 0):
            room -= len(json.dumps(self._entry(rows[end], depths[rows[end]["kind"]]))) + 220
            if room < 0 and end > start:
                break
            end += 1
        left = len(rows) - end
        shown = self._projection([(row, depths[row["kind"]]) for row in rows[start:end]])
        return {
            "surface": arguments["surface"],
            **shown,
            "truncated": left > 0,
            "omitted": left,
            "next_cursor": str(end) if left else None,
        }

    def _projection(self, rows: Sequence[tuple[dict[str, Any], int]]) -> dict[str, Any]:
        entries = [self._entry(row, depth) for row, depth in rows]
        return {"clocks": {e["id"]: e["clock"] for e in entries}, "documents": entries, "provenance": {}}

    def _entry(self, document: dict[str, Any], depth: int) -> dict[str, Any]:
        kind = KINDS[document["kind"]]
        private = self.contact_details
        sections = {
            name: [
                {k: v for k, v in item.items() if k == "id" or private or not kind.sections[name][k].private}
                for item in items
            ]
            for name, items in document["sections"].items()
            if items and (depth == 2 or (depth == 1 and name in ("interviews", "checklist")))
        }
        return {
            "id": document["id"],
            "kind": document["kind"],
            "clock": document["clock"],
            "state": "active",
            "fields": {k: v for k, v in document["fields"].items() if private or not kind.fields[k].private},
            "sections": sections,
            "texts": {k: v[:4000] for k, v in document["texts"].items() if v} if depth == 2 else {},
            "cut": [f"texts/{k}" for k, v in document["texts"].items() if len(v) > 4000] if depth == 2 else [],
        }

    def _search_jobcache(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"roles": self.roles, "total": len(self.roles), "truncated": False, "omitted": 0, "next_cursor": None}

    def _apply_workspace_operations(self, arguments: dict[str, Any]) -> dict[str, Any]:
        expected = {entry["document"]: entry["clock"] for entry in arguments["expected_clocks"]}
        if self.before_write is not None:
            self.before_write(sum(1 for name, _ in self.calls if name == "apply_workspace_operations"))
        return self.commit(arguments["operations"], expected, arguments["reason"])

    def _undo_workspace_receipt(self, arguments: dict[str, Any]) -> dict[str, Any]:
        before = self._undo.pop(arguments["receipt"], None)
        if before is None:
            raise Refusal("receipt_spent")
        expected = {entry["document"]: entry["clock"] for entry in arguments["expected_clocks"]}
        current = {doc_id: self.documents[doc_id]["clock"] for doc_id in before["documents"]}
        if set(expected) != set(current):
            raise Refusal("clock_set_mismatch")
        if expected != current:
            self._undo[arguments["receipt"]] = before
            raise Refusal("stale_clock", {"fresh": self._projection([(self.documents[d], 2) for d in current])})
        self.receipts = [receipt for receipt in self.receipts if receipt["id"] != arguments["receipt"]]
        snapshot = {doc_id: copy.deepcopy(self.documents[doc_id]) for doc_id in current}
        for doc_id, old in before["documents"].items():
            if old is None:
                del self.documents[doc_id]
            else:
                self.documents[doc_id] = {**copy.deepcopy(old), "clock": current[doc_id] + 1}
        return self._receipt(arguments["reason"] or "Undo", snapshot, list(current), {}, [])

    # --- the model ---------------------------------------------------------------------------------------------

    def commit(
        self, operations: Sequence[Mapping[str, Any]], expected: Mapping[str, int], reason: str
    ) -> dict[str, Any]:
        """One batch, wholly or not at all."""
        touched = list(dict.fromkeys(operation["document"] for operation in operations))
        if set(touched) != set(expected):
            raise Refusal("clock_set_mismatch", {"touched": touched, "expected": list(expected)})
        for doc_id, clock in expected.items():
            if doc_id.startswith("new:"):
                assert clock == 0, "a new document has clock 0"
            elif doc_id not in self.documents:
                raise Refusal("not_found")
            elif self.documents[doc_id]["clock"] != clock:
                fresh = [(self.documents[d], 2) for d in touched if d in self.documents]
                raise Refusal("stale_clock", {"fresh": self._projection(fresh)})
        kept = copy.deepcopy(self.documents)
        names: dict[str, str] = {}
        try:
            for operation in operations:
                self._operate(operation, names)
        except BaseException:
            self.documents = kept
            raise
        real = [names.get(doc_id, doc_id) for doc_id in touched]
        unchanged = [
            i for i, op in enumerate(operations) if self._same(kept, names.get(op["document"], op["document"]))
        ]
        if all(self._same(kept, doc_id) for doc_id in real):
            self.documents = kept
            return {
                "event": None,
                "receipt": None,
                "documents": {},
                "clocks": {"before": {}, "after": {}},
                "operations": [],
                "unchanged": unchanged,
            }
        for doc_id in real:
            self.documents[doc_id]["clock"] += 1
        return self._receipt(reason, {doc_id: kept.get(doc_id) for doc_id in real}, real, names, unchanged)

    def _receipt(
        self, reason: str, before: dict[str, Any], real: list[str], names: dict[str, str], unchanged: list[int]
    ) -> dict[str, Any]:
        receipt = f"rcp_{self._ulid()}"
        after = {doc_id: self.documents[doc_id]["clock"] for doc_id in real if doc_id in self.documents}
        clocks = {"before": {d: old["clock"] for d, old in before.items() if old}, "after": after}
        self._undo[receipt] = {"documents": before}
        self.receipts.insert(0, {"id": receipt, "reason": reason, "clocks": clocks})
        return {
            "event": f"evt_{self._ulid()}", "replayed": False, "operations": [], "clocks": clocks, "documents": names,
            "affected_paths": [], "unchanged": unchanged, "receipt": {"id": receipt, "expires_at": "2026-12-30T00:00:00Z"}, "reversible": True,
        }  # fmt: skip

    def _same(self, kept: Mapping[str, Any], doc_id: str) -> bool:
        return doc_id in kept and kept[doc_id] == self.documents[doc_id]

    def _operate(self, operation: Mapping[str, Any], names: dict[str, str]) -> None:
        kind, doc_id = operation["kind"], names.get(operation["document"], operation["document"])
        if kind == "document.create":
            made = f"{operation['document_kind']}:{self._ulid()}"
            names[operation["document"]] = made
            document = self._empty(made, operation["document_kind"])
            document["clock"] = 0
            self.documents[made] = document
            if operation["document_kind"] == "application":
                document["fields"]["stage"] = "saved"
            for pair in operation["fields"]:
                self._set(document, pair["field"], pair["value"])
            for pair in operation["texts"]:
                assert pair["text"] in KINDS[document["kind"]].texts
                document["texts"][pair["text"]] = pair["content"]
            return
        document = self.documents[doc_id]
        declared = KINDS[document["kind"]]
        if kind == "field.set":
            self._set(document, operation["field"], operation["value"])
        elif kind == "application.move_stage":
            self._set(document, "stage", operation["stage"])
        elif kind == "text.append":
            assert operation["text"] in declared.texts
            document["texts"][operation["text"]] = document["texts"].get(operation["text"], "") + operation["content"]
        elif kind == "item.add":
            types = declared.sections[operation["section"]]
            item = {pair["field"]: check_value(pair["value"], types[pair["field"]]) for pair in operation["item"]}
            document["sections"].setdefault(operation["section"], []).append({"id": f"itm_{self._ulid()}", **item})
        elif kind == "item.update":
            types = declared.sections[operation["section"]]
            item = next(i for i in document["sections"][operation["section"]] if i["id"] == operation["item"])
            for pair in operation["changes"]:
                item[pair["field"]] = check_value(pair["value"], types[pair["field"]])
        else:
            raise Refusal("operation_not_allowed")

    def _set(self, document: dict[str, Any], field: str, value: Any) -> None:
        assert field not in SYSTEM_FIELDS
        checked = check_value(value, KINDS[document["kind"]].fields[field])
        if isinstance(checked, str) and checked.startswith("application:"):
            assert checked in self.documents
        if checked is None:
            document["fields"].pop(field, None)
        else:
            document["fields"][field] = checked

    def _empty(self, doc_id: str, kind: str) -> dict[str, Any]:
        return {"id": doc_id, "kind": kind, "clock": 1, "fields": {}, "sections": {}, "texts": {}}

    def _ulid(self) -> str:
        number, digits = next(self._numbers) + (1 << 100), []
        for _ in range(26):
            digits.append(_ALPHABET[number & 31])
            number >>= 5
        return "".join(reversed(digits))


class Session:
    """What a connector sees of a turn. `delta` texts are kept, and the completed answer."""

    def __init__(self, model: ToolModel) -> None:
        self.model = model
        self.deltas: list[str] = []
        self.text: str | None = None
        self.citations: tuple[str, ...] = ()
        self.cancelled = asyncio.Event()

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, call: str | None = None) -> dict[str, Any]:
        return await self.model.call(name, arguments)

    async def delta(self, text: str, *, part: str = "answer") -> None:
        self.deltas.append(text)

    async def complete(self, text: str, citations: Sequence[str] = (), *, part: str = "answer") -> None:
        assert self.text is None, "an answer is completed once"
        self.text, self.citations = text, tuple(citations)

    async def progress(self, text: str) -> None: ...

    async def limit(self, limit_class: str, retry_at: str | None) -> None: ...

    async def auth(self, state: str) -> None: ...

    async def bind(self, provider_thread: str) -> None: ...


class Thread:
    """A conversation with the built-in assistant over one model."""

    def __init__(
        self, model: ToolModel, *, today: date = TODAY, zone: str | None = "Europe/London", document: str | None = None
    ) -> None:
        self.model = model
        self.today = today
        self.zone = zone
        self.document = document
        self.history: list[dict[str, str]] = []

    async def say(self, text: str) -> Session:
        """One turn."""
        session = Session(self.model)
        context = {
            "surface": "overview", "document": self.document, "now": f"{self.today.isoformat()}T09:30:00Z",
            "time_zone": self.zone, "language": "en", "receipts": copy.deepcopy(self.model.receipts[:10]),
        }  # fmt: skip
        turn = Assignment(
            turn="trn_1", thread="thr_1", connector="con_1", provider="builtin", attempt=1, capability="", deadline_at="",
            provider_thread=None, tools=(), instructions="", context=context, history=tuple(self.history), text=text,
        )  # fmt: skip
        await BuiltinConnector().run_turn(turn, session)
        assert session.text is not None
        assert "".join(session.deltas) == session.text
        self.history += [{"role": "user", "text": text}, {"role": "assistant", "text": session.text}]
        return session


def load_sample(path: Path, *, today: date = TODAY, **options: Any) -> tuple[ToolModel, dict[str, str]]:
    """The sample workspace and the real ids of its names."""
    model = ToolModel(**options)
    ids: dict[str, str] = {}
    for batch in json.loads(path.read_text())["batches"]:
        text = json.dumps(batch["operations"])
        text = re.sub(r"\{today([+-]\d+)d\}", lambda m: (today + timedelta(int(m[1]))).isoformat(), text)
        text = re.sub(r"\{id:([a-z-]+)\}", lambda m, ids=ids: ids[m[1]], text)
        operations = json.loads(text)
        documents = dict.fromkeys(operation["document"] for operation in operations)
        expected = {d: 0 if d.startswith("new:") else model.documents[d]["clock"] for d in documents}
        answer = model.commit(operations, expected, batch["reason"])
        ids |= {name.removeprefix("new:"): doc_id for name, doc_id in answer["documents"].items()}
    model.receipts.clear()
    model.calls.clear()
    return model, ids
