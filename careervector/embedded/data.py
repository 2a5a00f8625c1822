"""The data folder: where everything that must be kept lies, and the keys that are made once in it.

No Django here: the settings read it. Layout: `db.sqlite3`, `homes/` (the connector host's), `jobcache/`, `keys/`
(0600 each), `logs/`, `run/` (what is of use only while it runs), `sample.json`.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path


class DataFolderError(Exception):
    """The folder cannot be used; the message is one line for a person."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A data folder at `root`. Every folder in it is for its owner only."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "db.sqlite3"

    def folder(self, name: str) -> Path:
        """A folder of ours, made when first asked for."""
        path = self.root / name
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    def prepare(self) -> None:
        """Make sure that the folder exists and can be written; raises DataFolderError."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            probe = self.root / f".probe-{os.getpid()}"
            probe.touch(mode=0o600)
            probe.unlink()
            # SQLite gives its other files the rights of this one.
            self.database.touch(mode=0o600)
        except OSError as error:
            raise DataFolderError(f"cannot write to the data folder {self.root}: {error.strerror}") from error

    @property
    def host_token(self) -> Path:
        """The file that the connector host reads its token from."""
        return self.folder("keys") / "host-token"

    def announce(self, **addresses: str) -> None:
        """Write where this folder is served now, so that commands run beside it reach the same Valkey and print the
        right URLs."""
        write_private(self.folder("run") / "addresses.json", json.dumps(addresses))

    def withdraw(self) -> None:
        """The opposite of `announce`."""
        (self.root / "run" / "addresses.json").unlink(missing_ok=True)

    def announced(self) -> dict[str, str]:
        """What `announce` wrote, while the `up` that wrote it is alive."""
        try:
            with (self.root / "run" / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return {}  # nobody holds it: what is written there is left over from a killed process
        except BlockingIOError:
            pass
        except OSError:
            return {}
        try:
            found: dict[str, str] = json.loads((self.root / "run" / "addresses.json").read_text())
        except (OSError, ValueError):
            return {}
        return found

    def key(self, name: str) -> str:
        """The secret called `name`, made at the first call and the same ever after: 64 URL-safe characters."""
        path = self.folder("keys") / name
        if not path.exists():
            # Written whole under another name first: two processes that start together must agree on one key.
            draft = _draft(path, secrets.token_urlsafe(48))
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        elif path.stat().st_mode & 0o077:
            # Copied in with a wider mask, or opened by hand: these keys are for their owner only.
            path.chmod(0o600)
        return path.read_text().strip()


def write_private(path: Path, content: str) -> None:
    """Put a file for its owner only in the place of whatever was there, whole or not at all."""
    _draft(path, content).replace(path)


def _draft(path: Path, content: str) -> Path:
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return draft
