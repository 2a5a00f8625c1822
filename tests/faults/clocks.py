"""Time jumps by days, forwards and backwards, while people go on working."""

from __future__ import annotations

from pathlib import Path

from tests.product import Product

from .ground import Row, require_sound
from .storm import Storm

DAY_S = 24 * 3600.0


def jump_the_clock(folder: Path, *, commits: int, seed: int) -> Row:
    """The product's time is set two days ahead, then back again: order, history and clocks do not depend on it."""
    del seed
    product = Product(folder / "data").start()
    try:
        workspace = product.new_workspace()
        storm = Storm(workspace, commits=commits)
        jumps = (0.0, 2 * DAY_S, 0.0)
        for number, later_s in enumerate(jumps):
            if number:
                product.stop()
                product.start(later_s=later_s)
            storm.commits = commits * (number + 1) // len(jumps)
            with storm.blowing():
                pass
        storm.check()
        require_sound(product)
        return {"commits": storm.done, "kills": 0, "answers lost": storm.lost, "refused": storm.refused}
    finally:
        product.kill()
