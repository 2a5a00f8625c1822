"""`manage.py erase_workspace`: only with --yes, once, and it says what it did."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.factories import open_workspace
from workspaces import erasure
from workspaces.models import Workspace

pytestmark = pytest.mark.django_db(transaction=True)


def run(*words: str) -> str:
    out = StringIO()
    call_command("erase_workspace", *words, stdout=out)
    return out.getvalue()


def is_erased(workspace: str) -> Any:
    return Workspace.objects.get(pk=workspace).erased_at


def test_without_yes_nothing_is_erased() -> None:
    workspace = open_workspace().workspace
    with pytest.raises(CommandError, match="--yes") as refusal:
        run(workspace)
    assert refusal.value.returncode == 2
    assert is_erased(workspace) is None


def test_an_unknown_workspace_is_one_clear_line() -> None:
    with pytest.raises(CommandError, match="there is no workspace ws_nobody") as refusal:
        run("ws_nobody", "--yes")
    assert refusal.value.returncode == 2


def test_it_erases_rewrites_the_files_and_may_be_run_again() -> None:
    workspace = open_workspace(sample=True).workspace
    assert json.loads(run(workspace, "--yes", "--json")) == {"workspace": workspace, "erased": True, "scrubbed": True}
    first = is_erased(workspace)
    assert first is not None
    assert json.loads(run(workspace, "--yes", "--json")) == {"workspace": workspace, "erased": False, "scrubbed": True}
    assert run(workspace, "--yes", "--rewrite") == f"{workspace} was erased already\n"
    assert is_erased(workspace) == first


def test_what_could_not_be_rewritten_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = open_workspace().workspace
    with monkeypatch.context() as patch:
        for way in ("_rewrite_sqlite", "_vacuum_postgresql"):
            patch.setattr(erasure, way, lambda *_: False)
        said = run(workspace, "--yes")
    assert said.splitlines()[0] == f"{workspace} is erased"
    assert "traces" in said.splitlines()[1]
    assert json.loads(run(workspace, "--yes", "--json"))["scrubbed"] is True
