"""Live typing: the check of a browser's raw Yjs update before it may touch a document, and how it is applied.

An update may insert text into one text of the document, insert runs that are deleted already (typed and removed before
they were sent), and delete units of that same text. Everything else is refused while it is still bytes. What is new in
it is written anew from what was read, so that no second reader can understand the bytes in another way; what the
document knows already is left out. Stands on text_ids and update_reader; the commits stand on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from workspaces.errors import EpochGone, LiveUpdateRefused

from .contention import MAX_STEPS, MAX_UPDATE_STEPS
from .following import structure_watched
from .live_resent import is_same
from .text_ids import second_halves, united
from .update_bytes import Id, encode_id, encode_number
from .update_reader import (
    DELETED,
    GC,
    HAS_ORIGIN,
    HAS_PARENT_SUB,
    HAS_RIGHT_ORIGIN,
    MAX_NUMBER,
    SKIP,
    STRING,
    MissingDependency,
    Struct,
    UpdateFlaw,
    in_order,
    read_update,
)
from .values import MAX_TEXT, forbidden_in_texts
from .ydoc import YDocument, client_id_of, is_panic

# What a socket message may hold at most.
MAX_UPDATE_BYTES = 1024 * 1024
# Yrs counts clocks in 32 bits.
_MAX_CLOCK = 2**31 - 1
# Anchors are found by marks that the lowest and the highest client put in (see update_bytes.marks).
_RESERVED_CLIENTS = (0, MAX_NUMBER)
_HALF = "it begins or ends inside a character"
_FOREIGN = "it builds on something that is not in the text"
ROOTS = frozenset({"fields", "sections", "texts", "meta"})


@dataclass(frozen=True, slots=True)
class LiveChange:
    """What is new in an update, as an update of its own. `text` is None when nothing is.

    `growth` counts characters, and is what the text's length must change by.
    """

    text: str | None
    update: bytes
    growth: int


NOTHING_NEW = LiveChange(None, b"", 0)


@dataclass(frozen=True, slots=True)
class Identity:
    """The server's own Yjs client ids for a document: of this epoch, and those of the epochs before."""

    server: int
    retired: frozenset[int]


@lru_cache(maxsize=256)
def identity_of(workspace: str, doc_id: str, epoch: int) -> Identity:
    server = client_id_of(workspace, doc_id, epoch)
    # Renewed documents count their epochs in hours: those of a month are told from strangers, and the first few.
    past = {*range(1, min(epoch, 257)), *range(max(1, epoch - 30 * 24), epoch)}
    return Identity(server, frozenset(client_id_of(workspace, doc_id, number) for number in past) - {server})


class LiveMismatch(Exception):
    """An applied update did something else than was read in it. The live document must be thrown away."""


def read_live_update(update: bytes, ydoc: YDocument, identity: Identity, texts: Mapping[str, str]) -> LiveChange:
    """Checks an update against the document as it is. Raises LiveUpdateRefused and EpochGone."""
    if len(update) > MAX_UPDATE_BYTES:
        raise LiveUpdateRefused("The update is too large.")
    try:
        return _Check(ydoc, identity, texts).run(update)
    except MissingDependency as missing:
        if missing.needed[0] in identity.retired:
            raise EpochGone from None
        raise _refusal("it builds on something that is not there") from None
    except UpdateFlaw as flaw:
        raise _refusal(str(flaw)) from None


def _refusal(why: str) -> LiveUpdateRefused:
    return LiveUpdateRefused(f"The update is refused: {why}.", details={"why": why})


