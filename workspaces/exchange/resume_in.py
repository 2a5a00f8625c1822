"""A JSON Resume file, read against a profile: the operations that take it over, and a line for whatever they change.

Above: the import engine. Below: `resume_values` (one value), `resume_merge` (what is there already), `resume_shape`
(names). Pure: no database, no clock. Any JSON is answered by a plan; what cannot be read is a line in its report.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workspaces.documents.schema import MAX_ITEMS, PROFILE
from workspaces.documents.state import DocumentState

from .resume_dates import ends_before_start, show_day_order
from .resume_merge import Item, Resume, plan
from .resume_report import Line, Report, below
from .resume_shape import BASICS, FORMAT, LOCATION, OLD_BASICS, OLD_NAMES, OURS, SECTIONS
from .resume_values import MAX_READ, ValueReader

_DATES = ("startDate", "endDate", "date", "releaseDate")
_UNKNOWN = "JSON Resume has nothing of this name; it was left out."
_NO_OBJECT = "This should be an object; it was left out."
# Where a section's entries are plain words, they are this.
_MAIN = {section: next(iter(names)) for section, names in SECTIONS.items()}


@dataclass(frozen=True, slots=True)
class ResumePlan:
    """`operations` in order, for batches of at most 20. `counts`: items added or updated, by section.

    `report` has `{"path", "code", "message"}` with `given` where a value tells more. Codes: empty, date, present,
    invalid_date, end_before_start, type, wrong_type, html, url, url_scheme, unknown_key, not_stored, duplicate,
    too_long, cardinality, control_character, nfc, case, bom, and replaced (the profile had another value).
    """

    operations: list[dict[str, Any]]
    report: list[Line]
    counts: dict[str, int]


def looks_like_resume(data: Any) -> bool:
    """Whether a file has anything that JSON Resume knows."""
    return isinstance(data, dict) and any(name in data for name in ("$schema", "basics", "meta", *SECTIONS))


def read_resume(*, data: Any, profile: DocumentState) -> ResumePlan:
    """What taking over `data` means for `profile`."""
    report = Report()
    if not isinstance(data, dict):
        report.add("", "wrong_type", "A resume is a JSON object; nothing was taken over.", data)
        return ResumePlan([], report.lines(), {})
    ours = _mark_of_ours(data)
    if ours is not None:
        data = _with_exact_values(data, ours)
    resume = _Reading(data, report, verbatim=ours is not None).run()
    operations, counts = plan(resume=resume, profile=profile, report=report)
    return ResumePlan(operations, report.lines(), counts)


class _Reading:
    """One pass over a file, in its own order."""

    def __init__(self, data: Mapping[str, Any], report: Report, *, verbatim: bool) -> None:
        self._data = data
        self._report = report
        self._verbatim = verbatim
        self._values = ValueReader(report, day_first=_day_order(data), verbatim=verbatim)
        self._resume = Resume()

    def run(self) -> Resume:
        for name, value in self._data.items():
            if name == "basics":
                self._basics(value)
            elif name in SECTIONS and name != "profiles":
                self._section(name, value, name)
            elif name == "meta":
                if not self._verbatim:
                    message = "The profile has no place for what a file says about itself."
                    self._report.add("meta", "not_stored", message, value)
            elif name != "$schema":
                self._report.add(below("", name), "unknown_key", _UNKNOWN, value)
        return self._resume

    def _basics(self, value: Any) -> None:
        if not isinstance(value, dict):
            self._no_object("basics", value)
            return
        for name, entry in value.items():
            path = below("basics", name)
            known = self._known(name, value, OLD_BASICS, path, BASICS)
            if name == "location":
                self._location(entry, path)
            elif name == "profiles":
                self._section("profiles", entry, path)
            elif known is None:
                self._report.add(path, "unknown_key", _UNKNOWN, entry)
            elif known == "summary":
                text = self._values.long_text(entry, path)
                if text is not None:
                    self._resume.texts["summary"] = Item(path, {"summary": text})
            else:
                self._field(known, entry, path)

    def _location(self, value: Any, path: str) -> None:
        if isinstance(value, str) and value.strip():
            self._report.add(path, "type", "A text was written as the city.", value)
            self._field("city", value, path)
            return
        if not isinstance(value, dict):
            self._no_object(path, value)
            return
        for name, entry in value.items():
            where = below(path, name)
            if name in LOCATION:
                self._field(LOCATION[name], entry, where)
            else:
                self._report.add(where, "unknown_key", _UNKNOWN, entry)

    def _field(self, name: str, value: Any, path: str) -> None:
        read = self._values.read(value, PROFILE.fields[name], path)
        if read is not None:
            self._resume.fields[name] = Item(path, {name: read})

    # --- sections ------------------------------------------------------------------------------------------------

    def _section(self, section: str, value: Any, path: str) -> None:
        if isinstance(value, dict) and value:
            self._report.add(path, "type", "A single entry was written as a list.")
            entries = [(path, value)]
        elif isinstance(value, list):
            entries = [(below(path, index), entry) for index, entry in enumerate(value[:MAX_READ])]
        else:
            self._no_list(path, value)
            return
        items: list[Item] = self._resume.sections.setdefault(section, [])
        for where, entry in entries:
            if len(items) >= MAX_ITEMS and entry is not None:
                message = f"A section holds at most {MAX_ITEMS} entries; this was left out."
                self._report.add(where, "cardinality", message, entry)
                continue
            values = self._item(section, entry, where)
            if values is None:
                continue
            if not self._verbatim and any(values == item.values for item in items):
                self._report.add(where, "duplicate", "The same entry stands in this section already.", entry)
            else:
                items.append(Item(where, values))
        if isinstance(value, list) and len(value) > MAX_READ:
            message = f"This and the {len(value) - MAX_READ - 1:,} entries after it were left out."
            self._report.add(below(path, MAX_READ), "cardinality", message)

    def _item(self, section: str, value: Any, path: str) -> dict[str, Any] | None:
        if isinstance(value, str) and value.strip():
            self._report.add(path, "type", f"A text was written as an entry's {_MAIN[section]}.", value)
            value = {_MAIN[section]: value}
        elif isinstance(value, list | int | float) and value != []:
            self._report.add(path, "wrong_type", _NO_OBJECT, value)
            return None
        values = self._item_values(section, value, path) if isinstance(value, dict) else {}
        if not values:
            self._report.add(path, "empty", "There is nothing in this entry.")
            return None
        if ends_before_start(values.get("start"), values.get("end")):
            message = "The end lies before the start; both were kept."
            self._report.add(below(path, "endDate"), "end_before_start", message, value.get("endDate"))
        # In the order of the declaration: equal entries are equal whatever order their file has.
        return {name: values[name] for name in PROFILE.sections[section] if name in values}

    def _item_values(self, section: str, entry: Mapping[str, Any], path: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in entry.items():
            where = below(path, name)
            known = self._known(name, entry, OLD_NAMES.get(section, {}), where, SECTIONS[section])
            if known is None:
                self._report.add(where, "unknown_key", _UNKNOWN, value)
                continue
            if known == "location" and isinstance(value, dict):
                value = self._place(value, where)
            read = self._values.read(value, PROFILE.sections[section][known], where)
            if read is not None:
                values[known] = read
        return values

    def _place(self, value: Mapping[str, Any], path: str) -> Any:
        """An address in parts, as `basics` has it, in one line."""
        parts = [value[name] for name in ("address", "postalCode", "city", "region", "countryCode") if value.get(name)]
        if not parts or not all(isinstance(part, str) for part in parts):
            return value
        self._report.add(path, "type", "A place in parts was written in one line.", value)
        return ", ".join(parts)

    def _known(
        self, name: str, entry: Mapping[str, Any], old: Mapping[str, str], path: str, names: Mapping[str, str]
    ) -> str | None:
        """The profile's name behind a key, or None. Older files call some things otherwise."""
        if name in names:
            return names[name]
        if name not in old or old[name] in entry or not entry[name]:
            return None
        message = f"Older files say {name} for what is now {old[name]}; it was taken over as that."
        self._report.add(path, "unknown_key", message, entry[name])
        return old[name]

    def _no_object(self, path: str, value: Any) -> None:
        if value is None or (isinstance(value, str) and not value.strip()):
            self._report.add(path, "empty", "There is nothing here.")
        else:
            self._report.add(path, "wrong_type", _NO_OBJECT, value)

    def _no_list(self, path: str, value: Any) -> None:
        if value is None or value == {} or (isinstance(value, str) and not value.strip()):
            self._report.add(path, "empty", "There is nothing here.")
        else:
            self._report.add(path, "wrong_type", "This should be a list of entries; it was left out.", value)


