"""The whole product as a user runs it: `manage.py up` as a process, on free ports and a data folder of its own."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_S = 90.0


def free_ports() -> int:
    """A port that is free together with the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            with contextlib.suppress(OSError):
                second.bind(("127.0.0.1", port + 1))
                return port


def wait_for(condition: Callable[[], Any], *, what: str, timeout_s: float = 20.0) -> Any:
    """The first true value of `condition`; fails the test when there is none in time."""
    deadline = time.monotonic() + timeout_s
    while True:
        if found := condition():
            return found
        assert time.monotonic() < deadline, f"{what}: not within {timeout_s:.0f} s"
        time.sleep(0.02)


class Product:
    """One `up`. `start` waits for its lines; `kill` and `stop` end it."""

    def __init__(self, data: Path, **env: str) -> None:
        self.data = data
        self.port = free_ports()
        self.url = f"http://127.0.0.1:{self.port}"
        self._env = env
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader: threading.Thread | None = None
        self.process: subprocess.Popen[str] | None = None
        self.link = ""

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CAREERVECTOR", "DJANGO"))}
        testing = {"CAREERVECTOR_TESTING": "1", "CAREERVECTOR_RATE_LIMITS": "off"}
        return {**kept, **testing, "CAREERVECTOR_PROVIDERS": "builtin,scripted", **self._env}

    def run_up(
        self, *options: str, port: int | None = None, data: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """An `up` that is expected to end by itself."""
        return subprocess.run(
            self._argv(*options, port=port, data=data),
            env=self.environment(), capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
        )  # fmt: skip

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Another management command on the same data folder."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            env={**self.environment(), "CAREERVECTOR_DATA": str(self.data)},
            capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
        )  # fmt: skip

    def start(self, *options: str) -> Product:
        assert self.process is None
        self.process = subprocess.Popen(
            self._argv("--sample", *options),
            env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self.process, self._lines), daemon=True)
        self._reader.start()
        assert self.next_line() == f"ready {self.url}"
        word, self.link_url = self.next_line().split(" ")
        assert (word, self.link_url.split("#")[0]) == ("open", f"{self.url}/w/")
        self.link = self.link_url.split("#")[1]
        return self

    def next_line(self) -> str:
        line = self._lines.get(timeout=START_S)
        if line is None:
            raise AssertionError(f"up ended: {self.wait_for_end()}")
        return line

    def later_lines(self) -> list[str]:
        """What was printed since, once the process has ended."""
        return [line for line in iter(self._lines.get, None) if line is not None]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """The exit code, and the seconds that it took."""
        assert self.process is not None
        started = time.monotonic()
        self.process.send_signal(number)
        code, _ = self.wait_for_end()
        return code, time.monotonic() - started

    def wait_for_end(self) -> tuple[int, str]:
        """The exit code and what was said on standard error, of an `up` that is ending."""
        assert self.process is not None
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        code = self.process.wait(timeout=30)
        self._close()
        return code, said

    def kill(self) -> None:
        """As a power cut would: `up` has no chance to tidy up."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=10)
            self._close()

    def _close(self) -> None:
        assert self.process is not None
        assert self.process.stderr is not None
        assert self._reader is not None
        self._reader.join(10)
        self.process.stderr.close()
        self.process = None

    def children(self) -> dict[str, int]:
        """The running children by their names, as pids."""
        assert self.process is not None
        found = {}
        for pid in _children_of(self.process.pid):
            words = read_argv(pid)
            name = next((name for name, mark in _MARKS.items() if any(mark in word for word in words)), None)
            if name:
                found[name] = pid
        return found

    def client(self, link: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {link or self.link}"}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=30)

    def new_workspace(self) -> Workspace:
        made = httpx.post(f"{self.url}/api/v1/workspaces", json={}, timeout=30)
        assert made.status_code == 201, made.text
        body = made.json()
        return Workspace(self, body["workspace"], body["link"]["secret"])

    def _argv(self, *options: str, port: int | None = None, data: Path | None = None) -> list[str]:
        place = ["--port", str(port or self.port), "--data", str(data or self.data)]
        return [sys.executable, "manage.py", "up", *place, *options]

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                lines.put(line.rstrip("\n"))
        lines.put(None)


_MARKS = {
    "web": "careervector.embedded.web",
    "host": "assistant.host",
    "jobcache": "jobcache",
    "worker": "worker",
    "beat": "beat",
    "valkey": "valkey",
}


class Workspace:
    """A workspace over HTTP with its owner link. Clients are made per thread by the caller."""

    def __init__(self, product: Product, workspace: str, link: str) -> None:
        self.product = product
        self.id = workspace
        self.link = link

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self.product.url}/api/v1/workspaces/{self.id}",
            headers={"Authorization": f"Bearer {self.link}"},
            timeout=30,
        )

    def create_application(self, client: httpx.Client, title: str) -> str:
        answer = client.post(
            "/operations",
            headers={"Idempotency-Key": _key(f"create {title}")},
            json={
                "reason": "made by the journey",
                "expected_clocks": {"new:a": 0},
                "operations": [
                    {
                        "kind": "document.create",
                        "document": "new:a",
                        "document_kind": "application",
                        "fields": [{"field": "title", "value": title}],
                        "texts": [],
                    }
                ],
            },
        )
        assert answer.status_code == 200, answer.text
        return str(answer.json()["documents"]["new:a"])

    def set_field(
        self, client: httpx.Client, document: str, clock: int, value: str, *, key: str, field: str = "next_step"
    ) -> httpx.Response:
        operation = {"kind": "field.set", "document": document, "field": field, "value": value}
        return client.post(
            "/operations",
            headers={"Idempotency-Key": _key(key)},
            json={"reason": value, "expected_clocks": {document: clock}, "operations": [operation]},
        )

    def events(self, client: httpx.Client, document: str) -> list[dict[str, Any]]:
        """Every event of a document, oldest first."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = client.get(
                f"/documents/{document}/events", params={"limit": 100, **({"cursor": cursor} if cursor else {})}
            )
            assert page.status_code == 200, page.text
            found += page.json()["items"]
            cursor = page.json()["next_cursor"]
            if cursor is None:
                return found[::-1]


def _key(words: str) -> str:
    """An idempotency key: visible characters only."""
    return words.replace(" ", "-")


def _children_of(pid: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            if int(path.read_text().rsplit(")", 1)[1].split()[1]) == pid:
                yield int(path.parent.name)


def read_argv(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return []


def read_environment(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
