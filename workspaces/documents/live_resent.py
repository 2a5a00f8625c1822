"""What a client sends of units that the document has already: the same ones again, or others under the same ids.

Yjs takes an id that it knows for the same unit and drops it unseen. Two writers under one client id (by mischief, or a
copied tab) would then hold different texts for ever, and nobody would be told. So the words are compared.

Above: `live_update`. Below: the reader of updates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from .update_bytes import encode_id, encode_number
from .update_reader import Struct, UpdateFlaw, read_update

Encode = Callable[[bytes], bytes]


def is_same(client: int, resent: Sequence[Struct], known: Mapping[int, int], encode: Encode) -> bool:
    """Whether what `resent` holds of known units is what the document holds there, as far as it still holds text.

    `encode` gives the document's update after a state vector. What was deleted meanwhile has no words to compare.
    """
    end = known[client]
    texts = [struct for struct in resent if struct.text is not None and struct.clock < end]
    if not texts:
        return True
    vector = {**known, client: texts[0].clock}
    try:
        stored = read_update(encode(_vector(vector))).structs.get(client, [])
    except UpdateFlaw:
        return False  # it begins inside a character, where no client of this document can
    return all(mine == theirs for mine, theirs in _overlaps(texts, stored, end))


def _overlaps(texts: Sequence[Struct], stored: Sequence[Struct], end: int) -> Iterator[tuple[bytes, bytes]]:
    """The words of both sides for each stretch that both hold as text. Both are in the order of their clocks."""
    at = 0
    for struct in texts:
        while at < len(stored) and stored[at].end <= struct.clock:
            at += 1
        for other in stored[at:]:
            left, right = max(struct.clock, other.clock), min(struct.end, other.end, end)
            if other.clock >= min(struct.end, end):
                break
            if left < right and other.text is not None:
                yield _units(struct, left, right), _units(other, left, right)


def _units(struct: Struct, start: int, end: int) -> bytes:
    assert struct.text is not None
    return struct.text.encode("utf-16-le")[2 * (start - struct.clock) : 2 * (end - struct.clock)]


def _vector(clocks: Mapping[int, int]) -> bytes:
    return encode_number(len(clocks)) + b"".join(encode_id(entry) for entry in clocks.items())
