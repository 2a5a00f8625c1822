"""An erasure takes everything of one workspace, leaves a tombstone and a chain, and touches nothing of any other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from assistant import facade as assistant
from assistant.models import Connector, ConnectorErasure, Host, HostToken
from assistant.tools.boundary import call_tool
from tests.assistant.threads.room import make_room
from tests.factories import another_human, human, open_workspace, set_field
from workspaces import erasure, facade
from workspaces.commits.cache import documents
from workspaces.contracts import Access, ComeAgain
from workspaces.errors import LinkInvalid, OwnerOnly, ViewOnly
from workspaces.http.grants import read_grants
from workspaces.models import CorpusParticipant, Event, Workspace
from workspaces.tasks import finish_erasures

from .full_workspace import (
    NOBODYS,
    Full,
    counts_of,
    fill_workspace,
    models_of_ours,
    no_trace_but_the_tombstone,
    places_with,
    rows_of,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def full() -> Full:
    return fill_workspace()


def test_every_table_of_ours_is_decided_about_and_filled_here(full: Full) -> None:
    """A new table must be erased, and be filled in `fill_workspace`, or be named among those that know no workspace."""
    undecided = [m.__name__ for m in models_of_ours() if rows_of(m, full.workspace) is None and m not in NOBODYS]
    assert undecided == []
    empty = [name for name, count in counts_of(full.workspace).items() if not count]
    assert empty == ["ConnectorErasure"]  # filled by the erasure itself


def test_nothing_is_left_but_the_tombstone_and_the_chain(full: Full) -> None:
    before = {
        event.id: (event.seq, event.operation_kinds, event.affected_paths, event.clocks, event.digest, event.chain_mac)
        for event in Event.objects.filter(workspace=full.workspace)
    }
    head = Workspace.objects.get(pk=full.workspace).chain_head
    assert len(places_with(full.canary)) > 15
    assistant.erase_workspace(workspace=full.workspace, access=full.access)
    no_trace_but_the_tombstone_and_the_companion(full)
    assert places_with(full.canary) == ["assistant_host.name"]  # the companion, which still has a home to erase
    after = {
        event.id: (event.seq, event.operation_kinds, event.affected_paths, event.clocks, event.digest, event.chain_mac)
        for event in Event.objects.filter(workspace=full.workspace)
    }
    assert after == before
    assert Workspace.objects.get(pk=full.workspace).chain_head == head
    verdict = facade.verify_chain(workspace=full.workspace)
    assert (verdict.broken, verdict.erased, verdict.mac) == (None, True, head)


def no_trace_but_the_tombstone_and_the_companion(full: Full) -> None:
    HostToken.objects.filter(workspace=full.workspace).update(workspace="ws_other")
    no_trace_but_the_tombstone(full.workspace)
    HostToken.objects.filter(workspace="ws_other").update(workspace=full.workspace)


def test_the_home_of_a_connector_is_queued_for_its_host_and_the_companion_goes_when_it_is_erased(full: Full) -> None:
    homes = list(Connector.objects.filter(home_host=full.home_host).values_list("id", flat=True))
    assistant.erase_workspace(workspace=full.workspace, access=full.access)
    assert assistant.list_erasures(host=full.home_host) == homes
    assert assistant.list_erasures(host=full.room.host.host) == []
    assert not assistant.acknowledge_erasure(host=full.room.host.host, connector=homes[0])
    assert assistant.announce_erasures() == 1
    assert Host.objects.filter(pk=full.home_host).exists()
    assert assistant.acknowledge_erasure(host=full.home_host, connector=homes[0])
    assert not assistant.acknowledge_erasure(host=full.home_host, connector=homes[0])
    assert not HostToken.objects.filter(workspace=full.workspace).exists()
    no_trace_but_the_tombstone(full.workspace)
    assert places_with(full.canary) == []


def test_jobcache_tokens_are_queued_without_the_workspace(full: Full) -> None:
    token = CorpusParticipant.objects.get(workspace=full.workspace).token
    assistant.erase_workspace(workspace=full.workspace)
    row = CorpusParticipant.objects.get(token=token)
    assert (row.workspace_id, row.queued_at is not None, row.lease) == (None, True, "")


def test_another_workspace_is_as_it_was(full: Full) -> None:
    other = fill_workspace()
    before = {name: _values(other, name) for name in counts_of(other.workspace)}
    assistant.erase_workspace(workspace=full.workspace, access=full.access)
    finish_erasures()
    assert {name: _values(other, name) for name in counts_of(other.workspace)} == before
    assert other.owner.read("profile")["fields"]["name"] == f"{other.canary} name"
    other.owner.commit(set_field("profile", "name", "Ada"))
    assert other.room.ask("And now?", thread=new_thread(other)).state == "queued"


def new_thread(full: Full) -> str:
    return assistant.create_thread(access=full.access, connector=full.room.connector).id


def _values(full: Full, name: str) -> Any:
    model = next(model for model in models_of_ours() if model.__name__ == name)
    rows = rows_of(model, full.workspace)
    assert rows is not None
    return sorted((dict(row) for row in rows.values()), key=lambda row: json.dumps(row, default=str))


def _read() -> dict[str, Any]:
    return {"surface": None, "document": "profile", "job": None, "cursor": None}


def test_only_an_owner_erases(full: Full) -> None:
    for role, refusal in (("edit", OwnerOnly), ("view", ViewOnly)):
        access = Access(full.workspace, another_human(full.owner, role).link or "", role)  # type: ignore[arg-type]
        with pytest.raises(refusal):
            assistant.erase_workspace(workspace=full.workspace, access=access)
    # An owner's access that has since been taken away.
    other = facade.create_link(access=full.access, label="", role="owner")
    facade.revoke_link(access=full.access, link=other.id)
    with pytest.raises(LinkInvalid):
        assistant.erase_workspace(workspace=full.workspace, access=Access(full.workspace, other.id, "owner"))
    # And one that belongs to another workspace.
    with pytest.raises(LinkInvalid):
        assistant.erase_workspace(workspace=full.workspace, access=open_workspace().access)
    assert len(places_with(full.canary)) > 15


def test_an_erasure_is_once_and_a_workspace_that_never_was_is_the_same_refusal(full: Full) -> None:
    assistant.erase_workspace(workspace=full.workspace, access=full.access)
    first = Workspace.objects.get(pk=full.workspace).erased_at
    for workspace in (full.workspace, "ws_never"):
        with pytest.raises(LinkInvalid):
            assistant.erase_workspace(workspace=workspace)
    assert Workspace.objects.get(pk=full.workspace).erased_at == first


def test_afterwards_every_door_is_shut(full: Full) -> None:
    room, access = full.room, full.access
    running = facade.sql.fetch_one("SELECT id FROM assistant_turn WHERE state = 'running'", [])
    assert running is not None
    assignment = room.claim(running[0])
    assert assignment is None
    assistant.erase_workspace(workspace=full.workspace, access=access)
    doors = (
        lambda: facade.open_link(secret=room.secret),
        lambda: facade.create_link(access=access, label="", role="edit"),
        lambda: assistant.rotate_link(access=access, link=access.link),
        lambda: facade.revoke_link(access=access, link=access.link),
        lambda: facade.update_settings(access=access, body={"language": "de"}),
        lambda: facade.send_diagnostic(access=access, text="x", consent=True),
        lambda: assistant.create_connector(access=access, provider="scripted"),
        lambda: assistant.list_connectors(access=access),
        lambda: human(full.workspace, access.link).commit(set_field("profile", "name", "x"), clocks={"profile": 3}),
    )
    for door in doors:
        with pytest.raises(LinkInvalid):
            door()
    assert room.say(running[0], "late") != []
    assert not room.accept(running[0])
    no_trace_but_the_tombstone_and_the_companion(full)


def test_a_capability_of_an_erased_workspace_has_no_tools_and_leaves_no_row() -> None:
    room = make_room()
    assignment = room.begin()
    assistant.erase_workspace(workspace=room.workspace)
    answer = call_tool(
        capability=assignment.capability, name="get_workspace_context", arguments=_read(), call="c",
        turn=assignment.turn, host=room.host.host,
    )  # fmt: skip
    assert (answer["status"], answer["code"]) == ("refused", "capability_invalid")
    no_trace_but_the_tombstone(room.workspace)


def test_what_is_in_memory_goes_and_is_not_put_back(full: Full) -> None:
    warm = documents.get(full.workspace, "profile")
    assert warm is not None
    assistant.erase_workspace(workspace=full.workspace)
    assert full.workspace not in documents.workspaces()
    documents.put(full.workspace, "profile", warm)
    assert full.workspace not in documents.workspaces()


def test_grants_in_browser_sessions_are_taken_out_and_others_stay(full: Full) -> None:
    other = fill_workspace()
    assistant.erase_workspace(workspace=full.workspace)
    finish_erasures()
    kept = {key: read_grants(Session.objects.get(pk=key).get_decoded()) for key in (full.session, other.session)}
    assert kept == {full.session: {}, other.session: {other.workspace: other.access.link}}


def test_the_setting_for_contact_details_is_live_for_the_next_call_of_a_tool(full: Full) -> None:
    room, access = full.room, full.access
    thread = assistant.create_thread(access=access, connector=room.connector).id
    assignment = room.begin("What is my number?", thread=thread)
    full.owner.commit(set_field("profile", "phone", "+41 44 123 45 67"))

    def phone(call: str) -> Any:
        answer = room.use(assignment, "get_workspace_context", _read(), call=call)
        [document] = answer["documents"]
        return document["fields"].get("phone")

    for number, seen in enumerate((True, False, True)):
        facade.update_settings(access=access, body={"assistant_sees_contact_details": seen})
        assert phone(f"c{number}") == ("+41 44 123 45 67" if seen else None)


def test_an_erasure_that_fails_leaves_everything(full: Full, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: _values(full, name) for name in counts_of(full.workspace)}

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(erasure.erasing, "erase_rows", fail)
    with pytest.raises(RuntimeError):
        assistant.erase_workspace(workspace=full.workspace)
    assert {name: _values(full, name) for name in counts_of(full.workspace)} == before
    full.owner.commit(set_field("profile", "name", "Still here"))


def test_a_turn_that_comes_in_between_makes_the_erasure_start_over(full: Full, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.erasure import _Conversations

    tries: list[int] = []
    lock = _Conversations.lock

    def late(self: Any) -> None:
        lock(self)
        if not tries:
            self._running = {}  # as if the running turn had begun after this look
        tries.append(1)

    monkeypatch.setattr(_Conversations, "lock", late)
    assistant.erase_workspace(workspace=full.workspace)
    assert len(tries) == 2
    no_trace_but_the_tombstone_and_the_companion(full)


def test_an_erasure_that_never_gets_through_says_so(full: Full, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.erasure import _Conversations

    def never(self: Any) -> None:
        raise ComeAgain

    monkeypatch.setattr(_Conversations, "lock", never)
    with pytest.raises(ComeAgain):
        assistant.erase_workspace(workspace=full.workspace)


def test_the_scrub_is_repeated_until_it_is_done(full: Full, monkeypatch: pytest.MonkeyPatch) -> None:
    assert finish_erasures() == 0
    assistant.erase_workspace(workspace=full.workspace)
    with monkeypatch.context() as patch:
        patch.setattr(erasure, "_rewrite_sqlite", lambda _: False)
        patch.setattr(erasure, "_vacuum_postgresql", lambda: False)
        assert finish_erasures() == 0
    assert facade.has_unscrubbed()
    assert finish_erasures() == 1
    assert not facade.has_unscrubbed()
    assert Workspace.objects.get(pk=full.workspace).scrubbed_at is not None
    assert finish_erasures() == 0


def test_a_deleted_connector_has_its_home_erased_too(full: Full) -> None:
    [home] = Connector.objects.filter(home_host=full.home_host).values_list("id", flat=True)
    assistant.delete_connector(access=full.access, connector=home)
    assert assistant.list_erasures(host=full.home_host) == [home]
    assert Connector.objects.get(pk=home).login == ""
    assert assistant.acknowledge_erasure(host=full.home_host, connector=home)
    # The workspace lives: its companion stays.
    assert HostToken.objects.filter(workspace=full.workspace).exists()
    assert ConnectorErasure.objects.count() == 0
