"""JSON that means one thing only: UTF-8, no duplicate members, no NaN, no lone surrogates, bounded nesting.

Above: http. Below: problems.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from jobcache.problems import Malformed

MAXIMUM_DEPTH = 16


def parse(body: bytes) -> Any:
    """The value of `body`; raises Malformed with a sentence that says what is wrong."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed("The body is not UTF-8.") from error
    # Counted on the raw text first, because the parser itself recurses.
    if _depth(text) > MAXIMUM_DEPTH:
        raise Malformed(f"The body is nested deeper than {MAXIMUM_DEPTH} levels.")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Malformed("The body is not JSON.") from error
    if _has_lone_surrogate(value):
        raise Malformed("A text holds half of a surrogate pair.")
    return value


def _depth(text: str) -> int:
    depth = deepest = 0
    inside = escaped = False
    for sign in text:
        if inside:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                inside = False
        elif sign == '"':
            inside = True
        elif sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth -= 1
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("A member appears twice in one object.")
    return members


def _no_constant(_name: str) -> NoReturn:
    raise Malformed("NaN and infinities are not JSON.")


def _finite(literal: str) -> float:
    number = float(literal)
    if number in (float("inf"), float("-inf")):
        raise Malformed("A number is too large.")
    return number


def _has_lone_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return any(0xD800 <= ord(sign) < 0xE000 for sign in value)
    if isinstance(value, dict):
        return any(_has_lone_surrogate(name) or _has_lone_surrogate(one) for name, one in value.items())
    if isinstance(value, list):
        return any(_has_lone_surrogate(one) for one in value)
    return False
