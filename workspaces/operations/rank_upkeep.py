"""rank.upkeep: new, short rank keys in the same order. The system's alone: nobody's work, without an inverse."""

from __future__ import annotations

from workspaces.documents.paths import field_path

from .base import NOTHING, Data, Effect, Operation, OperationSerializer, Planned

WHY = "Rank upkeep changes nothing that people see."


class RankUpkeep(Operation):
    """`rank` is the document's own new key, `ranks` maps section → item id → new key."""

    kind = "rank.upkeep"
    Serializer = OperationSerializer
    assistant = False
    internal = True
    example = {"kind": "rank.upkeep", "document": "plan"}

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        sections = [f"{doc_id}/sections/{section}" for section in data.get("ranks", {})]
        return (field_path(doc_id, "rank"), *sections)

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        if data.get("rank") is not None:
            draft.set_field("rank", data["rank"])
        for section, keys in data.get("ranks", {}).items():
            for item, rank in keys.items():
                if item in draft.items(section):
                    draft.set_item_value(section, item, "rank", rank)
        return Effect(changed=True, not_reversible_because=WHY) if draft.edits else NOTHING
