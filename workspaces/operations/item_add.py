"""item.add: a new item of a section. Taken back by item.withdraw, while nobody touched it."""

from __future__ import annotations

from workspaces.documents.schema import DocumentKind

from .base import Checks, Data, Effect, Operation, OperationSerializer, Planned
from .fields import NameField, PairsField, PositionField
from .positions import rank_at
from .references import resolved
from .sections import require_item_room, siblings


class Serializer(OperationSerializer):
    section = NameField()
    item = PairsField()
    position = PositionField()


class ItemAdd(Operation):
    kind = "item.add"
    Serializer = Serializer
    example = {
        "kind": "item.add",
        "document": "plan",
        "section": "tasks",
        "item": [{"field": "title", "value": "Buy a suit"}, {"field": "done", "value": False}],
        "position": "end",
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        fields = checks.section(kind, data)
        if fields:
            data["values"] = checks.pairs("item", fields, data.pop("item"))

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (f"{doc_id}/sections/{data['section']}",)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        section = data["section"]
        require_item_room(draft, section)
        fields = draft.kind.sections[section]
        values = {
            name: resolved(fields, name, value, planned, path=f"item/{index}/value")
            for index, (name, value) in enumerate(data["values"].items())
        }
        item = planned.new_item_id()
        rank = rank_at(siblings(draft, section), data.get("position"))
        draft.put_item(section, item, {"rank": rank, **values})
        inverse = {"kind": "item.withdraw", "document": draft.doc_id, "section": section, "item": item}
        return Effect(changed=True, inverse=(inverse,))
