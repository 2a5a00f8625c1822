"""`manage.py verify_audit`: walks the audit chains and names the first broken link of each."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from careervector.embedded.data import write_private
from workspaces import facade
from workspaces.errors import NotFound


class Command(BaseCommand):
    help = (
        "Check the audit chain of every workspace, or of one. Exit status: 0 clean, 1 broken, 2 it could not be "
        "checked. Live typing enters the chain when its session is sealed, at the latest 30 seconds after it rests; "
        "what is not sealed yet is counted and not checked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", metavar="WS", help="this workspace only")
        parser.add_argument("--head", type=Path, metavar="FILE", help="compare with heads that were exported earlier")
        parser.add_argument(
            "--export-head", type=Path, metavar="FILE", help="write the heads, signed, when everything was found whole"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            found = self._verify(options["workspace"], self._read(options["head"]), export=options["export_head"])
        except NotFound as error:
            raise CommandError(error.detail, returncode=2) from error
        except facade.HeadFileUnusable as error:
            raise CommandError(str(error), returncode=2) from error
        except (OSError, DatabaseError) as error:
            raise CommandError(f"cannot check: {type(error).__name__}: {error}", returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps(found))
        else:
            self._tell(found)
        if found["broken"]:
            raise SystemExit(1)

    def _read(self, file: Path | None) -> dict[str, facade.ChainHead]:
        return {} if file is None else facade.read_heads(text=file.read_text())

    def _verify(
        self, workspace: str | None, heads: dict[str, facade.ChainHead], *, export: Path | None
    ) -> dict[str, Any]:
        if heads and workspace is not None and workspace not in heads:
            raise facade.HeadFileUnusable("the head file does not name this workspace")
        verdicts = (
            facade.verify_chains(heads=heads)
            if workspace is None
            else iter([facade.verify_chain(workspace=workspace, head=heads.get(workspace))])
        )
        counts = {"workspaces": 0, "events": 0, "unsealed": 0, "older_keys": 0}
        broken, whole = [], []
        for verdict in verdicts:
            counts["workspaces"] += 1
            counts["events"] += verdict.seq
            counts["unsealed"] += verdict.unsealed
            counts["older_keys"] += verdict.older_keys
            if verdict.broken is not None:
                at = verdict.broken
                row = {"workspace": at.workspace, "seq": at.seq, "event": at.event, "what": at.what, "says": at.says}
                broken.append(row)
            elif export is not None:
                whole.append(verdict.head)
        if export is not None and not broken:
            write_private(export, facade.write_heads(heads=whole))
        return {"ok": not broken, **counts, "broken": broken}

    def _tell(self, found: dict[str, Any]) -> None:
        for row in found["broken"]:
            event = row["event"] or "none"
            self.stdout.write(f"broken: workspace {row['workspace']} seq {row['seq']} event {event}: {row['says']}")
        state = "broken" if found["broken"] else "clean"
        self.stdout.write(f"{state}: {found['workspaces']} workspaces, {found['events']} events found whole")
        if found["unsealed"]:
            self.stdout.write(f"not checked: {found['unsealed']} live-typing sessions that are not sealed yet")
        if found["older_keys"]:
            self.stdout.write(f"{found['older_keys']} events are chained under an older key")
