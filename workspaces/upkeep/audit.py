"""Walks the audit chain of a workspace and names its first broken link.

Above: the facade (`manage.py verify_audit`, the admin). Below: `commits.chain`, which makes the links. Events are read
in batches of one moment each, so memory stays flat and no writer waits. What the chain cannot tell alone, a head taken
earlier does: a tail that was cut together with the workspace's row, or a history that was written anew under the key.
Source: contract section 7.
"""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from workspaces import sql
from workspaces.clock import rfc3339
from workspaces.commits import chain, json_text
from workspaces.commits.lookups import documents_of
from workspaces.errors import NotFound

BATCH = 500

What = Literal[
    "event_missing", "event_changed", "rest_changed", "undo_changed", "documents_changed", "tail_cut", "tail_added",
    "head_changed", "head_file_mismatch", "workspace_missing",
]  # fmt: skip
SAYS: Mapping[What, str] = {
    "event_missing": "an event is missing here",
    "event_changed": "this event is not the one that was written, or was written under another key",
    "rest_changed": "its time, actor, reason, origin, receipt or what it undid was changed",
    "undo_changed": "which event undid it was changed",
    "documents_changed": "the index of documents does not name the events that touched one",
    "tail_cut": "the events after this one were removed",
    "tail_added": "there are events after the last one that the workspace counts",
    "head_changed": "the workspace's own note of its last event is another one",
    "head_file_mismatch": "the event here is not the one of the exported head",
    "workspace_missing": "the exported head names a workspace that is not here",
}


@dataclass(frozen=True, slots=True)
class Break:
    """The first broken link: at which `seq`, which event stands there (None: none), and what is wrong."""

    workspace: str
    seq: int
    event: str | None
    what: What

    @property
    def says(self) -> str:
        return SAYS[self.what]


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain ended at some time: the number of its last event and that event's MAC (0 and "" without one)."""

    workspace: str
    seq: int
    mac: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """`seq` and `mac`: the last link found whole. `of`: the number of events there are; `complete` when all were
    looked at. `unsealed`: live-typing sessions, which enter the chain only when they are sealed. `older_keys`: links
    made under a fallback key."""

    workspace: str
    seq: int
    mac: str
    of: int
    erased: bool
    unsealed: int
    older_keys: int
    broken: Break | None

    @property
    def complete(self) -> bool:
        return self.broken is None and self.seq == self.of

    @property
    def head(self) -> Head:
        return Head(self.workspace, self.seq, self.mac)


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    seq: int
    at: Any
    actor_class: str
    actor: str
    reason: str
    origin_event: str | None
    operation_kinds: str
    affected_paths: str
    clocks: str
    receipt: str | None
    undoes: str
    undone_by: str | None
    digest: str
    chain_mac: str


_COLUMNS = ", ".join(_Row.__slots__)


@dataclass(frozen=True, slots=True)
class _Start:
    seq: int
    chain_head: str
    digest_key: str
    erased_at: datetime | None
    newest: int
    unsealed: int


def verify_chain(*, workspace: str, head: Head | None = None, limit: int | None = None) -> Verdict:
    """Walks the chain from its beginning, `limit` events at most. Raises NotFound for an unknown workspace."""
    for _ in range(3):
        start = _start(workspace)
        if start is None:
            raise NotFound("There is no such workspace here.")
        verdict = _Walk(workspace, start, head, limit).run()
        # An erasure in the middle takes the key and the reasons away: then the whole is looked at again, as erased.
        again = None if verdict.broken is None else _start(workspace)
        if again is None or again.erased_at == start.erased_at:
            break
    return verdict


def verify_chains(*, heads: Mapping[str, Head] | None = None) -> Iterator[Verdict]:
    """One verdict after the other, of every workspace that there is or that the heads name."""
    named = dict(heads or {})
    last = ""
    while rows := sql.fetch_all("SELECT id FROM workspaces_workspace WHERE id > %s ORDER BY id LIMIT 500", [last]):
        for (workspace,) in rows:
            yield verify_chain(workspace=workspace, head=named.pop(workspace, None))
        last = rows[-1][0]
    for head in named.values():
        missing = Break(head.workspace, head.seq, None, "workspace_missing")
        yield Verdict(head.workspace, 0, "", head.seq, False, 0, 0, missing)


