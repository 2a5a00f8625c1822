"""document.renew: the same content under a new Yjs epoch. The system's alone: no person's work, without an inverse."""

from __future__ import annotations

from .base import Data, Effect, Operation, OperationSerializer, Planned

WHY = "A new epoch changes nothing that people see."


class DocumentRenew(Operation):
    """Also of a document in the trash: what is restored must not build on a history that others have lost.

    `apart`: the epoch is one that no history has used which a restored database does not know of.
    """

    kind = "document.renew"
    Serializer = OperationSerializer
    assistant = False
    internal = True
    example = {"kind": "document.renew", "document": "plan"}

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return ()

    def apply(self, data: Data, planned: Planned) -> Effect:
        planned.draft(data["document"]).renew(apart=data.get("apart", False))
        return Effect(changed=True, not_reversible_because=WHY)
