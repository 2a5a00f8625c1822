"""A cluster as the Procfile starts one, under `settings.cluster`: two webs, two workers, beat and two hosts, on one
PostgreSQL and one Valkey.

Rate limits are on, as in production: each caller comes "through the proxy" from an address of its own, in the header
that the webs trust from this machine. Above: the cluster's journeys, and the check of the files in `deploy/`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from careervector.embedded.valkey import find_server
from tests.live_workspace import TIMEOUT_S, LiveWorkspace
from tests.postgresql import VARIABLE, find_programs, throwaway
from tests.product import ROOT, free_ports, wait_for

START_S = 120.0
_addresses = itertools.count(1)


def new_address() -> str:
    """A client address that nobody has called from yet."""
    number = next(_addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


class Cluster:
    """`webs` are the origins of the two web processes; `environment` is what every process of the server gets."""

    def __init__(self, folder: Path, database_url: str, *, public_url: str | None = None) -> None:
        self.folder = folder
        ports = [free_ports(), free_ports()]
        self.webs = [f"http://127.0.0.1:{port}" for port in ports]
        self.public_url = public_url or self.webs[0]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._secrets = [secrets.token_urlsafe(40) for _ in range(3)]
        self.environment = {
            **{n: v for n, v in os.environ.items() if not n.startswith(("CAREERVECTOR", "DJANGO", "JOBCACHE"))},
            "DJANGO_SETTINGS_MODULE": "careervector.settings.cluster",
            "CAREERVECTOR_DATA": str(folder / "data"),
            "CAREERVECTOR_PUBLIC_URL": self.public_url,
            "CAREERVECTOR_TRUSTED_PROXIES": "127.0.0.1",
            "CAREERVECTOR_PROVIDERS": "builtin,scripted",
            "CAREERVECTOR_SECRET_KEY": self._secrets[0],
            "CAREERVECTOR_CAPABILITY_KEY": self._secrets[1],
            "CAREERVECTOR_AUDIT_KEY": self._secrets[2],
            "CAREERVECTOR_ALLOWED_HOSTS": "127.0.0.1",
            "DATABASE_URL": database_url,
            # Few, so that whoever keeps one too long or takes them in the wrong order is found out.
            "CAREERVECTOR_DATABASE_CONNECTIONS": "4",
            "VALKEY_URL": f"unix://{folder}/valkey.sock",
        }

    def start(self) -> Cluster:
        (self.folder / "data").mkdir()
        (self.folder / "logs").mkdir()
        valkey = self.folder / "valkey.sock"
        self._start("valkey", find_server(), "--port", "0", "--unixsocket", str(valkey), "--save", "", "--dir",
                    str(self.folder), env={"PATH": os.environ["PATH"]})  # fmt: skip
        wait_for(valkey.exists, what="Valkey's socket")
        self.run("migrate", "--no-input")
        for number in range(2):
            self.start_web(number)
            options = ("--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle", "--hostname",
                       f"worker{number}@%h")  # fmt: skip
            self._start_module(f"worker{number}", "celery", "--quiet", "--app", "careervector", "worker", *options)
        beat = ("celery", "--quiet", "--app", "careervector", "beat", "--scheduler", "celery.beat.Scheduler")
        self._start_module("beat", *beat, "--pidfile", "")
        for number in range(2):
            self._wait_until_ready(number)
            self._start_host(number)
        wait_for(lambda: self._hosts() == 2, what="two connected hosts", timeout_s=START_S)
        return self

    def start_web(self, number: int) -> None:
        port = str(urlsplit(self.webs[number]).port)
        self._start_module(f"web{number}", "careervector.embedded.web", "--server", "uvicorn", "--port", port)

    def restart_web(self, number: int) -> None:
        """After `kill`: comes back only once it is ready."""
        self.start_web(number)
        self._wait_until_ready(number)

    def kill(self, name: str) -> None:
        """SIGKILL to one process, by its name (`web0`, `worker1`, …)."""
        process = self._processes.pop(name)
        process.kill()
        process.wait(10)

    def stop(self) -> None:
        for process in self._processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait(10)

    def run(self, *words: str) -> str:
        """A management command of the server, which must succeed; what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words], env=self.environment, capture_output=True, text=True, timeout=120,
            check=False, cwd=ROOT,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """What the database says, on a connection of one's own."""
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            return connection.execute(statement).fetchall()  # type: ignore[arg-type]

    def new_workspace(self, web: int = 0) -> ClusterWorkspace:
        headers = {"X-Forwarded-For": new_address()}
        made = httpx.post(
            f"{self.webs[web]}/api/v1/workspaces", json={}, headers=headers, timeout=TIMEOUT_S, trust_env=False
        )
        assert made.status_code == 201, made.text
        body = made.json()
        return ClusterWorkspace(self, body["workspace"], body["link"]["secret"], body["link"]["id"])

    def logs(self) -> str:
        return "\n".join(f"--- {p.name}\n{p.read_text()[-3000:]}" for p in sorted((self.folder / "logs").iterdir()))

    def _start(self, name: str, *argv: str, env: dict[str, str]) -> None:
        with (self.folder / "logs" / name).open("ab") as log:
            self._processes[name] = subprocess.Popen(argv, env=env, cwd=ROOT, stdout=log, stderr=log)

    def _start_module(self, name: str, *words: str) -> None:
        self._start(name, sys.executable, "-m", *words, env=self.environment)

    def _start_host(self, number: int) -> None:
        token = self.folder / f"host{number}.token"
        token.write_text(self.run("create_host_token"))
        env = {"PATH": os.environ["PATH"], "CAREERVECTOR_PROVIDERS": "builtin,scripted"}
        words = ("--url", self.webs[number], "--token-file", str(token), "--homes", str(self.folder / f"homes{number}"))
        self._start(f"host{number}", sys.executable, "-m", "assistant.host", *words, "--name", f"host{number}", env=env)

    def _hosts(self) -> int:
        return int(self.ask("SELECT count(*) FROM assistant_host WHERE disconnected_at IS NULL")[0][0])

    def _wait_until_ready(self, number: int) -> None:
        def is_ready() -> bool:
            process = self._processes[f"web{number}"]
            assert process.poll() is None, self.logs()
            with contextlib.suppress(httpx.HTTPError):
                return httpx.get(f"{self.webs[number]}/readyz", trust_env=False).status_code == 200
            return False

        wait_for(is_ready, what=f"web {number}", timeout_s=START_S)


