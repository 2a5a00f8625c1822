"""The only user of pycrdt: documents as Yjs, their updates, projection and anchors.

Layout (contract section 3): `Map("fields")`; `Map("sections")` → section → item id → Map with `rank`;
`Map("texts")` → Text; `Map("meta")` with the state. Every container is made with the document, so that no two writers
ever create the same one. Text offsets of pycrdt are UTF-8 bytes; ours are characters, converted here alone.

Callers hold the workspace's lock: a Doc is used by one thread at a time, and a Doc in which an edit failed is thrown
away (pycrdt rolls nothing back).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, cast

from pycrdt import Assoc, Doc, Map, StickyIndex, Text

from .edits import DropItem, Edit, PutItem, SetField, SetItemValue, SetMeta, Splice
from .schema import DocumentKind
from .state import DocumentState
from .values import ValueType

ORIGIN = "careervector"


class YDocument:
    """One live Yjs document with its roots at hand."""

    __slots__ = ("_updates", "doc", "fields", "kind", "meta", "sections", "texts")

    def __init__(self, kind: DocumentKind, client_id: int) -> None:
        self.kind = kind
        self.doc: Doc[Any] = Doc(client_id=client_id, allow_multithreading=True)
        self.fields: Map[Any] = self.doc.get("fields", type=Map)
        self.sections: Map[Any] = self.doc.get("sections", type=Map)
        self.texts: Map[Any] = self.doc.get("texts", type=Map)
        self.meta: Map[Any] = self.doc.get("meta", type=Map)
        self._updates: list[bytes] = []
        self.doc.observe(lambda event: self._updates.append(event.update))

    def take_update(self) -> bytes:
        """The update of the transaction that just ended."""
        updates, self._updates = self._updates, []
        if len(updates) != 1:
            raise RuntimeError(f"one transaction gave {len(updates)} updates")
        return updates[0]

    def apply_update(self, update: bytes) -> None:
        self.doc.apply_update(update)
        self._updates.clear()

    def encode(self) -> bytes:
        """The whole state as one update."""
        return self.doc.get_update()


def client_id_of(workspace: str, doc_id: str, epoch: int) -> int:
    """The server's Yjs client id for one epoch of one document: 32 bits, the same in every process."""
    digest = hashlib.sha256(f"{workspace}/{doc_id}/{epoch}".encode()).digest()
    return int.from_bytes(digest[:4], "big") | 1


def create(kind: DocumentKind, client_id: int) -> tuple[YDocument, bytes]:
    """A new document with all its containers, and the update that makes it."""
    ydoc = YDocument(kind, client_id)
    with ydoc.doc.transaction(origin=ORIGIN):
        ydoc.meta["state"] = "active"
        for section in kind.sections:
            ydoc.sections[section] = Map({})
        for text in kind.texts:
            ydoc.texts[text] = Text("")
    return ydoc, ydoc.take_update()


def load(kind: DocumentKind, client_id: int, updates: Iterable[bytes]) -> YDocument:
    """A document from its snapshot and the updates after it, in order."""
    ydoc = YDocument(kind, client_id)
    for update in updates:
        if update:
            ydoc.apply_update(update)
    return ydoc


def _plain(value: Any, kind: ValueType | None) -> Any:
    # Yjs has one number type: what the schema calls an integer comes back as a float.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _plain(entry, None) for name, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry, None) for entry in value]
    return value


def project(ydoc: YDocument) -> DocumentState:
    """The whole content as plain values, in the schema's order. Costly on large documents: once, at loading."""
    kind = ydoc.kind
    raw_fields = ydoc.fields.to_py() or {}
    raw_sections = ydoc.sections.to_py() or {}
    raw_texts = {name: str(ydoc.texts[name]) for name in kind.texts if name in ydoc.texts}
    raw_meta = ydoc.meta.to_py() or {}
    return DocumentState(
        state=raw_meta.get("state", "active"),
        fields={n: _plain(raw_fields[n], t) for n, t in kind.fields.items() if n in raw_fields},
        sections={
            section: {
                item: {n: _plain(v, types.get(n)) for n, v in values.items()}
                for item, values in (raw_sections.get(section) or {}).items()
            }
            for section, types in kind.sections.items()
        },
        texts={name: raw_texts.get(name, "") for name in kind.texts},
        trashed_from=raw_meta.get("trashed_from"),
    )


