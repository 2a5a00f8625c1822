"""Starting and ending the service."""

from __future__ import annotations

import signal
import socket
import sqlite3
from pathlib import Path

import pytest

from tests.jobcache.service import run, serve


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(empty_data: Path, number: signal.Signals) -> None:
    with serve(empty_data) as service:
        service.process.send_signal(number)
        assert service.process.wait(timeout=10) == 0
        assert service.process.stderr is not None
        assert service.process.stderr.read() == ""


def test_a_port_in_use_is_one_line_and_exit_2(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(data, "serve", "--prepare", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"jobcache: port {port} on 127.0.0.1 is in use\n"


def test_an_unwritable_folder_is_one_line_and_exit_2(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = run(file / "jobcache", "serve", "--prepare", "--port", "0")
    assert done.returncode == 2
    assert done.stderr == f"jobcache: the folder {file / 'jobcache'} cannot be made: Not a directory\n"


def test_without_tables_it_says_what_to_run(data: Path) -> None:
    done = run(data, "serve", "--port", "0")
    assert done.returncode == 2
    assert done.stderr.startswith("jobcache: there is no database yet: run `python -m jobcache migrate`")
    assert run(data, "migrate").returncode == 0
    with serve(data) as service:
        assert service.page(query="python")["total"] == 0


def test_a_newer_database_is_one_line_and_exit_2(empty_data: Path) -> None:
    with sqlite3.connect(empty_data / "jobcache.sqlite3") as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('jobcache', '9999_later', '2030-01-01')"
        )
    database.close()
    for arguments in (["--prepare"], []):
        done = run(empty_data, "serve", "--port", "0", *arguments)
        assert (done.returncode, done.stderr) == (
            2,
            "jobcache: the database was written by a newer version of JobCache\n",
        )


def test_a_file_that_is_no_database_is_one_line_and_exit_2(data: Path) -> None:
    data.mkdir()
    (data / "jobcache.sqlite3").write_bytes(b"not a database at all" * 100)
    done = run(data, "serve", "--prepare", "--port", "0")
    assert (done.returncode, done.stderr) == (2, "jobcache: the database file cannot be read\n")


def test_a_second_start_loads_nothing_twice(data: Path) -> None:
    with serve(data, "--prepare") as service:
        first = service.page(limit=1)
    with serve(data, "--prepare") as service:
        second = service.page(limit=1)
    assert first["total"] == second["total"] >= 300
    assert first["corpus_version"] == second["corpus_version"]
    assert first["roles"] == second["roles"]
