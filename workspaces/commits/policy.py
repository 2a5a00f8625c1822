"""Who may use which kind of operation. Checked before any transaction; the catalogue holds the table."""

from __future__ import annotations

from collections.abc import Sequence

from workspaces.contracts import Actor
from workspaces.errors import Flaw, OperationNotAllowed

from .batch import Step


def check_policy(steps: Sequence[Step], actor: Actor) -> None:
    """Raises OperationNotAllowed when an agent asks for a kind that is not open to it."""
    if actor.actor_class != "agent":
        return
    flaws = [
        Flaw(f"operations/{index}/kind", "operation_not_allowed", f"The assistant cannot use {step.operation.kind}.")
        for index, step in enumerate(steps)
        if not step.operation.assistant
    ]
    if flaws:
        raise OperationNotAllowed(flaws[0].message, flaws=flaws)
