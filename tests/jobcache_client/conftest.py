"""The real service for the client's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.jobcache.service import CASES, Service, run, serve


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A JobCache with the 120 ads of the search cases."""
    data = tmp_path_factory.mktemp("jobcache-for-client")
    assert run(data, "load_ads", str(CASES / "ads.jsonl")).returncode == 0
    with serve(data) as running:
        yield running
