"""Live typing, 200 clients in one document: ours beside Hocuspocus and y-websocket, in alternating rounds.

One Node process plays all clients (`peers/crowd.mjs`), the same for each server. Ours commits each update to SQLite
with `synchronous=FULL` before anybody hears of it; the peers keep their documents in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.fanout import free_port
from bench.peers import NODE, installed, peer
from careervector.embedded import children, valkey
from careervector.embedded.children import Placement
from careervector.embedded.data import DataFolder
from careervector.embedded.start import answers, connects
from careervector.embedded.supervisor import Supervisor

_CLIENTS = 200


@contextmanager
def product(server: str, data: DataFolder, port: int) -> Iterator[dict[str, Any]]:
    """The web process with one workspace, as the part of the crowd's plan that is the server's."""
    plan = valkey.plan(data.folder("run"))
    os.environ["VALKEY_URL"] = plan.url
    address = f"http://127.0.0.1:{port}"
    with Supervisor(data.folder("logs")) as supervisor:
        supervisor.start(children.valkey(plan.argv, data))
        supervisor.wait_until(lambda: connects(plan.socket), what="Valkey", timeout_s=15)
        from bench.product import facade, migrate, new_application

        migrate()
        web = supervisor.start(children.web(Placement(data, "127.0.0.1", port, server, address, plan.url, "")))
        supervisor.wait_until(lambda: answers(address, "/readyz"), what="the web process", timeout_s=60)
        made = facade.create_workspace()
        document = new_application(made).document
        yield {
            "port": port,
            "path": f"/ws/workspaces/{made.workspace}/documents/{document}/",
            "bearer": made.link.secret,
            "dialect": "y",
            "text": ["texts", "notes"],
            "pid": web.pid,
        }


def crowd(plan: dict[str, Any], *, messages: int, rate: int) -> dict[str, float]:
    asked = {**plan, "clients": _CLIENTS, "messages": messages, "rate": rate}
    argv = [NODE, "crowd.mjs", json.dumps(asked)]
    done = subprocess.run(argv, cwd=installed(), stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", choices=["uvicorn", "daphne"], default="uvicorn")
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    rounds, messages, timed = (1, 200, 30) if chosen.quick else (3, 2000, 150)
    taken: dict[str, list[dict[str, float]]] = {}
    with ExitStack() as stack:
        data = DataFolder(Path(os.environ["CAREERVECTOR_DATA"]))
        plans = {"ours": stack.enter_context(product(chosen.server, data, free_port()))}
        for name, dialect in (("hocuspocus", "hocuspocus"), ("y_websocket", "y")):
            port = free_port()
            stack.enter_context(peer(name, port))
            plans[name] = {"port": port, "path": "/measured", "bearer": "", "dialect": dialect, "text": "measured"}
        for turn in range(rounds):
            for name, plan in plans.items():
                fast, slow = crowd(plan, messages=messages, rate=0), crowd(plan, messages=timed, rate=30)
                taken.setdefault(name, []).append({"per_s": fast["per_s"], "p95_ms": slow["p95_ms"]})
                print(
                    f"    round {turn + 1} of {rounds}, {name}: {fast['per_s']:.0f} delivered/s,"
                    f" p95 at 30/s {slow['p95_ms']:.1f} ms",
                    file=sys.stderr,
                    flush=True,
                )
    result = {
        name: {key: statistics.median(found[key] for found in rows) for key in ("per_s", "p95_ms")}
        for name, rows in taken.items()
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
