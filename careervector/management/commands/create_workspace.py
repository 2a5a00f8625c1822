"""`manage.py create_workspace`: a new workspace and its owner link, shown once."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces import facade
from workspaces.errors import DomainError
from workspaces.links import link_url


class Command(BaseCommand):
    help = "Make a workspace and print its owner link. The link is the only key and is not shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample", action="store_true", help="fill it with sample data")
        parser.add_argument("--label", default="", help="a name for it")
        parser.add_argument("--json", action="store_true", help='print {"workspace","link","url"}')

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            made = facade.create_workspace(label=options["label"], sample=options["sample"])
        except DomainError as error:
            raise CommandError(error.detail, returncode=2) from error
        url = link_url(made.link.secret)
        if options["json"]:
            self.stdout.write(json.dumps({"workspace": made.workspace, "link": made.link.secret, "url": url}))
        else:
            self.stdout.write(f"workspace {made.workspace}\nopen {url}\nKeep this link safe: it is the only key.")
