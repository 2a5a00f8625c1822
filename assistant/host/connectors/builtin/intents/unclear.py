"""No intent fits, or a condition, a "not" or a question makes an order uncertain: says so and changes nothing."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.host.connectors.builtin.outcome import Answer

from .base import Intent, Request

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk


async def respond(request: Request, desk: Desk) -> Answer:
    from .catalogue import offer

    if request.guess.note == "negated":
        return Answer(
            f"I read a “not” in that, so I changed nothing. If you want a change, please say it the other way round. {offer('move_stage', 'set_field', 'add_note')}"
        )
    if request.guess.note == "condition":
        return Answer(
            f"I cannot wait for something to happen or do a thing later, so I changed nothing. {offer('add_task', 'add_note', 'move_stage')}"
        )
    if request.guess.note == "language":
        return Answer(
            f"For now I understand English only, so I changed nothing. {offer('overview', 'move_stage', 'search_jobs')}"
        )
    return Answer(f"I did not understand that, and I changed nothing. {offer('overview', 'move_stage', 'search_jobs')}")


INTENT = Intent(name="unclear", kind="talk", patterns=(), examples=(), suggestion="", respond=respond)
