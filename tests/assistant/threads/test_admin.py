"""Staff see ids, counts and outcomes; no word, no secret, nothing to press."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assistant import facade
from assistant.models import Connector, ConnectorErasure, Host, HostToken, Thread, ToolCall, Turn, TurnAudit
from workspaces import facade as workspaces
from workspaces.errors import TurnRunning

from .room import Room

VIEWS = (Thread, Turn, TurnAudit, ToolCall, Connector, ConnectorErasure, HostToken, Host)


@pytest.fixture
def staff(db: None) -> Client:
    User.objects.create_superuser("staff", password="a long enough password")
    client = Client()
    assert client.login(username="staff", password="a long enough password")
    return client


@pytest.fixture
def lived(room: Room) -> Room:
    """A room in which things happened that hold private words."""
    assignment = room.begin("Private words of a question")
    room.use(assignment, "search_jobcache", {"query": "private words"})
    room.say(assignment.turn, "Private words of an answer")
    with pytest.raises(TurnRunning):
        room.ask("More private words")
    room.complete(assignment.turn)
    facade.bind_thread(turn=assignment.turn, host=room.host.host, provider_thread="private-native")
    ConnectorErasure.objects.create(connector="con_gone", host=room.host.host, queued_at=workspaces.now())
    return room


@pytest.mark.parametrize("model", VIEWS, ids=lambda model: model.__name__)
def test_lists_and_rows_hold_no_content_and_no_secret(lived: Room, staff: Client, model: type) -> None:
    name = model._meta.model_name
    listed = staff.get(reverse(f"admin:assistant_{name}_changelist"))
    assert listed.status_code == 200
    row = model._default_manager.first()
    assert row is not None
    shown = staff.get(reverse(f"admin:assistant_{name}_change", args=[row.pk]))
    assert shown.status_code == 200
    page = listed.content.decode() + shown.content.decode()
    assert row.pk in page
    for word in ("Private", "private", "cvl_", "cvh_", lived.host.session):
        assert word not in page
    digests = set(HostToken.objects.values_list("secret_sha256", flat=True))
    assert not [digest for digest in digests if digest in page]


@pytest.mark.parametrize("model", VIEWS, ids=lambda model: model.__name__)
def test_nothing_can_be_added_changed_or_deleted(lived: Room, staff: Client, model: type) -> None:
    name = model._meta.model_name
    row = model._default_manager.first()
    assert row is not None
    before = list(model._default_manager.values())
    assert staff.get(reverse(f"admin:assistant_{name}_add")).status_code == 403
    assert staff.post(reverse(f"admin:assistant_{name}_change", args=[row.pk]), {}).status_code == 403
    assert staff.post(reverse(f"admin:assistant_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert list(model._default_manager.values()) == before


def test_rows_are_found_by_their_ids(lived: Room, staff: Client) -> None:
    address = reverse("admin:assistant_turnaudit_changelist")
    found = staff.get(address, {"q": lived.workspace})
    assert lived.thread in found.content.decode()
    assert "0 results" in staff.get(address, {"q": "ws_of_nobody"}).content.decode()


def test_events_and_answers_have_no_view_at_all(staff: Client) -> None:
    from django.contrib import admin

    shown = {model for model in admin.site._registry if model._meta.app_label == "assistant"}
    assert shown == set(VIEWS)
    assert {model.__name__ for model in apps.get_app_config("assistant").get_models()} - {
        model.__name__ for model in shown
    } == {"ThreadEvent", "ProviderEventSeen", "TurnToolResult"}
