"""Refusals that only the assistant knows. All are typed errors of `workspaces.errors` and share its one mapping."""

from __future__ import annotations

from workspaces.errors import CapabilityInvalid


class TurnEnded(CapabilityInvalid):
    """The turn has had its terminal event: nothing is added to it any more."""
