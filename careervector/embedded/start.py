"""The embedded start: preflight, Valkey, migrations, JobCache, web, worker, beat and connector host, in this order.

Called by `manage.py up`. Says `ready …` once everything answers, then keeps watch.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from careervector import environment
from careervector.embedded import children, preflight, valkey
from careervector.embedded.children import Placement
from careervector.embedded.data import DataFolder
from careervector.embedded.supervisor import Supervisor

_START_S = 120.0


def serve(*, data: DataFolder, host: str, port: int, server: str, sample: bool, say: Callable[[str], None]) -> None:
    """Run everything until a signal (raises Stopped) or a failure (CannotStart, ChildFailed). `say` prints one line."""
    data.prepare()
    own_jobcache = not environment.read("JOBCACHE_URL")
    run = data.folder("run")
    preflight.require_free_port(host, port)
    if own_jobcache:
        preflight.require_free_port(children.loopback(host), port + 1)
    holder = preflight.lock(run / "lock")
    preflight.require_known_database()
    if given := environment.read("VALKEY_URL"):
        valkey.require_reachable(given)

    plan = None if given else valkey.plan(run)
    local = f"http://{children.loopback(host)}"
    placement = Placement(
        data=data,
        host=host,
        port=port,
        server=server,
        public_url=environment.origin(environment.read("CAREERVECTOR_PUBLIC_URL", f"{local}:{port}")),
        valkey_url=plan.url if plan else given,
        jobcache_url=environment.read("JOBCACHE_URL", f"{local}:{port + 1}"),
    )
    try:
        data.announce(
            public_url=placement.public_url, valkey_url=placement.valkey_url, jobcache_url=placement.jobcache_url
        )
        with Supervisor(data.folder("logs")) as supervisor:
            if plan:
                supervisor.start(children.valkey(plan.argv, data))
                supervisor.wait_until(lambda: connects(plan.socket), what="Valkey", timeout_s=15)
                valkey.keep_no_commands(plan.url)
            if own_jobcache:
                supervisor.start(children.jobcache(placement))
            link = _prepare(supervisor, placement, sample=sample)
            supervisor.start(children.web(placement))
            supervisor.wait_until(
                lambda: answers(placement.local_address, "/readyz"), what="the web process", timeout_s=_START_S
            )
            # What talks to the web process starts now; before, it would only take turns in waiting for it.
            supervisor.start(children.host(placement, data.host_token))
            supervisor.start(children.worker(placement))
            supervisor.start(children.beat(placement))
            supervisor.wait_until(
                lambda: _serves_a_host(placement.local_address), what="the connector host", timeout_s=_START_S
            )
            if own_jobcache:
                supervisor.wait_until(
                    lambda: answers(placement.jobcache_url, "/healthz"), what="JobCache", timeout_s=_START_S
                )
            say(f"ready {placement.address}")
            if link:
                say(f"open {link}")
            supervisor.watch()
    finally:
        data.withdraw()
        if plan:
            valkey.remove_socket(plan.socket, run)
        os.close(holder)


def _prepare(supervisor: Supervisor, placement: Placement, *, sample: bool) -> str | None:
    """Migrations, the host's token and, if wanted, the sample workspace's fresh link as a URL.

    The link comes through a file for its owner only, never through a log.
    """
    answer = placement.data.folder("run") / "sample-link"
    try:
        supervisor.finish(supervisor.start(children.prepare(placement, answer if sample else None)), timeout_s=_START_S)
        return answer.read_text() if sample else None
    finally:
        answer.unlink(missing_ok=True)


def connects(path: Path) -> bool:
    """Whether somebody listens on this Unix socket now."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def answers(address: str, path: str) -> bool:
    """Whether GET says 200 now."""
    return _get(address, path)[0] == 200


def _serves_a_host(address: str) -> bool:
    """Whether the connector host's socket stands, by the web process's own metrics."""
    lines = _get(address, "/metrics")[1].splitlines()
    return any(line.startswith("careervector_host_connections ") and float(line.split()[1]) > 0 for line in lines)


def _get(address: str, path: str) -> tuple[int, str]:
    """Status and body; (0, "") when nobody answers."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=5)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode(errors="replace")
    except (OSError, HTTPException):
        return 0, ""
    finally:
        connection.close()
