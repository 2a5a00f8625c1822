"""Processes killed with SIGKILL in the middle of the storm: children of the embedded start, and PostgreSQL."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from pathlib import Path

from tests.postgresql import PostgreSQL, find_programs
from tests.product import Product, wait_for

from .ground import CannotPlay, Restarting, Row, kill_child, require_sound
from .storm import Storm


def _killed(folder: Path, name: str, *, commits: int, kills: int, seed: int) -> Row:
    chance = random.Random(seed)
    product = Product(folder).start()
    try:
        storm = Storm(product.new_workspace(), commits=commits)
        with Restarting(product) as keeper, storm.blowing():
            for number in range(kills):
                storm.wait_for((number + 1) * commits // (kills + 1))
                before = keeper.restarts
                kill_child(product, name, chance=chance)
                wait_for(lambda before=before: keeper.restarts > before, what="the restart", timeout_s=150)
        storm.check()
        require_sound(product)
        return {"commits": storm.done, "kills": kills, "answers lost": storm.lost, "refused": storm.refused}
    finally:
        product.kill()


def kill_web(folder: Path, *, commits: int, seed: int) -> Row:
    """The web process, three times."""
    return _killed(folder, "web", commits=commits, kills=3, seed=seed)


def kill_worker(folder: Path, *, commits: int, seed: int) -> Row:
    """The Celery worker, twice."""
    return _killed(folder, "worker", commits=commits, kills=2, seed=seed)


def kill_valkey(folder: Path, *, commits: int, seed: int) -> Row:
    """The Valkey that the embedded start brought, twice: all of it starts again."""
    return _killed(folder, "valkey", commits=commits, kills=2, seed=seed)


def kill_postgresql(folder: Path, *, commits: int, seed: int) -> Row:
    """The whole PostgreSQL server, three times; the product runs on and waits for it."""
    if find_programs() is None:
        raise CannotPlay("PostgreSQL is not installed")
    chance = random.Random(seed)
    # The server runs as another user, who cannot enter the folders of the tests.
    place = Path(tempfile.mkdtemp(prefix="faults-postgresql-"))
    server = PostgreSQL(place, durable=True).create().start()
    product = Product(folder / "data", DATABASE_URL=server.url())
    try:
        done = product.run("migrate")
        assert done.returncode == 0, done.stderr
        product.start()
        storm = Storm(product.new_workspace(), commits=commits)
        with Restarting(product), storm.blowing():
            for number in range(3):
                storm.wait_for((number + 1) * commits // 4)
                time.sleep(chance.uniform(0.0, 0.2))
                server.kill()
                time.sleep(chance.uniform(0.0, 0.5))
                server.start()
        storm.check()
        require_sound(product)
        return {"commits": storm.done, "kills": 3, "answers lost": storm.lost, "refused": storm.refused}
    finally:
        product.kill()
        server.stop()
        shutil.rmtree(place)
