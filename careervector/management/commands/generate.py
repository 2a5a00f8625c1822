"""`manage.py generate`: writes every file that is made from a declaration; `--check` only compares."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from assistant.tools import tools_as
from assistant.tools.page_types import page_types
from workspaces.http.openapi import openapi_document


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


class Command(BaseCommand):
    help = "Write the OpenAPI document, the tool schemas and the page's TypeScript types from their declarations."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when a file is out of date")

    def handle(self, *_args: Any, **options: Any) -> None:
        made = {
            "docs/generated/openapi.json": _json(openapi_document()),
            "docs/generated/assistant_tools.json": _json(tools_as("json")),
            "frontend/src/generated/types.ts": page_types(),
        }
        root = Path(settings.BASE_DIR)
        stale = [name for name, text in made.items() if _read(root / name) != text]
        if options["check"] and stale:
            raise CommandError(f"out of date: {', '.join(stale)}; run make generate")
        for name in stale:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(made[name], encoding="utf-8")
            self.stdout.write(f"wrote {name}")


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
