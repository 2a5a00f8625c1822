"""Deliveries and writers at the same time, over HTTP, against the running product."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.live_workspace import LiveWorkspace, history, set_field
from tests.product import Product


@pytest.fixture
def workspace(running: Product) -> LiveWorkspace:
    return running.new_workspace()


def test_fifty_concurrent_deliveries_of_one_request_make_one_event_and_one_answer(workspace: LiveWorkspace) -> None:
    document = workspace.create_application("Engineer")
    together = Barrier(50)

    def deliver(_number: int) -> tuple[int, dict[str, object]]:
        with workspace.client() as client:
            together.wait(30)
            answer = set_field(client, document, 1, "call them", key="the one request")
            return answer.status_code, answer.json()

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(deliver, range(50)))
    assert {status for status, _ in answers} == {200}
    assert sum(body["replayed"] is False for _, body in answers) == 1
    bodies = [{name: value for name, value in body.items() if name != "replayed"} for _, body in answers]
    assert all(body == bodies[0] for body in bodies)
    with workspace.client() as client:
        events = history(client, f"/documents/{document}/events")
    assert [event["operation_kinds"] for event in events] == [["document.create"], ["field.set"]]
    assert events[1]["clocks"] == {"before": {document: 1}, "after": {document: 2}}


def test_eight_writers_that_compare_and_set_lose_no_update(workspace: LiveWorkspace) -> None:
    """Each reads the counter with its clock, adds one and retries when it was too late."""
    document = workspace.create_application("Counter")
    with workspace.client() as client:
        assert set_field(client, document, 1, "0", key="zero").status_code == 200
    each, writers = 12, 8

    def count(writer: int) -> int:
        tries = 0
        with workspace.client() as client:
            for number in range(each):
                while True:
                    tries += 1
                    now = client.get(f"/documents/{document}").json()
                    answer = set_field(
                        client, document, now["clock"], str(int(now["fields"]["next_step"]) + 1),
                        key=f"{writer} {number} {tries}",
                    )  # fmt: skip
                    if answer.status_code == 200:
                        break
                    assert (answer.status_code, answer.json()["code"]) == (409, "stale_clock")
        return tries

    with ThreadPoolExecutor(writers) as pool:
        tries = sum(pool.map(count, range(writers)))
    with workspace.client() as client:
        final = client.get(f"/documents/{document}").json()
        events = history(client, f"/documents/{document}/events")
    assert tries >= each * writers
    assert (final["fields"]["next_step"], final["clock"]) == (str(each * writers), 2 + each * writers)
    assert [event["reason"] for event in events[2:]] == [str(number + 1) for number in range(each * writers)]
