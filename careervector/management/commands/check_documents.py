"""`manage.py check_documents`: rebuilds every document from its log and names each difference."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from workspaces import facade
from workspaces.errors import NotFound


class Command(BaseCommand):
    help = (
        "Rebuild every document from its log and compare it with its row, its limits and its events. Changes nothing. "
        "Exit status: 0 clean, 1 something differs, 2 it could not be checked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", metavar="WS", help="this workspace only")
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")

    def handle(self, *_args: Any, **options: Any) -> None:
        documents, flaws = 0, []
        try:
            for found in facade.check_documents(workspace=options["workspace"]):
                documents += 1
                for flaw in found:
                    flaws.append(asdict(flaw))
                    if not options["json"]:
                        self.stdout.write(f"{flaw.workspace} {flaw.document}: {flaw.says} ({flaw.what})")
        except NotFound as error:
            raise CommandError(error.detail, returncode=2) from error
        except DatabaseError as error:
            raise CommandError(f"cannot check: {type(error).__name__}: {error}", returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps({"ok": not flaws, "documents": documents, "flaws": flaws}))
        else:
            self.stdout.write(f"{'different' if flaws else 'clean'}: {documents} documents, {len(flaws)} differences")
        if flaws:
            raise SystemExit(1)
