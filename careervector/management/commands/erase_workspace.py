"""`manage.py erase_workspace WS --yes`: an operator erases a workspace for good (contract sections 7 and 12)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from assistant import facade as assistant
from workspaces import facade
from workspaces.errors import LinkInvalid
from workspaces.tasks import finish_erasures


class Command(BaseCommand):
    help = "Erase a workspace for good, with everything in it, and rewrite the files that held it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", help="its id (ws_…)")
        parser.add_argument("--yes", action="store_true", help="this cannot be taken back; without it nothing is done")
        parser.add_argument(
            "--rewrite",
            action="store_true",
            help="on PostgreSQL: write every table anew, so that no free page holds anything either; each is locked"
            " while that lasts",
        )
        parser.add_argument("--json", action="store_true", help='print {"workspace","erased","scrubbed"}')

    def handle(self, *_args: Any, **options: Any) -> None:
        workspace = options["workspace"]
        if not options["yes"]:
            raise CommandError("nothing was erased: this cannot be taken back, so say --yes", returncode=2)
        again = facade.is_erased(workspace=workspace)
        if not again:
            try:
                assistant.erase_workspace(workspace=workspace)
            except LinkInvalid as error:
                raise CommandError(f"there is no workspace {workspace}", returncode=2) from error
        finish_erasures()
        if options["rewrite"]:
            facade.rewrite_tables()
        scrubbed = not facade.has_unscrubbed()
        if options["json"]:
            self.stdout.write(json.dumps({"workspace": workspace, "erased": not again, "scrubbed": scrubbed}))
            return
        self.stdout.write(f"{workspace} {'was erased already' if again else 'is erased'}")
        if not scrubbed:
            self.stdout.write(
                "The files still hold traces: the database was busy. The worker goes on; or run this again."
            )
