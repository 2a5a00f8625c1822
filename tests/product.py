"""The whole product as a user runs it: `manage.py up` as a process, on free ports and a data folder of its own.

Above it: the journeys and the browser's tests. What they do in its workspaces is `tests.live_workspace`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import random
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

from tests.live_workspace import TIMEOUT_S, LiveWorkspace

ROOT = Path(__file__).resolve().parents[1]
START_S = 120.0


def free_ports() -> int:
    """A port that is free together with the next one, which JobCache takes.

    Below the range that the system hands out to clients, since it must still be free after a restart.
    """
    for port in random.sample(range(20_000, 32_000, 2), 50):
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 1))
            return port
    raise AssertionError("no two free ports side by side")


def wait_for(condition: Callable[[], Any], *, what: str, timeout_s: float = 20.0) -> Any:
    """The first true value of `condition`; fails the test when there is none in time."""
    deadline = time.monotonic() + timeout_s
    while True:
        if found := condition():
            return found
        assert time.monotonic() < deadline, f"{what}: not within {timeout_s:.0f} s"
        time.sleep(0.02)


class Product:
    """One `up`. `start` waits for its lines; `kill` and `stop` end it, and it may be started again.

    `link` opens the sample workspace of the newest start.
    """

    def __init__(self, data: Path, **env: str) -> None:
        self.data = data
        self.port = free_ports()
        self.origin = f"http://127.0.0.1:{self.port}"
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

    def start(self, *options: str, sample: bool = True, later_s: float = 0.0) -> Product:
        """`later_s` sets the clock forward, as if so much time had passed."""
        assert self.process is None
        later = {"CAREERVECTOR_CLOCK_OFFSET": str(later_s)} if later_s else {}
        self.process = subprocess.Popen(
            self._argv(*(["--sample"] if sample else []), *options),
            env={**self.environment(), **later}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self.process, self._lines), daemon=True)
        self._reader.start()
        assert self.next_line() == f"ready {self.origin}"
        if sample:
            word, url = self.next_line().split(" ")
            place, _, self.link = url.partition("#")
            assert (word, place) == ("open", f"{self.origin}/w/")
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

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.link}"}
        return httpx.Client(base_url=f"{self.origin}/api/v1", headers=headers, timeout=TIMEOUT_S, trust_env=False)

    def new_workspace(self, *, sample: bool = False) -> LiveWorkspace:
        made = httpx.post(
            f"{self.origin}/api/v1/workspaces", json={"sample": sample}, timeout=TIMEOUT_S, trust_env=False
        )
        assert made.status_code == 201, made.text
        body = made.json()
        return LiveWorkspace(self.origin, body["workspace"], body["link"]["secret"], body["link"]["url"])

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
