"""The sample workspace comes through the commit service like any other work."""

from __future__ import annotations

import pytest

from tests.factories import open_workspace
from tests.replay import assert_sound
from workspaces import facade
from workspaces.errors import IdempotencyMismatch
from workspaces.sample import load_sample

pytestmark = pytest.mark.django_db


def test_the_sample_is_sound_and_may_be_taken_back_batch_by_batch() -> None:
    owner = open_workspace(sample=True)
    assert len(facade.list_documents(access=owner.access, kind="application")["items"]) == 12
    events = facade.list_events(access=owner.access)["items"]
    assert {event["actor"] for event in events} == {"system:sample"}
    assert_sound(owner)
    for receipt in facade.list_receipts(access=owner.access)["items"]:
        owner.undo(receipt["id"])
    assert [d["id"] for d in facade.list_documents(access=owner.access)["items"]] == ["plan", "profile"]
    assert owner.read("profile")["fields"] == {}
    assert_sound(owner)


def test_loading_it_again_changes_nothing() -> None:
    owner = open_workspace(sample=True)
    seq = facade.get_hello(workspace=owner.workspace)["seq"]
    with pytest.raises(IdempotencyMismatch):
        load_sample(workspace=owner.workspace)
    assert facade.get_hello(workspace=owner.workspace)["seq"] == seq
