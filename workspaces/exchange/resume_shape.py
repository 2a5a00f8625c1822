"""How JSON Resume v1 and the profile name the same things. Both ways of the exchange read it.

Above: `resume_in`, `resume_out`. Below: the profile's declaration, whose sections follow JSON Resume in snake_case.
"""

from __future__ import annotations

from collections.abc import Mapping

from workspaces.documents.schema import PROFILE

SCHEMA_URL = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
VERSION = "v1.0.0"
# What we put into `meta` of our own exports: texts are ours already, so nothing in them is taken for HTML.
OURS = "careervector"
FORMAT = 1

_ODD_NAMES = {"start": "startDate", "end": "endDate"}


def json_name(name: str) -> str:
    """`study_type` → `studyType`."""
    first, *rest = name.split("_")
    return _ODD_NAMES.get(name) or first + "".join(word.capitalize() for word in rest)


LOCATION: Mapping[str, str] = {
    json_name(name): name for name in ("address", "postal_code", "city", "country_code", "region")
}
# `summary` is a text of the profile, the others are fields.
BASICS: Mapping[str, str] = {name: name for name in ("name", "label", "image", "email", "phone", "url", "summary")}
SECTIONS: Mapping[str, Mapping[str, str]] = {
    section: {json_name(name): name for name in fields} for section, fields in PROFILE.sections.items()
}

# Files older than version 1 call some things otherwise.
OLD_BASICS: Mapping[str, str] = {"picture": "image", "website": "url"}
OLD_NAMES: Mapping[str, Mapping[str, str]] = {
    "work": {"company": "name", "website": "url"},
    "volunteer": {"website": "url"},
    "education": {"gpa": "score"},
    "publications": {"website": "url"},
    "projects": {"website": "url"},
}

# Which values make two items the same thing, so that a newer file updates the one that is there. The first must be set.
IDENTITY: Mapping[str, tuple[str, ...]] = {
    "work": ("name", "position", "start"),
    "education": ("institution", "area", "study_type", "start"),
    "skills": ("name",),
    "languages": ("language",),
    "projects": ("name", "start"),
    "certificates": ("name", "issuer", "date"),
    "volunteer": ("organization", "position", "start"),
    "awards": ("title", "date"),
    "publications": ("name", "publisher"),
    "interests": ("name",),
    "references": ("name",),
    "profiles": ("network", "username"),
}
