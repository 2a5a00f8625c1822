"""What is counted of live typing: open sockets by kind, updates by what became of them, groups. Never whose or what."""

from __future__ import annotations

import pycrdt
import pytest
from prometheus_client import REGISTRY

from workspaces.realtime import yprotocol

from .typists import Desk

pytestmark = pytest.mark.django_db(transaction=True)


def counted() -> dict[str, float]:
    names = {
        "document sockets": ("careervector_sockets_open", {"kind": "document"}),
        "workspace sockets": ("careervector_sockets_open", {"kind": "workspace"}),
        "accepted": ("careervector_live_updates_total", {"outcome": "accepted"}),
        "known": ("careervector_live_updates_total", {"outcome": "known"}),
        "refused": ("careervector_live_updates_total", {"outcome": "4403"}),
        "closed": ("careervector_sockets_closed_total", {"code": "4403"}),
        "in groups": ("careervector_live_group_sum", {}),
    }
    return {name: REGISTRY.get_sample_value(metric, labels) or 0 for name, (metric, labels) in names.items()}


async def test_sockets_and_updates_are_counted(desk: Desk) -> None:
    before = counted()
    ada, bob, page = await desk.typist(), await desk.typist(), await desk.room.page()
    await page.next("hello")
    for turn in range(3):
        ada.type("notes", turn, "x")
    await ada.flush()
    await bob.reads("notes", "xxx")
    await bob.send(pycrdt.create_update_message(bob.doc.get_update()))
    await bob.send(yprotocol.sync_update(b"\x01"))
    assert await bob.code() == 4403
    await bob.leave()
    assert {name: value - before[name] for name, value in counted().items()} == {
        "document sockets": 1, "workspace sockets": 1, "accepted": 3, "known": 1, "refused": 1, "closed": 1,
        "in groups": 5,
    }  # fmt: skip
    await ada.leave()
    await page.leave()
    after = counted()
    for kind in ("document sockets", "workspace sockets"):
        assert after[kind] == before[kind]
