"""The staff's views: everything there is to audit, nothing of what anybody wrote."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from assistant import facade as assistant
from tests.factories import human, set_field
from workspaces import facade
from workspaces.clock import now
from workspaces.contracts import Access
from workspaces.models import CorpusParticipant, Event, IdempotencyRecord, Link, Receipt, Workspace

MODELS = {
    "event": Event,
    "receipt": Receipt,
    "idempotencyrecord": IdempotencyRecord,
    "link": Link,
    "workspace": Workspace,
}
WORDS = ("Hush label", "Hush reason", "Hush name", "hush-key", "Hush phone")


@pytest.fixture
def written(db) -> tuple[Access, dict[str, str], str]:
    """A workspace with a commit in it; the ids of its rows by model; the secret of its link."""
    made = facade.create_workspace(label="Hush label")
    access = Access(workspace=made.workspace, link=made.link.id, role="owner")
    phone = facade.create_link(access=access, label="Hush phone", role="edit")
    result = human(made.workspace, made.link.id).commit(
        set_field("profile", "name", "Hush name"), reason="Hush reason", key="hush-key"
    )
    ids = {
        "event": str(result.event), "receipt": str(result.receipt), "workspace": made.workspace, "link": phone.id,
        "idempotencyrecord": str(IdempotencyRecord.objects.get().pk),
    }  # fmt: skip
    return access, ids, phone.secret


@pytest.mark.parametrize("name", MODELS)
def test_lists_and_details_show_ids_and_no_content(staff: Client, written, name: str) -> None:
    access, ids, secret = written
    for where in (
        reverse(f"admin:workspaces_{name}_changelist"),
        reverse(f"admin:workspaces_{name}_changelist") + f"?q={access.workspace}",
        reverse(f"admin:workspaces_{name}_change", args=[ids[name]]),
    ):
        answer = staff.get(where)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert ids[name] in page
        assert access.workspace in page
        assert [word for word in (*WORDS, secret, secret[-4:] + "<") if word in page] == []
    row = Link.objects.get(id=ids["link"])
    assert row.secret_sha256 not in page


@pytest.mark.parametrize("name", MODELS)
def test_nothing_can_be_added_changed_or_deleted(staff: Client, written, name: str) -> None:
    _, ids, _ = written
    before = list(MODELS[name].objects.order_by("pk").values())
    assert staff.get(reverse(f"admin:workspaces_{name}_add")).status_code == 403
    assert staff.post(reverse(f"admin:workspaces_{name}_add"), {"id": "x"}).status_code == 403
    assert staff.post(reverse(f"admin:workspaces_{name}_change", args=[ids[name]]), {"actor": "x"}).status_code == 403
    assert staff.post(reverse(f"admin:workspaces_{name}_delete", args=[ids[name]]), {"post": "yes"}).status_code == 403
    delete = {"action": "delete_selected", "_selected_action": ids[name], "post": "yes"}
    staff.post(reverse(f"admin:workspaces_{name}_changelist"), delete)
    assert list(MODELS[name].objects.order_by("pk").values()) == before


@pytest.mark.parametrize("name", MODELS)
def test_strangers_are_sent_to_the_login(written, name: str) -> None:
    answer = Client().get(reverse(f"admin:workspaces_{name}_changelist"))
    assert answer.status_code == 302
    assert "login" in answer["Location"]


def test_rows_are_found_by_id_only(staff: Client, written) -> None:
    _, ids, _ = written
    events = reverse("admin:workspaces_event_changelist")
    assert ids["event"] in staff.get(events, {"q": ids["event"]}).content.decode()
    assert ids["event"] in staff.get(events, {"q": ids["receipt"]}).content.decode()
    assert ids["event"] not in staff.get(events, {"q": "Hush"}).content.decode()
    records = reverse("admin:workspaces_idempotencyrecord_changelist")
    assert "1 idempotency record" in staff.get(records, {"q": "hush-key"}).content.decode()
    assert "0 idempotency records" in staff.get(records, {"q": "hush"}).content.decode()


def test_no_column_of_the_audit_rows_is_shown_without_a_decision() -> None:
    """A new column must be put among the shown or the hidden ones."""
    undecided = {}
    for name, model in MODELS.items():
        view = admin.site._registry[model]
        derived = {"operation_kinds", "affected_paths"}  # shown as `kinds` and `paths`
        known = {*view.columns, *view.details, *view.hidden, *derived}  # type: ignore[attr-defined]
        columns = {field.attname for field in model._meta.concrete_fields}
        undecided[name] = sorted(columns - known)
    assert undecided == {
        "event": ["undoes"],
        "receipt": ["clocks", "seq"],
        "idempotencyrecord": [],
        "link": [],
        "workspace": ["assistant_sees_contact_details", "language", "time_zone"],
    }


def test_tombstones_are_listed_and_tell_nothing(staff: Client, written) -> None:
    access, ids, _ = written
    assistant.erase_workspace(workspace=access.workspace)
    tombstones = reverse("admin:workspaces_workspace_changelist") + "?erased_at__isempty=0"
    for where in (tombstones, reverse("admin:workspaces_workspace_change", args=[access.workspace])):
        page = staff.get(where).content.decode()
        assert access.workspace in page
        assert [word for word in WORDS if word in page] == []
    assert facade.create_workspace(label="Alive").workspace not in staff.get(tombstones).content.decode()
    assert staff.get(reverse("admin:workspaces_link_change", args=[ids["link"]])).status_code == 302


def test_the_erasure_outbox_is_counted_and_its_tokens_stay_hidden(staff: Client, written) -> None:
    access, _, _ = written
    for number in range(3):
        CorpusParticipant.objects.create(token=f"hush-token-{number}", workspace_id=access.workspace, created_at=now())
    waiting = reverse("admin:workspaces_corpusparticipant_changelist") + "?queued_at__isempty=0"
    assert "0 corpus participants" in staff.get(waiting).content.decode()
    assistant.erase_workspace(workspace=access.workspace)
    page = staff.get(waiting).content.decode()
    assert "3 corpus participants" in page
    assert "hush-token" not in page
    assert access.workspace not in page
