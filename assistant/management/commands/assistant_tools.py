"""`manage.py assistant_tools --format json|codex|mcp`: the four tools as a connector of that family takes them."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from assistant.tools import FORMATS, tools_as


class Command(BaseCommand):
    help = "Print the four assistant tools as JSON: function tools (json), Codex dynamic tools or MCP tools."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=FORMATS, default="json", help="which family's shape (default: json)")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(tools_as(options["format"]), indent=2, ensure_ascii=False))
