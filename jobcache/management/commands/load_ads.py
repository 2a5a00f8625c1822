"""`python -m jobcache load_ads FILE`: test ads from JSON lines, only with CAREERVECTOR_TESTING=1."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from jobcache.ads.lines import BadLine, read_lines
from jobcache.ads.prepare import NotReady, prepare_database
from jobcache.corpus.load import load_test_ads


class Command(BaseCommand):
    help = "Load test ads. They take the place of the packaged corpus and join test ads loaded before."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="JSON lines, one ad each")
        parser.add_argument("--keep-corpus", action="store_true", help="leave the packaged corpus beside them")

    def handle(self, *args: Any, file: Path, keep_corpus: bool, **options: Any) -> None:
        if not settings.TESTING:
            self._stop("load_ads works only with CAREERVECTOR_TESTING=1")
        try:
            ads = read_lines(file.read_bytes())
            prepare_database()
        except OSError as error:
            self._stop(f"{file} cannot be read: {error.strerror}")
        except (BadLine, NotReady) as error:
            self._stop(str(error))
        counts = load_test_ads(ads, keep_corpus=keep_corpus)
        self.stdout.write(f"{counts.added} added, {counts.changed} changed, {counts.seen_again} seen again")

    def _stop(self, reason: str) -> None:
        self.stderr.write(f"jobcache: {reason}")
        sys.exit(2)
