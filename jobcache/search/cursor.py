"""Where a page ended and what was decided at the first one, as an opaque text.

Above: service. Below: plan. A cursor holds nothing secret and opens nothing, so it is checked, not signed: a digest
catches damage, a fingerprint catches use with another question, and every value is read within its bounds.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from jobcache.problems import Flaw, InvalidRequest
from jobcache.search.plan import MAXIMUM_STAND_INS, MAXIMUM_WEIGHT, Decisions

_VERSION = 1
_DIGEST_BYTES = 6


@dataclass(frozen=True, slots=True)
class Position:
    """The sort key of the last role of a page."""

    score: int
    posted_day: int
    row: int


def write_cursor(position: Position, decisions: Decisions, *, fingerprint: str) -> str:
    """The cursor for the page after `position`."""
    content = [
        _VERSION,
        [position.score, position.posted_day, position.row],
        decisions.weights,
        {str(term): list(words) for term, words in decisions.stand_ins.items()},
        int(decisions.partial),
        decisions.as_of,
    ]
    payload = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_digest(payload, fingerprint) + payload).rstrip(b"=").decode()


def read_cursor(cursor: str, *, fingerprint: str, terms: int) -> tuple[Position, Decisions]:
    """What the cursor says, for a question of `terms` terms; raises InvalidRequest when it is not one of ours."""
    try:
        raw = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        digest, payload = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:]
        if digest != _digest(payload, fingerprint):
            raise ValueError("digest")
        return _read(json.loads(payload.decode()), terms)
    except (ValueError, binascii.Error, UnicodeError, RecursionError) as error:
        flaw = Flaw("cursor", "invalid_cursor", "Ask again without a cursor, or with the same arguments as before.")
        raise InvalidRequest("The cursor does not belong to this search.", flaws=[flaw]) from error


def _digest(payload: bytes, fingerprint: str) -> bytes:
    return hashlib.sha256(fingerprint.encode() + b"\n" + payload).digest()[:_DIGEST_BYTES]


def _read(content: Any, terms: int) -> tuple[Position, Decisions]:
    if not isinstance(content, list) or len(content) != 6 or content[0] != _VERSION:
        raise ValueError("version")
    _, key, weights, stand_ins, partial, as_of = content
    if not isinstance(key, list) or len(key) != 3:
        raise ValueError("key")
    position = Position(*(_integer(number) for number in key))
    allowed = {str(digit) for digit in range(MAXIMUM_WEIGHT + 1)}
    if not isinstance(weights, str) or len(weights) != terms or not allowed.issuperset(weights):
        raise ValueError("weights")
    if not isinstance(stand_ins, dict):
        raise ValueError("stand-ins")
    words = {_integer(int(term)): _words(value) for term, value in stand_ins.items()}
    if any(not 0 <= term < terms for term in words) or partial not in (0, 1):
        raise ValueError("terms")
    return position, Decisions(weights, words, bool(partial), _integer(as_of))


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**62:
        raise ValueError("integer")
    return value


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAXIMUM_STAND_INS:
        raise ValueError("words")
    for word in value:
        if not isinstance(word, str) or not word or len(word) > 200 or "\x00" in word:
            raise ValueError("word")
    return tuple(value)
