"""What lies below the database: a full disk, a lock that somebody holds, and the write-through before each answer."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from tests.product import Product, wait_for

from .ground import CannotPlay, Restarting, Row, require_sound, sized_folder
from .storm import Storm

DISK_MB = 48
LOCK_S = 8.0


def fill_the_disk(folder: Path, *, commits: int, seed: int) -> Row:
    """The data folder is on a small file system that fills up and is made free again."""
    del seed
    data = folder / "data"
    with sized_folder(data, DISK_MB):
        product = Product(data).start()
        try:
            storm = Storm(product.new_workspace(), commits=commits)
            ballast = data / "ballast"
            with Restarting(product), storm.blowing():
                storm.wait_for(commits // 3)
                _fill(ballast)
                # Until the disk is what refuses them.
                wait_for(lambda: storm.refused + storm.lost >= 20 or storm.ended, what="refusals", timeout_s=120)
                ballast.unlink()
            refused = storm.refused
            storm.check()
            require_sound(product)
            assert refused > 0
            return {"commits": storm.done, "kills": 0, "answers lost": storm.lost, "refused": refused}
        finally:
            product.kill()


def _fill(ballast: Path) -> None:
    try:
        with ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 65_536)
    except OSError:
        # What is left is less than a block of the loop: byte by byte to the last page.
        try:
            with ballast.open("ab", buffering=0) as file:
                while True:
                    file.write(b"\0" * 512)
        except OSError:
            pass


def lock_the_database(folder: Path, *, commits: int, seed: int) -> Row:
    """Another program holds the write lock for longer than a request waits."""
    del seed
    product = Product(folder / "data").start()
    try:
        storm = Storm(product.new_workspace(), commits=commits)
        [database] = [path for path in (folder / "data").glob("*.sqlite3") if "celery" not in path.name][:1]
        with storm.blowing():
            storm.wait_for(commits // 3)
            holder = sqlite3.connect(database, isolation_level=None, timeout=30)
            holder.execute("BEGIN IMMEDIATE")
            time.sleep(LOCK_S)
            during = storm.done
            holder.execute("ROLLBACK")
            holder.close()
        storm.check()
        require_sound(product)
        return {"commits": storm.done, "kills": 0, "answers lost": storm.lost, "refused": storm.refused, "done": during}
    finally:
        product.kill()


_RECEIVED = re.compile(
    r"^(?P<pid>\d+) .*?(?:recvfrom|read)\(\d+<(?:TCP|socket).*POST /api/v1/workspaces/\S+/operations"
)
_SYNCED = re.compile(r"^(?P<pid>\d+) .*?f(?:data)?sync\(\d+<[^>]*-wal>")
_ANSWERED = re.compile(r"^(?P<pid>\d+) .*?(?:sendto|send|write|writev)\(\d+<(?:TCP|socket).*HTTP/1\.1 200")


def trace_the_answers(folder: Path, *, commits: int, seed: int) -> Row:
    """Between a request and its 200 the write-ahead log was synced to the disk, each time: seen in the system calls."""
    del seed
    strace = shutil.which("strace")
    if strace is None:
        raise CannotPlay("strace is not installed")
    product = Product(folder / "data").start()
    try:
        storm = Storm(product.new_workspace(), commits=commits, writers=1)
        log = folder / "trace"
        argv = [strace, "-f", "-y", "-s", "120", "-o", str(log), "-e", "trace=read,recvfrom,sendto,send,write,writev"]
        argv[-1] += ",fsync,fdatasync"
        tracer = subprocess.Popen([*argv, "-p", str(product.children()["web"])], stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        if "attached" not in tracer.stderr.readline():
            raise CannotPlay("strace may not attach here")
        try:
            with storm.blowing():
                pass
        finally:
            tracer.terminate()
            tracer.wait(30)
            tracer.stderr.close()
        answers = synced = 0
        seen = False
        for line in log.read_text(errors="replace").splitlines():
            if _RECEIVED.match(line):
                seen = False
            elif _SYNCED.match(line):
                seen = True
            elif _ANSWERED.match(line):
                answers += 1
                synced += seen
                seen = False
        storm.check()
        require_sound(product)
        assert (answers >= storm.done, synced) == (True, answers), f"{synced} of {answers} answers came after a sync"
        return {"commits": storm.done, "kills": 0, "answers lost": storm.lost, "refused": storm.refused}
    finally:
        product.kill()
