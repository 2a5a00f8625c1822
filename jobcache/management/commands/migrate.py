"""`python -m jobcache migrate`: Django's own, after making the data folder."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.commands import migrate

from jobcache.ads.prepare import NotReady, check_not_newer, make_folder


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        # Before Django's own checks, which open the database already.
        try:
            make_folder()
            check_not_newer()
        except NotReady as error:
            self.stderr.write(f"jobcache: {error}")
            sys.exit(2)
        return super().execute(*args, **options)
