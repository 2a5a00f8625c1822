"""The catalogue as the contract's table: kinds, who may use them, which are internal, and that each has an example."""

from __future__ import annotations

import pytest

from workspaces.operations.base import Operation
from workspaces.operations.catalogue import ASSISTANT_KINDS, BY_KIND, CATALOGUE, PUBLIC_KINDS

# Contract section 4, without application.attach_role and text.merge.
FOR_EVERYBODY = {
    "document.create", "document.archive", "document.unarchive", "field.set", "item.add", "item.update", "item.move",
    "text.append", "text.replace", "application.move_stage",
}  # fmt: skip
FOR_PEOPLE = {"document.trash", "document.restore", "item.remove"}


def test_the_kinds_are_the_contracts_and_open_to_whom_it_says() -> None:
    assert set(ASSISTANT_KINDS) >= FOR_EVERYBODY
    assert set(PUBLIC_KINDS) >= FOR_EVERYBODY | FOR_PEOPLE
    assert not FOR_PEOPLE & set(ASSISTANT_KINDS)
    assert not {kind for kind in BY_KIND if BY_KIND[kind].internal} & set(PUBLIC_KINDS)


def test_each_kind_stands_in_the_catalogue_once() -> None:
    assert len({operation.kind for operation in CATALOGUE}) == len(CATALOGUE)


@pytest.mark.parametrize("operation", CATALOGUE, ids=lambda operation: operation.kind)
def test_an_internal_kind_is_open_to_nobody(operation: Operation) -> None:
    if operation.internal:
        assert operation.kind not in PUBLIC_KINDS
        assert operation.kind not in ASSISTANT_KINDS
    else:
        assert operation.example["kind"] == operation.kind
