"""What an import is going to do: operations in order, packed into batches that commits take.

Above: the engine (`imports`). Beside: `workspace_file` and `resume_in`, which make plans. Pure: knows no database.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspaces.commits.batch import MAX_OPERATIONS

Operation = dict[str, Any]
# A commit's message goes to every open page: many long texts at once would cut off the slow ones.
MAX_BATCH_BYTES = 256 * 1024


class NewDocument(str):
    """`new:NAME` of a document that the same import makes, in this batch or in an earlier one.

    A type of its own, because somebody may have written just these characters into a title.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """`groups`: the operations of one document stay in one batch where they fit. `report` holds
    `{"path", "code", "message"}`, and perhaps `given`, for what was not taken over as it stood."""

    kind: str
    groups: Sequence[Sequence[Operation]]
    counts: Mapping[str, int]
    report: Sequence[Mapping[str, Any]]

    @property
    def total(self) -> int:
        return sum(len(group) for group in self.groups)


def batches(groups: Iterable[Sequence[Operation]]) -> Iterator[list[Operation]]:
    """The operations in their order, in batches of limited number and size."""
    batch: list[Operation] = []
    size = 0
    for group in groups:
        sizes = [len(json.dumps(operation, ensure_ascii=False)) for operation in group]
        if batch and (len(batch) + len(group) > MAX_OPERATIONS or size + sum(sizes) > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        for operation, bytes_ in zip(group, sizes, strict=True):
            if batch and (len(batch) == MAX_OPERATIONS or size + bytes_ > MAX_BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(operation)
            size += bytes_
    if batch:
        yield batch


def with_real_ids(batch: Sequence[Operation], made: Mapping[str, str]) -> list[Operation]:
    """The batch with documents of earlier batches under the ids that they were given."""
    return [_real(operation, made) for operation in batch]


def _real(value: Any, made: Mapping[str, str]) -> Any:
    if isinstance(value, NewDocument):
        return made.get(value, str(value))
    if isinstance(value, dict):
        return {name: _real(entry, made) for name, entry in value.items()}
    if isinstance(value, list):
        return [_real(entry, made) for entry in value]
    return value
