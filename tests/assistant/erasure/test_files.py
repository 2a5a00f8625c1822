"""After an erasure and its scrub no byte of the workspace is in the database's files, free pages and log included."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from assistant import facade as assistant
from tests.factories import open_workspace, set_field
from tests.traces import files_with, forms_of, traces_in
from workspaces import erasure, facade
from workspaces.tasks import finish_erasures

from .full_workspace import fill_workspace

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file() -> Path:
    if connection.vendor != "sqlite":
        pytest.skip("the files of other databases are described in docs/erasure.md")
    return Path(connection.settings_dict["NAME"])


def held(file: Path, word: str) -> list[str]:
    """The database's files that hold the word."""
    return [path.name for path in sorted(file.parent.glob(file.name + "*")) if traces_in(path.read_bytes(), [word])]


def test_the_files_are_clean_and_everything_else_is_in_them(file: Path) -> None:
    full, other = fill_workspace(), fill_workspace()
    # Changes, moves and deletions in the ordinary course leave bytes behind, too.
    for number in range(200):
        full.owner.commit(set_field("profile", "label", f"{full.canary} {number} " + "x" * (number % 7) * 60))
    assistant.erase_workspace(workspace=full.workspace)
    assistant.acknowledge_erasure(host=full.home_host, connector=assistant.list_erasures(host=full.home_host)[0])
    assert held(file, full.canary)  # so that what follows is the scrub's work
    assert finish_erasures() == 1
    assert held(file, full.canary) == []
    assert file.name in held(file, other.canary)
    assert file.name in held(file, full.workspace)


def test_a_reader_that_holds_an_older_state_delays_the_scrub_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_BUSY_MS", 50)
    full = fill_workspace()
    reader = sqlite3.connect(file)
    try:
        reader.execute("BEGIN")
        assert reader.execute("SELECT COUNT(*) FROM workspaces_event").fetchone()[0] > 0
        assistant.erase_workspace(workspace=full.workspace)
        assert facade.scrub_erased(patience_s=0.2) == erasure.Scrubbed(1, False)
        assert facade.has_unscrubbed()
        writer = open_workspace()
        writer.commit(set_field("profile", "name", "Ada"))
    finally:
        reader.close()
    assistant.acknowledge_erasure(host=full.home_host, connector=assistant.list_erasures(host=full.home_host)[0])
    assert facade.scrub_erased() == erasure.Scrubbed(1, True)
    assert held(file, full.canary) == []


def test_a_scrub_that_is_killed_is_done_by_the_next(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = fill_workspace()
    assistant.erase_workspace(workspace=full.workspace)

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(erasure.erasing, "mark_scrubbed", kill)
        with pytest.raises(Killed):
            facade.scrub_erased()
    assert facade.has_unscrubbed()
    assert facade.scrub_erased() == erasure.Scrubbed(1, True)


def test_the_search_finds_a_word_in_all_its_forms(tmp_path: Path) -> None:
    word = "Zürich-quagga-7"
    for number, form in enumerate(forms_of(word)):
        (tmp_path / f"{number}").write_bytes(b"\x00\xff" + form + b"\x01")
    (tmp_path / "clean").write_bytes(b"Zurich-quagga-8")
    found = files_with(tmp_path, [word])
    assert len(found) == len(forms_of(word)) >= 8
    assert "clean" not in found