def _day_order(data: Mapping[str, Any]) -> bool | None:
    """Whether this file writes the day first, as far as it shows."""
    basics = data.get("basics")
    location = basics.get("location") if isinstance(basics, dict) else None
    country = location.get("countryCode") if isinstance(location, dict) else None
    code = country.strip().upper() if isinstance(country, str) and len(country.strip()) == 2 else None
    return show_day_order(_dates(data), code)


def _dates(data: Mapping[str, Any]) -> Iterator[str]:
    for section in SECTIONS:
        entries = data.get(section)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield from (entry[name] for name in _DATES if isinstance(entry.get(name), str))


# --- exports of ours ---------------------------------------------------------------------------------------------


def _mark_of_ours(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    meta = data.get("meta")
    mark = meta.get(OURS) if isinstance(meta, dict) else None
    return mark if isinstance(mark, dict) and mark.get("format") == FORMAT else None


def _with_exact_values(data: Mapping[str, Any], mark: Mapping[str, Any]) -> Mapping[str, Any]:
    """The file with the values that JSON Resume could not hold, wherever it still says what we wrote instead."""
    exact = mark.get("exact")
    if not isinstance(exact, list) or not exact:
        return data
    filled = copy.deepcopy(dict(data))
    for entry in exact:
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            continue
        *parents, name = entry["path"].split("/")
        place: Any = filled
        for parent in parents:
            if isinstance(place, dict):
                place = place.setdefault(parent, {})
            elif isinstance(place, list) and parent.isascii() and parent.isdigit() and int(parent) < len(place):
                place = place[int(parent)]
        if isinstance(place, dict) and place.get(name) == entry.get("written"):
            place[name] = entry.get("value")
    return filled
