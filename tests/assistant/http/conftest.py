from __future__ import annotations

import pytest

from tests.assistant.threads.room import Room, make_room
from tests.workspaces.http.conftest import Api, Browser, browser, calm
from workspaces import facade as workspaces

__all__ = ["Api", "Browser", "browser", "calm"]


@pytest.fixture
def room(db: None) -> Room:
    return make_room()


@pytest.fixture
def api(room: Room) -> Api:
    """The owner's."""
    return Api(room.workspace, room.secret)


def api_of(room: Room, role: str) -> Api:
    made = workspaces.create_link(access=room.access, label=role, role=role)
    return Api(room.workspace, made.secret)
