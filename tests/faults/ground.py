"""What the scenarios stand on: a product that is started again whenever it ends, and the two proofs afterwards."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.product import Product, wait_for


class Restarting:
    """Starts the product again as soon as it has ended, as a service manager does. `restarts` counts."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.restarts = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.trouble: BaseException | None = None

    def __enter__(self) -> Restarting:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(150)
        if self.trouble is not None:
            raise self.trouble

    def _watch(self) -> None:
        try:
            while not self._over.wait(0.05):
                process = self.product.process
                if process is not None and process.poll() is not None:
                    self.product.wait_for_end()
                    self.product.start()
                    self.restarts += 1
        except BaseException as error:
            self.trouble = error


Row = Mapping[str, object]


class CannotPlay(Exception):
    """This machine lacks what a scenario needs; the message says what."""


def kill_child(product: Product, name: str, *, chance: random.Random) -> None:
    """SIGKILL to one child of a running product, a random moment from now."""
    pid = wait_for(lambda: _child(product, name), what=f"a running {name}", timeout_s=120)
    time.sleep(chance.uniform(0.0, 0.3))
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _child(product: Product, name: str) -> int | None:
    with contextlib.suppress(AssertionError, OSError):
        return product.children().get(name)
    return None


def require_sound(product: Product) -> None:
    """`verify_audit` and `check_documents` find nothing."""
    for command in ("verify_audit", "check_documents"):
        done = product.run(command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


@contextmanager
def sized_folder(folder: os.PathLike[str], megabytes: int) -> Iterator[None]:
    """A file system of its own in memory, of this size. Needs root. Raises CannotPlay without."""
    if os.geteuid() != 0:
        raise CannotPlay("mounting a file system needs root")
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "none", os.fspath(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotPlay(f"cannot mount: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", os.fspath(folder)], check=True)
