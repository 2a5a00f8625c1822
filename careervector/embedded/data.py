"""The data folder: where everything that must be kept lies, and the keys that are made once in it.

No Django here: the settings read it. Layout: `db.sqlite3`, `jobcache/`, `valkey/`, `connectors/`, `keys/` (0600 each),
`logs/`, `run/`.
"""

from __future__ import annotations

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
        except OSError as error:
            raise DataFolderError(f"cannot write to the data folder {self.root}: {error.strerror}") from error

    def key(self, name: str) -> str:
        """The secret called `name`, made at the first call and the same ever after: 64 URL-safe characters."""
        path = self.folder("keys") / name
        if not path.exists():
            # Written whole under another name first: two processes that start together must agree on one key.
            draft = path.with_name(f"{name}.{os.getpid()}.{secrets.token_hex(4)}")
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()
