"""Rebuilds every document from its log and compares it with whatever else is said of it. Changes nothing.

Above: the facade (`manage.py check_documents`). Below: the log, ydoc and schema. Each document is read at one moment,
so writers need not wait and memory holds one document at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from workspaces import sql
from workspaces.commits import json_text
from workspaces.commits.cache import documents, workspace_lock
from workspaces.documents import ydoc as yjs
from workspaces.documents.live_update import ROOTS, identity_of
from workspaces.documents.schema import KINDS, MAX_ITEMS, MAX_STATE_BYTES, DocumentKind
from workspaces.documents.state import DocumentState
from workspaces.documents.update_reader import DOC, EMBED, FORMAT, UpdateFlaw, read_update
from workspaces.documents.values import MAX_TEXT, ValueFlaw, check_value, forbidden_in_texts
from workspaces.errors import NotFound

BATCH = 100

What = Literal[
    "log_gap", "log_counters", "log_unreadable", "snapshot_lacks", "epoch", "structure", "limits", "content", "columns",
    "clocks", "typing", "trail", "served",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class DocumentFlaw:
    """One difference. `says` names places, numbers and kinds, never content."""

    workspace: str
    document: str
    what: What
    says: str


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    workspace_id: str
    doc_id: str
    kind: str
    state: str
    clock: int
    firm_clock: int
    typed_clocks: str
    typing: int
    epoch: int
    snapshot_clock: int
    snapshot_bytes: int
    tail_updates: int
    tail_bytes: int
    stage: str
    rank: str
    last_event: str
    trashed_at: Any


_COLUMNS = ", ".join(_Row.__slots__)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of a document: its row, its snapshot, its updates as (clock, seq, update), its typing sessions as
    (from, to), and which of the events that they name there are."""

    row: _Row
    snapshot: bytes
    updates: list[tuple[int, int, bytes]]
    sessions: list[tuple[int, int]]
    seqs: frozenset[int]
    has_last_event: bool


def check_documents(*, workspace: str | None = None) -> Iterator[list[DocumentFlaw]]:
    """What is wrong with each document in turn; an empty list for one that is in order.

    Raises NotFound for an unknown workspace.
    """
    if workspace is not None and not sql.fetch_one("SELECT 1 FROM workspaces_workspace WHERE id = %s", [workspace]):
        raise NotFound("There is no such workspace here.")
    which, params = ("", []) if workspace is None else (" AND workspace_id = %s", [workspace])
    last = 0
    while rows := sql.fetch_all(
        f"SELECT id FROM workspaces_document WHERE id > %s{which} ORDER BY id LIMIT %s",  # noqa: S608
        [last, *params, BATCH],
    ):
        for (last,) in rows:
            kept = _read(last)
            if kept is not None:
                yield _Check(kept).run()


def _read(pk: int) -> _Kept | None:
    with sql.snapshot():
        found = sql.fetch_one(f"SELECT {_COLUMNS} FROM workspaces_document WHERE id = %s", [pk])  # noqa: S608
        if found is None:
            return None
        row = _Row(*found)
        snapshot = sql.fetch_one("SELECT state FROM workspaces_documentsnapshot WHERE document_id = %s", [pk])
        updates = sql.fetch_all(
            'SELECT clock, seq, "update" FROM workspaces_documentupdate WHERE document_id = %s ORDER BY clock', [pk]
        )
        sessions = sql.fetch_all(
            "SELECT clock_from, clock_to FROM workspaces_typingsession WHERE document_id = %s", [pk]
        )
        seqs = sql.fetch_all(
            "SELECT seq FROM workspaces_event WHERE workspace_id = %s AND seq IN"
            " (SELECT seq FROM workspaces_documentupdate WHERE document_id = %s)",
            [row.workspace_id, pk],
        )
        event = sql.fetch_one(
            "SELECT 1 FROM workspaces_event WHERE workspace_id = %s AND id = %s", [row.workspace_id, row.last_event]
        )
        return _Kept(
            row=row,
            snapshot=b"" if snapshot is None else bytes(snapshot[0]),
            updates=[(clock, seq, bytes(update)) for clock, seq, update in updates],
            sessions=[(first, to) for first, to in sessions],
            seqs=frozenset(seq for (seq,) in seqs),
            has_last_event=not row.last_event or event is not None,
        )


