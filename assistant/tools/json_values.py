"""Is this plain, bounded JSON? The first question about anything a host sends, asked before any schema.

The walk is iterative and stops at the first limit, so that neither depth nor size can hurt. Pure Python.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from workspaces.errors import DomainError, Flaw, InvalidRequest, TooLarge

MAX_DEPTH = 16
MAX_BYTES = 256 * 1024
_LARGEST_INTEGER = 2**63 - 1
# Made once: json.dumps with options builds a new one at each call.
_CANONICAL = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_SPACED = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_Path = tuple[Any, str | int] | None


def check_arguments(value: object) -> dict[str, Any]:
    """`value` as a JSON object of at most 256 KiB and 16 levels. Raises InvalidRequest or TooLarge.

    Control characters, lone surrogates, NaN, infinities and integers beyond 64 bits are refused here.
    """
    if not isinstance(value, dict):
        raise InvalidRequest("The arguments must be one JSON object.", flaws=[Flaw("", "type", "Not an object.")])
    size = 0
    # A path is the name behind the path above; it becomes text only where something is wrong.
    pending: list[tuple[Any, _Path, int]] = [(value, None, 0)]
    while pending:
        entry, path, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise _flawed(path, "too_deep", f"More than {MAX_DEPTH} levels.")
        if isinstance(entry, dict):
            size += 2
            for name, inner in entry.items():
                if not isinstance(name, str):
                    raise _flawed(path, "type", "A property name must be text.")
                size += _size_of(name, path) + 2
                pending.append((inner, (path, name), depth + 1))
        elif isinstance(entry, list):
            size += 2 + len(entry)
            if size > MAX_BYTES:
                break
            pending.extend([(inner, (path, index), depth + 1) for index, inner in enumerate(entry)])
        elif isinstance(entry, str):
            size += _size_of(entry, path)
        elif entry is None or isinstance(entry, bool):
            size += 4
        elif isinstance(entry, int):
            if abs(entry) > _LARGEST_INTEGER:
                raise _flawed(path, "range", "This number is too large.")
            size += 1
        elif isinstance(entry, float):
            if not math.isfinite(entry):
                raise _flawed(path, "type", "NaN and infinities are not JSON.")
            size += 1
        else:
            raise _flawed(path, "type", "This is not a JSON value.")
        if size > MAX_BYTES:
            break
    if size > MAX_BYTES:
        raise TooLarge(f"The arguments are over {MAX_BYTES // 1024} KiB.")
    return value


def is_clean_text(value: object, *, maximum: int) -> bool:
    """True for 1 to `maximum` characters without control characters or half characters."""
    return isinstance(value, str) and 0 < len(value) <= maximum and not _FORBIDDEN.search(value)


def canonical(value: Any) -> bytes:
    """The one encoding that digests are taken over: compact, keys sorted, UTF-8."""
    return _CANONICAL.encode(value).encode()


def compact(value: Any) -> str:
    """JSON without spaces, keys in their order: as answers are kept."""
    return _COMPACT.encode(value)


def encoded_size(value: Any) -> int:
    """Bytes of `value` as UTF-8 JSON with Python's default spacing, the largest form in which a host meets it."""
    return len(_SPACED.encode(value).encode())


def _size_of(text: str, path: _Path) -> int:
    if len(text) > MAX_BYTES:
        raise TooLarge(f"The arguments are over {MAX_BYTES // 1024} KiB.")
    if _FORBIDDEN.search(text):
        message = "Control characters other than newline and tab, and half characters, are not allowed."
        raise _flawed(path, "control_character", message)
    return len(text.encode()) + 2


def _flawed(path: _Path, code: str, message: str) -> DomainError:
    names: list[str] = []
    while path is not None:
        path, name = path
        names.append(str(name)[:200])
    shown = _FORBIDDEN.sub("�", "/".join(reversed(names))[:200])
    return InvalidRequest("The arguments are not plain JSON within the limits.", flaws=[Flaw(shown, code, message)])
