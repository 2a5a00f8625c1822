"""The query parameters of lists and readings, read strictly: a value that makes no sense is an error, no default."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import QueryDict

from workspaces.errors import Flaw, InvalidRequest

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_CURSOR = 1_000
MAX_SEQ = 2**53
_DIGITS = re.compile(r"[0-9]{1,16}")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class Query:
    """Typed access to one request's parameters. Each method raises InvalidRequest naming the parameter."""

    def __init__(self, parameters: QueryDict) -> None:
        self._parameters = parameters

    def text(self, name: str, *, maximum: int = 100) -> str | None:
        """Absent and empty are the same."""
        value = self._parameters.get(name) or None
        if value is not None and (len(value) > maximum or _FORBIDDEN.search(value)):
            raise _flaw(name, "invalid", "This is not a value that this parameter can have.")
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str | None:
        value = self.text(name)
        if value is not None and value not in choices:
            raise _flaw(name, "choice", f"This must be one of {', '.join(choices)}.")
        return value

    def flag(self, name: str) -> bool:
        return self.choice(name, ("true", "false")) == "true"

    def number(self, name: str, *, minimum: int = 0, maximum: int = MAX_SEQ) -> int | None:
        value = self.text(name)
        if value is None:
            return None
        if not _DIGITS.fullmatch(value) or not minimum <= int(value) <= maximum:
            raise _flaw(name, "range", f"This must be a whole number from {minimum:,} to {maximum:,}.")
        return int(value)

    def limit(self) -> int:
        value = self.number("limit", minimum=1, maximum=MAX_LIMIT)
        return DEFAULT_LIMIT if value is None else value

    def cursor(self) -> str | None:
        return self.text("cursor", maximum=MAX_CURSOR)


def _flaw(name: str, code: str, message: str) -> InvalidRequest:
    return InvalidRequest(flaws=[Flaw(name, code, message)])
