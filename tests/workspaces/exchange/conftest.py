"""An owner of a fresh workspace, its export as a file, and what a workspace holds whatever its ids are."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Mapping
from typing import Any

import pytest

from assistant import facade as assistant
from tests.factories import Writer, open_workspace
from workspaces import facade
from workspaces.contracts import CommitResult

_keys = itertools.count(1)


@pytest.fixture
def owner(db: None) -> Writer:
    return open_workspace()


@pytest.fixture
def other(db: None) -> Writer:
    """Another workspace, empty."""
    return open_workspace()


def exported(owner: Writer, *, history: bool = True) -> dict[str, Any]:
    into = io.BytesIO()
    with facade.sql.snapshot():
        assistant.export_workspace(workspace=owner.workspace, into=into, history=history)
    found: dict[str, Any] = json.loads(into.getvalue())
    return found


def bring_in(writer: Writer, data: Any, *, key: str | None = None) -> dict[str, Any]:
    """With a key like a careful client, or without one."""
    request = None if key is None else writer.request(key=key, route="import", target=writer.workspace)
    # What a request brings is parsed anew each time.
    return facade.import_file(
        access=writer.access, load=lambda: json.loads(json.dumps(data)), actor=writer.actor, request=request
    )


def take_back(writer: Writer, import_id: str, *, body: Mapping[str, Any] | None = None) -> CommitResult:
    return facade.undo_import(
        workspace=writer.workspace,
        import_id=import_id,
        body=body or {},
        actor=writer.actor,
        request=writer.request(key=f"undo-import-{next(_keys)}", route="imports.undo", target=import_id),
    )


def content_of(file: Mapping[str, Any], *, archived: bool = True) -> dict[str, Any]:
    """An export without what an import makes anew: ids, clocks, times, ranks, roles. Trashed documents count as gone.

    Columns are lists in the order of their cards; a reference is the place of what it names.
    """
    documents = [d for d in file["documents"] if d["state"] == "active" or (archived and d["state"] == "archived")]
    columns: dict[str, list[dict[str, Any]]] = {}
    for document in documents:
        if document["kind"] == "application":
            columns.setdefault(document["fields"]["stage"], []).append(document)
    for column in columns.values():
        column.sort(key=lambda d: (d["fields"]["rank"], d["id"]))
    places = {d["id"]: f"{stage}/{i}" for stage, column in columns.items() for i, d in enumerate(column)}
    found: dict[str, Any] = {
        "columns": {stage: [_bare(d, places) for d in column] for stage, column in sorted(columns.items())}
    }
    for document in documents:
        if document["kind"] != "application":
            found.setdefault(document["kind"], []).append(_bare(document, places))
    return found


def _bare(document: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    def values(entries: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in entries.items() if name not in ("id", "rank", "role")}
        if "application" in kept:
            kept["application"] = places.get(kept["application"])
        return {name: value for name, value in kept.items() if value is not None}

    return {
        "state": document["state"],
        "fields": values(document["fields"]),
        "sections": {name: [values(item) for item in items] for name, items in document["sections"].items()},
        "texts": document["texts"],
    }
