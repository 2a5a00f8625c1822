"""application.move_stage: a card goes to a stage, at a position in its column. Taken back by a move to where it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspaces.documents.draft import Draft
from workspaces.documents.paths import field_path
from workspaces.documents.schema import STAGES, DocumentKind

from .base import NOTHING, Checks, Data, Effect, Operation, OperationFlaw, OperationSerializer, Planned
from .fields import EnumField, PositionField
from .positions import between_neighbours, is_inverse, rank_at, ranked, stays, without


class Serializer(OperationSerializer):
    stage = EnumField(STAGES)
    position = PositionField()


def touched_by_move(doc_id: str) -> tuple[str, ...]:
    return (field_path(doc_id, "stage"), field_path(doc_id, "rank"))


def move(draft: Draft, stage: str, position: Any, planned: Planned) -> Effect:
    """Puts the application into a stage; without a position it goes to the end, unless it is in that stage already."""
    before = draft.state.fields.get("stage", STAGES[0])
    if before == stage and position is None:
        return NOTHING
    old_places = planned.places(before)
    places = old_places if before == stage else planned.places(stage)
    rank = rank_at(without(ranked(places), draft.doc_id), _resolved(position, planned))
    # Only what people see counts as staying: archived and trashed neighbours do not.
    seen = ranked([place for place in places if place.state == "active" or place.document == draft.doc_id])
    back = is_inverse(position)
    if before == stage and stays(seen, draft.doc_id, rank) and not back:
        return NOTHING
    inverse = {
        "kind": ApplicationMoveStage.kind,
        "document": draft.doc_id,
        "stage": before,
        "position": between_neighbours(ranked(old_places), draft.doc_id),
    }
    if before != stage:
        # Both, also where the key happens to be the same in the new column: the place is another.
        draft.touch(*touched_by_move(draft.doc_id))
    draft.set_field("stage", stage)
    draft.set_field("rank", rank, always=back)
    return Effect(changed=True, inverse=(inverse,))


def _resolved(position: Any, planned: Planned) -> Any:
    """The position with its neighbour made real (`new:NAME`) and seen to be there."""
    if not isinstance(position, Mapping) or "after" not in position:
        return position
    try:
        return {"after": planned.resolve(position["after"])}
    except OperationFlaw as error:
        raise OperationFlaw("position/after", "neighbour", error.flaw.message) from None


class ApplicationMoveStage(Operation):
    kind = "application.move_stage"
    Serializer = Serializer
    example = {
        "kind": "application.move_stage",
        "document": "new:acme",
        "stage": "interviewing",
        "position": "start",
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        if "stage" not in kind.fields:
            checks.add("document", "wrong_kind", "Only an application has a stage.")

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return touched_by_move(doc_id)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        return move(draft, data["stage"], data.get("position"), planned)
