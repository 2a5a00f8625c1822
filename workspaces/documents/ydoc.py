"""The only user of pycrdt: documents as Yjs, their updates, projection and anchors.

Layout (contract section 3): `Map("fields")`; `Map("sections")` → section → item id → Map with `rank`;
`Map("texts")` → Text; `Map("meta")` with the state. Every container is made with the document, so that no two writers
ever create the same one. Text offsets of pycrdt are UTF-8 bytes; ours are characters, converted here alone.

Callers hold the workspace's lock: a Doc is used by one thread at a time, and a Doc in which an edit failed is thrown
away (pycrdt rolls nothing back).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pycrdt import Doc, Map, Text, merge_updates

from .edits import DropItem, Edit, MergeText, PutItem, SetField, SetItemValue, SetMeta, Splice
from .schema import DocumentKind
from .state import DocumentState
from .text_ids import TextIds
from .update_bytes import Id, marks, read_state_vector, read_text_change, units
from .values import ValueType

ORIGIN = "careervector"
# Rather read the whole state again than keep more updates than these for somebody who may never type again.
MAX_UNREAD = 64


def is_panic(error: BaseException) -> bool:
    """Whether pycrdt failed for good: its panics are no Exception, and are known by their name alone."""
    return type(error).__name__ == "PanicException"


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


@dataclass(frozen=True, slots=True)
class Located:
    """Where ids are in a text: the character offset directly behind them, and directly before; its length."""

    behind: dict[Id, int]
    before: dict[Id, int]
    length: int


def anchor_ids(anchor: Mapping[str, Any]) -> tuple[list[Id], list[Id]]:
    """What `locate` must be asked to find an anchor: ids to be behind of, ids to be before."""

    def named(*keys: str) -> list[Id]:
        return [(anchor[key][0], anchor[key][1]) for key in keys if anchor.get(key) is not None]

    return named("gone", "last", "left"), named("first", "right")


# Characters for private use: a text that holds some of them is marked with others.
_MARKS = tuple(map(chr, range(0xE000, 0xF900)))


def locate(ydoc: YDocument, name: str, *, behind: Iterable[Id], before: Iterable[Id]) -> Located:
    """Finds ids in a text, on a copy that is marked there; those that it does not know are left out.

    Many at once cost little more than one: the copy does.
    """
    text = str(ydoc.texts[name])
    # An id that is not there would keep the copy from taking every mark behind it.
    known = read_state_vector(ydoc.state_vector())
    wanted = [(found, True) for found in dict.fromkeys(behind)] + [(found, False) for found in dict.fromkeys(before)]
    wanted = [entry for entry in wanted if known.get(entry[0][0], 0) > entry[0][1]]
    free = list(islice((mark for mark in _MARKS if mark not in text), len(wanted)))
    located = Located({}, {}, len(text))
    if not free:
        return located
    state = ydoc.encode()
    for start in range(0, len(wanted), len(free)):
        _locate(state, name, dict(zip(free, wanted[start:], strict=False)), located)
    return located


def _locate(state: bytes, name: str, marked: Mapping[str, tuple[Id, bool]], located: Located) -> None:
    copy: Doc[Any] = Doc()
    copy.apply_update(state)
    text = copy.get("texts", type=Map)[name]
    copy.apply_update(
        marks(
            behind=[(found, mark) for mark, (found, is_behind) in marked.items() if is_behind],
            before=[(found, mark) for mark, (found, is_behind) in marked.items() if not is_behind],
        )
    )
    offset = 0
    for character in str(text):
        entry = marked.get(character)
        if entry is None:
            offset += 1
        else:
            (located.behind if entry[1] else located.before)[entry[0]] = offset


def remade_anchor(
    located: Located, anchor: Mapping[str, Any], whole: dict[str, Any] | None, content: str
) -> dict[str, Any] | None:
    """The anchor in a document whose text `content` was put in by one splice, anchored as `whole`.

    Each id becomes that of the character which stands at its place; what is deleted now may be put back by an undo.
    None when the old document does not know a place.
    """
    places = _stretch_places(located, anchor)
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


def _stretch_places(located: Located, anchor: Mapping[str, Any]) -> dict[str, int] | None:
    if not {"first", "last", "left", "right"} <= anchor.keys():
        return None
    found = {}
    for key, places in (
        ("first", located.before), ("last", located.behind), ("left", located.behind), ("right", located.before)
    ):  # fmt: skip
        if anchor[key] is not None:
            place = places.get((anchor[key][0], anchor[key][1]))
            if place is None:
                return None
            found[key] = place
    # No neighbour: the text began or ended there. No first: nothing of the stretch was left when it was anchored anew.
    left, right = found.get("left", 0), found.get("right", located.length)
    return {"first": left, "last": left, **found, "left": left, "right": right}


def find_place(located: Located, anchor: Mapping[str, Any]) -> int | None:
    """The character offset at which something was deleted."""
    gone = anchor.get("gone")
    return None if gone is None else located.behind.get((gone[0], gone[1]))


def find_anchored(ydoc: YDocument, name: str, anchor: dict[str, Any], expected: str) -> int | None:
    """The character offset at which the anchored stretch stands, or None unless it holds exactly `expected`.

    First between its own first and last character; then, when those were deleted and put back by an undo, as the only
    occurrence between the neighbours that it had.
    """
    behind, before = anchor_ids(anchor)
    located = locate(ydoc, name, behind=behind, before=before)
    if not expected:
        return find_place(located, anchor)
    places = _stretch_places(located, anchor)
    if places is None:
        return None
    content = str(ydoc.texts[name])
    if content[places["first"] : places["last"]] == expected:
        return places["first"]
    between = content[places["left"] : places["right"]]
    return places["left"] + between.index(expected) if between.count(expected) == 1 else None
