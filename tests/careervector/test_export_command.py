"""`manage.py export_workspace`: a private file, whole or not at all, and never over another one."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from assistant import facade as assistant
from tests.factories import Writer, open_workspace, set_field


@pytest.fixture
def owner(db: None) -> Writer:
    writer = open_workspace()
    writer.commit(set_field("profile", "name", "Ada"))
    return writer


def refusal(owner: Writer | str, file: Path) -> str:
    workspace = owner if isinstance(owner, str) else owner.workspace
    with pytest.raises(CommandError) as refused:
        call_command("export_workspace", workspace, str(file))
    assert refused.value.returncode == 2
    return str(refused.value)


def test_the_file_is_its_owners_alone_and_holds_everything(
    owner: Writer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.json"
    call_command("export_workspace", owner.workspace, str(file))
    assert capsys.readouterr().out == f"wrote {file}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = json.loads(file.read_text())
    assert found["documents"][0]["fields"] == {"name": "Ada"}
    assert len(found["history"]) == 1
    assert list(tmp_path.iterdir()) == [file]


def test_without_history_it_holds_what_an_import_reads(owner: Writer, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    call_command("export_workspace", owner.workspace, str(file), no_history=True)
    assert json.loads(file.read_text())["history"] == []


@pytest.mark.parametrize("kind", ["file", "link"])
def test_another_file_keeps_its_place(owner: Writer, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text("old") if kind == "file" else file.symlink_to(tmp_path / "nowhere")
    assert refusal(owner, file) == f"{file} is there already; nothing was written"
    assert not kind.startswith("f") or file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_one_that_appears_meanwhile_keeps_it_too(
    owner: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.json"
    export = assistant.export_workspace

    def export_slowly(**words: object) -> None:
        export(**words)  # type: ignore[arg-type]
        file.write_text("meanwhile")

    monkeypatch.setattr(assistant, "export_workspace", export_slowly)
    assert "already" in refusal(owner, file)
    assert (file.read_text(), list(tmp_path.iterdir())) == ("meanwhile", [file])


def test_nothing_stays_behind_when_there_is_nothing_to_write(owner: Writer, tmp_path: Path) -> None:
    assert refusal("ws_nobody", tmp_path / "x.json") == "there is no workspace ws_nobody"
    assert refusal(owner, tmp_path / "missing" / "x.json").startswith("cannot write ")
    assert list(tmp_path.iterdir()) == []
