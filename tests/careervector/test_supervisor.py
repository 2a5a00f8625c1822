"""The supervisor with small real children: order, failure, stopping, and no orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from careervector.embedded.process import ChildSpec
from careervector.embedded.supervisor import ChildFailed, Stopped, Supervisor

SLEEPER = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def _spec(name: str, code: str, folder: Path) -> ChildSpec:
    return ChildSpec(name, [sys.executable, "-c", code], {"PATH": os.environ["PATH"]}, folder)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _wait_for(condition: object, *, timeout_s: float = 10) -> None:
    assert callable(condition)
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_child_that_ends_by_itself_is_named_with_its_exit_code_and_the_others_are_stopped(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed) as failure, Supervisor(tmp_path) as supervisor:
        steady = supervisor.start(_spec("steady", SLEEPER, tmp_path))
        supervisor.start(_spec("brittle", "raise SystemExit(7)", tmp_path))
        supervisor.watch()
    assert str(failure.value) == f"the brittle process stopped with exit code 7; see {tmp_path / 'brittle.log'}"
    assert not _alive(steady.pid)


def test_a_child_ended_by_a_signal_is_named_with_the_signal(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed, match="the web process was ended by signal 9"), Supervisor(tmp_path) as supervisor:
        child = supervisor.start(_spec("web", SLEEPER, tmp_path))
        os.kill(child.pid, signal.SIGKILL)
        supervisor.watch()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_every_child_also_the_stubborn_within_ten_seconds(
    tmp_path: Path, number: signal.Signals
) -> None:
    with pytest.raises(Stopped), Supervisor(tmp_path) as supervisor:
        first = supervisor.start(_spec("first", SLEEPER, tmp_path))
        stubborn = supervisor.start(_spec("stubborn", STUBBORN, tmp_path))
        _wait_for(lambda: stubborn.log.read_text() == "up\n")
        started = time.monotonic()
        os.kill(os.getpid(), number)
        supervisor.watch()
    assert time.monotonic() - started < 10
    assert [_alive(first.pid), _alive(stubborn.pid)] == [False, False]


def test_a_grandchild_does_not_outlive_the_stop(tmp_path: Path) -> None:
    start = f"subprocess.Popen([sys.executable, '-c', {SLEEPER!r}])"
    code = f"import subprocess, sys; print({start}.pid, flush=True); {SLEEPER}"
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(_spec("first", SLEEPER, tmp_path))
        parent = supervisor.start(_spec("parent", code, tmp_path))
        _wait_for(lambda: parent.log.read_text().endswith("\n"))
        grandchild = int(parent.log.read_text())
        assert _alive(grandchild)
    _wait_for(lambda: not _alive(grandchild))


def test_a_child_that_is_meant_to_end_is_waited_for_and_its_failure_told(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        supervisor.finish(supervisor.start(_spec("good", "pass", tmp_path)), timeout_s=20)
        with pytest.raises(ChildFailed, match="the bad process stopped with exit code 3"):
            supervisor.finish(supervisor.start(_spec("bad", "raise SystemExit(3)", tmp_path)), timeout_s=20)


def test_what_is_not_ready_in_time_is_said(tmp_path: Path) -> None:
    with (
        Supervisor(tmp_path) as supervisor,
        pytest.raises(ChildFailed, match="the web process was not ready within 0 s"),
    ):
        supervisor.wait_until(lambda: False, what="the web process", timeout_s=0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's bond of parent and child is Linux's")
def test_children_die_when_the_supervisor_itself_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pathlib import Path\n"
        "from careervector.embedded.process import ChildSpec\n"
        "from careervector.embedded.supervisor import Supervisor\n"
        "folder = Path(sys.argv[1])\n"
        f"spec = ChildSpec('child', [sys.executable, '-c', {SLEEPER!r}], {{}}, folder)\n"
        "with Supervisor(folder) as supervisor:\n"
        "    print(supervisor.start(spec).pid, flush=True)\n"
        "    supervisor.watch()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        child = int(supervisor.stdout.readline())
        assert _alive(child)
        supervisor.kill()
    _wait_for(lambda: not _alive(child))


def test_on_a_leash_a_command_is_killed_when_the_pipe_ends_and_its_exit_code_is_passed_on() -> None:
    leash = [sys.executable, "-m", "careervector.embedded.leash", sys.executable, "-c"]
    with subprocess.Popen([*leash, "raise SystemExit(5)"], stdin=subprocess.PIPE) as ended:
        assert ended.wait(20) == 5

    code = f"import os; print(os.getpid(), flush=True); {SLEEPER}"
    with subprocess.Popen([*leash, code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as held:
        assert held.stdout is not None
        assert held.stdin is not None
        command = int(held.stdout.readline())
        held.stdin.close()
        _wait_for(lambda: not _alive(command))
