"""`manage.py up`: the whole product on this machine in one command (contract section 12)."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

from careervector.embedded.data import DataFolder, DataFolderError
from careervector.embedded.preflight import CannotStart
from careervector.embedded.start import serve
from careervector.embedded.supervisor import ChildFailed, Stopped


class Command(BaseCommand):
    help = "Run CareerVector: Valkey, web, worker, connector host and JobCache, until Ctrl-C."
    # The preflight says what is wrong in one line; Django's own checks run in the children.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=8000, help="port of the web process; JobCache takes the next one"
        )
        parser.add_argument("--data", help="folder that holds everything (default .data in the checkout)")
        parser.add_argument("--sample", action="store_true", help="make or keep a sample workspace and print its link")
        parser.add_argument(
            "--server", choices=["daphne", "uvicorn"], default="daphne", help="uvicorn carries more load"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            serve(
                data=DataFolder(settings.DATA_DIR),
                host=options["host"],
                port=options["port"],
                server=options["server"],
                sample=options["sample"],
                say=self._say,
            )
        except Stopped:
            return
        except (CannotStart, DataFolderError, ImproperlyConfigured) as error:
            self._refuse(error, 2)
        except ChildFailed as error:
            self._refuse(error, 2 if error.refused else 1)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _refuse(self, error: Exception, code: int) -> None:
        self.stderr.write(f"error: {error}")
        sys.exit(code)
