"""One declaration a document kind: fields, sections, texts, limits. Everything else follows from it.

Operations, the tools' JSON Schema, OpenAPI, TypeScript and the context projection all read `KINDS`.
Source: contract section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .values import WORK_MODES, ValueType

STAGES = (
    "saved", "preparing", "applied", "screening", "interviewing", "offer", "accepted", "rejected", "withdrawn",
)  # fmt: skip
TIERS = ("dream", "target", "safe")
STATES = ("active", "archived", "trashed")
MAX_ITEMS = 100
MAX_STATE_BYTES = 512 * 1024

LINE = ValueType("line")
MULTILINE = ValueType("multiline")
PRIVATE_LINE = ValueType("line", private=True)
STRINGS = ValueType("strings")
LONG_STRINGS = ValueType("strings", multiline_items=True)
DATE = ValueType("date")
PARTIAL_DATE = ValueType("partial_date")
TIME = ValueType("time")
URL = ValueType("url")
BOOLEAN = ValueType("boolean")
MONEY = ValueType("integer", minimum=0, maximum=1_000_000_000)
CURRENCY = ValueType("currency")
WORK_MODE = ValueType("enum", WORK_MODES)
APPLICATION = ValueType("reference", ("application",))

Fields = Mapping[str, ValueType]


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """`maximum` counts active and archived documents of a workspace; a singleton has the kind as its id."""

    name: str
    maximum: int
    fields: Fields
    sections: Mapping[str, Fields] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    singleton: bool = False


PROFILE = DocumentKind(
    name="profile",
    maximum=1,
    singleton=True,
    fields={
        "name": LINE, "label": LINE, "image": URL, "email": PRIVATE_LINE, "phone": PRIVATE_LINE, "url": URL,
        "address": PRIVATE_LINE, "postal_code": PRIVATE_LINE, "city": LINE, "region": LINE,
        "country_code": ValueType("country"),
    },
    sections={
        "work": {
            "name": LINE, "position": LINE, "location": LINE, "description": MULTILINE, "url": URL,
            "start": PARTIAL_DATE, "end": PARTIAL_DATE, "summary": MULTILINE, "highlights": LONG_STRINGS,
        },
        "education": {
            "institution": LINE, "area": LINE, "study_type": LINE, "url": URL, "start": PARTIAL_DATE,
            "end": PARTIAL_DATE, "score": LINE, "courses": STRINGS,
        },
        "skills": {"name": LINE, "level": LINE, "keywords": STRINGS},
        "languages": {"language": LINE, "fluency": LINE},
        "projects": {
            "name": LINE, "description": MULTILINE, "highlights": LONG_STRINGS, "keywords": STRINGS, "url": URL,
            "start": PARTIAL_DATE, "end": PARTIAL_DATE, "roles": STRINGS, "entity": LINE, "type": LINE,
        },
        "certificates": {"name": LINE, "issuer": LINE, "date": PARTIAL_DATE, "url": URL},
        "volunteer": {
            "organization": LINE, "position": LINE, "url": URL, "start": PARTIAL_DATE, "end": PARTIAL_DATE,
            "summary": MULTILINE, "highlights": LONG_STRINGS,
        },
        "awards": {"title": LINE, "date": PARTIAL_DATE, "awarder": LINE, "summary": MULTILINE},
        "publications": {
            "name": LINE, "publisher": LINE, "release_date": PARTIAL_DATE, "url": URL, "summary": MULTILINE,
        },
        "interests": {"name": LINE, "keywords": STRINGS},
        "references": {"name": LINE, "reference": MULTILINE},
        "profiles": {"network": LINE, "username": LINE, "url": URL},
    },
    texts=("summary",),
)  # fmt: skip

PLAN = DocumentKind(
    name="plan",
    maximum=1,
    singleton=True,
    fields={
        "target_titles": STRINGS, "target_locations": STRINGS, "work_mode": WORK_MODE, "salary_min": MONEY,
        "salary_currency": CURRENCY, "available_from": DATE,
        "weekly_goal": ValueType("integer", minimum=0, maximum=100),
    },
    sections={
        "tasks": {"title": LINE, "due": DATE, "done": BOOLEAN, "application": APPLICATION},
        "saved_searches": {"name": LINE, "query": LINE, "filters": ValueType("filters")},
    },
    texts=("strategy",),
)  # fmt: skip

APPLICATION_KIND = DocumentKind(
    name="application",
    maximum=500,
    fields={
        "title": LINE, "company": LINE, "location": LINE, "url": URL, "stage": ValueType("enum", STAGES),
        "tier": ValueType("enum", TIERS), "rank": ValueType("rank"), "deadline": DATE, "applied_on": DATE,
        "next_step": LINE, "next_step_on": DATE, "work_mode": WORK_MODE, "salary_min": MONEY, "salary_max": MONEY,
        "salary_currency": CURRENCY, "salary_period": ValueType("enum", ("hour", "day", "month", "year")),
        "source": LINE, "role": ValueType("role"),
    },
    sections={
        "contacts": {
            "name": PRIVATE_LINE, "title": LINE, "email": PRIVATE_LINE, "phone": PRIVATE_LINE,
            "url": ValueType("url", private=True), "note": ValueType("multiline", private=True),
        },
        "interviews": {
            "kind": ValueType("enum", ("phone", "video", "onsite", "technical", "panel", "other")),
            "starts_at": TIME, "ends_at": TIME, "time_zone": ValueType("time_zone"), "place": LINE,
            "note": MULTILINE, "outcome": ValueType("enum", ("pending", "passed", "failed", "cancelled")),
        },
        "checklist": {"title": LINE, "due": DATE, "done": BOOLEAN},
    },
    texts=("notes",),
)  # fmt: skip

NOTE = DocumentKind(
    name="note",
    maximum=1000,
    fields={"title": LINE, "application": APPLICATION, "pinned": BOOLEAN},
    texts=("body",),
)

LETTER = DocumentKind(
    name="letter",
    maximum=300,
    fields={
        "title": LINE, "application": APPLICATION, "recipient": LINE, "language": ValueType("language"),
        "status": ValueType("enum", ("draft", "final")),
    },
    texts=("body",),
)  # fmt: skip

KINDS: Mapping[str, DocumentKind] = {k.name: k for k in (PROFILE, PLAN, APPLICATION_KIND, NOTE, LETTER)}

# Fields that field.set, document.create and item values never take: they have operations of their own.
SYSTEM_FIELDS = frozenset({"rank", "role"})


def kind_of(doc_id: str) -> DocumentKind | None:
    """The declaration behind a document id, or None for an id that no kind can have."""
    return KINDS.get(doc_id.partition(":")[0])
