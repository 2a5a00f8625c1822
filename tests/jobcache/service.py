"""A real JobCache process on a loopback port, for the tests of the service and of its client."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "cases"
CONTROL_TOKEN = "control-token-of-the-tests-0001"
LIFECYCLE_TOKEN = "lifecycle-token-of-the-tests-0002"
WORKER_TOKEN = "worker-token-of-the-tests-0003"
NOW = "2026-11-30T09:00:00Z"
START_SECONDS = 60


def environment(data: Path, changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the process sees: nothing of the tests' own settings, three good tokens, the fixed day, then `changes`."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "VIRTUAL_ENV"}}
    return (
        kept
        | {
            "JOBCACHE_DATA": str(data),
            "JOBCACHE_CONTROL_TOKEN": CONTROL_TOKEN,
            "JOBCACHE_CORPUS_LIFECYCLE_TOKEN": LIFECYCLE_TOKEN,
            "JOBCACHE_CORPUS_WORKER_TOKEN": WORKER_TOKEN,
            "CAREERVECTOR_TESTING": "1",
            "CAREERVECTOR_NOW": NOW,
            "PYTHONWARNINGS": "error",
        }
        | dict(changes or {})
    )


def run(data: Path, *command: str, changes: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`python -m jobcache COMMAND` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "jobcache", *command],
        cwd=ROOT, env=environment(data, changes), capture_output=True, text=True, timeout=START_SECONDS, check=False,
    )  # fmt: skip


@dataclass(frozen=True)
class Service:
    """A running service."""

    url: str
    data: Path
    process: subprocess.Popen[str]
    http: httpx.Client

    def search(self, body: Any = None, *, token: str | None = CONTROL_TOKEN, **wishes: Any) -> httpx.Response:
        """POST /api/corpus/search with the body, or with `wishes` as its members."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.http.post("/api/corpus/search", json=wishes if body is None else body, headers=headers)

    def page(self, **wishes: Any) -> dict[str, Any]:
        """The page that answers `wishes`; fails unless it is 200."""
        answer = self.search(**wishes)
        assert answer.status_code == 200, answer.text
        page: dict[str, Any] = answer.json()
        return page

    def ads(self, **wishes: Any) -> list[str]:
        """The ids of the first ads of the roles found, best first."""
        return [role["evidence"][-1]["ad"] for role in self.page(**wishes)["roles"]]


@contextmanager
def serve(data: Path, *arguments: str, changes: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Start the service on a free port, wait for its `ready` line, and end it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jobcache", "serve", "--port", "0", *arguments],
        cwd=ROOT, env=environment(data, changes), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = _ready_url(process)
        with httpx.Client(base_url=url, trust_env=False, timeout=20) as http:
            yield Service(url, data, process, http)
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=START_SECONDS)


def _ready_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        assert waiting.select(START_SECONDS), "the service did not become ready"
    line = process.stdout.readline()
    assert line.startswith("ready http://"), line
    return line.split()[1]
