"""`manage.py renew_epochs`: for a database that came back from a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces import facade
from workspaces.clock import rfc3339

TASK = "renew_epochs"


class Command(BaseCommand):
    help = (
        "Rebuild every document under a new Yjs epoch. Run it once after restoring a database from a backup, before "
        "the web processes start: browsers may hold a later history of the same documents, and would mix it into this "
        "one. Epochs are counted in hours: after a second restore within one hour wait for the next."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--resume", action="store_true", help="carry on the last run, which was cut off")

    def handle(self, *_args: Any, **options: Any) -> None:
        began = facade.now()
        if options["resume"]:
            last = facade.newest_start(task=TASK)
            if last is None or last.ended_well:
                raise CommandError("there is no run that was cut off", returncode=2)
            began = last.at
        run = rfc3339(began)
        done = facade.run_upkeep(task=TASK, every_s=0, began=began, work=lambda: facade.renew_epochs(run=run))
        self.stdout.write(f"renewed {done} documents")
