"""The suite that every connector passes, over every connector."""

from __future__ import annotations

import pytest

from .connector_suite import CASES, ConnectorCase, ConnectorSuite


@pytest.fixture(params=CASES, ids=lambda case: case.provider)
def case(request: pytest.FixtureRequest) -> ConnectorCase:
    return request.param


class TestEveryConnector(ConnectorSuite):
    """See `connector_suite`."""
