"""Valkey is lost and comes back: no write is refused for its sake, and a page on another web process misses nothing."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from websockets.sync.client import connect

from careervector.embedded import valkey
from tests.live_workspace import LiveWorkspace
from tests.product import ROOT, Product, free_ports, read_environment, wait_for

from .ground import Row, require_sound
from .storm import Storm


class Valkey:
    """A server of our own, which the product is told of by VALKEY_URL."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._plan = valkey.plan(folder)
        self.url = self._plan.url
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._plan.socket.unlink(missing_ok=True)
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._plan.argv, cwd=self._folder, stdout=quiet, stderr=quiet)
        wait_for(self._plan.socket.exists, what="Valkey")

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)
            self._process = None


@contextmanager
def second_web(product: Product) -> Iterator[str]:
    """Another web process of the same product, on a port of its own: its origin."""
    port = free_ports()
    env = read_environment(product.children()["web"])
    argv = [sys.executable, "-m", "careervector.embedded.web", "--port", str(port), "--server", "uvicorn"]
    process = subprocess.Popen(argv, env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    origin = f"http://127.0.0.1:{port}"

    def ready() -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{origin}/healthz", trust_env=False).status_code == 200
        return False

    try:
        wait_for(ready, what="the second web process", timeout_s=60)
        yield origin
    finally:
        process.kill()
        process.wait(10)


class Listener:
    """A page's socket; `seqs` are those of the commits that it brought, in order, after `start`."""

    def __init__(self, workspace: LiveWorkspace) -> None:
        self.seqs: list[int] = []
        self.start = -1
        self._address = f"{workspace.origin.replace('http', 'ws', 1)}/ws/workspaces/{workspace.id}/"
        self._headers = {"Authorization": f"Bearer {workspace.link}"}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        wait_for(lambda: self.start >= 0, what="the greeting of the socket")

    def _listen(self) -> None:
        with connect(self._address, additional_headers=self._headers, proxy=None, max_size=None) as socket:
            self.start = json.loads(socket.recv())["seq"]
            while not self._over.is_set():
                with contextlib.suppress(TimeoutError):
                    message = json.loads(socket.recv(timeout=0.2))
                    # A resync would be one more way to miss nothing; here nothing may call for it.
                    assert message["type"] != "resync"
                    if message["type"] == "commit":
                        self.seqs.append(message["seq"])

    def close(self) -> None:
        self._over.set()
        self._thread.join(10)


def lose_valkey(folder: Path, *, commits: int, seed: int) -> Row:
    """See the module."""
    del seed
    server = Valkey(folder / "valkey")
    server.start()
    product = Product(folder / "data", VALKEY_URL=server.url).start()
    try:
        workspace = product.new_workspace()
        storm = Storm(workspace, commits=commits)
        with second_web(product) as origin:
            listener = Listener(LiveWorkspace(origin, workspace.id, workspace.link, workspace.url))
            with storm.blowing():
                storm.wait_for(commits // 4)
                server.kill()
                storm.wait_for(commits // 2)
                server.start()
                storm.wait_for(3 * commits // 4)
            wait_for(lambda: len(listener.seqs) >= storm.done, what="every commit on the other page", timeout_s=60)
            listener.close()
        assert listener.seqs == list(range(listener.start + 1, listener.start + storm.done + 1))
        storm.check()
        require_sound(product)
        assert (storm.lost, storm.refused) == (0, 0)
        return {"commits": storm.done, "kills": 1, "answers lost": storm.lost, "refused": storm.refused}
    finally:
        product.kill()
        server.kill()
