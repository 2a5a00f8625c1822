"""What a planned batch answers, affects and leaves behind for an undo: put together from its drafts and effects.

Writes nothing. Stands on the planner's plan; the commit service stands on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspaces.documents.draft import Draft
from workspaces.documents.edits import Splice
from workspaces.ids import derived_id

from .batch import Step
from .lookups import DocumentRow
from .persist import Written
from .planner import Plan

MAX_INVERSE_BYTES = 1024 * 1024


def reversibility(plan: Plan) -> tuple[bool, str | None]:
    """Whether a plan can be taken back as a whole, and if not, why."""
    for effect in plan.effects:
        if effect.changed and effect.not_reversible_because is not None:
            return False, effect.not_reversible_because
    inverses = [operation for effect in plan.effects for operation in effect.inverse]
    size = sum(len(str(part)) for operation in inverses for name, part in operation.items() if name != "anchor")
    if size > MAX_INVERSE_BYTES:
        return False, "What would be needed to take it back is too large to keep."
    return True, None


def _text_inverses(operation: Mapping[str, Any], written: Written) -> list[dict[str, Any]]:
    # Those that shorten the text first: it never outgrows its limit on the way to what it was.
    hunks = sorted(written.hunks[operation["text"]], key=lambda hunk: len(hunk.content) - len(hunk.expect))
    return [
        {
            **operation,
            "expect": hunk.expect,
            "content": hunk.content,
            "anchor": {**(hunk.anchor or {}), "epoch": written.warm.epoch},
        }
        for hunk in hunks
    ]


class Answer:
    """Paths, clocks, the inverse and the response of one plan. `request_id` is what operation ids derive from."""

    def __init__(
        self,
        *,
        request_id: str,
        provenance: Mapping[str, Any],
        steps: Sequence[Step],
        plan: Plan,
        rows: Mapping[str, DocumentRow],
        changed: Mapping[str, Draft],
    ) -> None:
        self.request_id = request_id
        self.provenance = provenance
        self.steps = steps
        self.plan = plan
        self.rows = rows
        self.changed = changed
        self.paths = list(dict.fromkeys(path for draft in changed.values() for path in draft.touched))

    def changed_clocks(self) -> dict[str, dict[str, int]]:
        return {
            "before": {d: self.rows[d].clock for d in self.changed if d in self.rows},
            "after": {d: self.rows[d].clock + 1 if d in self.rows else 1 for d in self.changed},
        }

    def _clocks(self) -> dict[str, dict[str, int]]:
        clocks = self.changed_clocks()
        for doc_id in self.plan.drafts:
            if doc_id not in self.changed:
                clocks["before"][doc_id] = clocks["after"][doc_id] = self.rows[doc_id].clock
        return clocks

    def inverse(self, written: Mapping[str, Written]) -> list[dict[str, Any]]:
        """The compensating operations, newest first, with anchors and their epoch filled in."""
        operations: list[dict[str, Any]] = []
        told = set()
        for effect in reversed(self.plan.effects):
            for operation in effect.inverse:
                if not isinstance(operation.get("anchor"), Splice):
                    operations.append(operation)
                    continue
                place = (operation["document"], operation["text"])
                if place not in told:
                    told.add(place)
                    operations += _text_inverses(operation, written[operation["document"]])
        return operations

    def _response(self) -> dict[str, Any]:
        return {
            "event": None,
            "operations": [
                {"id": derived_id("op", self.request_id, str(index)), "kind": step.operation.kind}
                for index, step in enumerate(self.steps)
            ],
            "provenance": dict(self.provenance),
            "clocks": self._clocks(),
            "documents": dict(self.plan.minted),
            "affected_paths": self.paths,
            "unchanged": [index for index, effect in enumerate(self.plan.effects) if not effect.changed],
            "receipt": None,
            "reversible": True,
        }

    def unchanged(self) -> dict[str, Any]:
        return self._response()

    def changed_response(
        self, event: Mapping[str, Any], receipt: Mapping[str, Any] | None, reason: str | None
    ) -> dict[str, Any]:
        response = {**self._response(), "event": event["id"]}
        if receipt is None:
            return {**response, "reversible": False, "not_reversible_because": reason}
        return {**response, "receipt": {"id": receipt["id"], "expires_at": receipt["expires_at"]}}
