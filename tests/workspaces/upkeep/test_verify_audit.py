"""`manage.py verify_audit`: what it prints, its exit status, heads in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories import open_workspace, set_field
from tests.workspaces.upkeep.trails import change, event_at, history
from workspaces.models import Event, EventDocument, Workspace

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, str]:
    """(exit status, what it printed)."""
    out = StringIO()
    try:
        call_command("verify_audit", *arguments, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_the_command_tells_clean_from_broken() -> None:
    first, second = history(3), history(4)
    assert run() == (0, "clean: 2 workspaces, 7 events found whole\n")
    change(second, 3, reason="another")
    event = event_at(second, 3).id
    says = "its time, actor, reason, origin, receipt or what it undid was changed"
    assert run() == (
        1,
        f"broken: workspace {second.workspace} seq 3 event {event}: {says}\n"
        "broken: 2 workspaces, 5 events found whole\n",
    )
    assert run("--workspace", first.workspace) == (0, "clean: 1 workspaces, 3 events found whole\n")
    status, text = run("--json", "--workspace", second.workspace)
    assert (status, json.loads(text)) == (
        1,
        {
            "ok": False, "workspaces": 1, "events": 2, "unsealed": 0, "older_keys": 0,
            "broken": [
                {"workspace": second.workspace, "seq": 3, "event": event, "what": "rest_changed", "says": says}
            ],
        },
    )  # fmt: skip


def test_the_command_cannot_check_what_is_not_there() -> None:
    assert run("--workspace", "ws_unknown") == (2, "There is no such workspace here.")


def test_an_exported_head_is_held_against_the_database_later(tmp_path: Path) -> None:
    writer, other = history(), history(3)
    file = tmp_path / "heads.json"
    assert run("--export-head", str(file))[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    body = json.loads(file.read_text())
    assert {head["workspace"]: head["seq"] for head in body["heads"]} == {writer.workspace: 6, other.workspace: 3}
    writer.commit(set_field("profile", "label", "later"))
    assert run("--head", str(file))[0] == 0
    Event.objects.filter(workspace_id=other.workspace, seq=3).delete()
    EventDocument.objects.filter(workspace_id=other.workspace, seq=3).delete()
    Workspace.objects.filter(id=other.workspace).update(seq=2, chain_head=event_at(other, 2).chain_mac)
    assert run()[0] == 0
    status, text = run("--head", str(file))
    assert (status, text.splitlines()[0]) == (
        1, f"broken: workspace {other.workspace} seq 3 event none: the events after this one were removed"
    )  # fmt: skip


def test_a_workspace_that_an_exported_head_names_must_be_there(tmp_path: Path) -> None:
    writer = open_workspace()
    file = tmp_path / "heads.json"
    run("--export-head", str(file))
    Workspace.objects.filter(id=writer.workspace).delete()
    assert run("--head", str(file))[0] == 1
    assert run("--head", str(file), "--workspace", open_workspace().workspace) == (
        2, "the head file does not name this workspace"
    )  # fmt: skip


def test_no_head_is_exported_of_a_broken_chain(tmp_path: Path) -> None:
    writer = history()
    change(writer, 4, reason="another")
    assert run("--export-head", str(tmp_path / "heads.json"))[0] == 1
    assert list(tmp_path.iterdir()) == []


CHANGED = "the head file was changed, or was signed with another audit key"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda text: text.replace('"seq":6', '"seq":2'), CHANGED),
        (lambda text: text[:-20], "this is no head file"),
        (lambda text: "[]", "this is no head file"),
        (lambda text: text.replace('"version":1', '"version":2'), "this is no head file that this version can read"),
    ],
)  # fmt: skip
def test_a_head_file_that_was_changed_is_not_used(tmp_path: Path, spoil: Callable[[str], str], says: str) -> None:
    history()
    file = tmp_path / "heads.json"
    run("--export-head", str(file))
    file.write_text(spoil(file.read_text()))
    assert run("--head", str(file)) == (2, says)


def test_a_head_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    status, text = run("--head", str(tmp_path / "none.json"))
    assert status == 2
    assert text.startswith("cannot check: FileNotFoundError")
