"""`python -m jobcache load_corpus`: the packaged synthetic corpus; running it again changes nothing."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from jobcache.ads.prepare import NotReady, prepare_database
from jobcache.corpus.load import load_corpus


class Command(BaseCommand):
    help = "Load the packaged synthetic ads (idempotent)."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare_database()
        except NotReady as error:
            self.stderr.write(f"jobcache: {error}")
            sys.exit(2)
        counts = load_corpus()
        self.stdout.write(f"{counts.added} added, {counts.changed} changed, {counts.seen_again} seen again")