def _byte_offset(content: str, index: int) -> int:
    return index if content.isascii() else len(content[:index].encode())


def _character_offset(content: str, offset: int) -> int:
    return offset if content.isascii() else len(content.encode()[:offset].decode(errors="ignore"))


def _store(target: Map[Any], name: str, value: Any) -> None:
    if value is None:
        if name in target:
            del target[name]
    else:
        target[name] = value


def _apply(ydoc: YDocument, edit: Edit) -> None:
    match edit:
        case SetField(name, value):
            _store(ydoc.fields, name, value)
        case SetMeta(name, value):
            _store(ydoc.meta, name, value)
        case SetItemValue(section, item, name, value):
            _store(ydoc.sections[section][item], name, value)
        case PutItem(section, item, values):
            ydoc.sections[section][item] = Map(dict(values))
        case DropItem(section, item):
            del ydoc.sections[section][item]
        case Splice():
            text = ydoc.texts[edit.text]
            start = _byte_offset(edit.before, edit.at)
            if edit.delete:
                del text[start : start + len(edit.delete.encode())]
            if edit.insert:
                text.insert(start, edit.insert)
            edit.anchor = _anchor(text, start, start + len(edit.insert.encode()))


def apply_edits(ydoc: YDocument, edits: Sequence[Edit]) -> bytes:
    """Carries out a plan in one Yjs transaction and gives its update. On any exception throw the document away."""
    with ydoc.doc.transaction(origin=ORIGIN):
        for edit in edits:
            _apply(ydoc, edit)
    return ydoc.take_update()


# --- anchors: where a stretch of text is now, whatever was typed around it --------------------------------------


def _sticky(text: Text, offset: int, length: int, assoc: Assoc) -> Any:
    # AFTER at the very end and BEFORE at the very start have no character to hold on to (pycrdt panics on the first).
    if (assoc is Assoc.AFTER and offset >= length) or (assoc is Assoc.BEFORE and offset <= 0):
        return None
    return text.sticky_index(offset, assoc).to_json()


def _anchor(text: Text, start: int, end: int) -> dict[str, Any]:
    length = len(text)
    return {
        "start": _sticky(text, start, length, Assoc.AFTER) if end > start else None,
        "end": _sticky(text, end, length, Assoc.BEFORE) if end > start else None,
        "left": _sticky(text, start, length, Assoc.BEFORE),
        "right": _sticky(text, end, length, Assoc.AFTER),
    }


def _index(text: Text, sticky: Any, default: int) -> int:
    return default if sticky is None else int(StickyIndex.from_json(sticky, text).get_index())


def make_anchor(ydoc: YDocument, name: str, at: int, length: int) -> dict[str, Any]:
    """The anchor of characters `at` to `at + length` of a text as it stands."""
    text = ydoc.texts[name]
    content = str(text)
    return _anchor(text, _byte_offset(content, at), _byte_offset(content, at + length))


def find_anchored(ydoc: YDocument, name: str, anchor: dict[str, Any], expected: str) -> int | None:
    """The character offset at which the anchored stretch stands, or None unless it holds exactly `expected`.

    First between its own first and last character; then, when those were deleted and put back by an undo, as the only
    occurrence between the neighbours that it had.
    """
    if not {"start", "end", "left", "right"} <= anchor.keys():
        return None
    text = ydoc.texts[name]
    content = str(text)
    encoded, wanted = content.encode(), expected.encode()
    left = _index(text, anchor["left"], 0)
    right = _index(text, anchor["right"], len(encoded))
    if not wanted:
        # Nothing stood there: the left neighbour, or else the right one, says where.
        offset = left if anchor["left"] is not None or anchor["right"] is None else right
        return _character_offset(content, offset)
    if anchor["start"] is not None and anchor["end"] is not None:
        start, end = _index(text, anchor["start"], 0), _index(text, anchor["end"], 0)
        if encoded[start:end] == wanted:
            return _character_offset(content, start)
    if left <= right and encoded[left:right].count(wanted) == 1:
        return _character_offset(content, left + encoded[left:right].index(wanted))
    return None
