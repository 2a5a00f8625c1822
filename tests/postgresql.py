"""A throw-away PostgreSQL server on a Unix socket of its own: for tests, measurements and the continuous build.

`python -m tests.postgresql COMMAND …` runs a command beside one and names it in CAREERVECTOR_TEST_POSTGRESQL. Whoever
finds that variable set uses that server; else a test starts one itself, where PostgreSQL is installed.

PostgreSQL refuses to run as root. Then the server belongs to the user `postgres`, in a folder that only that user and
root can enter: the socket needs no password.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import quote

VARIABLE = "CAREERVECTOR_TEST_POSTGRESQL"
OLDEST = 15
START_S = 60.0


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres` of the newest PostgreSQL that is new enough; None without one."""
    found = {Path(place).resolve().parent for place in [shutil.which("postgres")] if place}
    found |= {path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")}
    versions = {}
    for folder in found:
        if (folder / "initdb").exists():
            said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
            number = re.search(r"\d+", said)
            versions[int(number[0]) if number else 0] = folder
    newest = max(versions, default=0)
    return versions[newest] if newest >= OLDEST else None


class PostgreSQL:
    """One server. `durable` keeps fsync on, for tests that pull the plug; otherwise it is as fast as it can be."""

    def __init__(self, folder: Path, *, durable: bool = False, options: tuple[str, ...] = ()) -> None:
        programs = find_programs()
        if programs is None:
            raise RuntimeError(f"PostgreSQL {OLDEST} or newer is not installed")
        self.programs = programs
        self.folder = folder
        self._durable = durable
        self._options = options
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            self._as = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        folder.chmod(0o700)
        self.process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@{quote(str(self.folder), safe='')}/{database}"

    def create(self, *, collation: str | None = "en-US") -> PostgreSQL:
        """Lays the cluster out: in a collation that is not the C one, since code that counts on C must say so, or
        (None) as a deployment should have it."""
        icu = ["--locale-provider=icu", f"--icu-locale={collation}"] if collation else []
        self._run(
            "initdb", "--pgdata", self.folder / "data", "--username=postgres", "--auth=trust", "--no-sync",
            "--encoding=UTF8", "--locale=C", *icu,
        )  # fmt: skip
        return self

    def start(self) -> PostgreSQL:
        assert self.process is None
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "shared_buffers": "64MB",
            "timezone": "Asia/Kolkata",  # neither UTC nor whole hours: code that counts on either must say so
            "log_min_messages": "fatal",
        }
        if not self._durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
        argv: list[str | Path] = [self.programs / "postgres", "-D", self.folder / "data"]
        for name, value in settings.items():
            argv += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*argv, *self._options], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **self._as,
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + START_S
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder], check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)
        return self

    def stop(self) -> None:
        """At once, open connections or not."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def kill(self) -> None:
        """As a crash would; `start` recovers."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=30)
            self.process = None

    def _run(self, program: str, *arguments: str | Path) -> None:
        argv = [self.programs / program, *arguments]
        done = subprocess.run(argv, capture_output=True, text=True, cwd=self.folder, check=False, **self._as)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")


@contextlib.contextmanager
def throwaway(
    *, durable: bool = False, options: tuple[str, ...] = (), collation: str | None = "en-US"
) -> Iterator[PostgreSQL]:
    """A server that is gone afterwards, with its folder."""
    # Short: a socket's path has an end at 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="cvpg-", dir="/tmp"))
    server = None
    try:
        server = PostgreSQL(folder, durable=durable, options=options).create(collation=collation).start()
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main(argv: list[str]) -> int:
    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    with throwaway() as server, subprocess.Popen(argv, env={**os.environ, VARIABLE: server.url()}) as command:
        try:
            return command.wait()
        except (KeyboardInterrupt, SystemExit):
            command.terminate()
            raise


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
