"""Who is started, with which words and which secrets. Each child gets the tokens it needs and no others.

The environment of each is put together from a list, never copied whole: a key in the shell that started `up` does not
reach a process that has no business with it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from careervector import environment
from careervector.embedded.data import DataFolder
from careervector.embedded.process import ChildSpec
from workspaces import clock

_ROOT = Path(__file__).resolve().parents[2]
_SYSTEM = (
    "PATH HOME USER LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR VIRTUAL_ENV LD_LIBRARY_PATH PYTHONPATH PYTHONWARNINGS "
    "SSL_CERT_FILE SSL_CERT_DIR COVERAGE_PROCESS_START"
).split()
_TESTING = ("CAREERVECTOR_TESTING", "CAREERVECTOR_NOW")
_PRODUCT = (
    "CAREERVECTOR_SECRET_KEY CAREERVECTOR_SECRET_KEY_FALLBACKS CAREERVECTOR_CAPABILITY_KEY "
    "CAREERVECTOR_CAPABILITY_KEY_FALLBACKS CAREERVECTOR_AUDIT_KEY CAREERVECTOR_PROVIDERS CAREERVECTOR_RATE_LIMITS "
    "CAREERVECTOR_RECEIPT_DAYS DATABASE_URL DJANGO_SETTINGS_MODULE"
).split()
_JOBCACHE = ("JOBCACHE_LOOPBACK_HOSTS", "JOBCACHE_DATABASE_URL")
JOBCACHE_TOKENS = {
    "JOBCACHE_CONTROL_TOKEN": "jobcache-control",
    "JOBCACHE_CORPUS_LIFECYCLE_TOKEN": "jobcache-lifecycle",
    "JOBCACHE_CORPUS_WORKER_TOKEN": "jobcache-worker",
}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where this start serves, and what it found in the environment."""

    data: DataFolder
    host: str
    port: int
    server: str
    public_url: str
    valkey_url: str
    jobcache_url: str

    @property
    def address(self) -> str:
        return f"http://{_bracketed(self.host)}:{self.port}"

    @property
    def local_address(self) -> str:
        """How this machine reaches the web process, also when it listens on every address."""
        return f"http://{_bracketed(loopback(self.host))}:{self.port}"


def loopback(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _jobcache_tokens(placement: Placement, *names: str) -> dict[str, str]:
    """The bearers as the environment gives them; one that is not set is made once and kept with the data."""
    return {name: environment.given(name, partial(placement.data.key, JOBCACHE_TOKENS[name])) for name in names}


def _pick(*groups: tuple[str, ...] | list[str]) -> dict[str, str]:
    return {name: os.environ[name] for group in groups for name in group if name in os.environ}


def _shared() -> dict[str, str]:
    offset_s = (clock.now() - datetime.now(UTC)).total_seconds()
    testing = {**_pick(_TESTING), "CAREERVECTOR_CLOCK_OFFSET": f"{offset_s:.3f}"} if offset_s else _pick(_TESTING)
    return {**_pick(_SYSTEM), **testing, "PYTHONUNBUFFERED": "1"}


def product_environment(placement: Placement) -> dict[str, str]:
    """For the processes of CareerVector itself; its own keys are read from the data folder by the settings."""
    tokens = _jobcache_tokens(placement, "JOBCACHE_CONTROL_TOKEN", "JOBCACHE_CORPUS_WORKER_TOKEN")
    return {
        **_shared(),
        **_pick(_PRODUCT),
        **tokens,
        "CAREERVECTOR_DATA": str(placement.data.root),
        "CAREERVECTOR_PUBLIC_URL": placement.public_url,
        "VALKEY_URL": placement.valkey_url,
        "JOBCACHE_URL": placement.jobcache_url,
    }


def valkey(argv: list[str], data: DataFolder) -> ChildSpec:
    return ChildSpec("valkey", argv, _pick(_SYSTEM), data.folder("run"))


def prepare(placement: Placement, sample_link: Path | None) -> ChildSpec:
    """The one child that is meant to end."""
    words = ["--sample-link", str(sample_link)] if sample_link else []
    argv = [sys.executable, str(_ROOT / "manage.py"), "prepare", *words]
    return ChildSpec("prepare", argv, product_environment(placement), _ROOT)


def web(placement: Placement) -> ChildSpec:
    argv = _module("careervector.embedded.web", "--host", placement.host, "--port", str(placement.port))
    return ChildSpec("web", [*argv, "--server", placement.server], product_environment(placement), _ROOT)


def worker(placement: Placement) -> ChildSpec:
    # Threads: tasks wait for the database or the network, and there are no grandchildren to lose.
    options = ("--pool", "threads", "--concurrency", "4", "--without-gossip", "--without-mingle", "--loglevel", "INFO")
    argv = _module("celery", "--quiet", "--app", "careervector", "worker", *options)
    return ChildSpec("worker", argv, product_environment(placement), _ROOT)


def beat(placement: Placement) -> ChildSpec:
    # The plain scheduler keeps its times in memory: a killed process leaves no broken schedule file behind.
    options = ("--scheduler", "celery.beat.Scheduler", "--pidfile", "", "--loglevel", "INFO")
    return ChildSpec(
        "beat",
        _module("celery", "--quiet", "--app", "careervector", "beat", *options),
        product_environment(placement),
        _ROOT,
    )


def host(placement: Placement, token_file: Path) -> ChildSpec:
    """The connector host: the address of the socket, a token file and a folder of its own, nothing of the server's."""
    homes = str(placement.data.root / "homes")
    argv = _module(
        "assistant.host", "--url", placement.local_address, "--token-file", str(token_file), "--homes", homes
    )
    return ChildSpec("host", argv, {**_shared(), **_pick(("CAREERVECTOR_PROVIDERS",))}, _ROOT)


def jobcache(placement: Placement) -> ChildSpec:
    """JobCache as a service of its own on the next port, with its own database and the three tokens."""
    tokens = _jobcache_tokens(placement, *JOBCACHE_TOKENS)
    options = ("--host", loopback(placement.host), "--port", str(placement.port + 1), "--prepare")
    env = {**_shared(), **_pick(_JOBCACHE), **tokens, "JOBCACHE_DATA": str(placement.data.folder("jobcache"))}
    return ChildSpec("jobcache", _module("jobcache", "serve", *options), env, _ROOT)


def _module(name: str, *words: str) -> list[str]:
    return [sys.executable, "-m", name, *words]
