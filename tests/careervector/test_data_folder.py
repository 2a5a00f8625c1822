"""The data folder: made for its owner only, keys once, addresses only while somebody serves."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from careervector.embedded.data import DataFolder, DataFolderError
from careervector.embedded.preflight import CannotStart, lock


def test_a_key_is_made_once_with_48_random_bytes_for_its_owner_only(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    first = data.key("secret")
    assert (len(first), DataFolder(tmp_path).key("secret"), data.key("audit") == first) == (64, first, False)
    assert stat.S_IMODE((tmp_path / "keys" / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_a_key_that_others_can_read_is_closed_again(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    key = data.key("audit")
    path = tmp_path / "keys" / "audit"
    path.chmod(0o644)
    assert data.key("audit") == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_one_key_and_leave_no_drafts(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: DataFolder(tmp_path).key("secret"), range(64)))
    assert len(keys) == 1
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["secret"]


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(DataFolderError) as refusal:
        DataFolder(blocked / "data").prepare()
    assert str(refusal.value) == f"cannot write to the data folder {blocked / 'data'}: Not a directory"


def test_the_database_file_is_for_its_owner_only(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    data.prepare()
    assert stat.S_IMODE(data.database.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.root.stat().st_mode) == 0o700


def test_addresses_count_only_while_the_process_that_announced_them_holds_the_lock(tmp_path: Path) -> None:
    import os

    data = DataFolder(tmp_path)
    assert data.announced() == {}
    holder = lock(data.folder("run") / "lock")
    data.announce(public_url="http://127.0.0.1:8000")
    assert data.announced() == {"public_url": "http://127.0.0.1:8000"}
    with pytest.raises(CannotStart, match="already running on the data folder"):
        lock(data.folder("run") / "lock")
    os.close(holder)
    assert data.announced() == {}
