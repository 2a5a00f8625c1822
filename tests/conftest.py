"""What every test may count on. Fixtures that more than one package's tests share stand here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# The ORM is called from pytest-asyncio's loop only through database_sync_to_async; Django's guard cannot see that the
# fixtures' set-up and tear-down run beside the loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Small before large. The browser comes last for a reason of its own: while Playwright is open, its event loop
    counts as the running one, and asyncio's tests want theirs."""
    last = {"journeys": 1, "browser": 2}
    here = Path(__file__).parent
    items.sort(key=lambda item: last.get(item.path.relative_to(here).parts[0], 0))
