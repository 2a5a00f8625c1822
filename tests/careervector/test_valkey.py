"""Which Valkey is taken, and where its socket lies."""

from __future__ import annotations

import contextlib
import stat
import subprocess
import time
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from careervector.embedded import valkey


def test_a_server_on_path_goes_before_the_wheel_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert valkey.find_server().endswith("/valkey-server")
    own = tmp_path / "redis-server"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert valkey.find_server() == str(own)


def test_the_plan_keeps_nothing_on_disk_listens_on_no_port_and_says_nothing_in_its_arguments(tmp_path: Path) -> None:
    plan = valkey.plan(tmp_path)
    config = dict(line.split(" ", 1) for line in (tmp_path / "valkey.conf").read_text().splitlines())
    assert {name: config[name] for name in ("port", "save", "appendonly", "unixsocketperm", "daemonize")} == {
        "port": "0",
        "save": '""',
        "appendonly": "no",
        "unixsocketperm": "700",
        "daemonize": "no",
    }
    assert plan.argv[1:] == [str(tmp_path / "valkey.conf")]
    assert (plan.url, plan.socket) == (f"unix://{tmp_path}/valkey.sock", tmp_path / "valkey.sock")


def test_a_socket_path_that_would_be_too_long_lies_in_a_private_folder_elsewhere_and_goes_with_it(
    tmp_path: Path,
) -> None:
    run = tmp_path / ("x" * 100)
    run.mkdir()
    plan = valkey.plan(run)
    assert len(str(plan.socket)) < 104
    assert stat.S_IMODE(plan.socket.parent.stat().st_mode) == 0o700
    valkey.remove_socket(plan.socket, run)
    assert not plan.socket.parent.exists()


def test_the_server_keeps_no_list_of_slow_or_large_commands(tmp_path: Path) -> None:
    plan = valkey.plan(tmp_path)
    process = subprocess.Popen(plan.argv, stdout=subprocess.DEVNULL)
    try:
        client = Redis.from_url(plan.url)
        end = time.monotonic() + 15
        while not plan.socket.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        valkey.keep_no_commands(plan.url)
        client.publish("x", "secret" * 300_000)
        assert client.slowlog_get() == []
        with contextlib.suppress(ResponseError):  # an older server has only that one list
            assert client.execute_command("COMMANDLOG", "GET", "10", "large-request") == []
        client.close()
    finally:
        process.terminate()
        process.wait(timeout=10)
