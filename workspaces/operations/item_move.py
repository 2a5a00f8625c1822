"""item.move: an item changes its place in its section. Taken back by a move to between its old neighbours."""

from __future__ import annotations

from workspaces.documents.paths import item_field_path
from workspaces.documents.schema import DocumentKind

from .base import NOTHING, Checks, Data, Effect, Operation, OperationSerializer, Planned
from .fields import ItemField, NameField, PositionField
from .positions import between_neighbours, is_inverse, rank_at, stays, without
from .sections import require_item, siblings


class Serializer(OperationSerializer):
    section = NameField()
    item = ItemField()
    position = PositionField()


class ItemMove(Operation):
    kind = "item.move"
    Serializer = Serializer
    example = {
        "kind": "item.move",
        "document": "plan",
        "section": "tasks",
        "item": "itm_00000000000000000000000000",
        "position": "start",
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        checks.section(kind, data)

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (item_field_path(doc_id, data["section"], data["item"], "rank"),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        section, item = data["section"], data["item"]
        require_item(draft, section, item)
        order = siblings(draft, section)
        rank = rank_at(without(order, item), data.get("position"))
        back = is_inverse(data.get("position"))
        if stays(order, item, rank) and not back:
            return NOTHING
        inverse = {
            "kind": self.kind,
            "document": draft.doc_id,
            "section": section,
            "item": item,
            "position": between_neighbours(order, item),
        }
        draft.set_item_value(section, item, "rank", rank, always=back)
        return Effect(changed=True, inverse=(inverse,))
