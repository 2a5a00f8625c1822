"""The whole suite on SQLite and on PostgreSQL, as `make test` runs it: `python -m tests.both_databases [words …]`.

Two cores are taken to be there. First what needs no running product, on SQLite, beside everything of it that touches a
database, on PostgreSQL; then the journeys and the browser, alone, since they start whole products and watch the clock.
Without PostgreSQL on the machine a line says so and SQLite is all there is; where CI is set that is an error.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

from tests.postgresql import OLDEST, VARIABLE, find_programs, throwaway

ROOT = Path(__file__).resolve().parents[1]
NOTHING_COLLECTED = 5


class Run:
    """One pytest. `quiet` ones keep what they say until the end."""

    def __init__(self, name: str, words: list[str], env: dict[str, str], *, quiet: bool) -> None:
        self.name = name
        self._said = tempfile.TemporaryFile() if quiet else None
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *words],
            cwd=ROOT, env={**os.environ, **env}, stdout=self._said, stderr=subprocess.STDOUT if quiet else None,
        )  # fmt: skip

    def wait(self) -> int:
        code = self._process.wait()
        if self._said is not None:
            self._said.seek(0)
            print(f"\n--- {self.name}", flush=True)
            sys.stdout.buffer.write(self._said.read())
            self._said.close()
        print(f"--- {self.name}: exit {code} after {time.monotonic() - self._started:.0f} s", flush=True)
        return code

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=20)
            self._process.kill()


def run_all(words: list[str], postgresql: str | None) -> int:
    """The exit code of all runs together. `postgresql` is the URL of a server, None for SQLite alone."""
    runs: list[Run] = []
    server = {VARIABLE: postgresql} if postgresql else {}
    folder = tempfile.TemporaryDirectory(prefix="careervector-tests-")
    sqlite = {**server, "CAREERVECTOR_TEST_DB": f"{folder.name}/test.sqlite3"}
    codes = []
    try:
        if postgresql:
            place = {**server, "CAREERVECTOR_TEST_DB": postgresql.rsplit("/", 1)[0] + "/careervector"}
            runs.append(Run("PostgreSQL", ["--part=database", "-p", "no:cacheprovider", *words], place, quiet=True))
        runs.append(Run("SQLite", ["--part=units", *words], sqlite, quiet=False))
        codes += [run.wait() for run in reversed(runs)]
        runs.append(Run("whole products", ["--part=products", "-p", "no:cacheprovider", *words], sqlite, quiet=False))
        codes.append(runs[-1].wait())
    finally:
        for run in runs:
            run.end()
        folder.cleanup()
    failed = [code for code in codes if code not in (0, NOTHING_COLLECTED)]
    if failed:
        return failed[0]
    return NOTHING_COLLECTED if all(code == NOTHING_COLLECTED for code in codes) else 0


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(words: list[str]) -> int:
    signal.signal(signal.SIGTERM, _end)
    if given := os.environ.get(VARIABLE):
        return run_all(words, given)
    if find_programs() is not None:
        with throwaway() as server:
            return run_all(words, server.url())
    missing = f"PostgreSQL {OLDEST} or newer is not installed"
    if os.environ.get("CI"):
        print(f"error: {missing}; the continuous build tests both databases", file=sys.stderr)
        return 2
    print(f"{missing}: testing SQLite only", flush=True)
    return run_all(words, None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
