"""One running product and one browser for all browser tests; each test takes its own windows and workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.live_workspace import LiveWorkspace
from tests.product import Product

from .windows import Window, launch, window


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    running = Product(tmp_path_factory.mktemp("product")).start(sample=False)
    yield running
    running.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        shown = launch(playwright)
        yield shown
        shown.close()


@pytest.fixture
def sample(product: Product) -> LiveWorkspace:
    return product.new_workspace(sample=True)


@pytest.fixture
def new_window(browser: Browser, product: Product, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes windows; each must end without a console error, a policy violation or a foreign request."""
    with ExitStack() as stack:

        def make(**options: Any) -> Window:
            return stack.enter_context(window(browser, product, **options))

        maker: Callable[..., Window] = make
        yield maker
