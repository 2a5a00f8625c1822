"""A workspace with a thread and a connected host, made through the front doors; and ways to play the host's part."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any

from assistant import facade
from assistant.contracts import HostIdentity, TurnInfo
from assistant.models import Host, HostToken
from assistant.tools.boundary import call_tool
from assistant.wire import Assignment, ConnectorInfo, EventRefused, ProviderEvent
from tests.assistant.conversation import Conversation, open_conversation
from workspaces import clock
from workspaces import facade as workspaces
from workspaces.contracts import Access

BUILTIN = ConnectorInfo("builtin", "1.0", "ready", {"offline": True})
SCRIPTED = ConnectorInfo("scripted", "1", "ready", {})


@dataclass(frozen=True)
class Room(Conversation):
    token: str
    host: HostIdentity
    numbers: Any = field(default_factory=lambda: count(1))

    # --- the person ---

    def ask(self, text: str = "What is next?", **changes: Any) -> TurnInfo:
        return facade.start_turn(**{"access": self.access, "thread": self.thread, "text": text, **changes})

    def link(self, role: str) -> Access:
        return self.new_link(role)[0]

    # --- the host ---

    def claim(self, turn: str, host: HostIdentity | None = None) -> Assignment | None:
        return facade.claim_turn(turn=turn, identity=host or self.host)

    def accept(self, turn: str, host: HostIdentity | None = None) -> bool:
        return facade.accept_turn(turn=turn, host=(host or self.host).host)

    def begin(self, text: str = "What is next?", **changes: Any) -> Assignment:
        """A turn that is running on the host."""
        turn = self.ask(text, **changes).id
        assignment = self.claim(turn)
        assert assignment is not None
        assert self.accept(turn)
        return assignment

    def event(self, turn: str, kind: str, data: Any, **changes: Any) -> ProviderEvent:
        return ProviderEvent(turn=turn, id=changes.pop("id", f"e{next(self.numbers)}"), kind=kind, data=data)

    def send(self, turn: str, kind: str, data: Any, **changes: Any) -> list[EventRefused]:
        host = changes.pop("host", self.host.host)
        return facade.take_events(turn=turn, host=host, events=[self.event(turn, kind, data, **changes)])

    def say(self, turn: str, text: str, **changes: Any) -> list[EventRefused]:
        return self.send(turn, "message.delta", {"part": "answer", "text": text}, **changes)

    def complete(self, turn: str, **changes: Any) -> list[EventRefused]:
        return self.send(turn, "turn.completed", {}, **changes)

    def use(self, assignment: Assignment, tool: str, arguments: Any, *, call: str = "c1") -> dict[str, Any]:
        """A tool's answer to the host."""
        return call_tool(
            capability=assignment.capability,
            name=tool,
            arguments=arguments,
            call=call,
            turn=assignment.turn,
            host=self.host.host,
        )

    # --- what is there ---

    def state(self, turn: str) -> str:
        return facade.get_turn_info(access=self.access, turn=turn).state


def make_host(
    *connectors: ConnectorInfo, workspace: str | None = None, name: str = "host", **token: Any
) -> HostIdentity:
    made = facade.create_host_token(workspace=workspace, **token)
    return facade.connect_host(token=made.id, name=name, connectors=connectors or (BUILTIN, SCRIPTED))


def make_room(*, provider: str = "builtin") -> Room:
    host = make_host()
    return Room(**open_conversation(provider), token=host.token, host=host)


def pass_time(monkeypatch: Any, seconds: float) -> None:
    """Move the product's clock forward."""
    monkeypatch.setattr(clock, "_OFFSET", clock._OFFSET + timedelta(seconds=seconds))


def keep_alive(host: HostIdentity) -> None:
    assert facade.note_alive(identity=host)


def silence(host: HostIdentity, seconds: float) -> None:
    """As if the host had given no sign of life for so long."""
    Host.objects.filter(pk=host.host).update(last_seen_at=workspaces.now() - timedelta(seconds=seconds))


def revoke(host: HostIdentity) -> None:
    HostToken.objects.filter(pk=host.token).update(revoked_at=workspaces.now())
