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
from typing import Any

from pycrdt import Doc, Map, Text, merge_updates

from .edits import DropItem, Edit, MergeText, PutItem, SetField, SetItemValue, SetMeta, Splice
from .schema import DocumentKind
from .state import DocumentState
from .text_ids import TextIds
from .update_bytes import marks, read_text_change, units
from .values import ValueType

ORIGIN = "careervector"
# Rather read the whole state again than keep more updates than these for somebody who may never type again.
MAX_UNREAD = 64


class YDocument:
    """One live Yjs document with its roots at hand."""

    __slots__ = ("_ids", "_unread", "_updates", "doc", "fields", "kind", "meta", "sections", "texts")

    def __init__(self, kind: DocumentKind, client_id: int) -> None:
        self.kind = kind
        self.doc: Doc[Any] = Doc(client_id=client_id, allow_multithreading=True)
        self.fields: Map[Any] = self.doc.get("fields", type=Map)
        self.sections: Map[Any] = self.doc.get("sections", type=Map)
        self.texts: Map[Any] = self.doc.get("texts", type=Map)
        self.meta: Map[Any] = self.doc.get("meta", type=Map)
        self._updates: list[bytes] = []
        self._ids: TextIds | None = None
        # Updates that the ids have not taken in yet.
        self._unread: list[bytes] = []
        self.doc.observe(lambda event: self._updates.append(event.update))

    def take_update(self) -> bytes:
        """The update of the transaction that just ended."""
        updates, self._updates = self._updates, []
        if len(updates) != 1:
            raise RuntimeError(f"one transaction gave {len(updates)} updates")
        self._note(updates[0])
        return updates[0]

    def apply_update(self, update: bytes) -> None:
        self.doc.apply_update(update)
        self._updates.clear()
        self._note(update)

    def encode(self, since: bytes | None = None) -> bytes:
        """The whole state as one update, or what came after a state vector."""
        return self.doc.get_update(since) if since is not None else self.doc.get_update()

    def state_vector(self) -> bytes:
        return self.doc.get_state()

    def _note(self, update: bytes) -> None:
        # Every change of the document passes here, so the ids can never be of another state than the document.
        if self._ids is not None:
            self._unread.append(update)
            if len(self._unread) > MAX_UNREAD:
                self._ids = None
                self._unread.clear()

    def ids(self) -> TextIds:
        """Which ids belong to which text. Read from the whole state at first, then carried on."""
        unread, self._unread = self._unread, []
        if self._ids is not None:
            try:
                for update in unread:
                    self._ids.extend(update)
            except ValueError:
                self._ids = None
        if self._ids is None:
            self._ids = TextIds(self.encode())
        return self._ids


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


def _transaction(ydoc: YDocument, edits: Sequence[Edit]) -> bytes:
    with ydoc.doc.transaction(origin=ORIGIN):
        for edit in edits:
            _apply(ydoc, edit)
    return ydoc.take_update()


def apply_edits(ydoc: YDocument, edits: Sequence[Edit]) -> bytes:
    """Carries out a plan and gives its update. On any exception throw the document away.

    Each splice is a Yjs transaction of its own, because its update tells the ids that its anchor is made of.
    """
    updates: list[bytes] = []
    plain: list[Edit] = []
    for edit in edits:
        if not isinstance(edit, Splice | MergeText):
            plain.append(edit)
            continue
        if plain:
            updates.append(_transaction(ydoc, plain))
            plain = []
        if isinstance(edit, MergeText):
            ydoc.apply_update(edit.update)
            if str(ydoc.texts[edit.text]) != edit.after:
                raise RuntimeError("a checked update did something else than on the copy")
            updates.append(edit.update)
            continue
        updates.append(_transaction(ydoc, [edit]))
        edit.anchor = _anchor(updates[-1], edit.insert)
    if plain:
        updates.append(_transaction(ydoc, plain))
    return joined(updates)


def joined(updates: Sequence[bytes]) -> bytes:
    """A few updates as one. Not for long logs: the time it takes grows with the square of their number."""
    return updates[0] if len(updates) == 1 else merge_updates(*updates)


# --- anchors: where a stretch of text is now, whatever was typed around it --------------------------------------
#
# Of an inserted stretch: the ids of its `first` and `last` unit and of the neighbours that it had (`left`, `right`).
# Of a deletion: the id of something deleted (`gone`), whose place Yjs remembers.


