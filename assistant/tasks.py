"""Deferred work of the assistant. Each task calls the facade; the schedule is `BEAT`."""

from __future__ import annotations

from typing import Final

from workspaces.scheduling import Schedule, regular

from . import facade

BEAT: Final[Schedule] = {}


@regular(BEAT, name="assistant.sweep_turns", every_s=5)
def sweep_turns() -> int:
    """End or pass on the turns whose time is over, and remind hosts of those that wait."""
    swept = facade.sweep_turns()
    if swept.open:
        facade.announce_waiting()
    return swept.acted


@regular(BEAT, name="assistant.sweep_erasures", every_s=60)
def sweep_erasures() -> int:
    """Remind hosts of the homes that they have still to erase."""
    facade.announce_erasures()
    return 0


@regular(BEAT, name="assistant.expire_capabilities", every_s=6 * 60 * 60)
def expire_capabilities() -> int:
    """Take what a capability needs from turns that have ended, should an ending have left it."""
    return facade.expire_capabilities()
