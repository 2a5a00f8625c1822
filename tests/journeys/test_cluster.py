"""What holds for one process holds for several: two webs, two workers, two hosts, one PostgreSQL, one Valkey."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.cluster import Cluster, ClusterWorkspace, has_postgresql
from tests.live_sockets import Page, Typist
from tests.live_workspace import history, set_field
from tests.product import wait_for

pytestmark = pytest.mark.skipif(not has_postgresql(), reason="PostgreSQL is not installed")


@pytest.fixture
def workspace(cluster: Cluster) -> ClusterWorkspace:
    return cluster.new_workspace()


@pytest.fixture
def open_page(workspace: ClusterWorkspace) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def make(web: int, *, link: str | None = None, place: str = "") -> Page:
        pages.append(Page(workspace.socket(web, place), link or workspace.link))
        return pages[-1]

    yield make
    for page in pages:
        page.leave()


def test_a_commit_at_one_web_reaches_the_pages_of_both(
    workspace: ClusterWorkspace, open_page: Callable[..., Page]
) -> None:
    document = workspace.create_application("Engineer")
    pages = [open_page(0), open_page(1)]
    assert [page.next("hello")["seq"] for page in pages] == [1, 1]
    for number, web in enumerate((0, 1, 1, 0), start=1):
        with workspace.client(web) as client:
            done = set_field(client, document, number, f"step {number}", key=f"step {number}").json()
        heard = [page.next("commit") for page in pages]
        assert heard[0] == heard[1]
        assert (heard[0]["seq"], heard[0]["event"]["id"]) == (number + 1, done["event"])
        assert heard[0]["updates"].keys() == {document}


def test_the_same_request_at_both_webs_at_once_is_one_commit(workspace: ClusterWorkspace) -> None:
    document = workspace.create_application("Engineer")
    for clock in range(1, 6):
        together = Barrier(8)

        def deliver(number: int, clock: int = clock, together: Barrier = together) -> dict[str, Any]:
            with workspace.client(number % 2) as client:
                together.wait(30)
                answer = set_field(client, document, clock, f"value {clock}", key=f"the one request {clock}")
                assert answer.status_code == 200, answer.text
                return dict(answer.json())

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(deliver, range(8)))
        assert sorted(answer.pop("replayed") for answer in answers) == [False] + [True] * 7
        assert all(answer == answers[0] for answer in answers)
    with workspace.client(0) as client:
        assert len(history(client, f"/documents/{document}/events")) == 6


def test_writers_at_both_webs_lose_no_update(workspace: ClusterWorkspace) -> None:
    """Each adds one to a counter and tries again when the other web was faster."""
    document = workspace.create_application("Counter")
    with workspace.client(0) as client:
        assert set_field(client, document, 1, "0", key="zero").status_code == 200
    each = 6

    def count(writer: int) -> None:
        with workspace.client(writer % 2) as client:
            client.headers["X-Forwarded-For"] = f"192.0.2.{writer}"
            for number in range(each):
                for attempt in range(50):
                    now = client.get(f"/documents/{document}").json()
                    value = str(int(now["fields"]["next_step"]) + 1)
                    answer = set_field(client, document, now["clock"], value, key=f"{writer} {number} {attempt}")
                    if answer.status_code == 200:
                        break
                    assert answer.json()["code"] == "stale_clock", answer.text

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(4)))
    finals = []
    for web in (0, 1):
        with workspace.client(web) as client:
            finals.append(client.get(f"/documents/{document}").json())
    assert finals[0] == finals[1]
    assert (finals[0]["fields"]["next_step"], finals[0]["clock"]) == (str(4 * each), 2 + 4 * each)


def test_what_one_web_did_is_undone_at_the_other_and_done_again_at_the_first(workspace: ClusterWorkspace) -> None:
    document = workspace.create_application("Engineer")
    with workspace.client(0) as first, workspace.client(1) as second:
        done = set_field(first, document, 1, "call them", key="change").json()

        def undo(client: httpx.Client, receipt: str, clock: int) -> dict[str, Any]:
            answer = client.post(
                f"/receipts/{receipt}/undo",
                headers={"Idempotency-Key": f"undo-{clock}"},
                json={"expected_clocks": {document: clock}},
            )
            assert answer.status_code == 200, answer.text
            return dict(answer.json())

        undone = undo(second, done["receipt"]["id"], 2)
        assert "next_step" not in first.get(f"/documents/{document}").json()["fields"]
        spent = first.post(
            f"/receipts/{done['receipt']['id']}/undo",
            headers={"Idempotency-Key": "once-more"},
            json={"expected_clocks": {document: 3}},
        )
        assert (spent.status_code, spent.json()["code"]) == (409, "receipt_spent")
        undo(first, undone["receipt"]["id"], 3)
        assert second.get(f"/documents/{document}").json()["fields"]["next_step"] == "call them"


def test_two_undos_of_one_receipt_at_both_webs_are_one(workspace: ClusterWorkspace) -> None:
    document = workspace.create_application("Engineer")
    with workspace.client(0) as client:
        receipt = set_field(client, document, 1, "call them", key="change").json()["receipt"]["id"]
    together = Barrier(2)

    def undo(web: int) -> str:
        with workspace.client(web) as client:
            together.wait(30)
            answer = client.post(
                f"/receipts/{receipt}/undo",
                headers={"Idempotency-Key": f"web-{web}"},
                json={"expected_clocks": {document: 2}},
            )
            return str(answer.json().get("code", "done"))

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(undo, range(2))) == ["done", "receipt_spent"]


def test_a_revocation_closes_the_links_sockets_at_the_other_web(
    workspace: ClusterWorkspace, open_page: Callable[..., Page]
) -> None:
    with workspace.client(0) as client:
        made = client.post("/links", json={"label": "a friend", "role": "edit"}).json()
        theirs, ours = open_page(1, link=made["secret"]), open_page(1)
        for page in (theirs, ours):
            page.next("hello")
        assert client.delete(f"/links/{made['id']}").status_code == 204
    assert theirs.code() == 4401
    document = workspace.create_application("Engineer")
    assert ours.next("commit")["updates"].keys() == {document}
    with workspace.client(1) as client:
        client.headers["Authorization"] = f"Bearer {made['secret']}"
        refused = client.get("/documents")
    assert (refused.status_code, refused.json()["code"]) == (401, "link_invalid")


def test_an_erasure_closes_every_socket_at_both_webs(
    workspace: ClusterWorkspace, open_page: Callable[..., Page]
) -> None:
    pages = [open_page(0), open_page(1)]
    for page in pages:
        page.next("hello")
    with workspace.client(0) as client:
        # Not relative: the client would put a slash behind its base.
        erased = client.request("DELETE", str(client.base_url).rstrip("/"), json={"confirm": workspace.id})
        assert erased.status_code == 204, erased.text
    assert [page.code() for page in pages] == [4410, 4410]


def test_two_people_type_in_one_text_at_different_webs(workspace: ClusterWorkspace) -> None:
    document = workspace.create_application("Engineer")
    here, there = (Typist(workspace.socket(web, f"documents/{document}/"), workspace.link) for web in (0, 1))
    try:
        here.type("from here ")
        there.type("from there ")
        whole = len("from here from there ")
        for typist in (here, there):
            typist.read_until(lambda typist=typist: len(str(typist.text)) == whole)
        assert str(here.text) == str(there.text)

        def stored() -> list[str]:
            found = []
            for web in (0, 1):
                with workspace.client(web) as client:
                    found.append(client.get(f"/documents/{document}").json()["texts"]["notes"])
            return found

        wait_for(lambda: stored() == [str(here.text)] * 2, what="the same text at both webs")
    finally:
        here.leave()
        there.leave()


def test_each_question_is_answered_once_whoever_asks_and_whichever_host_hears_it(workspace: ClusterWorkspace) -> None:
    """Eight threads at both webs at once; each turn makes one application."""
    with workspace.client(0) as client:
        connector = client.post("/connectors", json={"provider": "scripted"}).json()["id"]
        shared = [client.post("/threads", json={"connector": connector}).json()["id"] for _ in range(8)]
    create = {
        "kind": "document.create", "document": "new:a", "document_kind": "application",
        "fields": [{"field": "title", "value": "Asked for"}], "texts": [],
    }  # fmt: skip
    arguments = {"reason": "as asked", "expected_clocks": [{"document": "new:a", "clock": 0}], "operations": [create]}
    script = json.dumps(
        [{"call": {"name": "apply_workspace_operations", "arguments": arguments}}, {"complete": "Done."}]
    )
    together = Barrier(len(shared))

    def ask(number: int) -> list[str]:
        with workspace.client(number % 2) as client:
            client.headers["X-Forwarded-For"] = f"198.51.100.{number}"
            together.wait(30)
            body = {"text": f"script:{script}", "surface": "overview", "document": None}
            started = client.post(f"/threads/{shared[number]}/turns", json=body)
            assert started.status_code == 202, started.text

            def ended() -> list[str]:
                kinds = [e["kind"] for e in client.get(f"/threads/{shared[number]}/events?limit=100").json()["items"]]
                return kinds if kinds and kinds[-1].startswith(("turn.completed", "turn.failed")) else []

            return list(wait_for(ended, what="the end of the turn", timeout_s=60))

    with ThreadPoolExecutor(len(shared)) as pool:
        told = list(pool.map(ask, range(len(shared))))
    once = ["turn.queued", "turn.started", "tool.started", "tool.completed", "message.completed", "turn.completed"]
    assert [[kind for kind in kinds if kind != "message.delta"] for kinds in told] == [once] * len(shared)
    with workspace.client(1) as client:
        made = client.get("/documents?kind=application&limit=100").json()["items"]
    assert len(made) == len(shared)


def test_a_thread_is_followed_at_the_web_that_does_not_run_it(
    workspace: ClusterWorkspace, open_page: Callable[..., Page]
) -> None:
    with workspace.client(0) as client:
        connector = client.post("/connectors", json={"provider": "scripted"}).json()["id"]
        thread = client.post("/threads", json={"connector": connector}).json()["id"]
        rails = [open_page(web, place=f"threads/{thread}/?after=0") for web in (0, 1)]
        body = {"text": 'script:[{"complete": "Here I am."}]', "surface": "overview", "document": None}
        assert client.post(f"/threads/{thread}/turns", json=body).status_code == 202
    heard = []
    for rail in rails:
        kinds: list[str] = []
        while not kinds or kinds[-1] != "turn.completed":
            message = json.loads(rail.socket.recv(timeout=20))
            kinds += [message["kind"]] if "kind" in message else []
        heard.append(kinds)
    assert heard[0] == heard[1]


def test_a_killed_web_loses_nothing_and_the_other_takes_its_work(cluster: Cluster, workspace: ClusterWorkspace) -> None:
    documents = [workspace.create_application(f"Application {number}") for number in range(4)]
    acknowledged: dict[str, list[dict[str, Any]]] = {document: [] for document in documents}
    unanswered: dict[str, tuple[int, str]] = {}
    enough = threading.Event()

    def storm(document: str) -> None:
        with workspace.client(1) as client:
            client.headers["X-Forwarded-For"] = f"203.0.113.{documents.index(document)}"
            for clock in range(1, 25):
                try:
                    answer = set_field(client, document, clock, f"step {clock}", key=f"{document} {clock}")
                except httpx.HTTPError:
                    unanswered[document] = (clock, f"step {clock}")
                    return
                assert answer.status_code == 200, answer.text
                acknowledged[document].append(answer.json())
                if sum(map(len, acknowledged.values())) >= 24:
                    enough.set()

    with ThreadPoolExecutor(4) as pool:
        storms = [pool.submit(storm, document) for document in documents]
        assert enough.wait(60)
        cluster.kill("web1")
        for done in storms:
            done.result(60)
    try:
        with workspace.client(0) as client:
            for document, (clock, value) in unanswered.items():
                retried = set_field(client, document, clock, value, key=f"{document} {clock}")
                assert retried.status_code == 200, retried.text
                known = [answer["event"] for answer in acknowledged[document]] + [retried.json()["event"]]
                assert [event["id"] for event in history(client, f"/documents/{document}/events")[1:]] == known
            seqs = [event["seq"] for event in history(client, "/events")]
        assert seqs == list(range(1, len(seqs) + 1))
    finally:
        cluster.restart_web(1)
    with workspace.client(1) as client:
        assert client.get(f"/documents/{documents[0]}").status_code == 200


def test_beat_and_the_workers_do_what_is_due_once(cluster: Cluster) -> None:
    """The sweep of turns is due every few seconds, and two workers wait for it."""
    count = "SELECT coalesce(sum(runs), 0) FROM workspaces_upkeeprun WHERE task = 'assistant.sweep_turns'"
    first = cluster.ask(count)[0][0]
    wait_for(lambda: cluster.ask(count)[0][0] > first, what="a regular task", timeout_s=60)


def test_nothing_is_left_open_in_the_database(cluster: Cluster, workspace: ClusterWorkspace) -> None:
    """Connections go back to their pools: no process holds more than its share, and none sits in a transaction."""

    def busy(number: int) -> None:
        with workspace.client(number % 2) as client:
            client.headers["X-Forwarded-For"] = f"192.0.2.{number}"
            assert client.get("/documents").status_code == 200

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(busy, range(100)))
    idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
    wait_for(lambda: cluster.ask(idle) == [(0,)], what="no open transaction")
    total = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    # Two webs, two workers, and this question.
    assert cluster.ask(total)[0][0] <= 4 * 4 + 1


def test_the_history_of_all_of_this_is_sound(cluster: Cluster) -> None:
    cluster.run("verify_audit")
    cluster.run("check_documents")
