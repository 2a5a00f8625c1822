"""document.create: a new application, note or letter. Taken back by archiving it."""

from __future__ import annotations

from workspaces.documents.schema import KINDS, STAGES, DocumentKind
from workspaces.documents.values import MAX_TEXT

from .base import Checks, Data, Effect, Operation, OperationSerializer, Planned
from .fields import KindField, PairsField, TextsField
from .positions import rank_at, ranked
from .references import resolved


class Serializer(OperationSerializer):
    document_kind = KindField()
    fields = PairsField(required=False, allow_null=True, default=list)  # type: ignore[assignment]
    texts = TextsField(required=False, allow_null=True, default=list)


class DocumentCreate(Operation):
    kind = "document.create"
    Serializer = Serializer
    example = {
        "kind": "document.create",
        "document": "new:acme",
        "document_kind": "application",
        "fields": [{"field": "title", "value": "Data Engineer"}, {"field": "company", "value": "Acme"}],
        "texts": [{"text": "notes", "content": "Met them at a meetup."}],
    }

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        if not data["document"].startswith("new:"):
            checks.add("document", "not_new", "A new document is named new:NAME; the server gives it its id.")
        data["values"] = checks.pairs("fields", kind.fields, data.pop("fields") or [])
        contents: dict[str, str] = {}
        for index, entry in enumerate(data.pop("texts") or []):
            if entry["text"] not in kind.texts:
                checks.add(f"texts/{index}/text", "unknown_text", "This document has no such text.")
            elif entry["text"] in contents:
                checks.add(f"texts/{index}/text", "duplicate", "This text is named twice.")
            elif len(entry["content"]) > MAX_TEXT:
                checks.add(f"texts/{index}/content", "too_long", f"At most {MAX_TEXT:,} characters.")
            contents[entry["text"]] = entry["content"]
        data["contents"] = contents

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (doc_id,)

    def apply(self, data: Data, planned: Planned) -> Effect:
        kind = KINDS[data["document_kind"]]
        planned.require_room(kind)
        draft = planned.create(data["document"], kind)
        for index, (name, value) in enumerate(data["values"].items()):
            value = resolved(kind.fields, name, value, planned, path=f"fields/{index}/value")
            if name != "stage":
                draft.set_field(name, value)
        if "stage" in kind.fields:
            stage = data["values"].get("stage") or STAGES[0]
            draft.set_field("stage", stage)
            draft.set_field("rank", rank_at(ranked(planned.places(stage)), "end"))
        for name, content in data["contents"].items():
            if content:
                draft.insert_text(name, 0, content, original=True)
        draft.touch_whole()
        return Effect(changed=True, inverse=({"kind": "document.archive", "document": draft.doc_id},))