class _Check:
    def __init__(self, kept: _Kept) -> None:
        self.kept = kept
        self.row = kept.row
        self.flaws: list[DocumentFlaw] = []

    def _say(self, what: What, says: str) -> None:
        self.flaws.append(DocumentFlaw(self.row.workspace_id, self.row.doc_id, what, says))

    def run(self) -> list[DocumentFlaw]:
        kind = KINDS.get(self.row.kind)
        if kind is None or self.row.doc_id.partition(":")[0] != kind.name:
            self._say("columns", "its kind is not that of its id")
            return self.flaws
        self._log()
        self._clocks(kind)
        self._typing()
        self._trail()
        state = self._content(kind)
        if state is not None:
            self._columns(state)
            self._served(state)
        return self.flaws

    def _tail(self) -> list[bytes]:
        return [update for clock, _, update in self.kept.updates if clock > self.row.snapshot_clock]

    def _log(self) -> None:
        row, clocks = self.row, [clock for clock, _, _ in self.kept.updates]
        expected = list(range(row.snapshot_clock + 1, row.clock + 1))
        behind = [clock for clock in clocks if clock <= row.snapshot_clock]
        if [clock for clock in clocks if clock > row.snapshot_clock] != expected:
            self._say("log_gap", f"the log does not lead from clock {row.snapshot_clock} to {row.clock} without a gap")
        if behind and behind != list(range(row.snapshot_clock - len(behind) + 1, row.snapshot_clock + 1)):
            self._say("log_gap", f"the updates kept behind clock {row.snapshot_clock} have a gap")
        tail = self._tail()
        found = (len(self.kept.snapshot), len(tail), sum(map(len, tail)))
        counted = (row.snapshot_bytes, row.tail_updates, row.tail_bytes)
        if found != counted:
            self._say("log_counters", f"snapshot bytes, tail updates, tail bytes are {found}; the row says {counted}")

    def _clocks(self, kind: DocumentKind) -> None:
        row = self.row
        if not 1 <= row.firm_clock <= row.clock:
            self._say("clocks", f"firm clock {row.firm_clock} is not within 1 to {row.clock}")
        try:
            typed = json_text.decode(row.typed_clocks)
            wrong = [t for t, clock in typed.items() if t not in kind.texts or not 1 <= clock <= row.clock]
        except (ValueError, TypeError, AttributeError):
            self._say("clocks", "the clocks of its texts cannot be read")
            return
        if wrong:
            self._say("clocks", f"{len(wrong)} of its texts' clocks are those of no text, or past its own")

    def _typing(self) -> None:
        row, sessions = self.row, self.kept.sessions
        if row.typing != len(sessions):
            self._say("typing", f"{len(sessions)} typing sessions are open; the row says {row.typing}")
        for first, to in sessions:
            if not 1 <= first <= to <= row.clock:
                self._say("typing", f"a typing session covers the clocks {first} to {to} of {row.clock}")
        for clock, seq, _ in self.kept.updates:
            if seq == 0 and not any(first <= clock <= to for first, to in sessions):
                self._say("typing", f"the update at clock {clock} belongs to no event and no typing session")

    def _trail(self) -> None:
        missing = {seq for _, seq, _ in self.kept.updates if seq} - self.kept.seqs
        if missing:
            self._say(
                "trail", f"its updates name {len(missing)} events that are not there, the first seq {min(missing)}"
            )
        if not self.kept.has_last_event:
            self._say("trail", "its last event is not there")

    def _content(self, kind: DocumentKind) -> DocumentState | None:
        row = self.row
        identity = identity_of(row.workspace_id, row.doc_id, row.epoch)
        try:
            ydoc = yjs.load(kind, identity.server, [self.kept.snapshot, *self._tail()])
            state = yjs.project(ydoc)
            encoded = ydoc.encode()
            self._structure(encoded, identity.server, identity.retired)
            self._kept_behind(ydoc, encoded)
        except UpdateFlaw:
            self._say("log_unreadable", "its log is not one of Yjs updates")
            return None
        except BaseException as error:
            if not isinstance(error, Exception) and not yjs.is_panic(error):
                raise
            self._say("log_unreadable", f"its log cannot be read: {type(error).__name__}")
            return None
        self._limits(kind, state, len(encoded))
        return state

    def _structure(self, encoded: bytes, server: int, retired: frozenset[int]) -> None:
        structs = read_update(encoded).structs
        if server not in structs:
            self._say("epoch", f"nothing in it was written under epoch {self.row.epoch}")
        if retired & structs.keys():
            self._say("epoch", "it holds what was written under an earlier epoch")
        for struct in (struct for entries in structs.values() for struct in entries):
            if isinstance(struct.parent, str) and struct.parent not in ROOTS:
                self._say("structure", "it holds a root that no document has")
                return
            if struct.ref in (EMBED, FORMAT, DOC):
                self._say("structure", "it holds an embed, a format or a subdocument")
                return

    def _kept_behind(self, ydoc: yjs.YDocument, encoded: bytes) -> None:
        behind = [(clock, update) for clock, _, update in self.kept.updates if clock <= self.row.snapshot_clock]
        for clock, update in behind:
            ydoc.apply_update(update)
            if ydoc.encode() != encoded:
                self._say("snapshot_lacks", f"the snapshot does not hold the update at clock {clock}")
                return

    def _limits(self, kind: DocumentKind, state: DocumentState, size: int) -> None:
        if size > MAX_STATE_BYTES:
            self._say("limits", f"its state is {size} bytes; {MAX_STATE_BYTES} are allowed")
        for name, text in state.texts.items():
            if len(text) > MAX_TEXT:
                self._say("limits", f"the text {name} has {len(text)} characters; {MAX_TEXT} are allowed")
            if forbidden_in_texts(text):
                self._say("content", f"the text {name} holds a control character")
        for name, value in state.fields.items():
            self._value(f"the field {name}", value, kind.fields[name])
        for section, items in state.sections.items():
            if len(items) > MAX_ITEMS:
                self._say("limits", f"the section {section} has {len(items)} items; {MAX_ITEMS} are allowed")
            types = kind.sections[section]
            for values in items.values():
                for name, value in values.items():
                    if name in types:
                        self._value(f"{name} in {section}", value, types[name])
                    elif name != "rank":
                        self._say("content", f"an item in {section} has a field that no item has")

    def _value(self, where: str, value: Any, kind: Any) -> None:
        try:
            if check_value(value, kind) != value:
                self._say("content", f"{where} is not in its one spelling")
        except ValueFlaw as flaw:
            self._say("content", f"{where} is not of its type: {flaw.code}")

    def _columns(self, state: DocumentState) -> None:
        row = self.row
        found = (state.state, state.fields.get("stage", ""), state.fields.get("rank", ""))
        names = ("state", "stage", "rank")
        for name, content, column in zip(names, found, (row.state, row.stage, row.rank), strict=True):
            if content != column:
                self._say("columns", f"its {name} is another one than the row's")
        if (row.trashed_at is not None) != (row.state == "trashed"):
            self._say("columns", "the time at which it was put in the trash does not fit its state")

    def _served(self, state: DocumentState) -> None:
        """What this process would serve from memory, at the same clock."""
        row = self.row
        with workspace_lock(row.workspace_id):
            warm = documents.get(row.workspace_id, row.doc_id)
            if warm is None or (warm.clock, warm.epoch) != (row.clock, row.epoch):
                return
            if warm.state != state:
                self._say("served", "what is kept in memory is not what its log says")
            elif yjs.project(warm.ydoc) != state:
                self._say("served", "the live document in memory is not what its log says")
