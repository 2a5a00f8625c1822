"""The arguments of a search, read strictly (contract section 8). Above: http, service. Below: problems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pycountry

from jobcache.problems import Flaw, InvalidRequest

WORK_MODES = ("remote", "hybrid", "onsite")
EMPLOYMENT_TYPES = ("full", "part", "contract", "temporary", "seasonal", "internship", "apprenticeship")
MAXIMUM_QUERY = 200
MAXIMUM_LOCATION = 200
MAXIMUM_LIMIT = 25
DEFAULT_LIMIT = 10
MAXIMUM_CURSOR = 4000


@dataclass(frozen=True, slots=True)
class SearchArguments:
    """What is asked. Blank texts mean no such wish. `salary_min` is a yearly amount in `currency`, or, without one,
    in whatever currency an ad states: amounts are compared as they stand and never converted."""

    query: str = ""
    location: str = ""
    country: str | None = None
    work_mode: str | None = None
    employment_type: str | None = None
    posted_within_days: int | None = None
    salary_min: int | None = None
    currency: str | None = None
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None

    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits for the question without its page: a cursor fits one question only."""
        wishes = asdict(self)
        del wishes["limit"], wishes["cursor"]
        return hashlib.sha256(json.dumps(wishes, sort_keys=True).encode()).hexdigest()[:16]


class _Bad(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read_arguments(value: Any) -> SearchArguments:
    """The arguments in a parsed body; null and absent are the same. Raises InvalidRequest naming every flaw."""
    if not isinstance(value, Mapping):
        raise InvalidRequest("The body must be an object.", flaws=[Flaw("", "invalid", "An object is expected.")])
    flaws = [
        Flaw(str(name)[:100], "unknown_field", "This argument does not exist.")
        for name in value
        if name not in _READERS
    ]
    found: dict[str, Any] = {}
    for name, read in _READERS.items():
        if value.get(name) is None:
            continue
        try:
            found[name] = read(value[name])
        except _Bad as bad:
            flaws.append(Flaw(name, bad.code, bad.message))
    if flaws:
        raise InvalidRequest("The search arguments are not valid.", flaws=flaws[:20])
    return SearchArguments(**found)


def _text(most: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise _Bad("invalid_type", "A text is expected.")
        if len(value) > most:
            raise _Bad("too_long", f"At most {most} characters are allowed.")
        return " ".join(value.split())

    return read


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise _Bad("invalid_choice", f"One of {', '.join(allowed)} is expected.")
        return value

    return read


def _integer(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _Bad("invalid_type", "An integer is expected.")
        if not least <= value <= most:
            raise _Bad("out_of_range", f"A number from {least} to {most} is expected.")
        return value

    return read


def _country(value: Any) -> str:
    if not isinstance(value, str) or len(value) != 2 or pycountry.countries.get(alpha_2=value.upper()) is None:
        raise _Bad("invalid_choice", "A country code of ISO 3166-1 is expected, such as CH.")
    return value.upper()


def _currency(value: Any) -> str:
    if not isinstance(value, str) or len(value) != 3 or pycountry.currencies.get(alpha_3=value.upper()) is None:
        raise _Bad("invalid_choice", "A currency code of ISO 4217 is expected, such as CHF.")
    return value.upper()


def _cursor(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAXIMUM_CURSOR:
        raise _Bad("invalid_cursor", "This is not a cursor of an earlier answer.")
    return value


_READERS: dict[str, Callable[[Any], Any]] = {
    "query": _text(MAXIMUM_QUERY),
    "location": _text(MAXIMUM_LOCATION),
    "country": _country,
    "work_mode": _one_of(WORK_MODES),
    "employment_type": _one_of(EMPLOYMENT_TYPES),
    "posted_within_days": _integer(1, 180),
    "salary_min": _integer(0, 1_000_000_000),
    "currency": _currency,
    "limit": _integer(1, MAXIMUM_LIMIT),
    "cursor": _cursor,
}
