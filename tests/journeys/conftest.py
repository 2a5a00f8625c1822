"""A product that is running, shared by the tests that do not end it; and new ones for those that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cluster import Cluster, running_cluster
from tests.product import Product, free_ports


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.journey)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Shared: leave it as you found it."""
    product = Product(tmp_path_factory.mktemp("running")).start()
    yield product
    product.stop()


@pytest.fixture
def make_product(tmp_path: Path) -> Iterator[Callable[..., Product]]:
    """Products of the test's own; whatever still runs afterwards is killed."""
    made: list[Product] = []

    def make(folder: str = "data", **env: str) -> Product:
        made.append(Product(tmp_path / folder, **env))
        return made[-1]

    yield make
    for product in made:
        product.kill()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Shared: leave it as you found it. Its public address is one where a proxy may be started."""
    folder = tmp_path_factory.mktemp("cluster")
    with running_cluster(folder, public_url=f"https://localhost:{free_ports()}") as running:
        yield running
