"""POST diagnostics: with consent only, for whoever may write, read by staff, gone with the workspace."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from workspaces import diagnostics
from workspaces.http import rate_limits
from workspaces.models import Diagnostic

from .conftest import Opened, problem

TEXT = "Zebra: the board stays empty.\nTwice."


def test_who_may_write_may_tell_the_operators(opened: Opened) -> None:
    for api in (opened.owner, opened.edit):
        answer = api("POST", "diagnostics", {"text": TEXT, "consent": True})
        assert answer.status_code == 201
        made = json.loads(answer.content)
        row = Diagnostic.objects.get(pk=made["id"])
        assert (row.text, row.workspace_id) == (TEXT, opened.workspace)
        assert set(made) == {"id", "created_at"}
    assert problem(opened.view("POST", "diagnostics", {"text": TEXT, "consent": True})) == (403, "view_only")
    assert Diagnostic.objects.count() == 2


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"text": TEXT}, ["consent"]),
        ({"text": TEXT, "consent": False}, ["consent"]),
        ({"text": TEXT, "consent": None}, ["consent"]),
        ({"text": TEXT, "consent": "true"}, ["consent"]),
        ({"text": TEXT, "consent": 1}, ["consent"]),
        ({"consent": True}, ["text"]),
        ({"text": "", "consent": True}, ["text"]),
        ({"text": " \n", "consent": True}, ["text"]),
        ({"text": "x" * 4001, "consent": True}, ["text"]),
        ({"text": "a\u0000b", "consent": True}, ["text"]),
        ({"text": 5, "consent": True}, ["text"]),
        ({"text": "", "consent": False}, ["consent", "text"]),
        ({"text": TEXT, "consent": True, "email": "me"}, ["email"]),
    ],
)
def test_nothing_is_kept_without_consent_or_with_a_bad_text(opened: Opened, body: Any, paths: list[str]) -> None:
    answer = opened.edit("POST", "diagnostics", body)
    assert problem(answer) == (422, "invalid_request")
    assert sorted(flaw["path"] for flaw in json.loads(answer.content)["errors"]) == paths
    assert not Diagnostic.objects.exists()


def test_the_longest_text_is_kept_whole(opened: Opened) -> None:
    text = "ü" * 4000
    assert opened.edit("POST", "diagnostics", {"text": text, "consent": True}).status_code == 201
    assert Diagnostic.objects.get().text == text


def test_there_is_a_most_of_them_and_a_rate(opened: Opened, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "MAX_KEPT", 2)
    body = {"text": TEXT, "consent": True}
    codes = [opened.edit("POST", "diagnostics", body).status_code for _ in range(3)]
    assert codes == [201, 201, 422]
    Diagnostic.objects.all().delete()
    monkeypatch.setattr(diagnostics, "MAX_KEPT", 100)
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    rate_limits.forget_local()
    answers = [opened.edit("POST", "diagnostics", body) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_staff_read_it_on_purpose_see_that_it_was_consented_to_and_may_delete_it(opened: Opened) -> None:
    opened.edit("POST", "diagnostics", {"text": TEXT, "consent": True})
    row = Diagnostic.objects.get()
    User.objects.create_superuser("auditor", password="pw")
    staff = Client()
    staff.force_login(User.objects.get(username="auditor"))
    shown = staff.get(reverse("admin:workspaces_diagnostic_change", args=[row.pk])).content.decode()
    assert "Zebra: the board stays empty." in shown
    assert "sent with consent" in shown.lower()
    listed = staff.get(reverse("admin:workspaces_diagnostic_changelist")).content.decode()
    assert row.pk in listed
    assert "Zebra" not in listed
    assert staff.post(reverse("admin:workspaces_diagnostic_change", args=[row.pk]), {"text": "x"}).status_code == 403
    gone = staff.post(reverse("admin:workspaces_diagnostic_delete", args=[row.pk]), {"post": "yes"})
    assert gone.status_code == 302
    assert not Diagnostic.objects.exists()
    log = staff.get(reverse("admin:index")).content.decode()
    assert "Zebra" not in log


def test_no_log_holds_what_was_sent(
    opened: Opened, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(0):
        answers = [opened.edit("POST", "diagnostics", {"text": TEXT, "consent": consent}) for consent in (True, False)]
    assert [answer.status_code for answer in answers] == [201, 422]
    said = "".join(record.getMessage() for record in caplog.records) + "".join(capfd.readouterr())
    assert "Zebra" not in said
