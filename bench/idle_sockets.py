"""What an open, idle workspace socket costs the web process in memory: resident size at 1,000 more sockets ÷ 1,000.

Sockets are opened by `bench.listeners` in a process of its own; the web process is asked through /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.fanout import Crowd, free_port
from careervector.embedded.data import DataFolder


def resident_bytes(pid: int) -> int:
    """The anonymous memory of a process; what it shares with files is not the sockets'."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("no RssAnon in /proc: this measurement needs Linux")


def settled(pid: int) -> int:
    """Once it has stopped changing by more than a tenth of a megabyte."""
    before = 0
    while abs((now := resident_bytes(pid)) - before) > 100_000:
        before = now
        time.sleep(1.0)
    return now


@contextmanager
def opened(plan: dict[str, Any], clients: int) -> Iterator[Crowd]:
    crowd = Crowd(
        port=plan["port"], path=plan["path"], bearer=plan["bearer"], clients=clients, timed=False, greetings=1
    )
    try:
        yield crowd
    finally:
        crowd.close()


def main() -> None:
    from bench.typing import product

    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    few, many = (20, 60) if parser.parse_args().quick else (200, 1200)
    data = DataFolder(Path(os.environ["CAREERVECTOR_DATA"]))
    result: dict[str, float] = {}
    for server in ("uvicorn", "daphne"):
        with product(server, data, free_port()) as plan:
            workspace = {**plan, "path": plan["path"].partition("documents/")[0]}
            pid = plan["pid"]
            with opened(workspace, few):
                before = settled(pid)
                with opened(workspace, many - few):
                    after = settled(pid)
        result[server] = (after - before) / (many - few)
        print(f"    {server}: {result[server] / 1000:.1f} kB a socket", file=sys.stderr, flush=True)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
