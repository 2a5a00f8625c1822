"""Runs an operation's serializer: the only place that knows how DRF validates and reports.

Above: the commit service's schema step, which gets plain data and plain flaws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rest_framework.exceptions import ValidationError

from workspaces.errors import Flaw

from .base import Data, Operation, OperationSerializer


@cache
def _serializer(kind: type[OperationSerializer]) -> OperationSerializer:
    # One instance a kind: validating keeps no state, and building the fields anew is what costs.
    return kind()


def parse(operation: Operation, raw: Mapping[str, Any]) -> tuple[Data | None, list[Flaw]]:
    """The operation's checked data, or None and everything that is wrong with it, by path."""
    try:
        # The fields are all that an operation declares, so that the passes around them have nothing to do.
        return dict(_serializer(operation.Serializer).to_internal_value(raw)), []
    except ValidationError as error:
        return None, list(flaws_of(error.detail))


def flaws_of(detail: Any, path: str = "") -> Iterable[Flaw]:
    """DRF's nested error detail as flat flaws with slash-separated paths."""
    if isinstance(detail, dict):
        for name, entry in detail.items():
            below = path if name == "non_field_errors" else f"{path}/{name}" if path else str(name)
            yield from flaws_of(entry, below)
    elif isinstance(detail, list):
        for index, entry in enumerate(detail):
            if isinstance(entry, dict | list):
                if entry:
                    yield from flaws_of(entry, f"{path}/{index}")
            else:
                yield Flaw(path, getattr(entry, "code", None) or "invalid", str(entry))
