"""Deferred work of the assistant. Each task calls the facade; the schedule is `BEAT`."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from . import facade


@shared_task(name="assistant.sweep_turns", ignore_result=True, expires=10)
def sweep_turns() -> None:
    """End or pass on the turns whose time is over, and remind hosts of those that wait."""
    if facade.sweep_turns().open:
        facade.announce_waiting()


@shared_task(name="assistant.sweep_erasures", ignore_result=True, expires=60)
def sweep_erasures() -> None:
    """Remind hosts of the homes that they have still to erase."""
    facade.announce_erasures()


BEAT: Final[dict[str, dict[str, Any]]] = {
    "assistant-sweep-turns": {"task": "assistant.sweep_turns", "schedule": 5.0, "options": {"expires": 5}},
    "assistant-sweep-erasures": {"task": "assistant.sweep_erasures", "schedule": 60.0, "options": {"expires": 60}},
}