class _Check:
    def __init__(self, ydoc: YDocument, identity: Identity, texts: Mapping[str, str]) -> None:
        self.ids = ydoc.ids()
        self.encode = ydoc.encode
        self.identity = identity
        self.texts = texts
        self.text: str | None = None
        self.steps = 0
        self.after: dict[int, int] = {}
        self.halves: set[Id] = set()
        # Of each client: the new runs that are visible, as (start, end).
        self.visible: dict[int, list[tuple[int, int]]] = {}

    def run(self, update: bytes) -> LiveChange:
        read = read_update(update)
        fresh = {client: new for client, group in read.structs.items() if (new := self._new(client, group))}
        ordered: dict[int, list[Struct]] = {}
        growth = 0
        with self.ids.contention.trial():
            for struct in in_order(fresh, self.ids.known):
                self._admit(struct)
                self._weigh(struct)
                growth += self._place(struct)
                ordered.setdefault(struct.client, []).append(struct)
        deletes: dict[int, list[tuple[int, int]]] = {}
        for client, ranges in read.deletes.items():
            pieces = list(self._new_deletes(client, ranges))
            if pieces:
                deletes[client] = pieces
                growth -= sum(self._deleted_characters(client, start, end) for start, end in pieces)
        if self.text is None:
            return NOTHING_NEW
        length = len(self.texts.get(self.text, "")) + growth
        if growth > 0 and length > MAX_TEXT:
            raise _refusal(f"the text would have {length:,} characters, and at most {MAX_TEXT:,} fit")
        return LiveChange(self.text, _encode(ordered, deletes, self.ids.texts[self.text]), growth)

    # --- what is inserted ----------------------------------------------------------------------------------------

    def _new(self, client: int, group: list[Struct]) -> list[Struct]:
        """The structs that the document does not know, the first of them cut to what is new in it."""
        known = self.ids.known.get(client, 0)
        if group[0].clock < known and not is_same(client, group, self.ids.known, self.encode):
            # Its history is another one: to drop this unseen would lose what somebody typed without a word.
            raise EpochGone
        new = [struct for struct in group if struct.end > known]
        if not new:
            return []
        if client in self.identity.retired:
            raise EpochGone
        if client == self.identity.server:
            raise _refusal("it writes under the server's client id")
        if client in _RESERVED_CLIENTS:
            raise _refusal("its client id is reserved")
        if new[-1].end > _MAX_CLOCK:
            raise _refusal("a clock is too large")
        if new[0].clock < known:
            new[0] = _cut(new[0], known)
        elif new[0].clock > known:
            raise MissingDependency((client, known))
        return new

    def _admit(self, struct: Struct) -> None:
        """Refuses whatever is neither text nor a run deleted already, in a place of the one text."""
        if struct.ref in (GC, SKIP):
            raise _refusal("it leaves a gap")
        if struct.ref not in (STRING, DELETED):
            raise _refusal("it inserts something that is not text")
        if struct.info & HAS_PARENT_SUB:
            raise _refusal("it writes an entry of a map")
        if isinstance(struct.parent, str):
            raise _refusal("it writes to a root of the document")
        if struct.text is not None and forbidden_in_texts(struct.text):
            raise _refusal("it holds control characters other than newline and tab")
        if struct.parent is not None:
            named = [name for name, id_ in self.ids.texts.items() if id_ == struct.parent and name in self.texts]
            if not named:
                raise _refusal(_FOREIGN)
            self._belongs(named[0])
        if struct.origin is not None:
            self._neighbour(struct.origin, (struct.origin[0], struct.origin[1] + 1))
        if struct.right is not None:
            self._neighbour(struct.right, struct.right)

    def _weigh(self, struct: Struct) -> None:
        """Refuses what Yjs could place only after comparing it with too much else, now and at each later reading."""
        assert self.text is not None
        steps = self.ids.place(struct, self.text, most=MAX_UPDATE_STEPS - self.steps)
        self.steps += steps
        if self.steps >= MAX_UPDATE_STEPS or (steps and self.ids.steps + self.steps > MAX_STEPS):
            raise _refusal("too much was inserted in one place by writers who did not know of each other")

    def _belongs(self, text: str | None) -> None:
        if text is None or text not in self.texts:
            raise _refusal(_FOREIGN)
        if self.text is None:
            self.text = text
        elif self.text != text:
            raise _refusal("it changes more than one text")

    def _neighbour(self, id_: Id, split: Id) -> None:
        """`split` is the id before which the neighbouring run will be cut."""
        if self._is_known(id_):
            self._belongs(self.ids.owner(id_))
        # Else it is new: in_order has let it through before, so it is in the one text.
        if self._inside_character(split):
            raise _refusal(_HALF)

    def _is_known(self, id_: Id) -> bool:
        return id_[1] < self.ids.known.get(id_[0], 0)

    def _inside_character(self, id_: Id) -> bool:
        # Yjs would leave two broken halves there, and Yrs loses what follows.
        return id_ in self.halves or bool(self.ids.halves_in(id_[0], id_[1], id_[1] + 1))

    def _place(self, struct: Struct) -> int:
        """Notes a new struct; gives the characters that it adds."""
        self.after[struct.client] = struct.end
        if struct.text is None:
            return 0
        self.halves.update((struct.client, clock) for clock in second_halves(struct.text, struct.clock))
        self.visible.setdefault(struct.client, []).append((struct.clock, struct.end))
        return len(struct.text)

    # --- what is deleted -----------------------------------------------------------------------------------------

    def _new_deletes(self, client: int, ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        if client in self.identity.retired:
            raise EpochGone
        known = self.ids.known.get(client, 0)
        end_of_all = self.after.get(client, known)
        gone = self.ids.gone.get(client)
        # A client that sends all that it has names every deletion there ever was, in maps as well.
        for start, end in united(ranges):
            for left, right in gone.without(start, end) if gone is not None else ((start, end),):
                if right > end_of_all:
                    raise MissingDependency((client, right - 1))
                if left < known:
                    for owner in self.ids.owners(client, left, min(right, known)):
                        self._belongs(owner)
                if self._inside_character((client, left)) or self._inside_character((client, right)):
                    raise _refusal(_HALF)
                yield left, right

    def _deleted_characters(self, client: int, start: int, end: int) -> int:
        known = self.ids.known.get(client, 0)
        count = 0
        if start < known:
            count = min(end, known) - start - self.ids.halves_in(client, start, min(end, known))
        for left, right in self.visible.get(client, ()):
            low, high = max(left, start), min(right, end)
            if low < high:
                count += high - low - sum((client, clock) in self.halves for clock in range(low, high))
        return count


def _cut(struct: Struct, known: int) -> Struct:
    """The part of a struct from a clock on, as Yjs itself writes it: directly behind the unit before."""
    text = struct.text
    if text is not None:
        encoded = text.encode("utf-16-le")[2 * (known - struct.clock) :]
        try:
            text = encoded.decode("utf-16-le")
        except UnicodeDecodeError:
            raise _refusal(_HALF) from None
    return replace(
        struct, clock=known, length=struct.end - known, origin=(struct.client, known - 1), parent=None, text=text
    )


def _encode(structs: Mapping[int, list[Struct]], deletes: Mapping[int, list[tuple[int, int]]], container: Id) -> bytes:
    out = bytearray(encode_number(len(structs)))
    for client in sorted(structs, reverse=True):
        group = structs[client]
        out += encode_number(len(group)) + encode_id((client, group[0].clock))
        for struct in group:
            flags = (HAS_ORIGIN if struct.origin else 0) | (HAS_RIGHT_ORIGIN if struct.right else 0)
            out.append(struct.ref | flags)
            for neighbour in (struct.origin, struct.right):
                if neighbour is not None:
                    out += encode_id(neighbour)
            if not flags:
                out += b"\x00" + encode_id(container)
            if struct.text is None:
                out += encode_number(struct.length)
            else:
                encoded = struct.text.encode()
                out += encode_number(len(encoded)) + encoded
    out += encode_number(len(deletes))
    for client in sorted(deletes, reverse=True):
        ranges = deletes[client]
        out += encode_number(client) + encode_number(len(ranges))
        for start, end in ranges:
            out += encode_number(start) + encode_number(end - start)
    return bytes(out)


# --- applying ----------------------------------------------------------------------------------------------------


def apply_live(ydoc: YDocument, change: LiveChange, before: str) -> str:
    """Applies a checked change and gives the text's new content.

    The second line of defence: raises LiveMismatch when Yjs fails, when anything but that text has changed, or the text
    by another length than was read. Throw the document away then.
    """
    assert change.text is not None
    touched: list[Any] = []
    texts = ydoc.texts.observe_deep(lambda events: touched.extend(_seen(event) for event in events))
    try:
        with structure_watched(ydoc) as hits:
            ydoc.apply_update(change.update)
    except BaseException as error:
        if isinstance(error, Exception) or is_panic(error):
            raise LiveMismatch from error
        raise
    finally:
        ydoc.texts.unobserve(texts)
    if hits or set(ydoc.doc.keys()) != ROOTS or any(path != [change.text] or odd for path, odd in touched):
        raise LiveMismatch
    content = str(ydoc.texts[change.text])
    if len(content) - len(before) != change.growth:
        raise LiveMismatch
    return content


def _seen(event: Any) -> tuple[list[Any], bool]:
    """(the path of what changed, whether it holds anything but plain text)."""
    # Read at once: the event is empty when the transaction is over.
    odd = any(
        "attributes" in part or not isinstance(part.get("insert", ""), str)
        for part in getattr(event, "delta", [{"insert": 0}])
    )
    return list(event.path), odd
