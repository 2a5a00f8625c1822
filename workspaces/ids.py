"""Opaque, URL-safe, prefixed ids of at most 40 characters (contract, opening paragraph)."""

from __future__ import annotations

import hashlib
import os
import re
import time
from functools import lru_cache

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Ten bits at a time: ids are made several times a commit.
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]


_SHAPE = re.compile(r"[A-Za-z0-9_:.-]{1,64}")


def can_be_id(value: object) -> bool:
    """Whether anything of ours could have this id. Ask before a database does: PostgreSQL refuses some characters."""
    return isinstance(value, str) and _SHAPE.fullmatch(value) is not None


def _base32(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        digits.append(_ALPHABET[number & 31])
        number >>= 5
    return "".join(reversed(digits))


@lru_cache(maxsize=4)
def _time_part(milliseconds: int) -> str:
    return _base32(milliseconds, 10)


def ulid() -> str:
    """A fresh ULID: 48 bits of milliseconds, 80 random bits, Crockford base 32, 26 characters."""
    number = int.from_bytes(os.urandom(10), "big")
    random_part = "".join([_PAIRS[number >> shift & 1023] for shift in range(70, -1, -10)])
    return _time_part(time.time_ns() // 1_000_000) + random_part


def new_id(prefix: str) -> str:
    """`PREFIX_` + ULID, for instance `evt_01J…`."""
    return f"{prefix}_{ulid()}"


def derived_id(prefix: str, *parts: str) -> str:
    """An id that the same parts always give again (operation ids: request id and index)."""
    digest = hashlib.sha256("\x00".join(parts).encode()).digest()
    number = int.from_bytes(digest[:16], "big")
    return f"{prefix}_{''.join([_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)])}"
