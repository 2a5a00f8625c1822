"""field.set: one field gets a value; null clears it. On an application's stage it is a move to the column's end."""

from __future__ import annotations

from workspaces.documents.paths import field_path
from workspaces.documents.schema import DocumentKind

from .application_move_stage import move, touched_by_move
from .base import NOTHING, Checks, Data, Effect, Operation, OperationSerializer, Planned
from .fields import NameField, ValueField
from .references import resolved


class Serializer(OperationSerializer):
    field = NameField()
    value = ValueField()


class FieldSet(Operation):
    kind = "field.set"
    Serializer = Serializer
    example = {"kind": "field.set", "document": "new:acme", "field": "next_step", "value": "Call back"}

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        data["value"] = checks.value("value", kind.fields, data["field"], data["value"], name_path="field")
        if data["field"] == "stage" and data["value"] is None and not checks.flaws:
            checks.add("value", "required", "An application always has a stage.")

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        if data["field"] == "stage":
            return touched_by_move(doc_id)
        return (field_path(doc_id, data["field"]),)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        name = data["field"]
        if name == "stage":
            return move(draft, data["value"], None, planned)
        value = resolved(draft.kind.fields, name, data["value"], planned, path="value")
        before = draft.state.fields.get(name)
        if before == value:
            return NOTHING
        draft.set_field(name, value)
        inverse = {"kind": self.kind, "document": draft.doc_id, "field": name, "value": before}
        return Effect(changed=True, inverse=(inverse,))
