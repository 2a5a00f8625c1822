"""The explicit list of intents. Adding one is one file and one line here; the order settles ties between equal matches."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from . import (
    add_checklist_item,
    add_contact,
    add_interview,
    add_note,
    add_task,
    append_text,
    complete_task,
    create_application,
    deadlines,
    forbidden,
    help,
    list_applications,
    move_stage,
    out_of_scope,
    overview,
    search_jobs,
    set_field,
    show_document,
    unclear,
    undo_last,
    update_profile,
)
from .base import Intent

CATALOGUE: tuple[Intent, ...] = (
    help.INTENT,
    undo_last.INTENT,
    overview.INTENT,
    out_of_scope.INTENT,
    add_note.INTENT,
    append_text.INTENT,
    add_checklist_item.INTENT,
    update_profile.INTENT,
    add_task.INTENT,
    add_contact.INTENT,
    add_interview.INTENT,
    create_application.INTENT,
    set_field.INTENT,
    move_stage.INTENT,
    complete_task.INTENT,
    deadlines.INTENT,
    list_applications.INTENT,
    search_jobs.INTENT,
    show_document.INTENT,
    forbidden.INTENT,
    unclear.INTENT,
)
BY_NAME = {intent.name: intent for intent in CATALOGUE}


def suggestions() -> list[str]:
    """What the assistant can do, one line each."""
    return [intent.suggestion for intent in CATALOGUE if intent.suggestion and intent.name != "help"]


def offer(*names: str) -> str:
    """A sentence that offers something that can be done instead."""
    parts = [BY_NAME[name].suggestion for name in names if BY_NAME[name].suggestion]
    return "I can " + (parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]) + "."
