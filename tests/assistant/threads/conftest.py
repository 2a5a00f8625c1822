from __future__ import annotations

from collections.abc import Callable

import pytest

from .room import Room, make_room


@pytest.fixture
def room(db: None) -> Room:
    return make_room()


@pytest.fixture
def rooms(db: None) -> Callable[..., Room]:
    """Makes further workspaces, each with a thread and a host of its own."""
    return make_room
