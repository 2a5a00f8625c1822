"""A workspace with a word of its own in every place that can hold one, and a look at what is left of it anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from secrets import token_hex
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db.models import Model, QuerySet

from assistant import facade as assistant
from assistant.models import Connector, ConnectorErasure, Host, Turn, TurnToolResult
from tests.assistant.threads.room import Room, make_host
from tests.factories import Writer, add_item, append, human, set_field
from workspaces import facade
from workspaces.contracts import Access
from workspaces.http.grants import grant
from workspaces.models import (
    CorpusParticipant,
    Document,
    Event,
    Import,
    TypingSession,
    UpkeepRun,
    Workspace,
)

PACKAGES = ("workspaces", "assistant")
NOBODYS = {UpkeepRun}


@dataclass
class Full:
    """`canary` is in everything that a person or the assistant wrote here; `secret` is its owner link."""

    canary: str
    room: Room
    owner: Writer
    session: str
    home_host: str
    acknowledged: list[str] = field(default_factory=list)

    @property
    def workspace(self) -> str:
        return self.owner.workspace

    @property
    def access(self) -> Access:
        return self.owner.access


def fill_workspace() -> Full:
    """Every table gets a row of it, by the front doors as far as there is one."""
    canary = f"quagga{token_hex(6)}"
    made = facade.create_workspace(label=f"{canary} label")
    access = facade.open_link(secret=made.link.secret)
    owner = human(made.workspace, access.link)
    acknowledged = _fill_documents(owner, canary)
    facade.create_link(access=access, label=f"{canary} link", role="edit")
    facade.update_settings(access=access, body={"time_zone": "Europe/Zurich", "assistant_sees_contact_details": True})
    facade.send_diagnostic(access=access, text=f"{canary} diagnostic", consent=True)
    room = _fill_conversations(made.workspace, made.link.secret, access, canary)
    home_host = _fill_homes(access, canary)
    _fill_rows(owner, canary)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    grant(session, access)
    session.save()
    return Full(canary, room, owner, str(session.session_key), home_host, acknowledged)


def _fill_documents(owner: Writer, canary: str) -> list[str]:
    """The events of the commits."""
    application = owner.new("application", title=f"{canary} title", texts={"notes": f"{canary} notes\n"})
    owner.new("note", title=f"{canary} note", texts={"body": f"{canary} body"})
    owner.new("letter", title=f"{canary} letter", texts={"body": f"{canary} dear"})
    results = [
        owner.commit(set_field("profile", "name", f"{canary} name"), reason=f"{canary} reason", key=f"{canary}-key"),
        owner.commit(add_item(application, "contacts", name=f"{canary} contact", email=f"{canary}@example.com")),
        owner.commit(append(application, "notes", f"{canary} more")),
        owner.commit(set_field("profile", "name", "Somebody"), reason="over"),
    ]
    results.append(owner.undo(results[-1].receipt, reason=f"{canary} undo"))
    return [str(result.event) for result in results]


def _fill_conversations(workspace: str, secret: str, access: Access, canary: str) -> Room:
    """One answer that ended, one that is at work."""
    connector = assistant.create_connector(access=access, provider="scripted").id
    assistant.list_connectors(access=access)
    thread = assistant.create_thread(access=access, connector=connector, title=f"{canary} thread").id
    host = make_host()
    room = Room(
        workspace=workspace, secret=secret, access=access, connector=connector, thread=thread,
        token=host.token, host=host,
    )  # fmt: skip
    ended = room.begin(f"{canary} question")
    room.say(ended.turn, f"{canary} answer")
    room.complete(ended.turn)
    running = room.begin(f"{canary} second question")
    assert assistant.bind_thread(turn=running.turn, host=host.host, provider_thread=f"{canary}-native")
    room.say(running.turn, f"{canary} beginning")
    arguments = {"surface": None, "document": "profile", "job": None, "cursor": None}
    assert room.use(running, "get_workspace_context", arguments)["status"] == "ok"
    write = {
        "reason": f"{canary} tool reason",
        "expected_clocks": [{"document": "plan", "clock": 1}],
        "operations": [set_field("plan", "weekly_goal", 5)],
    }
    assert room.use(running, "apply_workspace_operations", write, call=f"{canary}-call")["status"] == "ok"
    return room


def _fill_homes(access: Access, canary: str) -> str:
    """A connector that lives on a companion of the workspace; gives the companion's id as a host."""
    companion = make_host(workspace=access.workspace, name=f"{canary} laptop")
    row = Connector.objects.create(
        id=facade.new_id("con"), workspace=access.workspace, provider="codex", link=access.link,
        home_host=companion.host, login=json.dumps({"user_code": f"{canary}-code"}), created_at=facade.now(),
    )  # fmt: skip
    assert row.home_host
    return companion.host


