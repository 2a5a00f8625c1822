"""`manage.py up` from the outside: its lines, its exit codes, what it leaves behind and what it gives to whom."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from careervector.embedded.valkey import find_server
from tests.live_workspace import history, set_field
from tests.product import Product, is_running, read_argv, read_environment, wait_for

MakeProduct = Callable[..., Product]


def test_everything_that_up_starts_answers(running: Product) -> None:
    ready = httpx.get(f"{running.origin}/readyz")
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ready", "checks": {"database": "ok", "migrations": "ok", "valkey": "ok"}},
    )
    assert httpx.get(f"http://127.0.0.1:{running.port + 1}/healthz").status_code == 200
    assert sorted(running.children()) == ["beat", "host", "jobcache", "valkey", "web", "worker"]
    with running.client() as client:
        opened = httpx.post(f"{running.origin}/api/v1/session", json={"link": running.link})
        assert opened.json()["role"] == "owner"
        documents = client.get(f"/workspaces/{opened.json()['workspace']}/documents", params={"kind": "application"})
    assert documents.json()["items"]


def test_no_secret_stands_in_an_argument_and_each_process_has_only_its_own_tokens(running: Product) -> None:
    keys = {path.name: path.read_text().strip() for path in (running.data / "keys").iterdir()}
    children = running.children()
    environments = {name: read_environment(pid) for name, pid in children.items()}
    for name, pid in children.items():
        words = read_argv(pid)
        assert not [word for word in words for key in keys.values() if key in word], name
    held = {
        name: sorted(key for key, value in keys.items() if value in environment.values())
        for name, environment in environments.items()
    }
    assert held == {
        "valkey": [],
        "jobcache": ["jobcache-control", "jobcache-lifecycle", "jobcache-worker"],
        "web": ["jobcache-control", "jobcache-worker"],
        "worker": ["jobcache-control", "jobcache-worker"],
        "beat": ["jobcache-control", "jobcache-worker"],
        "host": [],
    }
    assert not [name for name in environments["host"] if name in {"DATABASE_URL", "VALKEY_URL", "CAREERVECTOR_DATA"}]
    assert not [name for name in environments["jobcache"] if "SECRET" in name or name == "CAREERVECTOR_DATA"]


def test_keys_and_databases_are_for_their_owner_only(running: Product) -> None:
    readable = [
        path.relative_to(running.data).as_posix()
        for path in [*running.data.iterdir(), *(running.data / "keys").iterdir(), *(running.data / "logs").iterdir()]
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert readable == []


def test_logs_hold_no_key_no_link_and_no_content(running: Product) -> None:
    workspace = running.new_workspace()
    with workspace.client() as client:
        document = workspace.create_application("Quietly secret words")
        assert set_field(client, document, 1, "Very private step", key="quiet").status_code == 200
        assert client.get("/documents/application:nope").status_code == 404
    secrets = [path.read_text().strip() for path in (running.data / "keys").iterdir()]
    words = [*secrets, running.link, workspace.link, "Quietly secret", "Very private", "cvl_", "cvh_"]
    for log in (running.data / "logs").iterdir():
        text = log.read_text()
        assert not [word for word in words if word in text], log.name


def test_a_second_up_on_the_same_folder_or_port_is_refused_in_one_line_with_exit_2(
    running: Product, tmp_path: Path, make_product: MakeProduct
) -> None:
    other = make_product()
    same_folder = other.run_up(data=running.data)
    assert (same_folder.returncode, same_folder.stdout, same_folder.stderr) == (
        2,
        "",
        f"error: CareerVector is already running on the data folder {running.data}\n",
    )
    same_port = other.run_up(port=running.port)
    assert (same_port.returncode, same_port.stdout, same_port.stderr) == (
        2,
        "",
        f"error: cannot listen on 127.0.0.1 port {running.port}: Address already in use; try another --port\n",
    )


def test_a_taken_port_of_jobcache_is_refused_too(make_product: MakeProduct) -> None:
    product = make_product()
    with socket.create_server(("127.0.0.1", product.port + 1)):
        refused = product.run_up()
    assert refused.returncode == 2
    assert refused.stderr == (
        f"error: cannot listen on 127.0.0.1 port {product.port + 1}: Address already in use; try another --port\n"
    )


def test_a_folder_that_cannot_be_written_is_one_line_and_exit_2(make_product: MakeProduct, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = make_product().run_up(data=tmp_path / "file" / "data")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"error: cannot write to the data folder {tmp_path}/file/data: Not a directory\n"


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_is_none_is_one_line_and_exit_2(make_product: MakeProduct, port: str) -> None:
    refused = make_product().run_up("--port", port)
    assert (refused.returncode, refused.stderr) == (
        2,
        f"error: port {port} is not a port number that can be served on (1 to 65535)\n",
    )


def test_stop_keep_and_start_again(make_product: MakeProduct) -> None:
    """SIGTERM ends all children in time; the sample stays, under a fresh link; a newer database is refused."""
    product = make_product().start()
    children = product.children()
    old_link = product.link
    with product.client() as client:
        opened = client.post("/session", json={"link": old_link}).json()
    code, seconds = product.stop(signal.SIGINT)
    assert (code, seconds < 10) == (0, True)
    wait_for(lambda: not any(map(is_running, children.values())), what="all children ended")
    assert not (product.data / "run" / "addresses.json").exists()

    product.start("--server", "uvicorn")
    assert product.link != old_link
    with product.client() as client:
        assert client.post("/session", json={"link": product.link}).json() == opened
        refused = client.post("/session", json={"link": old_link})
        assert (refused.status_code, refused.json()["code"]) == (401, "link_invalid")
    made = product.run("create_workspace", "--json")
    assert (made.returncode, product.origin in made.stdout) == (0, True), made.stderr
    code, seconds = product.stop()
    assert (code, seconds < 10, product.later_lines()) == (0, True, [])

    with sqlite3.connect(product.data / "db.sqlite3") as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('workspaces', '9999_next', '2030-01-01')"
        )
    refused_up = product.run_up()
    assert (refused_up.returncode, refused_up.stdout, refused_up.stderr) == (
        2,
        "",
        "error: the database was made by a newer version (workspaces.9999_next is not known here); "
        "update CareerVector or use another --data folder\n",
    )


def test_one_failing_child_ends_up_with_a_line_that_names_it(make_product: MakeProduct) -> None:
    product = make_product().start()
    children = product.children()
    os.kill(children["worker"], signal.SIGKILL)
    assert product.wait_for_end() == (
        1,
        f"error: the worker process was ended by signal 9; see {product.data}/logs/worker.log\n",
    )
    wait_for(lambda: not any(map(is_running, children.values())), what="all children ended")


def test_no_child_outlives_an_up_that_was_killed(make_product: MakeProduct) -> None:
    product = make_product().start()
    children = product.children()
    assert len(children) == 6
    product.kill()
    wait_for(lambda: not any(map(is_running, children.values())), what="all children ended")
    product.start()  # what was left behind is in nobody's way
    assert product.stop()[0] == 0


def test_a_long_folder_name_another_time_and_a_valkey_of_one_s_own_are_served_too(
    make_product: MakeProduct, tmp_path: Path
) -> None:
    own = tmp_path / "own.sock"
    argv = [find_server(), "--port", "0", "--unixsocket", str(own), "--save", "", "--dir", str(tmp_path)]
    product = make_product(
        "a-folder-whose-name-is-longer-than-a-socket-path-may-be/" + "x" * 100,
        VALKEY_URL=f"unix://{own}",
        CAREERVECTOR_NOW="2030-05-01T09:00:00Z",
    )
    refused = product.run_up()
    assert (refused.returncode, refused.stdout, refused.stderr) == (
        2,
        "",
        "error: the server that VALKEY_URL names cannot be used (ConnectionError)\n",
    )
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL) as server:
        wait_for(own.exists, what="Valkey's socket")
        product.start()
        assert sorted(product.children()) == ["beat", "host", "jobcache", "web", "worker"]
        workspace = product.new_workspace()
        with workspace.client() as client:
            document = workspace.create_application("Engineer")
            assert history(client, f"/documents/{document}/events")[0]["at"].startswith("2030-05-01T09:0")
        assert product.stop()[0] == 0
        server.terminate()


def test_a_socket_path_that_would_be_too_long_is_no_matter(make_product: MakeProduct) -> None:
    product = make_product("y" * 120).start()
    assert httpx.get(f"{product.origin}/readyz").status_code == 200
    assert product.stop()[0] == 0
