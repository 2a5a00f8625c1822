"""Canonical JSON text for stored columns and fingerprints: sorted keys, no spaces, NaN refused."""

from __future__ import annotations

import json
from typing import Any


def encode(value: Any) -> str:
    """Canonical JSON. Raises ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def decode(text: str) -> Any:
    return json.loads(text)
