"""A child process of `up`: started in a group of its own, bound to its parent's life, stopped as a whole group."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_LOG_BYTES = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """What to start. `argv` holds no secret: every user of the machine can read it. `env` is the whole environment."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(repr=False)
    cwd: Path


class Child:
    """A running child. Its output goes to `logs/NAME.log` of the data folder."""

    def __init__(self, spec: ChildSpec, logs: Path) -> None:
        self.name = spec.name
        self.log = logs / f"{spec.name}.log"
        _rotate(self.log)
        argv, leash = (list(spec.argv), None) if sys.platform == "linux" else _leashed(spec.argv)
        with open(self.log, "ab", buffering=0, opener=_private) as output:
            self._process = subprocess.Popen(  # noqa: S603
                argv,
                env=dict(spec.env),
                cwd=spec.cwd,
                stdin=subprocess.DEVNULL if leash is None else leash,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=_die_with_parent(os.getpid()) if leash is None else None,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_code(self) -> int | None:
        """The exit code (negative: the signal), or None while it runs."""
        return self._process.poll()

    def signal_group(self, number: signal.Signals) -> None:
        """Signal the child and whatever it started; nothing happens when all of them are gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def wait(self, timeout_s: float) -> bool:
        """Whether it ended within `timeout_s` seconds."""
        try:
            self._process.wait(max(timeout_s, 0))
        except subprocess.TimeoutExpired:
            return False
        return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _rotate(log: Path) -> None:
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))


def _die_with_parent(parent: int) -> Callable[[], None]:
    """Linux: the kernel kills the child as soon as `up` is gone, even when `up` itself was killed."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def in_child() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent died between the fork and the line above
            os._exit(1)

    return in_child


def _leashed(argv: Sequence[str]) -> tuple[list[str], int]:
    """Elsewhere: a small process in between notices the end of a pipe that only `up` holds open."""
    read_end, _held_open = os.pipe()
    return [sys.executable, "-m", "careervector.embedded.leash", *argv], read_end
