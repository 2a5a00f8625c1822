"""What an import says about its file: one line for each thing that was not taken over as it stood.

Above: everything that reads a resume. Below: nothing. A line is `{"path", "code", "message"}` and, where that tells
more, `given`: the value as the file had it, cut when long.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

Line = dict[str, Any]

MAX_LINES = 1_000
MAX_GIVEN = 200
MAX_KEY = 60
_NOT_GIVEN = object()
# What neither a database nor UTF-8 can hold.
_UNSPEAKABLE = re.compile(r"[\x00\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def below(path: str, key: str | int) -> str:
    """The path of what stands under `key`; a key is cut and made printable."""
    name = str(key) if isinstance(key, int) else _CONTROLS.sub("�", key[: MAX_KEY + 1])
    if len(name) > MAX_KEY:
        name = name[:MAX_KEY] + "…"
    return f"{path}/{name}" if path else name


class Report:
    """Collects the lines. Past `MAX_LINES` the rest is counted by its code: a file can be wrong a million times."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._more: Counter[str] = Counter()

    def add(self, path: str, code: str, message: str, given: Any = _NOT_GIVEN) -> None:
        if len(self._lines) >= MAX_LINES:
            self._more[code] += 1
            return
        line: Line = {"path": path, "code": code, "message": message}
        if given is not _NOT_GIVEN and given is not None:
            line["given"] = shown(given)
        self._lines.append(line)

    def lines(self) -> list[Line]:
        more = [
            {"path": "", "code": code, "message": f"{count:,} more of this kind are not listed one by one."}
            for code, count in self._more.items()
        ]
        return [*self._lines, *more]


def shown(value: Any) -> Any:
    """A value fit for a report: numbers and short texts as they are, everything else as text, cut."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else _cut(str(value)) if abs(value) < 10**400 else "a huge number"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _cut(value)
    try:
        return _cut(json.dumps(value, ensure_ascii=False, default=str))
    except (ValueError, TypeError, RecursionError):
        return "…"


def _cut(text: str) -> str:
    kept = text if len(text) <= MAX_GIVEN else text[: MAX_GIVEN - 1] + "…"
    return _UNSPEAKABLE.sub("�", kept)
