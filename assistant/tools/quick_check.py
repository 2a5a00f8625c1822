"""Whether a value surely fits a schema: the plain keywords of JSON Schema as Python functions, composed once a schema.

True is certain; False only means that the full validator must be asked, which also finds the words for what is wrong.
Most calls are well formed, and the full validator takes longer over one than the rest of the boundary does. Above:
`base`. Source of the keywords' meaning: JSON Schema draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]

_TYPES: Mapping[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    # A float without a fraction is an integer too: that is left to the full validator.
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
}
_SILENT = frozenset({"description", "title", "$defs"})


def _unsure(value: Any) -> bool:
    return False


def compiled(schema: Mapping[str, Any]) -> Check:
    """The check of one schema. A keyword that is not known here makes it unsure of everything."""
    checks: list[Check] = []
    for keyword, expected in schema.items():
        if keyword in _SILENT:
            continue
        make = _KEYWORDS.get(keyword)
        if make is None:
            return _unsure
        checks.append(make(expected))
    if "properties" in schema and schema.get("additionalProperties") is not False:
        return _unsure
    parts = tuple(checks)
    return lambda value: all([check(value) for check in parts])


def _type(expected: Any) -> Check:
    if isinstance(expected, str):
        return _TYPES[expected]
    wanted = tuple(_TYPES[name] for name in expected)
    return lambda value: any([check(value) for check in wanted])


def _properties(expected: Mapping[str, Mapping[str, Any]]) -> Check:
    known = {name: compiled(schema) for name, schema in expected.items()}

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for name, entry in value.items():
            check = known.get(name)
            if check is None or not check(entry):
                return False
        return True

    return fits


def _required(expected: list[str]) -> Check:
    return lambda value: not isinstance(value, dict) or all([name in value for name in expected])


def _additional(expected: Any) -> Check:
    # What is not named at all, `_properties` has refused already.
    return _anything if expected is False else _unsure


def _items(expected: Mapping[str, Any]) -> Check:
    check = compiled(expected)
    return lambda value: not isinstance(value, list) or all([check(entry) for entry in value])


def _enum(expected: list[Any]) -> Check:
    # Of text and null alone: to Python 1, 1.0 and True are one value, to JSON they are not.
    allowed = frozenset(entry for entry in expected if entry is None or isinstance(entry, str))
    return lambda value: (value is None or isinstance(value, str)) and value in allowed


def _length(kind: type[str] | type[list[Any]], *, least: int = 0, most: float = float("inf")) -> Check:
    return lambda value: not isinstance(value, kind) or least <= len(value) <= most


def _between(*, least: float = float("-inf"), most: float = float("inf")) -> Check:
    return lambda value: type(value) not in (int, float) or least <= value <= most


def _anything(_value: Any) -> bool:
    return True


_KEYWORDS: Mapping[str, Callable[[Any], Check]] = {
    "type": _type,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "enum": _enum,
    "minLength": lambda expected: _length(str, least=expected),
    "maxLength": lambda expected: _length(str, most=expected),
    "minItems": lambda expected: _length(list, least=expected),
    "maxItems": lambda expected: _length(list, most=expected),
    "minimum": lambda expected: _between(least=expected),
    "maximum": lambda expected: _between(most=expected),
}
