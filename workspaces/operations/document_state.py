"""The four changes of a document's state: archive and unarchive, trash and restore, each taken back by its opposite.

One file, because they are one table: what each asks for, what it leads to, and its opposite.
"""

from __future__ import annotations

from typing import ClassVar

from workspaces.documents.paths import state_path
from workspaces.documents.schema import DocumentKind

from .base import NOTHING, Checks, Data, Effect, Operation, OperationSerializer, Planned


class StateOperation(Operation):
    """A change of state. `to` is the state afterwards (None: the one before the trash)."""

    Serializer = OperationSerializer
    to: ClassVar[str | None]
    opposite: ClassVar[str]

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        if kind.singleton:
            checks.add("document", "singleton", "The profile and the plan are always there.")

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (state_path(doc_id),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        before = draft.state.state
        target = self.to if self.to is not None else draft.state.trashed_from or "active"
        if before == target or (self.to is None and before != "trashed"):
            return NOTHING
        if self.to is None:
            planned.require_room(draft.kind)
        draft.set_state(target, trashed_from=before if target == "trashed" else None)
        return Effect(changed=True, inverse=({"kind": self.opposite, "document": draft.doc_id},))


class DocumentArchive(StateOperation):
    kind = "document.archive"
    to = "archived"
    opposite = "document.unarchive"
    example = {"kind": "document.archive", "document": "new:acme"}


class DocumentUnarchive(StateOperation):
    kind = "document.unarchive"
    to = "active"
    opposite = "document.archive"
    example = {"kind": "document.unarchive", "document": "new:acme"}


class DocumentTrash(StateOperation):
    kind = "document.trash"
    assistant = False
    to = "trashed"
    opposite = "document.restore"
    example = {"kind": "document.trash", "document": "new:acme"}


class DocumentRestore(StateOperation):
    kind = "document.restore"
    assistant = False
    to = None
    opposite = "document.trash"
    example = {"kind": "document.restore", "document": "new:acme"}
