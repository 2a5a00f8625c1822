"""Frozen values that cross the assistant's facade. No ORM row ever does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workspaces import facade


@dataclass(frozen=True, slots=True)
class ThreadInfo:
    """A conversation. `running_turn` is the turn that is being answered, or None."""

    id: str
    workspace: str
    title: str
    connector: str
    created_at: datetime
    updated_at: datetime
    last_seq: int
    running_turn: str | None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "connector": self.connector,
            "created_at": facade.rfc3339(self.created_at),
            "updated_at": facade.rfc3339(self.updated_at),
            "last_seq": self.last_seq,
            "running_turn": self.running_turn,
        }


@dataclass(frozen=True, slots=True)
class TurnInfo:
    """A question and how far its answer has come. `state`: queued, assigned, running, completed, failed, cancelled."""

    id: str
    thread: str
    connector: str
    state: str
    text: str = field(repr=False)
    surface: str | None
    document: str | None
    created_at: datetime
    deadline_at: datetime
    ended_at: datetime | None
    first_seq: int
    origin_event: str

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "thread": self.thread,
            "connector": self.connector,
            "state": self.state,
            "text": self.text,
            "surface": self.surface,
            "document": self.document,
            "created_at": facade.rfc3339(self.created_at),
            "deadline_at": facade.rfc3339(self.deadline_at),
            "ended_at": None if self.ended_at is None else facade.rfc3339(self.ended_at),
            "seq": self.first_seq,
            "event": self.origin_event,
        }


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """Newest first."""

    items: tuple[ThreadInfo, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ConnectorView:
    """A connector as the page shows it (contract section 9)."""

    id: str
    provider: str
    state: str
    version: str | None
    capabilities: Mapping[str, Any]
    shared: bool
    login: Mapping[str, Any] | None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "provider": self.provider,
            "state": self.state,
            "version": self.version,
            "capabilities": dict(self.capabilities),
            "shared": self.shared,
            "login": None if self.login is None else dict(self.login),
        }


@dataclass(frozen=True, slots=True)
class NewHostToken:
    """A host token just made. `secret` (`cvh_…`) is shown once and kept nowhere."""

    id: str
    secret: str = field(repr=False)
    providers: tuple[str, ...]
    workspace: str | None


@dataclass(frozen=True, slots=True)
class HostIdentity:
    """A connected host. `session` names its socket: only the newest of a host counts."""

    host: str
    session: str
    token: str
    workspace: str | None
    providers: frozenset[str]
