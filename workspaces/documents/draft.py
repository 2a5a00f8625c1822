"""A draft: one document as it would be after the operations planned so far, and the edits that lead there.

Planning works on plain values and touches neither Yjs nor the database, so a refusal costs nothing. Operations call the
methods here; the commit service carries the edits out. Stands on state, edits and schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from . import paths
from .edits import DropItem, Edit, MergeText, PutItem, SetField, SetItemValue, SetMeta, Splice, minimal_splice
from .hunks import Hunk, compose
from .schema import DocumentKind
from .state import DocumentState, value_at

Resolver = Callable[["Draft", str, Mapping[str, Any], str], int | None]


class Draft:
    """`base` is the committed state; `state` the planned one. `created` marks a document made by this batch, `renewed`
    one that is rebuilt under a new epoch."""

    def __init__(
        self, *, doc_id: str, kind: DocumentKind, base: DocumentState, resolver: Resolver, created: bool = False
    ) -> None:
        self.doc_id = doc_id
        self.kind = kind
        self.base = base
        self.state = base
        self.created = created
        self.renewed = self.renewed_apart = False
        self.edits: list[Edit] = []
        self.touched: dict[str, None] = {}
        self._before: dict[str, Any] = {}
        self._resolver = resolver

    @property
    def changed(self) -> bool:
        return self.created or self.renewed or bool(self.edits)

    def renew(self, *, apart: bool) -> None:
        """The content stays; its Yjs history begins anew, with `apart` far from any that may have been lost."""
        self.renewed, self.renewed_apart = True, apart

    def _touch(self, path: str) -> None:
        if path not in self.touched:
            self.touched[path] = None
            self._before[path] = value_at(self.state, path)

    def touch(self, *names: str) -> None:
        """Notes paths as affected, whether or not their values end up different."""
        for path in names:
            self._touch(path)

    def touch_whole(self) -> None:
        """A creation affects the document itself, and nothing below needs saying."""
        self.touched = {self.doc_id: None}
        self._before = {self.doc_id: None}

    def set_field(self, name: str, value: Any, *, always: bool = False) -> None:
        """`always` writes an equal value as well: an undo that finds nothing to change is a change all the same."""
        if self.state.fields.get(name) == value and not always:
            return
        self._touch(paths.field_path(self.doc_id, name))
        fields = {k: v for k, v in self.state.fields.items() if k != name}
        if value is not None:
            fields[name] = value
        self.state = replace(self.state, fields=fields)
        self.edits.append(SetField(name, value))

    def set_state(self, state: str, *, trashed_from: str | None = None) -> None:
        self._touch(paths.state_path(self.doc_id))
        if self.state.trashed_from != trashed_from:
            self.edits.append(SetMeta("trashed_from", trashed_from))
        self.state = replace(self.state, state=state, trashed_from=trashed_from)
        self.edits.append(SetMeta("state", state))

    def items(self, section: str) -> Mapping[str, Mapping[str, Any]]:
        return self.state.sections.get(section, {})

    def _replace_section(self, section: str, items: Mapping[str, Mapping[str, Any]]) -> None:
        self.state = replace(self.state, sections={**self.state.sections, section: items})

    def put_item(self, section: str, item: str, values: Mapping[str, Any]) -> None:
        self._touch(paths.item_path(self.doc_id, section, item))
        stored = {name: value for name, value in values.items() if value is not None}
        self._replace_section(section, {**self.items(section), item: stored})
        self.edits.append(PutItem(section, item, stored))

    def drop_item(self, section: str, item: str) -> None:
        self._touch(paths.item_path(self.doc_id, section, item))
        self._replace_section(section, {k: v for k, v in self.items(section).items() if k != item})
        self.edits.append(DropItem(section, item))

    def set_item_value(self, section: str, item: str, name: str, value: Any, *, always: bool = False) -> None:
        values = self.items(section)[item]
        if values.get(name) == value and not always:
            return
        self._touch(paths.item_field_path(self.doc_id, section, item, name))
        changed = {k: v for k, v in values.items() if k != name}
        if value is not None:
            changed[name] = value
        self._replace_section(section, {**self.items(section), item: changed})
        self.edits.append(SetItemValue(section, item, name, value))

    def set_text(self, name: str, content: str) -> Splice | None:
        """The text becomes `content` by the smallest splice; None when it is that already."""
        splice = minimal_splice(name, self.state.texts.get(name, ""), content)
        if splice is not None:
            self.splice_text(splice)
        return splice

    def insert_text(self, name: str, at: int, content: str, *, original: bool = False) -> Splice:
        """Puts `content` in at a character offset, exactly there."""
        before = self.state.texts.get(name, "")
        splice = Splice(text=name, at=at, delete="", insert=content, before=before, original=original)
        self.splice_text(splice)
        return splice

    def replace_text(self, name: str, at: int, old: str, new: str) -> Splice:
        """`old`, which stands at `at`, gives way to `new`; what both share at their ends is left alone."""
        shared = minimal_splice(name, old, new)
        assert shared is not None
        before = self.state.texts.get(name, "")
        splice = Splice(text=name, at=at + shared.at, delete=shared.delete, insert=shared.insert, before=before)
        self.splice_text(splice)
        return splice

    def splice_text(self, splice: Splice) -> None:
        """Plans one splice as it is."""
        self._touch(paths.text_path(self.doc_id, splice.text))
        before = splice.before
        content = before[: splice.at] + splice.insert + before[splice.at + len(splice.delete) :]
        self.state = replace(self.state, texts={**self.state.texts, splice.text: content})
        self.edits.append(splice)

    def merge_text(self, merge: MergeText) -> None:
        """Plans a client's own update of a text."""
        self._touch(paths.text_path(self.doc_id, merge.text))
        self.state = replace(self.state, texts={**self.state.texts, merge.text: merge.after})
        self.edits.append(merge)

    def hunks(self) -> dict[str, list[Hunk]]:
        """By text: what the splices, now carried out, did to it all together. Nothing when a client's own update was
        among them: such a batch is not taken back."""
        if any(isinstance(edit, MergeText) for edit in self.edits):
            return {}
        splices: dict[str, list[Splice]] = {}
        for edit in self.edits:
            if isinstance(edit, Splice) and not edit.original:
                splices.setdefault(edit.text, []).append(edit)
        return {name: compose(entries) for name, entries in splices.items()}

    def find_anchored(self, text: str, anchor: Mapping[str, Any], expected: str) -> int | None:
        """Where an anchored stretch of a text stands in this draft, or None when it no longer holds `expected`."""
        return self._resolver(self, text, anchor, expected)

    def changes(self) -> list[dict[str, Any]]:
        """`{"path", "before", "after"}` of everything touched, for the receipt. Texts are cut to the lines changed."""
        rows = []
        for path, before in self._before.items():
            after = value_at(self.state, path)
            if paths.is_text_path(path):
                before, after = _changed_lines(before or "", after or "")
            rows.append({"path": path, "before": before, "after": after})
        return rows


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    splice = minimal_splice("", before, after)
    if splice is None:
        return before, after
    start = before.rfind("\n", 0, splice.at) + 1
    end = before.find("\n", splice.at + len(splice.delete))
    tail = len(before) - end if end != -1 else 0
    return before[start : len(before) - tail], after[start : len(after) - tail]
