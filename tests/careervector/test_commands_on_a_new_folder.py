"""Commands that a person may run before the first `up`: they find or make the database, or say why not in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def start(*words: str, data: Path, **env: str) -> subprocess.Popen[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CAREERVECTOR_", "DJANGO_"))}
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**inherited, "CAREERVECTOR_DATA": str(data), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_workspaces_made_at_once_on_an_empty_folder_are_both_made(tmp_path: Path) -> None:
    running = [start("create_workspace", "--json", data=tmp_path / "data") for _ in range(2)]
    answers = [process.communicate(timeout=60) for process in running]
    assert [process.returncode for process in running] == [0, 0], answers
    made = [json.loads(out) for out, _ in answers]
    assert all(entry.keys() == {"workspace", "link", "url"} for entry in made)
    assert made[0]["workspace"] != made[1]["workspace"]


def test_a_host_token_can_be_made_before_the_first_start(tmp_path: Path) -> None:
    process = start("create_host_token", data=tmp_path / "data")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out[:4]) == (0, "cvh_"), err


def test_a_database_that_cannot_be_reached_is_one_line_and_exit_2(tmp_path: Path) -> None:
    process = start("create_workspace", data=tmp_path / "data", DATABASE_URL="postgres://127.0.0.1:1/none")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
    assert err.startswith("error: cannot open the database: ")


def test_a_folder_that_cannot_be_written_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    process = start("create_workspace", data=tmp_path / "file" / "data")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
    assert err.startswith("error: cannot write to the data folder")


def test_asking_for_help_makes_no_tables(tmp_path: Path) -> None:
    process = start("create_workspace", "--help", data=tmp_path / "data")
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "--sample" in out
    database = tmp_path / "data" / "db.sqlite3"
    assert not database.exists() or database.stat().st_size == 0


def test_a_start_time_that_is_none_is_one_line_and_exit_2(tmp_path: Path) -> None:
    wrong = {"CAREERVECTOR_TESTING": "1", "CAREERVECTOR_NOW": "next Tuesday"}
    process = start("create_workspace", data=tmp_path / "data", **wrong)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
    assert err.startswith("error: CAREERVECTOR_NOW must be a time")
