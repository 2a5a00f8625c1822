"""A document as an answer: its fields, items and texts, all as data of that document. Above: `show_document`."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from .dates import read_iso
from .markdown import plain, quote
from .outcome import Answer
from .say import field_name, salary, say_day, value
from .workspace import Document, Workspace

MAX_ITEMS = 25
_ORDER = {
    "application": ("stage", "tier", "location", "work_mode", "deadline", "next_step", "next_step_on", "applied_on", "source", "url"),
    "profile": ("name", "label", "email", "phone", "url", "address", "postal_code", "city", "region", "country_code"),
    "plan": ("target_titles", "target_locations", "work_mode", "salary_min", "salary_currency", "available_from", "weekly_goal"),
    "note": ("pinned",),
    "letter": ("recipient", "language", "status"),
}  # fmt: skip
_DATES = frozenset({"deadline", "next_step_on"})
_TEXTS = {"notes": "Its notes say", "body": "It says", "summary": "The summary says", "strategy": "The strategy says"}


def document_answer(
    document: Document, workspace: Workspace, zone: ZoneInfo, today: date, *, lead: str | None = None
) -> Answer:
    """What a document holds, shortly; `lead` is the direct answer to a question about it."""
    heading = {"note": "Your note", "letter": "Your letter", "application": "Your application"}.get(document.kind, "")
    named = (
        document.link
        if not heading
        else f"{heading} “{document.link}”"
        if document.kind in ("note", "letter")
        else f"{heading} {document.link}"
    )
    parts = [lead] if lead else []
    cited = [document.id]
    owner = workspace.owner(document)
    if owner is not None:
        named += f", about {owner.link}"
        cited.append(owner.id)
    if document.state == "archived":
        named += " (archived)"
    fields = _fields(document, zone, today)
    parts.append(_first_upper(named) + (":\n\n" + "\n".join(fields) if fields else "."))
    for section, items in document.sections.items():
        shown = [item for item in items if isinstance(item, Mapping)]
        if shown:
            parts.append(_section(section, shown, zone))
    for name, text in document.texts.items():
        if isinstance(text, str) and text.strip():
            parts.append(f"{_TEXTS.get(name, 'It says')}:\n\n{quote(text)}")
    if document.cut:
        parts.append("Some of it is too long to be shown here; the page has it in full.")
    if document.kind == "profile" and not document.get("email") and not document.get("phone"):
        parts.append("Contact details are shown here only if that is switched on in the settings.")
    return Answer("\n\n".join(parts), tuple(cited))


def _first_upper(text: str) -> str:
    return text.replace("[your ", "[Your ", 1) if text.startswith("[your ") else text


def _fields(document: Document, zone: ZoneInfo, today: date) -> list[str]:
    lines = []
    for name in _ORDER.get(document.kind, ()):
        content = document.get(name)
        if content in (None, "", []) or (name == "pinned" and content is not True):
            continue
        day = read_iso(content) if name in _DATES else None
        lines.append(f"- {field_name(name)}: {say_day(day, today) if day else value(content, zone)}")
    pay = salary(document.fields) if document.kind == "application" else None
    if pay:
        lines.append(f"- salary: {pay}")
    return lines


def _section(section: str, items: Sequence[Mapping[str, Any]], zone: ZoneInfo) -> str:
    lines = [f"- {_item(section, item, zone)}" for item in items[:MAX_ITEMS]]
    if len(items) > MAX_ITEMS:
        lines.append(f"- … and {len(items) - MAX_ITEMS} more (cut here)")
    return f"{section.replace('_', ' ').capitalize()}:\n\n" + "\n".join(lines)


def _item(section: str, item: Mapping[str, Any], zone: ZoneInfo) -> str:
    if section in ("tasks", "checklist"):
        due = f", due {value(item.get('due'))}" if item.get("due") else ""
        return f"{'done' if item.get('done') is True else 'open'}: “{plain(item.get('title') or '')}”{due}"
    if section == "interviews":
        parts = [value(item.get("starts_at"), zone)]
        parts.extend(plain(item[name], 120) for name in ("kind", "place", "outcome", "note") if item.get(name))
        return ", ".join(parts)
    shown = [
        value(item[name], zone)
        for name in item
        if name not in ("id", "rank") and item[name] not in (None, "", [], {}) and not isinstance(item[name], Mapping)
    ]
    return ", ".join(part[:400] for part in shown) or "an entry"


def field_answer(document: Document, field: str, zone: ZoneInfo) -> str:
    """The direct answer to "what is the … of …?"."""
    name = document.link
    if field == "salary":
        pay = salary(document.fields)
        return f"The salary of {name}: {pay}." if pay else f"No salary is noted for {name}."
    if field in ("contacts", "checklist"):
        items = document.items(field)
        return (
            f"{len(items)} {field if field == 'contacts' else 'checklist items'} at {name}, listed below."
            if items
            else f"No {field} {'are' if field == 'contacts' else 'is'} to be seen for {name}."
        )
    content = document.get(field)
    if content in (None, "", []) and field in ("email", "phone", "address", "postal_code"):
        return (
            f"I do not see the {field_name(field)} in {name}: it is empty, or contact details are not shared with me."
        )
    if content in (None, "", []):
        return f"{name} has no {field_name(field)}."
    return f"The {field_name(field)} of {name}: **{value(content, zone)}**."


def listing(documents: Sequence[Document], kind: str, *, truncated: bool) -> Answer:
    """All notes or letters by name."""
    if not documents:
        return Answer(f"There are no {kind}s yet." + (" You can say “add a note: …”." if kind == "note" else ""))
    lines = [
        f"- “{document.link}”" + (", pinned" if document.get("pinned") is True else "") for document in documents[:100]
    ]
    text = f"You have {len(documents)} {kind}{'s' if len(documents) != 1 else ''}:\n\n" + "\n".join(lines)
    if len(documents) > 100 or truncated:
        text += "\n\nThis list is truncated."
    return Answer(text, tuple(document.id for document in documents[:100]))
