"""Rebuilds a document from its content under a new epoch, when its Yjs history has grown past the size limit or must
not meet another one.

The anchors of the receipts that can still be undone are remade in the same transaction; one that cannot be found any
more keeps its old epoch, and its undo is refused. Clients of the old epoch resynchronise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import Edit, PutItem, SetField, SetMeta, Splice
from workspaces.documents.hunks import Hunk
from workspaces.documents.schema import DocumentKind
from workspaces.documents.state import DocumentState

from . import json_text, lookups, store

Anchor = dict[str, Any]


class Rebuilt:
    """A document made anew from its content under an epoch. Nothing is written until `adopt`."""

    def __init__(self, workspace: str, row: lookups.DocumentRow, kind: DocumentKind, state: DocumentState, epoch: int):
        self.workspace = workspace
        self.row = row
        self.state = state
        self.epoch = epoch
        self.ydoc, _ = yjs.create(kind, yjs.client_id_of(workspace, row.doc_id, epoch))
        edits: list[Edit] = [SetField(name, value) for name, value in state.fields.items()]
        edits += [PutItem(s, item, values) for s, items in state.sections.items() for item, values in items.items()]
        self._texts = {name: Splice(name, 0, "", content, "") for name, content in state.texts.items() if content}
        edits += self._texts.values()
        edits.append(SetMeta("state", state.state))
        if state.trashed_from is not None:
            edits.append(SetMeta("trashed_from", state.trashed_from))
        yjs.apply_edits(self.ydoc, edits)
        self._gone: dict[tuple[str, int], Anchor] = {}

    def adopt(self, old: yjs.YDocument, hunks: Mapping[str, Sequence[Hunk]]) -> bytes:
        """Raises the row's epoch and remakes the anchors of receipts, and those of this commit's own `hunks`, whose
        receipt is not written yet. Gives the encoded state."""
        row = self.row
        assert row.pk is not None
        store.set_epoch(row.pk, self.epoch)
        inverses = [
            (receipt, inverse, json_text.decode(inverse))
            for receipt, inverse in lookups.open_inverses(self.workspace, row.doc_id)
        ]
        fresh = [hunk for entries in hunks.values() for hunk in entries if hunk.anchor]
        ours = [operation for _, _, operations in inverses for operation in operations if self._is_ours(operation)]
        anchors = [(operation["text"], operation["anchor"]) for operation in ours]
        anchors += [(hunk.text, hunk.anchor) for hunk in fresh if hunk.anchor]
        located = self._locate(old, anchors)
        for hunk in fresh:
            hunk.anchor = hunk.anchor and self._remade(located, hunk.text, hunk.anchor)
        for receipt, before, operations in inverses:
            remade = [self._carried(located, operation) for operation in operations]
            after = json_text.encode(remade)
            if after != before:
                store.replace_inverse(receipt, after)
        return self.ydoc.encode()

    def _is_ours(self, operation: Mapping[str, Any]) -> bool:
        anchor = operation.get("anchor")
        return operation["document"] == self.row.doc_id and anchor is not None and anchor["epoch"] == self.row.epoch

    def _locate(self, old: yjs.YDocument, anchors: Iterable[tuple[str, Anchor]]) -> dict[str, yjs.Located]:
        """Where everything that the anchors name stands in the old document: all of a text on one copy."""
        wanted: dict[str, tuple[list[Any], list[Any]]] = {}
        for text, anchor in anchors:
            behind, before = wanted.setdefault(text, ([], []))
            more_behind, more_before = yjs.anchor_ids(anchor)
            behind += more_behind
            before += more_before
        return {text: yjs.locate(old, text, behind=ids[0], before=ids[1]) for text, ids in wanted.items()}

    def _remade(self, located: Mapping[str, yjs.Located], text: str, anchor: Anchor) -> Anchor | None:
        if "gone" in anchor:
            at = yjs.find_place(located[text], anchor)
            return None if at is None else self._anchor_place(text, at)
        whole = self._texts[text].anchor if text in self._texts else None
        return yjs.remade_anchor(located[text], anchor, whole, self.state.texts[text])

    def _anchor_place(self, text: str, at: int) -> Anchor:
        # One deleted character stands for all that was deleted there: each is a piece of history again.
        found = self._gone.get((text, at))
        if found is None:
            found = self._gone[text, at] = yjs.anchor_place(self.ydoc, text, at)
        return found

    def _carried(self, located: Mapping[str, yjs.Located], operation: dict[str, Any]) -> dict[str, Any]:
        if not self._is_ours(operation):
            return operation
        made = self._remade(located, operation["text"], operation["anchor"])
        return operation if made is None else {**operation, "anchor": {**made, "epoch": self.epoch}}


def rebuild(
    workspace: str,
    row: lookups.DocumentRow,
    state: DocumentState,
    old: yjs.YDocument,
    hunks: Mapping[str, Sequence[Hunk]],
    *,
    epoch: int | None = None,
) -> tuple[yjs.YDocument, bytes]:
    """The document anew, with its encoded state; the row's epoch is raised, by one or to `epoch`."""
    rebuilt = Rebuilt(workspace, row, old.kind, state, epoch or row.epoch + 1)
    encoded = rebuilt.adopt(old, hunks)
    return rebuilt.ydoc, encoded


# A history is worth getting rid of when it is more than a quarter of the content and this many bytes, and when that
# saves a fifth of the whole.
MIN_HISTORY_BYTES = 2_048
_MOST_LEFT = 0.8


def lighten(
    workspace: str,
    row: lookups.DocumentRow,
    state: DocumentState,
    old: yjs.YDocument,
    hunks: Mapping[str, Sequence[Hunk]],
    *,
    size: int,
) -> tuple[yjs.YDocument, bytes] | None:
    """The document anew when its history has outgrown its content, else None: opening costs what is there, not what
    has been."""
    if not is_outgrown(state, size):
        return None
    rebuilt = Rebuilt(workspace, row, old.kind, state, row.epoch + 1)
    if len(rebuilt.ydoc.encode()) > _MOST_LEFT * size:
        return None
    encoded = rebuilt.adopt(old, hunks)
    return rebuilt.ydoc, encoded


def is_outgrown(state: DocumentState, size: int) -> bool:
    """Whether a document of this encoded size is more history than it should be."""
    return size > MIN_HISTORY_BYTES + 1.25 * _lean_size(state)


def _lean_size(state: DocumentState) -> int:
    """About the encoded size of a document that never was another one."""
    return len(json_text.encode([state.fields, state.sections, state.texts]).encode(errors="surrogatepass"))
