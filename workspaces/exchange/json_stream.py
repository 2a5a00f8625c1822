"""JSON written piece by piece: a value may hold iterators, which become lists without ever being held whole.

Above: whoever exports. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workspaces.contracts import Sink

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_PIECE = 64 * 1024


def write_json(value: Any, into: Sink) -> None:
    """Writes the value as UTF-8, in pieces of about 64 KiB."""
    held: list[str] = []
    size = 0
    for part in _parts(value):
        held.append(part)
        size += len(part)
        if size >= _PIECE:
            into.write("".join(held).encode())
            held, size = [], 0
    into.write("".join(held).encode())


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, Iterator):
        yield from _joined("[", (_parts(entry) for entry in value), "]")
    elif isinstance(value, Mapping) and any(isinstance(entry, Iterator) for entry in value.values()):
        yield from _joined("{", (_member(name, entry) for name, entry in value.items()), "}")
    else:
        yield _ENCODER.encode(value)


def _member(name: str, value: Any) -> Iterator[str]:
    yield _ENCODER.encode(name) + ":"
    yield from _parts(value)


def _joined(start: str, entries: Iterable[Iterator[str]], end: str) -> Iterator[str]:
    yield start
    for index, entry in enumerate(entries):
        if index:
            yield ","
        yield from entry
    yield end
