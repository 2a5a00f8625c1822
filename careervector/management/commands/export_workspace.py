"""`manage.py export_workspace WS FILE`: everything of a workspace in one file, for its owner or for a move.

The file is private from its first byte, appears whole or not at all, and never takes another one's place.
"""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from assistant import facade
from workspaces.errors import DomainError
from workspaces.facade import sql


class Command(BaseCommand):
    help = "Write a workspace's documents, history, receipts and conversations to a new JSON file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", help="its id (ws_…)")
        parser.add_argument("file", type=Path, help="the file to make; it must not exist yet")
        parser.add_argument("--no-history", action="store_true", help="only what an import reads")

    def handle(self, *_args: Any, **options: Any) -> None:
        target: Path = options["file"]
        try:
            if os.path.lexists(target):
                raise FileExistsError
            # Made with 0600. Beside the target, so that naming it is one step.
            handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    with sql.snapshot():
                        facade.export_workspace(
                            workspace=options["workspace"], into=file, history=not options["no_history"]
                        )
                    file.flush()
                    os.fsync(file.fileno())
                # A link, not a rename: it refuses where meanwhile another file has that name.
                os.link(name, target)
            finally:
                os.unlink(name)
        except FileExistsError:
            raise CommandError(f"{target} is there already; nothing was written", returncode=2) from None
        except DomainError:
            raise CommandError(f"there is no workspace {options['workspace']}", returncode=2) from None
        except OSError as error:
            raise CommandError(f"cannot write {target}: {error.strerror}", returncode=2) from None
        self.stdout.write(f"wrote {target}")
