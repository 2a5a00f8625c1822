"""Where a host keeps what a connector must remember: one folder a connector, made when asked for, erased when told to.

Above: `runner`, which hands a home to the connector that runs a turn and erases it on the server's word. Below: one
folder of this machine, for its owner only. An id that cannot be one names no folder, wherever it came from.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_CONNECTOR = re.compile(r"con_[0-9A-Za-z]{1,36}")


class HomeError(Exception):
    """The id names no folder, or what stands there is none of ours."""


class Homes:
    """The homes below `root`, which need not exist yet."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def open(self, connector: str) -> Path:
        """The connector's folder, made when it is not there. Raises HomeError, OSError."""
        place = self._place(connector)
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        if place.is_symlink() or not place.is_dir():
            raise HomeError("what stands there is no folder of ours")
        return place

    def erase(self, connector: str) -> None:
        """Remove the folder with everything in it; nothing happens when there is none. Raises HomeError, OSError.

        Links are removed, never followed.
        """
        place = self._place(connector)
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif place.exists():
            shutil.rmtree(place)

    def _place(self, connector: str) -> Path:
        if _CONNECTOR.fullmatch(connector) is None:
            raise HomeError("not the id of a connector")
        return self._root / connector