def _fill_rows(owner: Writer, canary: str) -> None:
    """Rows whose doors are tested elsewhere, as they would be left by a process that was killed at work."""
    now = facade.now()
    Import.objects.create(
        id=facade.new_id("imp"), workspace_id=owner.workspace, link=owner.link or "", kind="resume", created_at=now,
        report=json.dumps([{"path": canary, "code": "lost", "message": canary}]),
    )  # fmt: skip
    CorpusParticipant.objects.create(token=token_hex(20), workspace_id=owner.workspace, created_at=now)
    document = Document.objects.get(workspace=owner.workspace, doc_id="plan")
    TypingSession.objects.create(
        workspace_id=owner.workspace, document=document, author=f"link:{owner.link}", texts='["strategy"]',
        clock_from=1, clock_to=2, base_state=canary.encode(), started_at=now, last_at=now,
    )  # fmt: skip


# --- what is left -----------------------------------------------------------------------------------------------


def models_of_ours() -> list[type[Model]]:
    return [model for package in PACKAGES for model in apps.get_app_config(package).get_models()]


def rows_of(model: type[Model], workspace: str) -> QuerySet[Any] | None:
    """The rows that belong to a workspace; None for a table that knows of none."""
    names = {each.name for each in model._meta.concrete_fields}
    rows = model._default_manager
    if model is Workspace:
        return rows.filter(pk=workspace)
    if model is TurnToolResult:
        return rows.filter(turn__in=Turn.objects.filter(workspace=workspace).values("id"))
    if model is Host:
        return rows.filter(token__workspace=workspace)
    if model is ConnectorErasure:
        homes = Connector.objects.filter(workspace=workspace).values("id")
        return rows.filter(connector__in=homes)
    if "workspace" in names:
        return rows.filter(workspace=workspace)
    for owner in ("document", "thread", "turn"):
        if owner in names and model._meta.get_field(owner).is_relation:
            return rows.filter(**{f"{owner}__workspace": workspace})
    return None


def counts_of(workspace: str) -> dict[str, int]:
    """Model name → how many rows of the workspace there are, for all tables that know of workspaces."""
    found = {model.__name__: rows_of(model, workspace) for model in models_of_ours()}
    return {name: rows.count() for name, rows in found.items() if rows is not None}


def places_with(word: str) -> list[str]:
    """Every column of every table of the database that holds the word, however it is written."""
    return sorted({place for model in apps.get_models() for place in _places(model, word)})


def _places(model: type[Model], word: str) -> Iterator[str]:
    for row in model._default_manager.all().iterator():
        for column in model._meta.concrete_fields:
            value = getattr(row, column.attname)
            raw = bytes(value) if isinstance(value, (bytes, memoryview)) else str(value).encode()
            if word.encode() in raw:
                yield f"{model._meta.db_table}.{column.column}"


def no_trace_but_the_tombstone(workspace: str) -> None:
    """Asserts that nothing is left but the tombstone and a chain without reasons."""
    left = {name: count for name, count in counts_of(workspace).items() if count}
    tombstone = Workspace.objects.get(pk=workspace)
    chain = {"Event": tombstone.seq} if tombstone.seq else {}
    assert left == {"Workspace": 1, **chain}
    assert (tombstone.label, tombstone.digest_key, tombstone.time_zone, tombstone.language) == ("", "", "UTC", "en")
    assert tombstone.erased_at is not None
    events = Event.objects.filter(workspace=workspace)
    assert not events.exclude(reason="", origin_event=None).exists()
    assert sorted(events.values_list("seq", flat=True)) == list(range(1, tombstone.seq + 1))
