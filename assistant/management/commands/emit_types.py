"""`manage.py emit_types`: writes the page's TypeScript types from the declarations (`--check` only compares)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assistant.tools.page_types import page_types

TARGET = Path("frontend/src/generated/types.ts")


class Command(BaseCommand):
    help = f"Write {TARGET}: documents, operations, receipts, events and turn events for the page."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when the file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(settings.BASE_DIR) / TARGET
        text = page_types()
        if options["check"]:
            if not target.exists() or target.read_text(encoding="utf-8") != text:
                raise CommandError(f"{TARGET} is out of date: run manage.py emit_types")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.stdout.write(f"wrote {TARGET}")
