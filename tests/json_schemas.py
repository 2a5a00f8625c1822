"""Looking into JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object schema inside `schema`, the outermost first."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for entry in schema.values():
            yield from objects(entry)
    elif isinstance(schema, list):
        for entry in schema:
            yield from objects(entry)