class ClusterWorkspace:
    """A workspace, and the ways to it through either web."""

    def __init__(self, cluster: Cluster, id: str, link: str, link_id: str) -> None:
        self.cluster = cluster
        self.id = id
        self.link = link
        self.link_id = link_id
        self.address = new_address()

    def client(self, web: int) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self.cluster.webs[web]}/api/v1/workspaces/{self.id}",
            headers={"Authorization": f"Bearer {self.link}", "X-Forwarded-For": self.address},
            timeout=TIMEOUT_S,
            trust_env=False,
        )

    def socket(self, web: int, place: str = "") -> str:
        return f"{self.cluster.webs[web].replace('http', 'ws', 1)}/ws/workspaces/{self.id}/{place}"

    def create_application(self, title: str, *, web: int = 0) -> str:
        live = LiveWorkspace(self.cluster.webs[web], self.id, self.link, "")
        return live.create_application(title)


@contextmanager
def running_cluster(folder: Path, *, public_url: str | None = None) -> Iterator[Cluster]:
    """A cluster on the run's PostgreSQL server, or on a throw-away one. Raises RuntimeError without any."""
    with ExitStack() as stack:
        server = os.environ.get(VARIABLE) or stack.enter_context(throwaway()).url()
        name = f"cluster_{secrets.token_hex(4)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        cluster = Cluster(folder, f"{server.rsplit('/', 1)[0]}/{name}", public_url=public_url)
        try:
            yield cluster.start()
        finally:
            cluster.stop()
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]


def has_postgresql() -> bool:
    return bool(os.environ.get(VARIABLE)) or find_programs() is not None
