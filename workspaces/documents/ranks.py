"""Fractional indexes: text keys that always leave room between two neighbours.

A key is an integer part, whose first letter tells its length, and a base-62 fraction that does not end in the zero
digit. Keys compare as plain text. Growing at one end only counts the integer part up or down, so such keys stay short;
splitting the same gap again and again lengthens the fraction. Ties (two writers chose the same key) are broken by id.
Source: contract section 3 (ranks; the system rebalances past 64 characters).
"""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
_VALUE = {digit: value for value, digit in enumerate(DIGITS)}
_SMALLEST = "A" + DIGITS[0] * 26


def _integer_length(head: str) -> int:
    if "a" <= head <= "z":
        return ord(head) - ord("a") + 2
    if "A" <= head <= "Z":
        return ord("Z") - ord(head) + 2
    return 0


def is_rank(key: object) -> bool:
    """A well-formed key: known integer length, base 62, no trailing zero in the fraction."""
    if not isinstance(key, str) or not key or any(c not in _VALUE for c in key):
        return False
    length = _integer_length(key[0])
    return 0 < length <= len(key) and (len(key) == length or key[-1] != DIGITS[0]) and key != _SMALLEST


def _split(key: str) -> tuple[str, str]:
    length = _integer_length(key[0])
    return key[:length], key[length:]


def _count(integer: str, step: int) -> str | None:
    """The integer part one up or down, or None where there is none left."""
    head, digits = integer[0], [_VALUE[d] for d in integer[1:]]
    for index in range(len(digits) - 1, -1, -1):
        digits[index] = (digits[index] + step) % BASE
        if digits[index] != (0 if step > 0 else BASE - 1):
            return head + "".join(DIGITS[d] for d in digits)
    if head == ("Z" if step > 0 else "a"):
        return "a" + DIGITS[0] if step > 0 else "Z" + DIGITS[-1]
    if head == ("z" if step > 0 else "A"):
        return None
    new_head = chr(ord(head) + step)
    return new_head + (DIGITS[0] if step > 0 else DIGITS[-1]) * (_integer_length(new_head) - 1)


def _fraction_between(low: str, high: str | None) -> str:
    prefix = ""
    while True:
        if high is not None:
            same = 0
            while same < len(high) and (low[same] if same < len(low) else DIGITS[0]) == high[same]:
                same += 1
            prefix, low, high = prefix + high[:same], low[same:], high[same:]
        first = _VALUE[low[0]] if low else 0
        last = _VALUE[high[0]] if high else BASE
        if last - first > 1:
            return prefix + DIGITS[(first + last) // 2]
        if high is not None and len(high) > 1:
            return prefix + high[0]
        prefix, low, high = prefix + DIGITS[first], low[1:], None


def between(before: str | None, after: str | None) -> str:
    """A key strictly between two keys; None stands for an open end. Equal or crossed keys count `after` as open."""
    if before is not None and after is not None and before >= after:
        after = None
    if before is None and after is None:
        return "a" + DIGITS[0]
    if before is None:
        assert after is not None
        integer, fraction = _split(after)
        if integer == _SMALLEST:
            return integer + _fraction_between("", fraction)
        return integer if fraction else (_count(integer, -1) or integer)
    integer, fraction = _split(before)
    following = _count(integer, 1)
    if after is None:
        return following if following is not None else integer + _fraction_between(fraction, None)
    if _split(after)[0] == integer:
        return integer + _fraction_between(fraction, _split(after)[1])
    if following is not None and following < after:
        return following
    return integer + _fraction_between(fraction, None)


def spread(count: int) -> Sequence[str]:
    """`count` rising short keys, for a rebalance."""
    keys: list[str] = []
    last: str | None = None
    for _ in range(count):
        last = between(last, None)
        keys.append(last)
    return keys