def _anchor(update: bytes, inserted: str) -> dict[str, Any]:
    change = read_text_change(update)
    if change.inserted is None:
        return {"gone": change.deleted}
    client, clock = change.inserted
    return {
        "first": change.inserted,
        "last": (client, clock + units(inserted) - 1),
        "left": change.left,
        "right": change.right,
    }


def remade_anchor(
    old: YDocument, name: str, anchor: dict[str, Any], whole: dict[str, Any] | None, content: str
) -> dict[str, Any] | None:
    """The anchor in a document whose text `content` was put in by one splice, anchored as `whole`.

    Each id becomes that of the character which stands at its place; what is deleted now may be put back by an undo.
    None when the old document does not know a place.
    """
    places = _stretch_places(old, name, anchor)
    if places is None:
        return None

    def at(index: int) -> tuple[int, int]:
        assert whole is not None
        client, clock = whole["first"]
        return client, clock + units(content[:index])

    def before(index: int) -> tuple[int, int]:
        client, clock = at(index)
        return client, clock - 1

    first, last, left, right = places["first"], places["last"], places["left"], places["right"]
    return {
        "first": at(first) if first < last else None,
        "last": before(last) if first < last else None,
        "left": before(left) if left else None,
        "right": at(right) if right < len(content) else None,
    }


def anchor_place(ydoc: YDocument, name: str, at: int) -> dict[str, Any]:
    """The anchor of a place between characters. Leaves a deleted character there: for documents in the making only."""
    content = str(ydoc.texts[name])
    there = Splice(name, at, "", "-", content)
    gone = Splice(name, at, "-", "", f"{content[:at]}-{content[at:]}")
    apply_edits(ydoc, [there, gone])
    assert gone.anchor is not None
    return gone.anchor


_MARKS = "\x01\x02\x03\x04"


def _places(ydoc: YDocument, name: str, *, behind: dict[str, Any], before: dict[str, Any]) -> dict[str, int] | None:
    """The character offset of each named id, on a copy that is marked there; None when one cannot be found."""
    behind = {key: tuple(found) for key, found in behind.items() if found is not None}
    before = {key: tuple(found) for key, found in before.items() if found is not None}
    mark = dict(zip([*behind, *before], _MARKS, strict=False))
    copy: Doc[Any] = Doc()
    copy.apply_update(ydoc.encode())
    text = copy.get("texts", type=Map)[name]
    if any(character in str(text) for character in _MARKS):
        return None
    copy.apply_update(
        marks(
            behind=[(found, mark[key]) for key, found in behind.items()],
            before=[(found, mark[key]) for key, found in before.items()],
        )
    )
    marked = str(text)
    places = {}
    for key, character in mark.items():
        index = marked.find(character)
        if index < 0:
            return None
        places[key] = index - sum(1 for other in mark.values() if other in marked[:index])
    return places


def _stretch_places(ydoc: YDocument, name: str, anchor: dict[str, Any]) -> dict[str, int] | None:
    if not {"first", "last", "left", "right"} <= anchor.keys():
        return None
    found = _places(
        ydoc,
        name,
        behind={"last": anchor["last"], "left": anchor["left"]},
        before={"first": anchor["first"], "right": anchor["right"]},
    )
    if found is None:
        return None
    # No neighbour: the text began or ended there. No first: nothing of the stretch was left when it was anchored anew.
    left, right = found.get("left", 0), found.get("right", len(str(ydoc.texts[name])))
    return {"first": left, "last": left, **found, "left": left, "right": right}


def find_place(ydoc: YDocument, name: str, anchor: dict[str, Any]) -> int | None:
    """The character offset at which something was deleted."""
    if anchor.get("gone") is None:
        return None
    found = _places(ydoc, name, behind={"gone": anchor["gone"]}, before={})
    return None if found is None else found["gone"]


def find_anchored(ydoc: YDocument, name: str, anchor: dict[str, Any], expected: str) -> int | None:
    """The character offset at which the anchored stretch stands, or None unless it holds exactly `expected`.

    First between its own first and last character; then, when those were deleted and put back by an undo, as the only
    occurrence between the neighbours that it had.
    """
    if not expected:
        return find_place(ydoc, name, anchor)
    places = _stretch_places(ydoc, name, anchor)
    if places is None:
        return None
    content = str(ydoc.texts[name])
    if content[places["first"] : places["last"]] == expected:
        return places["first"]
    between = content[places["left"] : places["right"]]
    return places["left"] + between.index(expected) if between.count(expected) == 1 else None
