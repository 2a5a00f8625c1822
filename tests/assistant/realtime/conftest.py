from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from inspect import iscoroutinefunction

import pytest
from django.db import connections

from assistant import facade
from tests.assistant.conversation import Conversation, open_conversation

from .live import serve


def _closing(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @wraps(test)
    async def run(*args: object, **kwargs: object) -> None:
        try:
            await test(*args, **kwargs)
        finally:
            connections.close_all()

    return run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests look into the database from their own loop, where a connection belongs to the coroutine: PostgreSQL
    would keep it open after the test."""
    for item in items:
        ours = item.nodeid.startswith(("tests/assistant/realtime/", "tests/assistant/host/"))
        if ours and isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
            item.obj = _closing(item.obj)


@dataclass(frozen=True)
class Desk(Conversation):
    """A conversation and a token for hosts."""

    token: str
    token_id: str

    def ask(self, text: str = "What is next?", **changes: object) -> str:
        return facade.start_turn(**{"access": self.access, "thread": self.thread, "text": text, **changes}).id

    def text(self) -> str:
        return "".join(event["data"]["text"] for event in self.events() if event["kind"] == "message.delta")

    @property
    def rail(self) -> str:
        return f"/ws/workspaces/{self.workspace}/threads/{self.thread}/"


def make_desk(*, provider: str = "builtin", token_workspace: bool = False) -> Desk:
    made = open_conversation(provider)
    token = facade.create_host_token(workspace=made["workspace"] if token_workspace else None)
    return Desk(**made, token=token.secret, token_id=token.id)


@pytest.fixture(autouse=True)
def calm(settings) -> None:
    """Rate limits have tests of their own."""
    settings.CAREERVECTOR_RATE_LIMITS_ON = False


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    return make_desk()


@pytest.fixture
def desks(transactional_db: None):
    """Makes further workspaces."""
    return make_desk


@pytest.fixture
def server(transactional_db: None) -> Iterator[str]:
    with serve() as url:
        yield url
