"""Starts the children of `up` in order, tells when they are ready, and ends them together.

Used by the command `up`; stands above `process` and `children`. Nothing here knows what a child does.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from careervector.embedded.process import Child, ChildSpec

_STOP_S = 7.0
_POLL_S = 0.05


class ChildFailed(Exception):
    """A child ended by itself; the message is one line. `refused`: it would not start with what it found (exit 2)."""

    def __init__(self, message: str, *, refused: bool = False) -> None:
        self.refused = refused
        super().__init__(message)


class Stopped(Exception):
    """A signal asked for the end."""


class Supervisor:
    """Owns the children. Use as a context manager: leaving it stops whatever runs, last started first.

    The signals SIGINT and SIGTERM are taken over while it is open and surface as Stopped from `wait_until` and `watch`.
    """

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._children: list[Child] = []
        self._stop_requested = False
        self._wake_read, self._wake_write = os.pipe()

    def __enter__(self) -> Supervisor:
        os.set_blocking(self._wake_write, False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._request_stop)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # only to wake the wait below
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        return self

    def __exit__(self, *_exc: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self._stop_children()
        signal.set_wakeup_fd(-1)

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requested = True

    def start(self, spec: ChildSpec) -> Child:
        child = Child(spec, self._logs)
        self._children.append(child)
        return child

    def wait_until(self, ready: Callable[[], bool], *, what: str, timeout_s: float) -> None:
        """Return as soon as `ready()`; raises ChildFailed when a child ends first or the time is over."""
        deadline = time.monotonic() + timeout_s
        while not ready():
            if time.monotonic() > deadline:
                raise ChildFailed(f"{what} was not ready within {timeout_s:.0f} s; see {self._logs}")
            self._pause(_POLL_S)

    def finish(self, child: Child, *, timeout_s: float) -> None:
        """Wait for a child that is meant to end; raises ChildFailed unless it ends well in time."""
        self._children.remove(child)
        try:
            self.wait_until(lambda: child.exit_code() is not None, what=child.name, timeout_s=timeout_s)
        except BaseException:
            child.signal_group(signal.SIGKILL)
            raise
        if child.exit_code() != 0:
            raise _failure(child)

    def watch(self) -> None:
        """Until Stopped or ChildFailed."""
        while True:
            self._pause(None)

    def _pause(self, timeout_s: float | None) -> None:
        self._check()
        readable, _, _ = select.select([self._wake_read], [], [], timeout_s)
        if readable:
            os.read(self._wake_read, 4096)
        self._check()

    def _check(self) -> None:
        if self._stop_requested:
            raise Stopped
        for child in self._children:
            if child.exit_code() is not None:
                raise _failure(child)

    def _stop_children(self) -> None:
        """SIGTERM to all but what others still need (the first started), then SIGKILL to what is left."""
        deadline = time.monotonic() + _STOP_S
        for child in reversed(self._children[1:]):
            child.signal_group(signal.SIGTERM)
        for child in reversed(self._children[1:]):
            child.wait(deadline - time.monotonic())
            child.signal_group(signal.SIGKILL)  # also whatever of its group outlived it
        for child in self._children[:1]:
            child.signal_group(signal.SIGTERM)
            child.wait(deadline + 1 - time.monotonic())
            child.signal_group(signal.SIGKILL)
        for child in self._children:
            with contextlib.suppress(OSError):
                child.wait(1)


def _failure(child: Child) -> ChildFailed:
    code = child.exit_code()
    if code == 2:
        said = child.log.read_text(errors="replace").strip().splitlines()
        return ChildFailed(f"the {child.name} process cannot start: {said[-1] if said else child.log}", refused=True)
    how = f"was ended by signal {-code}" if code is not None and code < 0 else f"stopped with exit code {code}"
    return ChildFailed(f"the {child.name} process {how}; see {child.log}")
