"""text.append and text.replace, and text.restore, the internal kind that takes either back at the anchored place."""

from __future__ import annotations

from workspaces.documents.draft import Draft
from workspaces.documents.edits import Splice
from workspaces.documents.paths import text_path
from workspaces.documents.schema import DocumentKind
from workspaces.documents.values import MAX_TEXT

from .base import NOTHING, AnchorLost, Checks, Data, Effect, Operation, OperationFlaw, OperationSerializer, Planned
from .fields import NameField, TextField


class AppendSerializer(OperationSerializer):
    text = NameField()
    content = TextField()


class ReplaceSerializer(OperationSerializer):
    text = NameField()
    old = TextField()
    new = TextField()


def _effect(draft: Draft, splice: Splice) -> Effect:
    inverse = {
        "kind": TextRestore.kind,
        "document": draft.doc_id,
        "text": splice.text,
        "anchor": splice,
        "expect": splice.insert,
        "content": splice.delete,
    }
    return Effect(changed=True, inverse=(inverse,))


def _require_text_room(draft: Draft, text: str, growth: int, path: str) -> None:
    length = len(draft.state.texts[text]) + growth
    if growth > 0 and length > MAX_TEXT:
        raise OperationFlaw(path, "too_long", f"The text would have {length:,} characters; at most {MAX_TEXT:,} fit.")


class TextOperation(Operation):
    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        checks.text(kind, data)

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        return (text_path(doc_id, data["text"]),)


class TextAppend(TextOperation):
    kind = "text.append"
    Serializer = AppendSerializer
    example = {"kind": "text.append", "document": "plan", "text": "strategy", "content": "\nNo agencies."}

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        if not data["content"]:
            return NOTHING
        _require_text_room(draft, data["text"], len(data["content"]), "content")
        end = len(draft.state.texts[data["text"]])
        return _effect(draft, draft.insert_text(data["text"], end, data["content"]))


class TextReplace(TextOperation):
    kind = "text.replace"
    Serializer = ReplaceSerializer
    example = {"kind": "text.replace", "document": "plan", "text": "strategy", "old": "", "new": "Fewer, better."}

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        content, old, new = draft.state.texts[data["text"]], data["old"], data["new"]
        if not old and content:
            raise OperationFlaw("old", "not_empty", 'An empty "old" is only for an empty text.')
        if old:
            at = content.find(old)
            if at < 0:
                raise OperationFlaw("old", "not_found", "The text does not hold this passage.")
            # From the next character on: overlapping occurrences are two places as well.
            if content.find(old, at + 1) >= 0:
                raise OperationFlaw("old", "not_unique", "The text holds this passage more than once.")
        else:
            at = 0
        if old == new:
            return NOTHING
        _require_text_room(draft, data["text"], len(new) - len(old), "new")
        return _effect(draft, draft.replace_text(data["text"], at, old, new))


class TextRestore(TextOperation):
    """Puts `content` where `expect` stands at the anchor. Raises AnchorLost when it does not stand there any more."""

    kind = "text.restore"
    Serializer = AppendSerializer
    assistant = False
    internal = True
    example = TextAppend.example

    def apply(self, data: Data, planned: Planned) -> Effect:
        draft = planned.draft(data["document"])
        if not data["expect"] and not data["content"]:
            return NOTHING
        at = draft.find_anchored(data["text"], data["anchor"], data["expect"])
        if at is None:
            raise AnchorLost(text_path(draft.doc_id, data["text"]))
        _require_text_room(draft, data["text"], len(data["content"]) - len(data["expect"]), "content")
        splice = Splice(
            text=data["text"],
            at=at,
            delete=data["expect"],
            insert=data["content"],
            before=draft.state.texts[data["text"]],
        )
        draft.splice_text(splice)
        return _effect(draft, splice)
