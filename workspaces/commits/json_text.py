"""Canonical JSON text for stored columns and fingerprints: sorted keys, no spaces, NaN refused."""

from __future__ import annotations

import json
from typing import Any

# One encoder for all: json.dumps with options builds a new one at each call.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def encode(value: Any) -> str:
    """Canonical JSON. Raises ValueError for NaN and infinities."""
    return _ENCODER.encode(value)


def decode(text: str) -> Any:
    return json.loads(text)
