"""A whole workspace out of a running product and into it again, over the wire: files of the largest size, progress, and
others who work meanwhile.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import httpx
from websockets.sync.client import connect

from tests.live_workspace import LiveWorkspace, history
from tests.product import Product

MIB = 1024 * 1024
LONG_S = 300.0


def file(documents: int, *, size: int = 0) -> bytes:
    """Notes; padded with the history of somebody else up to a size in bytes."""
    made = [
        {"id": f"note:{n:026}", "kind": "note", "fields": {"title": f"N{n}"}, "texts": {"body": "Text. " * 50}}
        for n in range(documents)
    ]
    data: dict[str, Any] = {"format": "careervector.workspace", "version": 1, "documents": made, "history": []}
    short = size - len(json.dumps(data))
    if short > 0:
        data["history"] = ["x" * (short - 2)]
    return json.dumps(data).encode()


def post(place: LiveWorkspace, content: bytes, *, key: str = "import-1") -> httpx.Response:
    with place.client() as client:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        return client.post("/import", content=content, headers=headers, timeout=LONG_S)


def test_a_file_of_the_largest_size_comes_in_and_one_byte_more_does_not(running: Product) -> None:
    place = running.new_workspace()
    content = file(30, size=32 * MIB)
    assert len(content) == 32 * MIB
    over = post(place, content + b" ")
    assert (over.status_code, over.json()["code"]) == (413, "too_large")
    far_over = post(place, content + b" " * MIB)
    assert (far_over.status_code, far_over.json()["code"]) == (413, "too_large")
    with place.client() as client:
        assert history(client, "/events") == []
    answer = post(place, content)
    assert answer.status_code == 200, answer.text
    assert answer.json()["counts"] == {"note": 30}
    assert post(place, content).json() == answer.json()
    assert len(place.call("GET", "/documents?kind=note&limit=100")["items"]) == 30


def test_pages_hear_how_far_it_is_and_others_work_meanwhile(running: Product) -> None:
    place = running.new_workspace()
    application = place.create_application("Mine")
    waits: list[float] = []
    done = threading.Event()

    def work() -> None:
        clock = 1
        while not done.is_set():
            started = time.monotonic()
            operation = {"kind": "field.set", "document": application, "field": "next_step", "value": f"Step {clock}"}
            body = {"expected_clocks": {application: clock}, "operations": [operation]}
            place.call("POST", "/operations", json=body)
            waits.append(time.monotonic() - started)
            clock += 1

    address = f"ws{running.origin.removeprefix('http')}/ws/workspaces/{place.id}/"
    with connect(address, additional_headers={"Authorization": f"Bearer {place.link}"}, proxy=None) as page:
        worker = threading.Thread(target=work)
        worker.start()
        answer = post(place, file(400))
        done.set()
        worker.join(30)
        assert answer.status_code == 200, answer.text
        told: list[dict[str, Any]] = []
        while not told or told[-1]["state"] != "done":
            message = json.loads(page.recv(timeout=20))
            if message["type"] == "import":
                told.append(message)
    assert [m["done"] for m in told] == [*range(20, 401, 20), 400]
    assert {(m["import"], m["total"]) for m in told} == {(answer.json()["import"], 400)}
    # Nobody had to wait for the import's end.
    assert len(waits) >= 3
    preview = place.call("GET", f"/imports/{answer.json()['import']}/undo")
    undone = place.call(
        "POST", f"/imports/{answer.json()['import']}/undo", json={"expected_clocks": preview["expected_clocks"]}
    )
    assert len(undone["clocks"]["after"]) == 400
    assert place.call("GET", "/documents?kind=note")["items"] == []


def test_what_one_workspace_gives_out_another_takes_in(running: Product) -> None:
    first, second = running.new_workspace(sample=True), running.new_workspace()
    with first.client() as client, client.stream("GET", "/export", timeout=LONG_S) as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
        content = b"".join(answer.iter_bytes())
    assert int(answer.headers["Content-Length"]) == len(content)
    given = json.loads(content)
    taken = post(second, content)
    assert taken.status_code == 200, taken.text
    kinds = [document["kind"] for document in given["documents"]]
    for kind in ("application", "note", "letter"):
        listed = second.call("GET", f"/documents?kind={kind}&archived=true&limit=100")["items"]
        assert len(listed) == kinds.count(kind)
    with second.client() as client:
        table = client.get("/export/applications.csv")
        assert table.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
        assert table.text.count("\r\n") == kinds.count("application") + 1
