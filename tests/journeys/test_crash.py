"""What is acknowledged survives: the web process is killed in a storm of commits, and the server in mid-answer."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from assistant.wire import LOST_AFTER_SECONDS
from tests.live_workspace import history, set_field
from tests.product import Product, wait_for

MakeProduct = Callable[..., Product]


def test_after_a_kill_in_a_storm_every_acknowledged_commit_is_there_and_each_retried_one_exactly_once(
    make_product: MakeProduct,
) -> None:
    product = make_product().start()
    workspace = product.new_workspace()
    documents = [workspace.create_application(f"Application {number}") for number in range(8)]
    acknowledged: dict[str, list[dict[str, Any]]] = {document: [] for document in documents}
    unanswered: dict[str, tuple[int, str, str]] = {}
    enough = threading.Event()

    def storm(document: str) -> None:
        with workspace.client() as client:
            for clock in range(1, 10_000):
                value, key = f"step {clock}", f"{document} {clock}"
                try:
                    answer = set_field(client, document, clock, value, key=key)
                except httpx.HTTPError:
                    unanswered[document] = (clock, value, key)
                    return
                assert answer.status_code == 200, answer.text
                acknowledged[document].append(answer.json())
                if sum(map(len, acknowledged.values())) >= 120:
                    enough.set()

    with ThreadPoolExecutor(len(documents)) as pool:
        storms = [pool.submit(storm, document) for document in documents]
        assert enough.wait(60)
        os.kill(product.children()["web"], signal.SIGKILL)
        for done in storms:
            done.result(60)
    assert product.wait_for_end()[0] == 1

    product.start()
    with workspace.client() as client:
        for document in documents:
            clock, value, key = unanswered[document]
            retried = set_field(client, document, clock, value, key=key)
            again = set_field(client, document, clock, value, key=key)
            assert (retried.status_code, again.status_code, again.json()["replayed"]) == (200, 200, True)
            assert again.json()["event"] == retried.json()["event"]
            for earlier in acknowledged[document][-3:]:
                number = earlier["clocks"]["after"][document] - 1
                replay = set_field(client, document, number, f"step {number}", key=f"{document} {number}")
                assert replay.json() == {**earlier, "replayed": True}
            events = history(client, f"/documents/{document}/events")[1:]
            known = [answer["event"] for answer in acknowledged[document]] + [retried.json()["event"]]
            assert [event["id"] for event in events] == known
            assert [event["reason"] for event in events] == [f"step {number}" for number in range(1, clock + 1)]
            assert client.get(f"/documents/{document}").json()["fields"]["next_step"] == value
        seqs = [event["seq"] for event in history(client, "/events")]
    assert seqs == list(range(1, len(seqs) + 1))
    assert product.stop()[0] == 0


def test_a_restart_in_mid_answer_loses_nothing_and_doubles_nothing(make_product: MakeProduct) -> None:
    product = make_product().start()
    workspace = product.new_workspace()
    with workspace.client() as client:
        document = workspace.create_application("Engineer")
        thread, turn = _ask(client, document)
        wait_for(lambda: "tool.completed" in _kinds(client, thread), what="the change of the assistant")
        before = _thread_events(client, thread)
        product.kill()

        product.start(later_s=LOST_AFTER_SECONDS)
        ended = wait_for(lambda: _terminal(client, thread), what="the end of the turn")
        after = _thread_events(client, thread)
        changed = client.get(f"/documents/{document}").json()
        events = history(client, f"/documents/{document}/events")
        undone = client.post(
            f"/turns/{turn}/undo",
            headers={"Idempotency-Key": "take-it-back"},
            json={"expected_clocks": {document: changed["clock"]}},
        )
        again = _ask_again(client, thread)
        wait_for(lambda: len(_terminals(client, thread)) == 2, what="the end of the second turn")
    assert after[: len(before)] == before
    assert [event["seq"] for event in after] == list(range(1, len(after) + 1))
    assert len({event["id"] for event in after}) == len(after)
    assert [event["kind"] for event in after].count("tool.completed") == 1
    assert ended["kind"] in {"turn.failed", "turn.completed"}
    assert (changed["fields"]["next_step"], changed["clock"], len(events)) == ("call them", 2, 2)
    assert (undone.status_code, again.status_code) == (200, 202), undone.text
    assert product.stop()[0] == 0


def _ask(client: httpx.Client, document: str) -> tuple[str, str]:
    """A turn of the scripted connector that changes a field, says something and then waits. (thread, turn)"""
    connector = client.post("/connectors", json={"provider": "scripted"})
    assert connector.status_code == 201, connector.text
    thread = client.post("/threads", json={"connector": connector.json()["id"]})
    assert thread.status_code == 201, thread.text
    change = {"kind": "field.set", "document": document, "field": "next_step", "value": "call them"}
    arguments = {
        "reason": "as asked",
        "expected_clocks": [{"document": document, "clock": 1}],
        "operations": [change],
    }
    script = [
        {"say": "I change it. "},
        {"call": {"name": "apply_workspace_operations", "arguments": arguments}},
        {"say": "Done, and now I think. "},
        {"wait": 600},
    ]
    return thread.json()["id"], _start(client, thread.json()["id"], script).json()["id"]


def _ask_again(client: httpx.Client, thread: str) -> httpx.Response:
    return _start(client, thread, [{"complete": "Still here."}])


def _start(client: httpx.Client, thread: str, script: list[dict[str, Any]]) -> httpx.Response:
    body = {"text": "script:" + json.dumps(script), "surface": "overview", "document": None}
    answer = client.post(f"/threads/{thread}/turns", json=body)
    assert answer.status_code == 202, answer.text
    return answer


def _thread_events(client: httpx.Client, thread: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = client.get(f"/threads/{thread}/events", params={"after": len(found), "limit": 100})
        assert page.status_code == 200, page.text
        found += page.json()["items"]
        if page.json()["next_cursor"] is None:
            return found


def _kinds(client: httpx.Client, thread: str) -> list[str]:
    return [event["kind"] for event in _thread_events(client, thread)]


def _terminals(client: httpx.Client, thread: str) -> list[dict[str, Any]]:
    ends = {"turn.completed", "turn.cancelled", "turn.failed"}
    return [event for event in _thread_events(client, thread) if event["kind"] in ends]


def _terminal(client: httpx.Client, thread: str) -> dict[str, Any] | None:
    return next(iter(_terminals(client, thread)), None)
