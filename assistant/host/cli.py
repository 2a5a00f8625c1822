"""`careervector-host`: runs a connector host as a program of its own (contract section 12).

Exit codes: 0 stopped, 2 wrong usage or settings, 3 the server refuses this host for good.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from .connectors.base import Connector
from .connectors.scripted import ScriptedConnector, ScriptError
from .homes import Homes
from .runner import HostRefused, HostRunner

RUNTIME_COMMANDS = ("list", "install", "verify", "activate", "rollback", "remove", "smoke")
PROVIDERS = ("builtin", "scripted")
_TOKEN = re.compile(r"cvh_[A-Za-z0-9_-]{43}")
_SOCKET_PATH = "/ws/host/"


class UsageError(Exception):
    """Something the operator must put right; the message says what."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The console script."""
    options = _parser().parse_args(arguments)
    if options.command == "runtime":
        print("careervector-host: this version has no provider runtimes to manage yet.", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s", stream=sys.stderr)
    # Its debug lines would hold frames, and frames hold what people write.
    logging.getLogger("websockets").setLevel(logging.WARNING)
    try:
        url = socket_url(options.url)
        token = read_token(options.token_file)
        script = Path(options.script) if options.script else None
        connectors = [load_connector(name, script=script) for name in _names(options.providers)]
    except UsageError as error:
        print(f"careervector-host: {error}", file=sys.stderr)
        return 2
    homes = Homes(Path(options.homes))
    runner = HostRunner(url=url, token=token, connectors=connectors, name=options.name, homes=homes)
    try:
        asyncio.run(_run(runner))
    except HostRefused as error:
        print(f"careervector-host: {error}", file=sys.stderr)
        return 3
    return 0


def socket_url(url: str) -> str:
    """The host socket's address for a server's: `http://…` and `https://…` become `ws://…/ws/host/` and `wss://…`."""
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.hostname:
        raise UsageError("--url must be an http, https, ws or wss address with a host")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("--url must not hold a user, a query or a fragment")
    path = parts.path if parts.path not in ("", "/") else _SOCKET_PATH
    return urlunsplit((scheme, parts.netloc, path, "", ""))


def read_token(place: str) -> str:
    """The secret in a token file. It never comes from the command line, which other users can read."""
    try:
        text = Path(place).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the token file cannot be read: {type(error).__name__}") from error
    if _TOKEN.fullmatch(text) is None:
        raise UsageError("the token file does not hold a host token (cvh_…)")
    return text


def load_connector(name: str, *, script: Path | None = None) -> Connector:
    """A connector by its provider's name."""
    if name == "builtin":
        connector: Connector = import_module("assistant.host.connectors.builtin").BuiltinConnector()
        return connector
    if name == "scripted":
        try:
            return ScriptedConnector(file=script)
        except (OSError, UnicodeDecodeError, ScriptError) as error:
            raise UsageError(f"the script cannot be used: {error}") from error
    raise UsageError(f"unknown provider {name!r}; this version has {', '.join(PROVIDERS)}")


def _names(given: str | None) -> list[str]:
    if given is None:
        # What the operator switched on for the server, as far as this program can run it.
        switched_on = _split(os.environ.get("CAREERVECTOR_PROVIDERS", ""))
        return [name for name in switched_on if name in PROVIDERS] or ["builtin"]
    names = _split(given)
    if not names:
        raise UsageError("--providers names no provider")
    return names


def _split(text: str) -> list[str]:
    return list(dict.fromkeys(name for name in re.split(r"[,\s]+", text) if name))


async def _run(runner: HostRunner) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not on every platform; there Ctrl-C raises KeyboardInterrupt.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, runner.stop)
    await runner.run()


def _parser() -> argparse.ArgumentParser:
    data = Path(os.environ.get("CAREERVECTOR_DATA", ".data"))
    parser = argparse.ArgumentParser(prog="careervector-host", description="Run a CareerVector connector host.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the server's address (default: %(default)s)")
    parser.add_argument(
        "--token-file", default=str(data / "keys" / "host-token"), help="file with a host token (%(default)s)"
    )
    parser.add_argument("--providers", default=None, help="connectors to run, separated by commas (default: builtin)")
    parser.add_argument("--name", default=None, help="the host's name; the same name and token keep turns on a restart")
    parser.add_argument(
        "--homes", default=str(data / "homes"), help="folder for what connectors must remember (%(default)s)"
    )
    parser.add_argument("--script", default=None, help="a script file for the scripted connector")
    commands = parser.add_subparsers(dest="command", metavar="[runtime …]")
    runtime = commands.add_parser("runtime", help="manage provider runtimes (not in this version)")
    runtime.add_argument("action", choices=RUNTIME_COMMANDS)
    runtime.add_argument("provider", nargs="?")
    return parser


if __name__ == "__main__":
    sys.exit(main())
