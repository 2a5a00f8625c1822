"""A workspace with a running turn on a host, made of the real rows, and a way to call tools on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

import jobcache_client
from assistant import capabilities
from assistant.models import Connector, Host, HostToken, Thread, ThreadEvent, ToolCall, Turn
from assistant.tools.boundary import call_tool
from tests.factories import human
from workspaces import facade
from workspaces.contracts import Access


@dataclass
class Stage:
    """One workspace, one thread, one running turn, one host that holds it."""

    workspace: str
    link: str
    access: Access
    connector: str
    thread: str
    turn: str
    host: str
    nonce: str
    calls: Iterator[int] = field(default_factory=lambda: count(1))

    def capability(self, **changes: Any) -> str:
        scope = {
            "workspace": self.workspace,
            "connector": self.connector,
            "thread": self.thread,
            "turn": self.turn,
            "link": self.link,
            "nonce": self.nonce,
            "deadline": facade.now() + timedelta(minutes=5),
        }
        return capabilities.mint(**{**scope, **changes})

    def call(self, name: str, arguments: Any, **changes: Any) -> dict[str, Any]:
        """The tool's answer, as the host of the turn gets it."""
        given = {
            "name": name,
            "arguments": arguments,
            "call": f"call-{next(self.calls)}",
            "turn": self.turn,
            "host": self.host,
            **changes,
        }
        return call_tool(**{"capability": self.capability() if "capability" not in changes else None, **given})

    def read(self, **arguments: Any) -> dict[str, Any]:
        given = {"surface": None, "document": None, "job": None, "cursor": None, **arguments}
        return self.call("get_workspace_context", given)

    def apply(self, operations: list[dict[str, Any]], clocks: dict[str, int], **changes: Any) -> dict[str, Any]:
        arguments = {
            "reason": "As asked",
            "expected_clocks": [{"document": document, "clock": clock} for document, clock in clocks.items()],
            "operations": operations,
        }
        return self.call("apply_workspace_operations", arguments, **changes)

    def by_hand(self, operations: list[dict[str, Any]], clocks: dict[str, int]) -> dict[str, Any]:
        """A person's own commit."""
        body = {"reason": "By hand", "expected_clocks": clocks, "operations": operations}
        return human(self.workspace, self.link).send(body).as_json()

    def application(self, **fields: Any) -> str:
        """The id of a new application, made by hand."""
        pairs = [{"field": name, "value": value} for name, value in fields.items()]
        answer = self.by_hand(
            [{"kind": "document.create", "document": "new:a", "document_kind": "application", "fields": pairs}],
            {"new:a": 0},
        )
        return str(answer["documents"]["new:a"])

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """(kind, data) of the thread's tool events, oldest first."""
        from assistant.threads import store

        events = store.list_events(thread=self.thread, after=0, limit=10_000)
        return [(event["kind"], event["data"]) for event in events if event["kind"].startswith("tool.")]

    def clock(self, document: str) -> int:
        return int(facade.get_document(access=self.access, document=document)["clock"])

    def end(self, state: str = "completed") -> None:
        Turn.objects.filter(pk=self.turn).update(state=state)


def make_stage(*, role: str = "owner") -> Stage:
    made = facade.create_workspace(label="test")
    owner = facade.open_link(secret=made.link.secret)
    access = owner
    if role != "owner":
        access = facade.open_link(secret=facade.create_link(access=owner, label="", role=role).secret)
    now = facade.now()
    connector = Connector.objects.create(
        id=facade.new_id("con"), workspace=made.workspace, provider="builtin", shared=True, created_at=now
    )
    token = HostToken.objects.create(
        id=facade.new_id("htk"), secret_sha256=facade.new_id("sha"), last4="abcd", created_at=now
    )
    host = Host.objects.create(id=facade.new_id("hst"), token=token, name="test", connected_at=now, last_seen_at=now)
    thread = Thread.objects.create(
        id=facade.new_id("thr"),
        workspace=made.workspace,
        connector=connector.id,
        created_by=access.link,
        created_at=now,
        updated_at=now,
        last_seq=1,
    )
    turn_id = facade.new_id("trn")
    origin = ThreadEvent.objects.create(
        id=facade.new_id("tev"), thread=thread, seq=1, turn=turn_id, kind="turn.queued", at=now, data="{}"
    )
    turn = Turn.objects.create(
        id=turn_id,
        thread=thread,
        workspace=made.workspace,
        connector=connector.id,
        provider="builtin",
        link=access.link,
        text="?",
        surface="overview",
        state="running",
        origin_event=origin.id,
        first_seq=1,
        created_at=now,
        deadline_at=now + timedelta(minutes=5),
        nonce="nonce-1",
        claimed_by=host.id,
        claimed_at=now,
    )
    return Stage(
        workspace=made.workspace,
        link=access.link,
        access=owner,
        connector=connector.id,
        thread=thread.id,
        turn=turn.id,
        host=host.id,
        nonce="nonce-1",
    )


@pytest.fixture
def stage(db: None) -> Stage:
    return make_stage()


@pytest.fixture
def stages(db: None) -> Callable[..., Stage]:
    """Makes further workspaces with a running turn."""
    return make_stage


SEARCH = {"query": "python developer", "location": "Zurich", "limit": 2}


def role(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "role": f"rol_{number:08}",
        "title": "Python Developer",
        "company": "Glacier",
        "location": "Zurich",
        "work_mode": None,
        "employment_type": None,
        "salary": None,
        "posted_on": "2026-11-25",
        "valid_through": None,
        "url": "https://jobs.example/1",
        "snippet": "Django.",
        "evidence": [
            {"ad": f"ad_{number}", "source": "lever", "fetched_at": "2026-11-29T06:00:00Z", "content_hash": "a"}
        ],
        "freshness": {"state": "fresh", "checked_at": "2026-11-29T06:00:00Z"},
        **changes,
    }


class Corpus:
    """Stands where JobCache's client stands: remembers what went out, answers a slice of its roles."""

    def __init__(self, roles: list[dict[str, Any]]) -> None:
        self.roles = roles
        self.asked: list[dict[str, Any]] = []

    def search(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(arguments)
        start = int(arguments.get("cursor", "0"))
        end = start + arguments["limit"]
        return {
            "roles": self.roles[start:end],
            "total": len(self.roles),
            "next_cursor": str(end) if end < len(self.roles) else None,
            "corpus_version": "v1",
        }


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    made = Corpus([role(number) for number in range(5)])
    monkeypatch.setattr(jobcache_client, "search", made.search)
    return made


def size(answer: Any) -> int:
    return len(json.dumps(answer, ensure_ascii=False).encode())


def last_audit() -> dict[str, Any]:
    return ToolCall.objects.order_by("-at").values()[0]
