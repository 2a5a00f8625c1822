"""A workspace with one conversation, made through the front doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant import facade
from workspaces import facade as workspaces
from workspaces.contracts import Access


@dataclass(frozen=True)
class Conversation:
    """`access` and `secret` are the owner's."""

    workspace: str
    secret: str
    access: Access
    connector: str
    thread: str

    def events(self) -> list[dict[str, Any]]:
        """Oldest first."""
        return facade.list_thread_events(access=self.access, thread=self.thread, after=0, limit=10_000)

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events()]

    def new_link(self, role: str) -> tuple[Access, str]:
        """Another link's access and secret."""
        made = workspaces.create_link(access=self.access, label=role, role=role)
        return workspaces.open_link(secret=made.secret), made.secret


def open_conversation(provider: str) -> dict[str, Any]:
    """The fields of a new `Conversation`, for those that know more of it."""
    made = workspaces.create_workspace(label="test")
    access = workspaces.open_link(secret=made.link.secret)
    connector = facade.create_connector(access=access, provider=provider)
    thread = facade.create_thread(access=access, connector=connector.id)
    return {
        "workspace": made.workspace,
        "secret": made.link.secret,
        "access": access,
        "connector": connector.id,
        "thread": thread.id,
    }
