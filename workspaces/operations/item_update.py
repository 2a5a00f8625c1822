"""item.update: some fields of an item change. Taken back by an update to the old values."""

from __future__ import annotations

from workspaces.documents.paths import item_path
from workspaces.documents.schema import DocumentKind

from .base import NOTHING, Checks, Data, Effect, Operation, OperationSerializer, Planned
from .fields import ItemField, NameField, PairsField
from .references import resolved
from .sections import require_item


class Serializer(OperationSerializer):
    section = NameField()
    item = ItemField()
    changes = PairsField()


class ItemUpdate(Operation):
    kind = "item.update"
    Serializer = Serializer
    example = {
        "kind": "item.update",
        "document": "plan",
        "section": "tasks",
        "item": "itm_00000000000000000000000000",
        "changes": [{"field": "done", "value": True}],
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        fields = checks.section(kind, data)
        if fields:
            data["values"] = checks.pairs("changes", fields, data.pop("changes"))

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (item_path(doc_id, data["section"], data["item"]),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        section, item = data["section"], data["item"]
        before = require_item(draft, section, item)
        fields = draft.kind.sections[section]
        old: list[Data] = []
        for index, (name, value) in enumerate(data["values"].items()):
            value = resolved(fields, name, value, planned, path=f"changes/{index}/value")
            if before.get(name) != value:
                old.append({"field": name, "value": before.get(name)})
                draft.set_item_value(section, item, name, value)
        if not old:
            return NOTHING
        inverse = {"kind": self.kind, "document": draft.doc_id, "section": section, "item": item, "changes": old}
        return Effect(changed=True, inverse=(inverse,))
