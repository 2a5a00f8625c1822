"""What every test may count on. Fixtures that more than one package's tests share stand here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.databases import _no_connection_outlives_its_test, django_db_setup  # noqa: F401
from tests.openapi_answers import API, UNFORESEEN, check_answer

# The ORM is called from pytest-asyncio's loop only through database_sync_to_async; Django's guard cannot see that the
# fixtures' set-up and tear-down run beside the loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


PARTS = ("units", "database", "products")
_PRODUCTS = {"journeys": 1, "faults": 1, "browser": 2}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part",
        choices=PARTS,
        help="units: what starts no whole product; database: those of them that use the run's database; products: the"
        " journeys, the faults and the browser. All without it. `tests.both_databases` runs each where it belongs.",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Small before large. The browser comes last for a reason of its own: while Playwright is open, its event loop
    counts as the running one, and asyncio's tests want theirs."""
    here = Path(__file__).parent

    def size(item: pytest.Item) -> int:
        return _PRODUCTS.get(item.path.relative_to(here).parts[0], 0)

    items.sort(key=size)
    if part := config.getoption("--part"):
        left_out = {item for item in items if not _belongs(item, part, product=size(item) > 0)}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def _belongs(item: pytest.Item, part: str, *, product: bool) -> bool:
    if part != "database":
        return product == (part == "products")
    uses = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return not product and (bool(uses) or item.get_closest_marker("django_db") is not None)


@pytest.fixture(autouse=True)
def _every_api_answer_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test's client gets from the API must be as the OpenAPI document says."""
    send = Client.request

    def request(client: Client, **environ: Any) -> Any:
        answer = send(client, **environ)
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        if answer.streaming:
            # Read once here, and given on as it was.
            body = answer.getvalue()
            answer.streaming_content = [body]
        else:
            body = answer.content
        forced = answer.status_code == 500 and UNFORESEEN.encode() in body
        if path.startswith(API) and path != f"{API}openapi.json" and not forced:
            check_answer(method=method, path=path, status=answer.status_code, headers=answer.headers, body=body)
        return answer

    monkeypatch.setattr(Client, "request", request)
