"""What the tests of undo share: refusals that change nothing, their conflicts, and another time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.factories import (
    Writer,
)
from tests.replay import snapshot
from workspaces import clock, facade
from workspaces.errors import (
    DomainError,
)


def refused(writer: Writer, receipt: str | None, error: type[DomainError], **options: Any) -> DomainError:
    before = snapshot(writer.workspace)
    with pytest.raises(error) as refusal:
        writer.undo(receipt, **options)
    assert type(refusal.value) is error
    assert snapshot(writer.workspace) == before
    return refusal.value


def conflicts(error: DomainError) -> list[tuple[str, str | None, str]]:
    assert all(set(row) == {"path", "later_event", "actor_class", "at"} for row in error.details["conflicts"])
    return [(row["path"], row["later_event"], row["actor_class"]) for row in error.details["conflicts"]]


def receipt(owner: Writer, name: str | None) -> dict[str, Any]:
    assert name is not None
    return facade.get_receipt(access=owner.access, receipt=name)


def later(monkeypatch: pytest.MonkeyPatch, **how: int) -> None:
    """From now on it is so much later for everybody who asks the clock."""
    from workspaces import context, queries
    from workspaces.commits import service, undo
    from workspaces.upkeep import expiry

    now = clock.now
    for module in (clock, facade, queries, context, service, undo, expiry):
        if hasattr(module, "now"):
            monkeypatch.setattr(module, "now", lambda: now() + timedelta(**how))
