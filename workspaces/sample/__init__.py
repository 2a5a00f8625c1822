"""A workspace that looks lived in, for a first look around. Loaded through the commit service like any other work."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from workspaces.clock import now
from workspaces.commits.lookups import document_rows
from workspaces.commits.service import commit
from workspaces.contracts import Actor, RequestIdentity

_FILE = Path(__file__).with_name("sample_workspace.json")
_DAY = re.compile(r"\{today([+-]\d+)d\}")
_ID = re.compile(r"\{id:([a-z0-9-]+)\}")


def _filled(value: Any, today: date, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        text = _DAY.sub(lambda m: (today + timedelta(days=int(m[1]))).isoformat(), value)
        return _ID.sub(lambda m: ids[m[1]], text)
    if isinstance(value, list):
        return [_filled(entry, today, ids) for entry in value]
    if isinstance(value, dict):
        return {name: _filled(entry, today, ids) for name, entry in value.items()}
    return value


def load_sample(*, workspace: str) -> None:
    """Fills a new workspace with the sample, in batches; dates stand around today."""
    sample = json.loads(_FILE.read_text(encoding="utf-8"))
    today = now().date()
    ids: dict[str, str] = {}
    for index, batch in enumerate(sample["batches"]):
        operations = [_filled(operation, today, ids) for operation in batch["operations"]]
        named = dict.fromkeys(operation["document"] for operation in operations)
        rows = document_rows(workspace, named)
        clocks = {document: rows[document].clock if document in rows else 0 for document in named}
        result = commit(
            workspace=workspace,
            body={"reason": batch["reason"], "expected_clocks": clocks, "operations": operations},
            actor=Actor("system", "system:sample"),
            request=RequestIdentity(
                scope="system:sample", key=f"batch-{index}", route="operations", target=workspace, link=None
            ),
        )
        ids |= {name.removeprefix("new:"): real for name, real in result.response["documents"].items()}
