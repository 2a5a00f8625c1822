"""The whole product as a person starts it: `manage.py up` as a process, stopped and started again at will."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
_START_S = 120


@dataclass(frozen=True, slots=True)
class Opened:
    """A workspace of the running product and the link that opens it."""

    workspace: str
    secret: str
    url: str


class Product:
    """`opened` is the sample workspace of the first start; its link stays good over `restart`."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = _free_pair()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.log = data.parent / "up.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *words: str) -> str:
        """The lines that `up` printed until it was ready. Raises AssertionError when it does not get there."""
        command = [sys.executable, "manage.py", "up", "--port", str(self.port), "--data", str(self.data), *words]
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("CAREERVECTOR_", "DJANGO_"))},
            "CAREERVECTOR_TESTING": "1",
            "CAREERVECTOR_RATE_LIMITS": "off",
            "CAREERVECTOR_PROVIDERS": "builtin,scripted",
        }
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        awaited = "open " if "--sample" in words else "ready "
        end = time.monotonic() + _START_S
        while time.monotonic() < end:
            said = self.log.read_text(errors="replace")
            if re.search(rf"^{awaited}\S+$", said, re.MULTILINE):
                return said
            assert self._process.poll() is None, f"`up` ended with {self._process.returncode}:\n{said}"
            time.sleep(0.1)
        raise AssertionError(f"`up` was not ready after {_START_S} s:\n{self.log.read_text(errors='replace')}")

    def start_with_sample(self) -> None:
        self.start("--sample")

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)
        self._process = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def new_workspace(self, *, sample: bool) -> Opened:
        made = self._request("POST", "/api/v1/workspaces", json={"sample": sample})
        return Opened(workspace=made["workspace"], secret=made["link"]["secret"], url=made["link"]["url"])

    def call(self, opened: Opened, method: str, path: str, **options: Any) -> Any:
        """The JSON answer of an API call made with the workspace's link, not with the browser."""
        headers = {"Authorization": f"Bearer {opened.secret}", "Idempotency-Key": os.urandom(8).hex()}
        return self._request(method, f"/api/v1/workspaces/{opened.workspace}{path}", headers=headers, **options)

    def application(self, opened: Opened, company: str) -> dict[str, Any]:
        for document in self.call(opened, "GET", "/documents?kind=application&limit=100")["items"]:
            if document["fields"].get("company") == company:
                return dict(document)
        raise AssertionError(f"no application of {company}")

    def set_field(self, opened: Opened, company: str, field: str, value: Any) -> None:
        document = self.application(opened, company)
        operation = {"kind": "field.set", "document": document["id"], "field": field, "value": value}
        self.call(
            opened,
            "POST",
            "/operations",
            json={
                "reason": f"Set {field}",
                "expected_clocks": {document["id"]: document["clock"]},
                "operations": [operation],
            },
        )

    def scripted_thread(self, opened: Opened) -> str:
        """A conversation whose answers are scripts: for what the built-in assistant answers too quickly to watch."""
        connector = self.call(opened, "POST", "/connectors", json={"provider": "scripted"})
        thread = self.call(
            opened, "POST", "/threads", json={"connector": connector["id"], "title": "Scripted conversation"}
        )
        return str(thread["id"])

    def answer(self, opened: Opened, thread: str, text: str) -> None:
        """Ask without a browser and wait for the end of the answer."""
        turn = self.call(opened, "POST", f"/threads/{thread}/turns", json={"text": text})["id"]
        end = time.monotonic() + 20
        while self.call(opened, "GET", f"/turns/{turn}")["ended_at"] is None:
            assert time.monotonic() < end, f"{turn} did not end"
            time.sleep(0.02)

    def _request(self, method: str, path: str, **options: Any) -> Any:
        response = httpx.request(method, self.origin + path, timeout=20, trust_env=False, **options)
        assert response.status_code < 300, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None


def _free_pair() -> int:
    """A port that is free together with the next one, which JobCache takes.

    Below the range that the system hands out to clients, since it must still be free after a restart.
    """
    for port in random.sample(range(20_000, 32_000, 2), 50):
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 1))
            return port
    raise AssertionError("no two free ports side by side")
