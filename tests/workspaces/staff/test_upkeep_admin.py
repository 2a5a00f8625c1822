"""What staff see of the audit chain and of the regular tasks."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from tests.factories import Writer, op, open_workspace, set_field
from workspaces import admin as views
from workspaces.clock import now
from workspaces.models import Event, UpkeepRun


@pytest.fixture
def writer(db) -> Writer:
    writer = open_workspace()
    for number in range(4):
        writer.commit(set_field("profile", "name", f"Ada {number}"), reason="Hush reason")
    return writer


def check(client: Client, writer: Writer) -> str:
    """What the page says after the button."""
    where = reverse("admin:workspaces_workspace_check_audit", args=[writer.workspace])
    answer = client.post(where, follow=True)
    assert answer.status_code == 200
    [said] = [str(message) for message in answer.context["messages"]]
    assert said[:40] in answer.content.decode()
    return said


def test_one_workspaces_chain_is_checked_when_somebody_asks(staff: Client, writer: Writer) -> None:
    page = staff.get(reverse("admin:workspaces_workspace_change", args=[writer.workspace])).content.decode()
    assert "Check the audit chain" in page
    assert re.fullmatch(r"The audit chain is verified to its end at seq 4, at .+ UTC\.", check(staff, writer))
    event = Event.objects.get(workspace_id=writer.workspace, seq=3)
    Event.objects.filter(pk=event.pk).update(reason="Hush other reason")
    assert check(staff, writer) == (
        f"The audit chain is broken at seq 3 (event {event.pk}): "
        "its time, actor, reason, origin, receipt or what it undid was changed."
    )


def test_a_long_chain_is_checked_in_part_and_that_is_said(
    staff: Client, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_CHECKED", 3)
    said = check(staff, writer)
    assert said.startswith("The audit chain is verified to seq 3 of 4, at ")
    assert said.endswith(f"manage.py verify_audit --workspace {writer.workspace} goes to its end.")


def test_a_link_cannot_start_a_check_and_neither_can_a_stranger(staff: Client, writer: Writer) -> None:
    where = reverse("admin:workspaces_workspace_check_audit", args=[writer.workspace])
    assert staff.get(where).status_code == 405
    assert staff.post(reverse("admin:workspaces_workspace_check_audit", args=["ws_none"])).status_code == 404
    assert Client().post(where).status_code == 302
    enforcing = Client(enforce_csrf_checks=True)
    enforcing.force_login(User.objects.get(username="auditor"))
    assert enforcing.post(where).status_code == 403


def test_staff_without_the_right_to_see_workspaces_cannot_check_them(writer: Writer) -> None:
    user = User.objects.create_user("clerk", password="pw", is_staff=True)
    client = Client()
    client.force_login(user)
    where = reverse("admin:workspaces_workspace_check_audit", args=[writer.workspace])
    assert client.post(where).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_workspace"))
    assert client.post(where).status_code == 302


def test_a_workspaces_page_counts_what_it_holds(staff: Client, writer: Writer) -> None:
    gone = writer.new("note", title="Hush title")
    writer.commit(op("document.trash", gone))
    page = staff.get(reverse("admin:workspaces_workspace_change", args=[writer.workspace])).content.decode()
    found = dict(re.findall(r'field-(\w+)">.*?<div class="readonly">(.*?)</div>', page, re.S))
    wanted = ("live_links", "documents", "in_trash", "receipts", "unsealed_typing")
    assert {name: found[name] for name in wanted} == {
        "live_links": "1", "documents": "2", "in_trash": "1", "receipts": "6", "unsealed_typing": "0"
    }  # fmt: skip
    assert "Hush" not in page


def test_regular_tasks_are_listed_with_peoples_times_and_the_overdue_marked(staff: Client) -> None:
    at = now()
    for task, every, ago in (("one.fresh", 900, 3), ("one.late", 900, 50), ("one.by_hand", 0, 5000)):
        UpkeepRun.objects.create(
            task=task, every_s=every, started_at=at - timedelta(minutes=ago), finished_at=at - timedelta(minutes=ago),
            runs=7, failures=2, handled=41, last_handled=3, last_error="",
        )  # fmt: skip
    UpkeepRun.objects.create(task="one.never", every_s=5, started_at=at - timedelta(hours=2), last_error="ValueError")
    page = staff.get(reverse("admin:workspaces_upkeeprun_changelist")).content.decode()
    rows = {}
    for row in re.findall(r"<tr>(.*?)</tr>", page, re.S):
        cells = dict(re.findall(r"field-(\w+)[^>]*>(.*?)</t[dh]>", row, re.S))
        if cells:
            text = {name: re.sub(r"<[^>]+>", "", cell).replace("\xa0", " ") for name, cell in cells.items()}
            text["on_time"] = "".join(re.findall(r'alt="(\w+)"', cells["on_time"]))
            rows[text["task"]] = text
    wanted = ("on_time", "due", "began", "ended_well", "last_error")
    assert {task: tuple(row[name] for name in wanted) for task, row in rows.items()} == {
        "one.fresh": ("True", "every 15 minutes", "3 minutes ago", "3 minutes ago", "-"),
        "one.late": ("False", "every 15 minutes", "50 minutes ago", "50 minutes ago", "-"),
        "one.by_hand": ("None", "when somebody runs it", "3 days, 11 hours ago", "3 days, 11 hours ago", "-"),
        "one.never": ("False", "every 5 seconds", "2 hours ago", "never yet", "ValueError"),
    }
    assert staff.get(reverse("admin:workspaces_upkeeprun_add")).status_code == 403
    assert staff.get(reverse("admin:workspaces_upkeeprun_change", args=["one.late"])).status_code == 200
