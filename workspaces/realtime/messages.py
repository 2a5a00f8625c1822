"""The messages of the workspace socket, as they leave the server (contract section 9), and what a view link may hear.

`commit` and `receipt` are made where they happen (`commits.after_commit`), `thread` and `connector` by the assistant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workspaces.errors import DomainError, to_problem

from . import hub

# Threads and connectors are nothing for a link that may only read documents, history and receipts.
VIEW_TYPES = frozenset({"commit", "receipt", "presence", "typing", "resync"})
# Told between processes, never to a page.
LINK_REVOKED = "link.revoked"
WORKSPACE_ERASED = "workspace.erased"
ENDINGS = frozenset({LINK_REVOKED, WORKSPACE_ERASED})


def hello(content: Mapping[str, Any]) -> dict[str, Any]:
    """`content` is `{"documents": [{id, kind, clock}], "seq"}`."""
    return {"type": "hello", "documents": content["documents"], "seq": content["seq"]}


def resync(seq: int) -> dict[str, Any]:
    """Too much was missed: read everything anew by HTTP; the socket goes on after `seq`."""
    return {"type": "resync", "seq": seq}


def heartbeat() -> dict[str, Any]:
    return {"type": "heartbeat"}


def error(refusal: DomainError) -> dict[str, Any]:
    return {"type": "error", "problem": to_problem(refusal)}


# The time that joining updates takes grows with the square of their number.
_MOST_JOINED = 64


def typing_runs(frames: Sequence[hub.Frame]) -> Iterator[list[hub.Frame]]:
    """The frames in order: typed updates that follow each other together, everything else alone."""
    run: list[hub.Frame] = []
    for frame in frames:
        typed = frame.message["type"] == "typed"
        if run and (not typed or len(run) == _MOST_JOINED):
            yield run
            run = []
        if typed:
            run.append(frame)
        else:
            yield [frame]
    if run:
        yield run
