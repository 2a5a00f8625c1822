"""`python -m jobcache serve`: the HTTP service on uvicorn, ended gracefully by SIGTERM or SIGINT."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand, CommandParser

from jobcache.ads.prepare import NotReady, check_prepared, prepare_database
from jobcache.corpus.load import load_corpus_once

GRACE_SECONDS = 5


class Command(BaseCommand):
    help = "Serve JobCache over HTTP; prints one line `ready http://HOST:PORT` once it answers."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8001, help="0 takes a free one")
        parser.add_argument("--prepare", action="store_true", help="migrate, and load the packaged corpus once")

    def handle(self, *args: Any, host: str, port: int, prepare: bool, **options: Any) -> None:
        try:
            # The port first: a second start must not touch the data of the one that runs.
            with _listen(host, port) as listener:
                if prepare:
                    prepare_database()
                    load_corpus_once()
                else:
                    check_prepared()
                self._serve(listener)
        except NotReady as error:
            self.stderr.write(f"jobcache: {error}")
            sys.exit(2)

    def _serve(self, listener: socket.socket) -> None:
        _Server(
            uvicorn.Config(
                "jobcache.asgi:application",
                lifespan="off",
                ws="none",
                log_level="warning",
                log_config=None,
                # An access log would hold the questions of the open reads.
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=200,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        ).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says when it is ready, and ends with exit code 0 when asked to end."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        for listener in sockets or []:
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(f"ready http://{shown}:{port}", flush=True)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn raises the signal again after its shutdown, so an orderly end would look like a crash.
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise NotReady(f"port {port} on {host} is in use") from error
        raise NotReady(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
    except OverflowError as error:
        raise NotReady(f"{port} is not a port number") from error
