"""A web process of the product beside the tests, on the tests' database and Valkey: started, killed, started again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from tests.databases import name_for_other_processes

ROOT = Path(__file__).resolve().parents[3]
_START_S = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class WebProcess:
    def __init__(self, server: str, valkey_url: str) -> None:
        self.server = server
        self.port = free_port()
        self._valkey_url = valkey_url
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def start(self) -> WebProcess:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CAREERVECTOR", "DJANGO"))}
        environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "careervector.settings.test",
            "CAREERVECTOR_TEST_DB": name_for_other_processes(),
            "CAREERVECTOR_TEST_VALKEY_URL": self._valkey_url,
            "CAREERVECTOR_TESTING": "1",
            "CAREERVECTOR_RATE_LIMITS": "off",
        }
        words = ["-m", "careervector.embedded.web", "--port", str(self.port), "--server", self.server]
        self._process = subprocess.Popen([sys.executable, *words], cwd=ROOT, env=environment)
        deadline = time.monotonic() + _START_S
        while not self._answers():
            assert self._process.poll() is None, f"{self.server} ended"
            assert time.monotonic() < deadline, f"{self.server} did not start"
            time.sleep(0.05)
        return self

    def kill(self) -> None:
        """As a crash would end it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=10)
            self._process = None

    def read(self, workspace: str, document: str, link: str) -> dict[str, Any]:
        """The document over HTTP."""
        answer = httpx.get(
            f"{self.http}/api/v1/workspaces/{workspace}/documents/{document}",
            headers={"Authorization": f"Bearer {link}"}, timeout=30, trust_env=False,
        )  # fmt: skip
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.http}/healthz", timeout=5, trust_env=False).status_code == 200
        except httpx.TransportError:
            return False
