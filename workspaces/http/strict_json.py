"""JSON as RFC 8259 means it, and no further: for HTTP bodies and socket messages.

Refused with `Malformed`: bytes that are not UTF-8, duplicate keys, NaN and infinities (also 1e999), lone surrogates,
nesting deeper than `MAX_DEPTH`, numbers of more digits than Python will read, anything after the value.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from workspaces.errors import Malformed

MAX_DEPTH = 20


def loads(data: bytes | str) -> Any:
    """The value. Raises Malformed with a sentence that helps."""
    text = data if isinstance(data, str) else _decode(data)
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_float, parse_int=_int
        )
    except json.JSONDecodeError as error:
        raise Malformed(f"Not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise Malformed(f"The JSON is nested deeper than {MAX_DEPTH} levels.") from None
    _check(value, has_escapes="\\u" in text or not isinstance(data, bytes))
    return value


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed("The body is not UTF-8.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Malformed(f"The key {json.dumps(key[:60])} stands twice in one object.")
            seen.add(key)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON.")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise Malformed("A number is too large to hold.")
    return number


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads at most 4,300 digits
        raise Malformed("A number is too large to hold.") from None


def _check(value: Any, *, has_escapes: bool) -> None:
    """Depth, and half characters, which only an escape can bring in. Iterative: the depth is not yet known."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for entry in level:
            if isinstance(entry, dict):
                below.extend(entry.values())
                if has_escapes:
                    below.extend(entry)
            elif isinstance(entry, list):
                below.extend(entry)
            elif has_escapes and isinstance(entry, str) and not _is_unicode(entry):
                raise Malformed("A string holds half a character (a lone surrogate).")
        if not below:
            return
        level = below
    raise Malformed(f"The JSON is nested deeper than {MAX_DEPTH} levels.")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
