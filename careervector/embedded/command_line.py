"""What `manage.py` must know before Django reads the settings: the data folder named on the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence

# Commands of ours that read or write the database: a first one may come before the first `up`.
_NEED_DATABASE = frozenset({"create_workspace", "create_host_token", "erase_workspace", "export_workspace"})


def needs_database(argv: Sequence[str]) -> bool:
    """True for a command that must find the database with its tables (asking for its help must not make one)."""
    return len(argv) > 1 and argv[1] in _NEED_DATABASE and not {"-h", "--help"} & set(argv)


def take_data_folder(argv: Sequence[str]) -> None:
    """Hand `up --data DIR` to the settings, which read CAREERVECTOR_DATA. The option goes before the variable."""
    if list(argv[1:2]) != ["up"]:
        return
    for index, word in enumerate(argv):
        if word == "--data" and index + 1 < len(argv):
            os.environ["CAREERVECTOR_DATA"] = argv[index + 1]
        elif word.startswith("--data="):
            os.environ["CAREERVECTOR_DATA"] = word.removeprefix("--data=")
