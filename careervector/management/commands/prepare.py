"""`manage.py prepare`: what `up` needs done in the database before it starts anything that serves.

One process for all of it, because each start of Python costs a second that a person waits.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from assistant import facade as assistant
from careervector.embedded.data import DataFolder, write_private
from careervector.embedded.sample import open_sample


class Command(BaseCommand):
    help = "Apply the migrations and make what the embedded start needs. `up` calls it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample-link", type=Path, help="write the sample workspace's fresh link to this file")

    def handle(self, *_args: Any, **options: Any) -> None:
        data = DataFolder(settings.DATA_DIR)
        call_command("migrate", interactive=False, verbosity=0)
        if not data.host_token.exists() or not assistant.is_host_token(secret=data.host_token.read_text().strip()):
            write_private(data.host_token, assistant.create_host_token().secret)
        if options["sample_link"]:
            write_private(options["sample_link"], open_sample(data))