def _start(workspace: str) -> _Start | None:
    # One statement, hence one moment: a commit between two would look like a tail that somebody added.
    row = sql.fetch_one(
        "SELECT w.seq, w.chain_head, w.digest_key, w.erased_at,"
        " COALESCE((SELECT MAX(e.seq) FROM workspaces_event e WHERE e.workspace_id = w.id), 0),"
        " (SELECT COUNT(*) FROM workspaces_typingsession t WHERE t.workspace_id = w.id)"
        " FROM workspaces_workspace w WHERE w.id = %s",
        [workspace],
    )
    return None if row is None else _Start(*row)


@dataclass(slots=True)
class _Walk:
    workspace: str
    start: _Start
    head: Head | None
    limit: int | None
    seq: int = 0
    mac: str = ""
    older_keys: int = 0
    keys: list[bytes] = field(default_factory=chain.keys)
    # Per document: how many events, and the sum of their numbers. Bounded by the documents, not by the events.
    touched: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def run(self) -> Verdict:
        broken = self._walk()
        start = self.start
        return Verdict(
            workspace=self.workspace,
            seq=self.seq,
            mac=self.mac,
            of=start.seq,
            erased=start.erased_at is not None,
            unsealed=start.unsealed,
            older_keys=self.older_keys,
            broken=broken,
        )

    def _walk(self) -> Break | None:
        end = self.start.seq if self.limit is None else min(self.start.seq, self.limit)
        while self.seq < end:
            wanted = min(BATCH, end - self.seq)
            rows = self._batch(end)
            if broken := self._check(rows):
                return broken
            if len(rows) < wanted:
                return self._gap()
        return self._ending() if end == self.start.seq else None

    def _batch(self, end: int) -> list[_Row]:
        rows = sql.fetch_all(
            f"SELECT {_COLUMNS} FROM workspaces_event WHERE workspace_id = %s AND seq > %s AND seq <= %s"  # noqa: S608
            " ORDER BY seq LIMIT %s",
            [self.workspace, self.seq, end, BATCH],
        )
        return [_Row(*row) for row in rows]

    def _gap(self) -> Break:
        """Nothing more comes, though the workspace counts more events."""
        at = self.seq + 1
        return Break(self.workspace, at, None, "tail_cut" if self.start.newest < at else "event_missing")

    def _ending(self) -> Break | None:
        start, here = self.start, self.workspace
        if self.mac != start.chain_head:
            return Break(here, self.seq, None, "head_changed")
        if start.newest > start.seq:
            return Break(here, start.seq + 1, None, "tail_added")
        if self.head is not None and self.head.seq > start.seq:
            return Break(here, start.seq + 1, None, "tail_cut")
        if start.erased_at is None and self._is_misindexed():
            return Break(here, start.seq, None, "documents_changed")
        return None

    def _is_misindexed(self) -> bool:
        """Whether some document's history is not indexed as the events say."""
        rows = sql.fetch_all(
            "SELECT doc_id, COUNT(*), SUM(seq) FROM workspaces_eventdocument WHERE workspace_id = %s AND seq <= %s"
            " GROUP BY doc_id",
            [self.workspace, self.seq],
        )
        indexed = {row[0]: [int(row[1]), int(row[2])] for row in rows}
        return indexed != self.touched

    def _check(self, rows: Sequence[_Row]) -> Break | None:
        compensations = _compensations(self.workspace, rows)
        for row in rows:
            if row.seq != self.seq + 1:
                return Break(self.workspace, self.seq + 1, None, "event_missing")
            what = self._link(row)
            if what is None and self.head is not None and self.head.seq == row.seq and self.head.mac != row.chain_mac:
                what = "head_file_mismatch"
            if what is not None:
                return Break(self.workspace, row.seq, row.id, what)
            if (undone := _undo_flaw(row, compensations)) is not None:
                return Break(self.workspace, *undone, "undo_changed")
            self.seq, self.mac = row.seq, row.chain_mac
        return None

    def _link(self, row: _Row) -> What | None:
        try:
            kinds, paths, clocks, undoes = map(
                _decode, (row.operation_kinds, row.affected_paths, row.clocks, row.undoes)
            )
            rests = _rests(row, undoes)
            documents = documents_of(clocks)
        except (ValueError, TypeError):
            return "event_changed"
        digest = row.digest or chain.digest_of(self.start.digest_key, rests[-1])
        for previous in [self.mac] if self.mac else [self.workspace, ""]:
            for place, key in enumerate(self.keys):
                mac = chain.link_mac(
                    previous=previous, event=row.id, seq=row.seq, kinds=kinds, paths=paths, clocks=clocks,
                    digest=digest, key=key,
                )  # fmt: skip
                if hmac.compare_digest(mac, row.chain_mac):
                    self.older_keys += place > 0
                    return self._rest(row, rests, documents)
        return "event_changed"

    def _rest(self, row: _Row, rests: Sequence[Sequence[Any]], documents: Iterable[str]) -> What | None:
        for document in documents:
            entry = self.touched[document]
            entry[0] += 1
            entry[1] += row.seq
        # An erasure destroyed the key and with it every statement about the rest.
        if self.start.erased_at is not None or not row.digest:
            return None
        made = (chain.digest_of(self.start.digest_key, rest) for rest in rests)
        return None if any(hmac.compare_digest(digest, row.digest) for digest in made) else "rest_changed"


