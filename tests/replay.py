"""What the database holds, read without the product's own code: update logs into fresh Yjs documents, rows, the chain.

Tests compare it with what readers get. It knows the layout of contract section 3 and nothing of `workspaces.documents`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from pycrdt import Doc, Map

from workspaces import facade
from workspaces.models import (
    Document,
    DocumentSnapshot,
    DocumentUpdate,
    Event,
    EventDocument,
    IdempotencyRecord,
    Receipt,
    TypingSession,
    Workspace,
)

ROOTS = ("fields", "sections", "texts", "meta")


def plain(value: Any) -> Any:
    """Yjs knows one number type: whole ones are integers here."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value


def content_of(doc: Doc[Any]) -> dict[str, Any]:
    """A Yjs document in the shape that readers get: what is empty is absent, items are in order and without rank."""
    roots = {name: plain(doc.get(name, type=Map).to_py() or {}) for name in ROOTS}
    sections = {}
    for name, items in roots["sections"].items():
        order = sorted(items.items(), key=lambda entry: (entry[1]["rank"], entry[0]))
        if order:
            sections[name] = [{"id": i, **{k: v for k, v in item.items() if k != "rank"}} for i, item in order]
    return {
        "state": roots["meta"]["state"],
        "fields": roots["fields"],
        "sections": sections,
        "texts": {name: text for name, text in roots["texts"].items() if text},
    }


def load(updates: Iterable[bytes]) -> Doc[Any]:
    doc: Doc[Any] = Doc()
    for update in updates:
        if update:
            doc.apply_update(update)
    return doc


def stored_updates(row: Document) -> list[bytes]:
    """The snapshot and the updates after it. Fails when the log has a gap."""
    tail = DocumentUpdate.objects.filter(document=row, clock__gt=row.snapshot_clock).order_by("clock")
    assert [u.clock for u in tail] == list(range(row.snapshot_clock + 1, row.clock + 1))
    assert row.tail_updates == len(tail)
    assert row.tail_bytes == sum(len(u.update) for u in tail)
    taken = [bytes(s.state) for s in DocumentSnapshot.objects.filter(document=row)]
    assert row.snapshot_bytes == sum(map(len, taken))
    return [*taken, *(bytes(u.update) for u in tail)]


def replayed(workspace: str) -> dict[str, dict[str, Any]]:
    """Each document of a workspace from its log alone, by id, checked against the columns that repeat parts of it."""
    found = {}
    for row in Document.objects.filter(workspace_id=workspace).order_by("pk"):
        content = content_of(load(stored_updates(row)))
        fields = content["fields"]
        assert (row.state, row.stage, row.rank) == (content["state"], fields.get("stage", ""), fields.get("rank", ""))
        assert (row.trashed_at is not None) == (row.state == "trashed")
        assert row.firm_clock <= row.clock
        assert_typing(row)
        found[row.doc_id] = content
    return found


def assert_typing(row: Document) -> None:
    """Unsealed typing stands in the log by clocks that its sessions cover; the document's row says so."""
    sessions = list(TypingSession.objects.filter(document=row))
    assert row.typing == len(sessions)
    spans = [(s.clock_from, s.clock_to) for s in sessions]
    unsealed = DocumentUpdate.objects.filter(document=row, seq=0).values_list("clock", flat=True)
    assert all(any(first <= clock <= last for first, last in spans) for clock in unsealed)
    typed = json.loads(row.typed_clocks)
    assert all(row.firm_clock < clock <= row.clock for clock in typed.values())
    for session in sessions:
        assert 1 < session.clock_from <= session.clock_to <= row.clock
        assert session.started_at <= session.last_at
        # Nothing else has come between: that would have sealed it.
        assert row.firm_clock < session.clock_from
        assert all(session.clock_from <= typed[text] for text in json.loads(session.texts))


def read_by(reader: Any, documents: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The same, as readers get it through the facade."""
    listed: dict[str, Any] = {}
    cursor = None
    while True:
        page = facade.list_documents(access=reader.access, archived=True, cursor=cursor, limit=100)
        listed |= {document["id"]: document for document in page["items"]}
        cursor = page["next_cursor"]
        if cursor is None:
            break
    parts = ("state", "fields", "sections", "texts")
    return {doc: {part: (listed.get(doc) or reader.read(doc))[part] for part in parts} for doc in documents}


def assert_sound(writer: Any) -> None:
    """Logs replay to what readers get, events count up without a gap, and the audit chain holds."""
    logged = replayed(writer.workspace)
    assert read_by(writer, logged) == logged
    assert_chain(writer.workspace)


def apply_messages(docs: dict[str, Doc[Any]], messages: Iterable[Mapping[str, Any]]) -> None:
    """What a client does with `commit` messages."""
    for message in messages:
        assert message["type"] == "commit"
        for document, update in message["updates"].items():
            docs.setdefault(document, Doc()).apply_update(base64.b64decode(update))


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def assert_chain(workspace: str) -> None:
    """Computes the whole chain anew from the events' rows and compares each link and the head."""
    row = Workspace.objects.get(id=workspace)
    key = settings.CAREERVECTOR_AUDIT_KEY
    previous = workspace
    events = list(Event.objects.filter(workspace_id=workspace).order_by("seq"))
    assert [event.seq for event in events] == list(range(1, row.seq + 1))
    for event in events:
        at = event.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        undoes = json.loads(event.undoes)
        rest = _canonical([at, event.actor_class, event.actor, event.reason, event.origin_event, event.receipt, undoes])
        digest = hmac.new(row.digest_key.encode(), rest, hashlib.sha256).hexdigest()
        kinds, paths, clocks = (
            json.loads(text) for text in (event.operation_kinds, event.affected_paths, event.clocks)
        )
        assert event.digest == digest
        link = _canonical([previous, event.id, event.seq, kinds, paths, clocks, digest])
        previous = hmac.new(key, link, hashlib.sha256).hexdigest()
        assert event.chain_mac == previous
    assert row.chain_head == (previous if events else "")


def snapshot(workspace: str) -> dict[str, Any]:
    """Every row that a commit may write, to show that a refusal changed nothing."""

    def rows(model: Any, **by: Any) -> list[Any]:
        return sorted((tuple(sorted(r.items())) for r in model.objects.filter(**by).values()), key=repr)

    return {
        "workspace": rows(Workspace, id=workspace),
        "documents": rows(Document, workspace_id=workspace),
        "snapshots": rows(DocumentSnapshot, document__workspace_id=workspace),
        "updates": rows(DocumentUpdate, document__workspace_id=workspace),
        "typing": rows(TypingSession, workspace_id=workspace),
        "events": rows(Event, workspace_id=workspace),
        "touched": rows(EventDocument, workspace_id=workspace),
        "receipts": rows(Receipt, workspace_id=workspace),
        "records": rows(IdempotencyRecord, workspace_id=workspace),
    }
