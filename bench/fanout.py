"""How many messages a second reach 50 and 200 open sockets, and how late: `python -m bench.fanout --server SERVER`.

`daphne` and `uvicorn` serve the product: commits made in this process reach the web process through Valkey and its hub,
as those of a worker or a second web process do. `group_send` is the baseline. The writer never runs further ahead of
the slowest socket than the sockets' buffers hold, so that nothing is dropped and what is measured is delivery.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

from careervector.embedded import children, valkey
from careervector.embedded.children import Placement
from careervector.embedded.data import DataFolder
from careervector.embedded.process import ChildSpec
from careervector.embedded.start import answers, connects
from careervector.embedded.supervisor import Supervisor

_WINDOW = 150
_ROOT = Path(__file__).resolve().parents[1]
Send = Callable[[int], None]


class Crowd:
    """The listening clients, in a process of their own. `state` is their newest report."""

    def __init__(self, *, port: int, path: str, bearer: str, clients: int, timed: bool, greetings: int) -> None:
        argv = [sys.executable, "-m", "bench.listeners", "--port", str(port), "--path", path, "--clients", str(clients)]
        self._process = subprocess.Popen(
            [*argv, *(["--timed"] if timed else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(bearer + "\n")
        self._process.stdin.flush()
        self.state: dict[str, Any] = {"frames": 0, "slowest": 0, "open": 0}
        self.delays: list[float] = []
        Thread(target=self._read, daemon=True).start()
        # Greeted, not only connected: who is still being let in is served from the database.
        self.wait(lambda: self.state["open"] == clients and self.state["slowest"] >= greetings, 60)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.state = json.loads(line)
            self.delays += self.state["delays"]

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise SystemExit(f"the listeners stopped making progress: {self.state}")
            time.sleep(0.005)

    def settle(self) -> dict[str, Any]:
        """Until nothing new has arrived for a while."""
        before = None
        while before != self.state["frames"]:
            before = self.state["frames"]
            time.sleep(0.5)
        return self.state

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def measure(crowd: Crowd, send: Send, *, clients: int, messages: int, per_message: int) -> float:
    """Messages delivered a second while `send` is called as fast as the slowest client allows."""
    start = crowd.settle()
    started = time.monotonic()
    sent = 0
    while sent < messages:
        received = (crowd.state["slowest"] - start["slowest"]) / per_message
        if sent - received < _WINDOW:
            send(10)
            sent += 10
        else:
            time.sleep(0.002)
    expected = start["frames"] + messages * per_message * clients
    crowd.wait(lambda: crowd.state["frames"] >= expected, 60)
    return messages * per_message * clients / (time.monotonic() - started)


def measure_delay_ms(crowd: Crowd, send: Send, *, seconds: float) -> float:
    """The 95th percentile of the delay at 30 messages a second."""
    crowd.settle()
    crowd.delays.clear()
    for turn in range(int(seconds * 30)):
        due = time.monotonic() + 1 / 30
        send(1)
        time.sleep(max(0.0, due - time.monotonic()))
        del turn
    crowd.settle()
    return statistics.quantiles(crowd.delays, n=20)[-1] * 1000


@contextmanager
def served(server: str, data: DataFolder, port: int) -> Iterator[tuple[str, str, Send, int]]:
    """The running server as (path, bearer, send, messages for each send)."""
    plan = valkey.plan(data.folder("run"))
    os.environ["VALKEY_URL"] = plan.url
    address = f"http://127.0.0.1:{port}"
    placement = Placement(data, "127.0.0.1", port, server, address, plan.url, "")
    with Supervisor(data.folder("logs")) as supervisor:
        supervisor.start(children.valkey(plan.argv, data))
        supervisor.wait_until(lambda: connects(plan.socket), what="Valkey", timeout_s=15)
        if server == "group_send":
            options = ("--port", str(port), "--log-level", "warning", "--ws-per-message-deflate", "false")
            options += ("--timeout-keep-alive", "600")
            argv = [sys.executable, "-m", "uvicorn", "bench.group_send_app:application", *options]
            supervisor.start(ChildSpec("baseline", argv, children.product_environment(placement), _ROOT))
            connection = HTTPConnection("127.0.0.1", port)
            supervisor.wait_until(lambda: _listens(port), what="the baseline", timeout_s=30)
            yield "/", "", lambda count: _post(connection, count), 1
        else:
            from bench.product import facade, migrate, new_application

            migrate()
            supervisor.start(children.web(placement))
            supervisor.wait_until(lambda: answers(address, "/readyz"), what="the web process", timeout_s=60)
            made = facade.create_workspace()
            writer = new_application(made)

            def send(count: int) -> None:
                for _ in range(count):
                    now = f"{time.monotonic():.6f}"
                    writer.commit({"kind": "field.set", "field": "next_step", "value": now}, reason=now)

            # Each commit is announced as a commit and as a receipt.
            yield f"/ws/workspaces/{made.workspace}/", made.link.secret, send, 2


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def _post(connection: HTTPConnection, count: int) -> None:
    connection.request("POST", f"/send?n={count}")
    connection.getresponse().read()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", choices=["daphne", "uvicorn", "group_send"], required=True)
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    messages, seconds = (100, 1.0) if chosen.quick else (600, 5.0)
    result: dict[str, Any] = {}
    port = free_port()
    data = DataFolder(Path(os.environ["CAREERVECTOR_DATA"]))
    with served(chosen.server, data, port) as (path, bearer, send, per_message):
        greetings = 0 if chosen.server == "group_send" else 1
        for clients in (50, 200):
            crowd = Crowd(port=port, path=path, bearer=bearer, clients=clients, timed=False, greetings=greetings)
            per_s = measure(crowd, send, clients=clients, messages=messages, per_message=per_message)
            crowd.close()
            crowd = Crowd(port=port, path=path, bearer=bearer, clients=clients, timed=True, greetings=greetings)
            p95_ms = measure_delay_ms(crowd, send, seconds=seconds)
            crowd.close()
            result[str(clients)] = {"per_s": per_s, "p95_ms": p95_ms}
            print(f"    {clients} clients: {per_s:.0f}/s, p95 {p95_ms:.1f} ms", file=sys.stderr, flush=True)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
