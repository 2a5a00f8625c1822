"""Frozen values that cross the facade. No ORM row and no pycrdt object ever does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

Role = Literal["owner", "edit", "view"]
ActorClass = Literal["human", "agent", "system"]


@dataclass(frozen=True, slots=True)
class Access:
    """What an opened link allows: one workspace, under one link, in one role."""

    workspace: str
    link: str
    role: Role


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link just made. `secret` (`cvl_…`) is shown once and kept nowhere."""

    id: str
    secret: str = field(repr=False)
    role: Role
    label: str


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """A link as an owner may list it: never the secret, only its last four characters."""

    id: str
    label: str
    role: Role
    last4: str
    created_at: datetime
    last_used_on: str | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewWorkspace:
    workspace: str
    link: NewLink


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts. `actor` is `link:<link id>`, `careervector-assistant:<provider>:<connector>` or `system:<task>`."""

    actor_class: ActorClass
    actor: str


@dataclass(frozen=True, slots=True)
class RequestIdentity:
    """The identity of one write request (contract section 5).

    `scope` + `key` name the idempotency record within the workspace: scope is `link:<id>` for people,
    `connector:<con>:<thr>` for the assistant, `system:<task>` for ours. `route` and `target` enter the fingerprint
    together with the body. `link` is checked again in the transaction (None only for system writes).
    """

    scope: str
    key: str
    route: str
    target: str
    link: str | None
    origin_event: str | None = None
    thread: str | None = None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class CommitResult:
    """The recorded answer of a write: `response` is the 200 body of contract section 5 (or 6), without `replayed`."""

    response: Mapping[str, Any]
    replayed: bool

    def as_json(self) -> dict[str, Any]:
        return {**self.response, "replayed": self.replayed}

    @property
    def event(self) -> str | None:
        return self.response["event"]  # type: ignore[no-any-return]

    @property
    def receipt(self) -> str | None:
        receipt = self.response["receipt"]
        return None if receipt is None else receipt["id"]


class Enclosing(Protocol):
    """Steps of a caller that must share the commit's transaction (the assistant's turn lock, audit row and event).

    `before` runs first of all, before the idempotency claim; `after` last, with the answer. Either may raise to undo
    the whole. Neither is called when the request is refused before the transaction opens.
    """

    def before(self) -> None: ...

    def after(self, result: CommitResult) -> None: ...


@dataclass(frozen=True, slots=True)
class LiveUpdate:
    """One Yjs update (version 1) as a client sent it. `author` is the actor (`link:<link id>`), `link` its link.

    `epoch` is the document's epoch that the client was served, where that is known: another one is told EpochGone.
    """

    author: str
    link: str
    update: bytes
    epoch: int | None = None


@dataclass(frozen=True, slots=True)
class LiveApplied:
    """An accepted live update. `clock` is None when it changed nothing; `update` is what others must be sent."""

    clock: int | None
    update: bytes


class Erasing(Protocol):
    """What another package adds to the erasure of a workspace, in the erasure's one transaction.

    `lock` runs first: it locks what stands before the idempotency records in the order of locks. `erase` runs last,
    when nobody can add to the workspace any more; it may raise `ComeAgain` to begin anew.
    """

    def lock(self) -> None: ...

    def erase(self) -> None: ...


class Sink(Protocol):
    """A file open for bytes."""

    def write(self, data: bytes, /) -> Any: ...


class ComeAgain(Exception):
    """Something came up between the locks of an erasure. Nothing was written; the erasure starts over."""
