"""Installed versions are not older than the floors."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.version import Version

FLOORS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text())["floors"]


@pytest.mark.parametrize("package", sorted(FLOORS))
def test_the_installed_version_is_at_or_above_its_floor(package: str) -> None:
    assert Version(version(package)) >= Version(FLOORS[package][0])


def test_pycrdt_is_pinned_exactly_because_its_format_is_stored() -> None:
    assert version("pycrdt") == "0.14.13"