def _decode(text: str) -> Any:
    value = json_text.decode(text)
    if json_text.encode(value) != text:
        raise ValueError("not as it was written")
    return value


def _rests(row: _Row, undoes: list[str]) -> tuple[list[Any], list[Any]]:
    """What the digest stands for, and what it stood for in events from before receipts were chained."""
    older = [rfc3339(sql.as_time(row.at)), row.actor_class, row.actor, row.reason, row.origin_event]
    return [*older, row.receipt, undoes], older


@dataclass(frozen=True, slots=True)
class _Undo:
    seq: int
    undoes: frozenset[str]
    undone_by: str | None


def _compensations(workspace: str, rows: Sequence[_Row]) -> dict[str, _Undo]:
    """What stands in the events that these say to undo, or to be undone by."""
    wanted = {row.undone_by for row in rows if row.undone_by}
    for row in rows:
        if row.undoes != "[]":
            try:
                wanted |= {str(event) for event in json_text.decode(row.undoes)}
            except (ValueError, TypeError):
                continue
    found = {}
    ids = sorted(wanted)
    for first in range(0, len(ids), BATCH):
        some = ids[first : first + BATCH]
        marks = ", ".join(["%s"] * len(some))
        for event, seq, undoes, undone_by in sql.fetch_all(
            f"SELECT id, seq, undoes, undone_by FROM workspaces_event WHERE workspace_id = %s AND id IN ({marks})",  # noqa: S608
            [workspace, *some],
        ):
            try:
                found[event] = _Undo(seq, frozenset(json_text.decode(undoes)), undone_by)
            except (ValueError, TypeError):
                continue
    return found


def _undo_flaw(row: _Row, others: Mapping[str, _Undo]) -> tuple[int, str] | None:
    """(seq, id) of the event whose `undone_by` does not fit. It is written later than its event, so no link holds it;
    the link of the event that undid it does."""
    if row.undone_by is not None:
        by = others.get(row.undone_by)
        if by is None or by.seq <= row.seq or row.id not in by.undoes:
            return row.seq, row.id
    for event in json_text.decode(row.undoes):
        undone = others.get(event)
        if undone is None or undone.undone_by != row.id:
            return (row.seq, row.id) if undone is None else (undone.seq, event)
    return None
