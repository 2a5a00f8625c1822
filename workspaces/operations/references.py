"""Values that name another document: their `new:NAME` becomes the real id, and what they name must be there."""

from __future__ import annotations

from typing import Any

from workspaces.documents.schema import Fields

from .base import OperationFlaw, Planned


def resolved(fields: Fields, name: str, value: Any, planned: Planned, *, path: str) -> Any:
    """The value, with a reference made real. Raises OperationFlaw when it names nothing that is there."""
    if value is None or fields[name].name != "reference":
        return value
    try:
        doc_id = planned.resolve(value)
    except OperationFlaw as error:
        raise OperationFlaw(path, error.flaw.code, error.flaw.message) from None
    if doc_id.partition(":")[0] not in fields[name].of:
        # A new:NAME does not show its kind.
        raise OperationFlaw(path, "reference", f"This must be the id of an existing {fields[name].of[0]}.")
    return doc_id
