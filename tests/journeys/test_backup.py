"""What `deploy/backup.sh` takes while everybody works, `deploy/restore.sh` brings back, on either database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.cluster import has_postgresql
from tests.live_sockets import Typist
from tests.live_workspace import LiveWorkspace, history, set_field
from tests.postgresql import VARIABLE, find_programs, throwaway
from tests.product import ROOT, Product, wait_for

MakeProduct = Callable[..., Product]


@pytest.fixture(params=["sqlite", "postgresql"])
def product(request: pytest.FixtureRequest, make_product: MakeProduct) -> Iterator[Product]:
    if request.param == "sqlite":
        yield make_product()
        return
    if not has_postgresql():
        pytest.skip("PostgreSQL is not installed")
    with ExitStack() as stack:
        server = os.environ.get(VARIABLE) or stack.enter_context(throwaway()).url()
        connection = stack.enter_context(psycopg.connect(server, autocommit=True))
        connection.execute("CREATE DATABASE backup")
        product = make_product(DATABASE_URL=f"{server.rsplit('/', 1)[0]}/backup")
        migrated = product.run("migrate", "--no-input")
        assert migrated.returncode == 0, migrated.stderr
        yield product
        product.kill()
        connection.execute("DROP DATABASE backup WITH (FORCE)")


def script(product: Product, name: str, *words: object, **env: str) -> subprocess.CompletedProcess[str]:
    programs = find_programs()
    tools = {
        variable: str(programs / program)
        for variable, program in (("PG_DUMP", "pg_dump"), ("PG_RESTORE", "pg_restore"), ("PSQL", "psql"))
        if programs is not None
    }
    return subprocess.run(
        [str(ROOT / "deploy" / name), *map(str, words)],
        env={**product.environment(), "CAREERVECTOR_DATA": str(product.data), "PYTHON": sys.executable, **tools, **env},
        capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip


def typist(product: Product, workspace: LiveWorkspace, document: str, **options: object) -> Typist:
    url = f"{product.origin.replace('http', 'ws', 1)}/ws/workspaces/{workspace.id}/documents/{document}/"
    return Typist(url, workspace.link, **options)  # type: ignore[arg-type]


def notes(client: httpx.Client, document: str) -> str:
    return str(client.get(f"/documents/{document}").json()["texts"]["notes"])


def test_a_backup_comes_back_whole_and_pages_that_saw_more_are_told(product: Product, tmp_path: Path) -> None:
    product.start(sample=False)
    workspace, gone = product.new_workspace(), product.new_workspace()
    document = workspace.create_application("Engineer")
    tab = typist(product, workspace, document)
    with workspace.client() as client:
        assert set_field(client, document, 1, "call them", key="before").status_code == 200
        tab.type("typed before")
        wait_for(lambda: notes(client, document) == "typed before", what="the typed text")
        earlier = client.get(f"/documents/{document}").json()
        events = history(client, "/events")

        backup = script(product, "backup.sh", "--keep-days", 7, tmp_path / "backups")
        assert backup.returncode == 0, backup.stderr
        folder = Path(backup.stdout.strip())
        assert not [path for path in (folder, *folder.iterdir()) if path.stat().st_mode & 0o077]

        tab.type(", and after")
        wait_for(lambda: notes(client, document) == "typed before, and after", what="the later text")
        later = client.get(f"/documents/{document}").json()["clock"]
        assert set_field(client, document, later, "too late", key="after").status_code == 200
    tab.leave()
    erase(gone)

    running = script(product, "restore.sh", "--replace", folder)
    assert (running.returncode, "stop" in running.stderr) == (2, True), running.stderr
    assert product.stop()[0] == 0
    careful = script(product, "restore.sh", folder)
    assert (careful.returncode, "--replace" in careful.stderr) == (2, True), careful.stderr
    restored = script(product, "restore.sh", "--replace", folder)
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert restored.stdout.splitlines()[-1].startswith("restored ")

    product.start(sample=False)
    with workspace.client() as client:
        now = client.get(f"/documents/{document}").json()
        assert (now["fields"], now["texts"]) == (earlier["fields"], earlier["texts"])
        assert history(client, "/events")[: len(events)] == events
        done = set_field(client, document, now["clock"], "and on it goes", key="again")
        assert done.status_code == 200, done.text
    stale = typist(product, workspace, document, doc=tab.doc)
    assert stale.code() == 4409
    stale.leave()
    fresh = typist(product, workspace, document)
    fresh.type(" and again")
    fresh.leave()
    with workspace.client() as client:
        wait_for(lambda: notes(client, document) == "typed before and again", what="the text of a fresh tab")
    with gone.client() as client:
        assert (client.get("/documents").status_code, client.get("/documents").json()["code"]) == (401, "link_invalid")
    assert product.stop()[0] == 0
    for command in ("verify_audit", "check_documents"):
        checked = product.run(command)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def erase(workspace: LiveWorkspace) -> None:
    with workspace.client() as client:
        # Not relative: the client would put a slash behind its base.
        done = client.request("DELETE", str(client.base_url).rstrip("/"), json={"confirm": workspace.id})
    assert done.status_code == 204, done.text


def test_a_damaged_backup_is_refused_and_a_sealed_one_opens_by_its_own_filter(
    make_product: MakeProduct, tmp_path: Path
) -> None:
    product = make_product()
    made = product.run("create_workspace", "--json")
    assert made.returncode == 0, made.stderr
    plain = script(product, "backup.sh", tmp_path / "plain")
    assert plain.returncode == 0, plain.stderr
    folder = Path(plain.stdout.strip())
    database = folder / "db.sqlite3"
    content = database.read_bytes()
    database.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    refused = script(product, "restore.sh", "--replace", folder)
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (2, "error: the backup is damaged")

    sealed = script(product, "backup.sh", tmp_path / "sealed", CAREERVECTOR_BACKUP_FILTER="gzip | base64")
    assert sealed.returncode == 0, sealed.stderr
    file = Path(sealed.stdout.strip())
    assert [path.name for path in (tmp_path / "sealed").iterdir()] == [file.name]
    opened = tmp_path / "opened"
    opened.mkdir()
    subprocess.run(["sh", "-c", f"base64 -d {file} | gunzip | tar -x -C {opened}"], check=True)
    restored = script(product, "restore.sh", "--replace", opened)
    assert restored.returncode == 0, restored.stdout + restored.stderr


def test_another_audit_key_is_refused(make_product: MakeProduct, tmp_path: Path) -> None:
    first, second = make_product("first"), make_product("second")
    for product in (first, second):
        assert product.run("create_workspace", "--json").returncode == 0
    backup = script(first, "backup.sh", tmp_path / "backups")
    assert backup.returncode == 0, backup.stderr
    refused = script(second, "restore.sh", "--replace", backup.stdout.strip())
    assert (refused.returncode, "the audit key" in refused.stderr) == (2, True)
