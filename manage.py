#!/usr/bin/env python
"""Django's command line, with the embedded settings unless others are named."""

import os
import sys

from careervector.embedded.command_line import needs_database, take_data_folder
from careervector.embedded.data import DataFolderError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")
    take_data_folder(sys.argv)
    from django.core.management import execute_from_command_line

    from careervector.embedded.preflight import CannotStart

    try:
        if needs_database(sys.argv):
            from careervector.embedded.database import prepare_database

            prepare_database()
        execute_from_command_line(sys.argv)
    except (DataFolderError, CannotStart) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
