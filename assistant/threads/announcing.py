"""What other processes and sockets hear about threads and turns, always after the transaction has been committed.

Above it: the writers in this package. Below it: the hub. Topic `hosts` reaches every host gateway, `workspace:<id>`
the workspace's sockets. A lost message costs latency only: gateways and sweepers read the database anyway.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from assistant.contracts import ThreadInfo
from workspaces import facade

HOSTS_TOPIC = "hosts"


def announce_queued(turn: str) -> None:
    """A turn waits for a host."""
    _later(HOSTS_TOPIC, {"type": "turn.queued", "turn": turn})


def announce_ended(*, turn: str, host: str | None) -> None:
    """A turn has ended: the host that has it stops working on it."""
    _later(HOSTS_TOPIC, {"type": "turn.ended", "turn": turn, "host": host})


def announce_session(*, host: str, session: str) -> None:
    """A host has a new socket: an older one of it closes."""
    _later(HOSTS_TOPIC, {"type": "host.session", "host": host, "session": session})


def announce_thread(thread: ThreadInfo) -> None:
    """A thread was made, renamed, or its turn began or ended."""
    _later(f"workspace:{thread.workspace}", {"type": "thread", "thread": {**thread.as_json(), "deleted": False}})


def announce_deleted_thread(*, workspace: str, thread: str) -> None:
    """A thread is gone; its sockets close."""
    _later(f"workspace:{workspace}", {"type": "thread", "thread": {"id": thread, "deleted": True}})
    _later(f"thread:{thread}", {"type": "thread.deleted", "thread": thread})


def _later(topic: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: facade.hub.publish(topic=topic, message=message), robust=True)
