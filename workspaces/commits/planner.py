"""Plans a batch: opens its documents, applies its operations to drafts and collects effects. Writes nothing.

Runs under the workspace's lock, inside the commit's transaction. Implements what operations see (`Planned`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspaces.documents import ydoc as yjs
from workspaces.documents.draft import Draft
from workspaces.documents.edits import MergeText
from workspaces.documents.following import follow
from workspaces.documents.live_update import LiveMismatch, apply_live, identity_of, read_live_update
from workspaces.documents.schema import KINDS, DocumentKind
from workspaces.documents.state import DocumentState
from workspaces.errors import (
    CardinalityExceeded,
    DocumentTrashed,
    Flaw,
    InvalidOperation,
    LiveUpdateRefused,
    NotFound,
)
from workspaces.ids import ulid
from workspaces.operations.base import Data, Effect, OperationFlaw, Place
from workspaces.operations.catalogue import BY_KIND

from . import lookups
from .batch import Step
from .cache import Warm, documents

# What may be done to a document in the trash.
RESTORES = frozenset({"document.restore", "document.renew"})


def open_warm(workspace: str, row: lookups.DocumentRow) -> Warm:
    """The document at its row's clock or later, from the cache or from its log. Call under the workspace's lock.

    Inside a commit's transaction "later" cannot be; a reader may be overtaken between two statements.
    """
    assert row.pk is not None
    warm = documents.get(workspace, row.doc_id)
    if warm is not None and warm.epoch == row.epoch:
        if warm.clock >= row.clock:
            return warm
        # Another process wrote: its updates, if they are all still there, bring this copy forward.
        updates = lookups.updates_between(row.pk, warm.clock, row.clock)
        if len(updates) == row.clock - warm.clock:
            state = follow(warm.ydoc, warm.state, updates)
            warm = Warm(warm.ydoc, state, row.clock, row.epoch, row.snapshot_bytes + row.tail_bytes)
            documents.put(workspace, row.doc_id, warm)
            return warm
    warm = load_document(workspace, row)
    documents.put(workspace, row.doc_id, warm)
    return warm


def load_document(workspace: str, row: lookups.DocumentRow) -> Warm:
    """The document from its log, past the cache. Raises NotFound when it is gone."""
    assert row.pk is not None
    for _ in range(5):
        log = lookups.read_log(row.pk)
        if log is None:
            raise NotFound("There is no such document here.", details={"document": row.doc_id})
        if len(log.updates) == log.clock - log.snapshot_clock:
            updates = [log.snapshot, *log.updates]
            ydoc = yjs.load(KINDS[row.kind], yjs.client_id_of(workspace, row.doc_id, log.epoch), updates)
            return Warm(ydoc, yjs.project(ydoc), log.clock, log.epoch, len(ydoc.encode()))
        # A compaction ran between the two statements of a reader: read again.
    raise RuntimeError(f"the update log of {row.doc_id} has a gap")


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned batch: drafts by real id in the order of touching, each operation's effect, minted ids."""

    drafts: Mapping[str, Draft]
    effects: Sequence[Effect]
    minted: Mapping[str, str]


