"""Backpressure where the server gives none: daphne's `send` takes everything."""

from __future__ import annotations

import functools
from types import SimpleNamespace

from channels.sessions import InstanceSessionWrapper
from daphne.server import Server
from twisted.internet.abstract import FileDescriptor

from workspaces.realtime.backlog import backlog_of


def daphne_send(transport: object) -> object:
    """What daphne hands to an application (`Server.create_application`)."""
    return functools.partial(Server.handle_reply, SimpleNamespace(transport=transport))


def test_daphnes_buffer_is_seen_through_the_session_wrapper_too() -> None:
    transport = FileDescriptor(reactor=SimpleNamespace(addWriter=lambda _: None))
    transport.connected = 1
    for send in (daphne_send(transport), InstanceSessionWrapper({"cookies": {}}, daphne_send(transport)).send):
        look = backlog_of(send)
        assert look is not None
        before = look()
        transport.write(b"x" * 1000)
        assert look() == before + 1000


def test_other_servers_are_left_alone() -> None:
    async def send(message: object) -> None: ...

    assert backlog_of(send) is None
    assert backlog_of(functools.partial(send, {})) is None
    assert backlog_of(daphne_send(None)) is None
