"""Rebuilds a document from its content under a new epoch, when its Yjs history has grown past the size limit or must
not meet another one.

The anchors of the receipts that can still be undone are remade in the same transaction; one that cannot be found any
more keeps its old epoch, and its undo is refused. Clients of the old epoch resynchronise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import Edit, PutItem, SetField, SetMeta, Splice
from workspaces.documents.hunks import Hunk
from workspaces.documents.state import DocumentState

from . import json_text, lookups, store


def rebuild(
    workspace: str,
    row: lookups.DocumentRow,
    state: DocumentState,
    old: yjs.YDocument,
    hunks: Mapping[str, Sequence[Hunk]],
    *,
    epoch: int | None = None,
) -> tuple[yjs.YDocument, bytes]:
    """The document anew, with its encoded state; the row's epoch is raised, by one or to `epoch`.

    The anchors of receipts are remade, and those of this commit's own `hunks`, whose receipt is not written yet.
    """
    epoch = epoch or row.epoch + 1
    ydoc, _ = yjs.create(old.kind, yjs.client_id_of(workspace, row.doc_id, epoch))
    edits: list[Edit] = [SetField(name, value) for name, value in state.fields.items()]
    edits += [PutItem(s, item, values) for s, items in state.sections.items() for item, values in items.items()]
    texts = {name: Splice(name, 0, "", content, "") for name, content in state.texts.items() if content}
    edits += texts.values()
    edits.append(SetMeta("state", state.state))
    if state.trashed_from is not None:
        edits.append(SetMeta("trashed_from", state.trashed_from))
    yjs.apply_edits(ydoc, edits)

    def remake(text: str, anchor: dict[str, Any]) -> dict[str, Any] | None:
        if "gone" in anchor:
            at = yjs.find_place(old, text, anchor)
            return None if at is None else yjs.anchor_place(ydoc, text, at)
        whole = texts[text].anchor if text in texts else None
        return yjs.remade_anchor(old, text, anchor, whole, state.texts[text])

    for hunk in (hunk for entries in hunks.values() for hunk in entries):
        hunk.anchor = hunk.anchor and remake(hunk.text, hunk.anchor)
    assert row.pk is not None
    store.set_epoch(row.pk, epoch)
    for receipt, inverse in lookups.open_inverses(workspace, row.doc_id):
        operations: list[dict[str, Any]] = json_text.decode(inverse)
        remade = [_remade(operation, row, epoch, remake) for operation in operations]
        if remade != operations:
            store.replace_inverse(receipt, json_text.encode(remade))
    return ydoc, ydoc.encode()


def _remade(
    operation: dict[str, Any],
    row: lookups.DocumentRow,
    epoch: int,
    remake: Callable[[str, dict[str, Any]], dict[str, Any] | None],
) -> dict[str, Any]:
    anchor = operation.get("anchor")
    if operation["document"] != row.doc_id or anchor is None or anchor["epoch"] != row.epoch:
        return operation
    made = remake(operation["text"], anchor)
    return operation if made is None else {**operation, "anchor": {**made, "epoch": epoch}}