class Planner:
    """One batch's view of the workspace."""

    def __init__(self, *, workspace: str, rows: Mapping[str, lookups.DocumentRow]) -> None:
        self.workspace = workspace
        self.rows = dict(rows)
        self.drafts: dict[str, Draft] = {}
        self.minted: dict[str, str] = {}
        self._restoring = False
        self._scratch: dict[str, tuple[yjs.YDocument, int]] = {}

    def run(self, steps: Sequence[Step], *, path: Callable[[int], str] = lambda index: f"operations/{index}") -> Plan:
        """Applies the steps in order. Raises the refusal of the first that cannot be done, and AnchorLost."""
        effects = []
        for index, step in enumerate(steps):
            self._restoring = step.operation.kind in RESTORES
            try:
                effects.append(step.operation.apply(step.data, self))
            except OperationFlaw as error:
                flaw = error.flaw
                raise InvalidOperation(
                    flaw.message, flaws=[Flaw(f"{path(index)}/{flaw.path}".rstrip("/"), flaw.code, flaw.message)]
                ) from None
        return Plan(drafts=self.drafts, effects=effects, minted=self.minted)

    # --- what operations see ----------------------------------------------------------------------------------

    def draft(self, document: str) -> Draft:
        doc_id = self.minted.get(document, document)
        draft = self.drafts.get(doc_id)
        if draft is None:
            row = self.rows.get(doc_id)
            if row is None:
                raise NotFound("There is no such document here.", details={"document": doc_id})
            warm = open_warm(self.workspace, row)
            draft = Draft(doc_id=doc_id, kind=KINDS[row.kind], base=warm.state, resolver=self._find_anchored)
            self.drafts[doc_id] = draft
        if draft.state.state == "trashed" and not self._restoring:
            raise DocumentTrashed(details={"document": doc_id})
        return draft

    def create(self, document: str, kind: DocumentKind) -> Draft:
        doc_id = f"{kind.name}:{ulid()}"
        self.minted[document] = doc_id
        empty = DocumentState(
            state="active",
            fields={},
            sections={section: {} for section in kind.sections},
            texts=dict.fromkeys(kind.texts, ""),
        )
        draft = Draft(doc_id=doc_id, kind=kind, base=empty, resolver=self._find_anchored, created=True)
        self.drafts[doc_id] = draft
        return draft

    def resolve(self, reference: str) -> str:
        doc_id = self.minted.get(reference, reference)
        if doc_id in self.drafts:
            state: str | None = self.drafts[doc_id].state.state
        else:
            row = lookups.document_rows(self.workspace, [doc_id]).get(doc_id)
            state = None if row is None else row.state
        if state is None or state == "trashed":
            raise OperationFlaw("", "reference", "There is no such document here.")
        return doc_id

    def places(self, stage: str) -> Sequence[Place]:
        rows = lookups.stage_members(self.workspace, stage)
        members = [Place(*row) for row in rows if row[0] not in self.drafts]
        for doc_id, draft in self.drafts.items():
            fields = draft.state.fields
            if fields.get("stage") == stage and "rank" in fields:
                members.append(Place(doc_id, fields["rank"], draft.state.state))
        return sorted(members, key=lambda place: (place.rank, place.document))

    def require_room(self, kind: DocumentKind) -> None:
        count = lookups.count_documents(self.workspace, kind.name)
        for draft in self.drafts.values():
            # What this batch has created, restored or trashed so far.
            if draft.kind is kind:
                counted = not draft.created and draft.base.state != "trashed"
                count += (draft.state.state != "trashed") - counted
        if count >= kind.maximum:
            raise CardinalityExceeded(
                f"A workspace holds at most {kind.maximum} documents of the kind {kind.name}.",
                details={"kind": kind.name, "maximum": kind.maximum},
            )

    def new_item_id(self) -> str:
        return f"itm_{ulid()}"

    def merge(self, document: str, text: str, update: bytes) -> bool:
        draft = self.draft(document)
        row = self.rows.get(draft.doc_id)
        if row is None:
            # Nobody has read a document of this very batch, so nobody can have typed in it.
            raise LiveUpdateRefused("The document is not there yet.")
        scratch = self._scratch_at(draft, row)
        before = draft.state.texts
        change = read_live_update(update, scratch, identity_of(self.workspace, row.doc_id, row.epoch), before)
        if change.text is None:
            return False
        if change.text != text:
            raise LiveUpdateRefused("The update is refused: it changes another text.")
        try:
            after = apply_live(scratch, change, before[text])
        except LiveMismatch:
            raise LiveUpdateRefused("The update is refused: Yjs makes something else of it.") from None
        draft.merge_text(MergeText(text, change.update, after))
        self._scratch[draft.doc_id] = (scratch, len(draft.edits))
        return True

    def _find_anchored(self, draft: Draft, text: str, anchor: Mapping[str, Any], expected: str) -> int | None:
        row = self.rows.get(draft.doc_id)
        if row is None or anchor.get("epoch") != row.epoch:
            return None
        # Anchors live in Yjs.
        return yjs.find_anchored(self._scratch_at(draft, row), text, dict(anchor), expected)

    def _scratch_at(self, draft: Draft, row: lookups.DocumentRow) -> yjs.YDocument:
        """A copy of the document that is brought to where the draft is, so that earlier steps count."""
        scratch, applied = self._scratch.get(draft.doc_id, (None, 0))
        if scratch is None:
            state = open_warm(self.workspace, row).ydoc.encode()
            scratch = yjs.load(draft.kind, yjs.client_id_of(self.workspace, draft.doc_id, row.epoch), [state])
        if applied < len(draft.edits):
            yjs.apply_edits(scratch, draft.edits[applied:])
        self._scratch[draft.doc_id] = (scratch, len(draft.edits))
        return scratch


def internal_step(data: Data) -> Step:
    """A stored inverse as a step; it was checked when it was made."""
    operation = BY_KIND[data["kind"]]
    body = {name: value for name, value in data.items() if name != "kind"}
    if operation.kind == "item.update":
        body["values"] = {pair["field"]: pair["value"] for pair in body.pop("changes")}
    return Step(operation, body)
