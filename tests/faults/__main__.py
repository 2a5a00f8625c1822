"""`python -m tests.faults [NAME …] [--commits N] [--seed N]`: plays the faults and prints what was seen as a table."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from .catalogue import SCENARIOS
from .ground import CannotPlay

_COLUMNS = ("commits", "kills", "answers lost", "refused")


def main() -> int:
    parser = argparse.ArgumentParser(prog="faults", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(SCENARIOS)} (default: all)")
    parser.add_argument("--commits", type=int, default=240, help="acknowledged commits a scenario (default 240)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="for the random moments")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(SCENARIOS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    print(f"seed {chosen.seed}", flush=True)
    print(f"{'fault':<28}{''.join(f'{name:>14}' for name in _COLUMNS)}   outcome", flush=True)
    broken = 0
    for name, play in SCENARIOS.items():
        if chosen.names and name not in chosen.names:
            continue
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            try:
                row = play(Path(folder), commits=chosen.commits, seed=chosen.seed)
                outcome = "sound"
            except CannotPlay as reason:
                row, outcome = {}, f"not played: {reason}"
            except Exception as error:
                traceback.print_exc()
                row, outcome, broken = {}, f"BROKEN: {type(error).__name__}", broken + 1
        cells = "".join(f"{row.get(column, '')!s:>14}" for column in _COLUMNS)
        print(f"{name:<28}{cells}   {outcome}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
