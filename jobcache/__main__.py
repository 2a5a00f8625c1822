"""`python -m jobcache <command>`: the management entry, always with JobCache's own settings."""

from __future__ import annotations

import os
import sys


def main() -> None:
    # The product's settings may be in the environment of whoever starts this; they must not leak in here.
    os.environ["DJANGO_SETTINGS_MODULE"] = "jobcache.settings"
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
