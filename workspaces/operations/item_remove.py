"""item.remove, and the two internal kinds that inverses use: item.withdraw (of an addition) and item.restore.

Removing and withdrawing do the same; they differ in who may ask. Both are taken back by restoring the item under its
id, with its values, between its old neighbours.
"""

from __future__ import annotations

from typing import ClassVar

from workspaces.documents.paths import item_path
from workspaces.documents.schema import DocumentKind

from .base import Checks, Data, Effect, Operation, OperationFlaw, OperationSerializer, Planned
from .fields import ItemField, NameField
from .positions import between_neighbours, rank_at
from .sections import require_item, require_item_room, siblings


class Serializer(OperationSerializer):
    section = NameField()
    item = ItemField()


class ItemRemove(Operation):
    kind = "item.remove"
    Serializer = Serializer
    assistant = False
    back: ClassVar[str] = "item.restore"
    example = {
        "kind": "item.remove",
        "document": "plan",
        "section": "tasks",
        "item": "itm_00000000000000000000000000",
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        checks.section(kind, data)

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (item_path(doc_id, data["section"], data["item"]),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        section, item = data["section"], data["item"]
        values = {name: value for name, value in require_item(draft, section, item).items() if name != "rank"}
        inverse = {
            "kind": self.back,
            "document": draft.doc_id,
            "section": section,
            "item": item,
            "values": values,
            "position": between_neighbours(siblings(draft, section), item),
        }
        draft.drop_item(section, item)
        return Effect(changed=True, inverse=(inverse,))


class ItemWithdraw(ItemRemove):
    kind = "item.withdraw"
    internal = True


class ItemRestore(Operation):
    kind = "item.restore"
    Serializer = Serializer
    assistant = False
    internal = True
    example = ItemRemove.example

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (item_path(doc_id, data["section"], data["item"]),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        section, item = data["section"], data["item"]
        if item in draft.items(section):
            raise OperationFlaw("item", "exists", "The item is there already.")
        require_item_room(draft, section)
        rank = rank_at(siblings(draft, section), data["position"])
        draft.put_item(section, item, {"rank": rank, **data["values"]})
        inverse = {"kind": "item.withdraw", "document": draft.doc_id, "section": section, "item": item}
        return Effect(changed=True, inverse=(inverse,))
