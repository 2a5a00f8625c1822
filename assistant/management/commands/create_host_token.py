"""`manage.py create_host_token`: prints a new host token once (contract section 9)."""

from __future__ import annotations

import json
import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assistant import facade
from workspaces import facade as workspaces_facade
from workspaces.errors import DomainError


class Command(BaseCommand):
    help = "Make a token with which a connector host may connect. It is shown once; only its digest is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--providers", default="", help="providers, separated by commas (default: all that are on)")
        parser.add_argument("--workspace", default=None, help="a companion's token: this workspace's turns only")
        parser.add_argument("--json", action="store_true", help="print a JSON object instead of the bare token")

    def handle(self, *args: Any, **options: Any) -> None:
        providers = [name for name in re.split(r"[,\s]+", options["providers"]) if name]
        workspace = options["workspace"]
        try:
            if workspace is not None:
                workspaces_facade.get_hello(workspace=workspace)
            token = facade.create_host_token(providers=providers, workspace=workspace)
        except DomainError as error:
            raise CommandError(error.detail) from error
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "token": token.secret,
                        "id": token.id,
                        "providers": list(token.providers),
                        "workspace": token.workspace,
                    }
                )
            )
        else:
            self.stdout.write(token.secret)
