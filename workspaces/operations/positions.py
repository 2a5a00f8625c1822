"""Where among siblings: positions in, ranks out, and the neighbours that an inverse names.

Inverses never hold rank keys: keys change when the system rebalances, neighbours do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspaces.documents import ranks

from .base import OperationFlaw, Place

Siblings = Sequence[tuple[str, str]]


def rank_at(siblings: Siblings, position: Any, *, path: str = "position") -> str:
    """The rank for a newcomer among `siblings` ((id, rank), in order). Raises OperationFlaw for an unknown neighbour.

    `position` is None or "end", "start", {"after": id} or, in inverses, {"between": [id | None, id | None]}.
    """
    index = len(siblings)
    if position == "start":
        index = 0
    elif isinstance(position, Mapping) and "after" in position:
        found = _index_of(siblings, position["after"])
        if found is None:
            raise OperationFlaw(f"{path}/after", "neighbour", "There is no such neighbour at that place.")
        index = found + 1
    elif isinstance(position, Mapping):
        left, right = position["between"]
        after, before = _index_of(siblings, left), _index_of(siblings, right)
        if after is not None:
            index = after + 1
        elif before is not None:
            index = before
        elif left is None and right is not None:
            index = 0
    left_rank = siblings[index - 1][1] if index > 0 else None
    # Past those that share the left one's key: there is no room between equal keys.
    right_rank = next((rank for _, rank in siblings[index:] if left_rank is None or rank > left_rank), None)
    return ranks.between(left_rank, right_rank)


def ranked(places: Sequence[Place]) -> Siblings:
    """The places of a stage as siblings."""
    return [(place.document, place.rank) for place in places]


def between_neighbours(siblings: Siblings, member: str) -> dict[str, list[str | None]]:
    """The position of a member by its neighbours, for an inverse."""
    index = _index_of(siblings, member)
    if index is None:
        return {"between": [None, None]}
    return {
        "between": [
            siblings[index - 1][0] if index > 0 else None,
            siblings[index + 1][0] if index + 1 < len(siblings) else None,
        ]
    }


def is_inverse(position: Any) -> bool:
    """True for a position that only inverses name. Taking a move back always is a change: it spends its receipt."""
    return isinstance(position, Mapping) and "between" in position


def without(siblings: Siblings, member: str) -> Siblings:
    return [entry for entry in siblings if entry[0] != member]


def stays(siblings: Siblings, member: str, rank: str) -> bool:
    """True when the member, ranked so, would stand where it stands already."""
    index = _index_of(siblings, member)
    if index is None:
        return False
    return sum(1 for entry in without(siblings, member) if entry[1] < rank) == index


def _index_of(siblings: Siblings, member: str | None) -> int | None:
    return next((index for index, entry in enumerate(siblings) if entry[0] == member), None)
