"""An owner of a fresh workspace."""

from __future__ import annotations

import pytest

from tests.factories import Writer, open_workspace


@pytest.fixture
def owner(db: None) -> Writer:
    return open_workspace()
