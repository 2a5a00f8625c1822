"""The short form of `make faults`: those faults that no journey plays already, each once, in a small storm."""

from __future__ import annotations

from pathlib import Path

import pytest

from .catalogue import SCENARIOS
from .ground import CannotPlay

pytestmark = pytest.mark.journey
SHORT = ("lose-valkey", "kill-postgresql", "full-disk", "sync-before-answer")


@pytest.mark.parametrize("name", SHORT)
def test_every_acknowledged_commit_survives_and_none_is_there_in_half_after(name: str, tmp_path: Path) -> None:
    try:
        row = SCENARIOS[name](tmp_path, commits=48, seed=1)
    except CannotPlay as reason:
        pytest.skip(str(reason))
    assert row["commits"] == 48
