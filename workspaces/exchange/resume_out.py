"""The profile as JSON Resume v1, and so that reading it again gives the same profile.

Above: the facade. Below: `resume_shape`. Pure: no database. What the published schema cannot hold (an address that is
no ASCII URI, a mail address that is none, a year before 1000 or after 2999) is written as near as it allows, and its
exact value is kept under `meta`, from where `resume_in` takes it as long as the file still says what we wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from workspaces.documents.schema import PROFILE
from workspaces.documents.state import DocumentState, ordered_items
from workspaces.documents.values import ValueType

from .resume_shape import BASICS, FORMAT, LOCATION, OURS, SCHEMA_URL, SECTIONS, VERSION

_MAIL = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+"
)
_DATE = re.compile(r"[12]\d{3}(?:-\d{2}){0,2}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.?")
_URI = re.compile(r"[a-z]+:(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", re.IGNORECASE)
_LOOSE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "._~:/?@!$&'()*+,;=-%"


def resume_json(*, profile: DocumentState, changed_at: str | None = None) -> dict[str, Any]:
    """The whole file. `changed_at`: when the profile was last changed, as RFC 3339. What is empty is absent."""
    writer = _Writing()
    basics = writer.values("basics", profile.fields, {key: BASICS[key] for key in BASICS if key != "summary"})
    if summary := profile.texts.get("summary"):
        basics["summary"] = summary
    if location := writer.values("basics/location", profile.fields, LOCATION):
        basics["location"] = location
    if profiles := writer.section(profile, "profiles", "basics/profiles"):
        basics["profiles"] = profiles
    file: dict[str, Any] = {"$schema": SCHEMA_URL, "basics": basics}
    for name in SECTIONS:
        if name != "profiles" and (items := writer.section(profile, name, name)):
            file[name] = items
    meta: dict[str, Any] = {"version": VERSION}
    if changed_at is not None:
        meta["lastModified"] = changed_at
    meta[OURS] = {"format": FORMAT, "exact": writer.exact}
    return {**file, "meta": meta}


class _Writing:
    """`exact` collects the values that the schema cannot hold, each with what was written in its place."""

    def __init__(self) -> None:
        self.exact: list[dict[str, Any]] = []

    def section(self, profile: DocumentState, name: str, path: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        for _, item in ordered_items(profile.sections.get(name, {})):
            place = f"{path}/{len(items)}"
            kinds = PROFILE.sections[name]
            values = self.values(place, item, SECTIONS[name], kinds)
            # An entry whose only value is kept under `meta` still has its place.
            if values or any(entry["path"].startswith(f"{place}/") for entry in self.exact):
                items.append(values)
        return items

    def values(
        self,
        path: str,
        values: Mapping[str, Any],
        names: Mapping[str, str],
        kinds: Mapping[str, ValueType] = PROFILE.fields,
    ) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for key, name in names.items():
            value = values.get(name)
            if value is None or value in ("", []):
                continue
            fit = _fitted(key, value, kinds[name])
            if fit is not None:
                written[key] = fit
            if fit != value:
                self.exact.append({"path": f"{path}/{key}", "written": fit, "value": value})
        return written


def _fitted(key: str, value: Any, kind: ValueType) -> Any:
    """The value as the schema takes it, or None where it takes nothing like it."""
    if kind.name == "partial_date":
        return value if _DATE.fullmatch(value) else None
    if key == "email":
        return value if _MAIL.fullmatch(value) else None
    return _uri(value) if kind.name == "url" else value


def _uri(url: str) -> str | None:
    """A URI of RFC 3986: ASCII, every other character percent-encoded, a foreign host in its ASCII form."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode() if parts.netloc else ""
        port = f":{parts.port}" if parts.port is not None else ""
    except (ValueError, UnicodeError):
        return None
    if parts.netloc and (not _HOST.fullmatch(host) or "@" in parts.netloc):
        return None
    path, query, fragment = (
        quote(_LOOSE_PERCENT.sub("%25", part), safe=_SAFE) for part in (parts.path, parts.query, parts.fragment)
    )
    if parts.netloc and (parts.hostname or "") == host.lower() and (path, query, fragment) == parts[2:]:
        # Nothing to change: as it is, capitals of the host and an empty query included.
        return url if _URI.fullmatch(url) else None
    made = urlunsplit((parts.scheme, f"{host}{port}", path, query, fragment))
    return made if _URI.fullmatch(made) else None
