"""Reading JSON Resume: what a file holds is kept, normalised or reported; a second reading finds nothing to do."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspaces.documents.state import DocumentState
from workspaces.exchange.resume_in import ResumePlan, read_resume
from workspaces.exchange.resume_report import MAX_LINES

from .profiles import EMPTY, after, content, profiles
from .test_resume_cases import NAMES, case

CODES = {
    "empty", "date", "present", "invalid_date", "end_before_start", "type", "wrong_type", "html", "url", "url_scheme",
    "unknown_key", "not_stored", "duplicate", "too_long", "cardinality", "control_character", "nfc", "case", "bom",
    "replaced",
}  # fmt: skip
STRANGE = st.sampled_from(
    [
        None, "", " ", "\x00", "\ud800", "e\u0301", "\ufeffx", "Present", "05/04/2021", "2021-02-30", "a\r\nb",
        "a" * 6_000, "javascript:alert(1)", "www.a.example", "<p>a</p><script>b", "&#0;&#55296;", "<" * 5_000, "\x0b",
        "<ul><li>" * 500, True, 0, -1, 2021, 1.5, 10**400, float("inf"), float("nan"), [], {}, [[]], [None], [""],
        {"name": "x"}, ["a", "a"], ["a"] * 30, [{}] * 120, [{"name": "x"}] * 3, {"year": 2020, "month": 5}, "gb", "UK",
    ]
)  # fmt: skip
ANY_JSON = st.recursive(
    STRANGE | st.text(max_size=8) | st.integers() | st.floats(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=12,
)
RESUMES = [case(name)[0] for name in NAMES]
RESUME = RESUMES[0]


def read(data: Any, profile: DocumentState = EMPTY) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What the profile then holds, and the report's paths and codes."""
    plan = read_resume(data=data, profile=profile)
    return content(after(profile, plan.operations)), [(line["path"], line["code"]) for line in plan.report]


def hold(data: Any, profile: DocumentState) -> None:
    """What is true of every file and every profile."""
    before = copy.deepcopy(data)
    plan = read_resume(data=data, profile=profile)
    assert repr(data) == repr(before)
    check_report(plan)
    filled = after(profile, plan.operations)
    again = read_resume(data=data, profile=filled)
    assert (again.operations, again.counts) == ([], {})


def check_report(plan: ResumePlan) -> None:
    # It can be stored and sent: no half characters, no NUL, no infinities.
    json.dumps(plan.report, allow_nan=False, ensure_ascii=False).encode()
    for line in plan.report:
        assert set(line) <= {"path", "code", "message", "given"}
        assert line["code"] in CODES
        assert line["message"]
        assert isinstance(line.get("given", ""), str | int | float | bool)
        assert "\x00" not in line["path"] + str(line.get("given"))
    assert len(plan.report) <= MAX_LINES + len(CODES)


@given(ANY_JSON)
def test_any_json_is_answered_by_a_plan(data: Any) -> None:
    hold(data, EMPTY)


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A good resume with some values put in place of others."""
    data = copy.deepcopy(draw(st.sampled_from(RESUMES)))
    for _ in range(draw(st.integers(1, 4))):
        place: Any = data
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and place[key] and draw(st.integers(0, 4)):
                place = place[key]
                continue
            # A copy: the next round may change it.
            place[key] = copy.deepcopy(draw(STRANGE | ANY_JSON))
            break
    return data


@given(mutated(), st.just(EMPTY) | profiles())
def test_a_damaged_resume_comes_in_as_far_as_it_goes(data: Any, profile: DocumentState) -> None:
    hold(data, profile)


@given(st.sampled_from(RESUMES), profiles())
def test_a_profile_loses_no_entry_to_an_import(data: Any, profile: DocumentState) -> None:
    found = after(profile, read_resume(data=data, profile=profile).operations)
    for section, items in profile.sections.items():
        assert set(items) <= set(found.sections[section])


def test_every_value_is_kept_or_named_in_the_report() -> None:
    """One value at a time gives way to one that cannot be kept as it stands: its path is then in the report."""

    def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return [path] if not isinstance(value, dict | list) else [
            place for key, entry in entries for place in places(entry, (*path, key))
        ]  # fmt: skip

    found = places({name: value for name, value in RESUME.items() if name not in ("$schema", "meta")})
    assert len(found) > 80
    for path in found:
        data = copy.deepcopy(RESUME)
        place: Any = data
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = {"odd": [1]}
        assert "/".join(map(str, path)) in [p for p, code in read(data)[1] if code in ("wrong_type", "type")]


@pytest.mark.parametrize("data", [None, True, 3, "x", [], [{"basics": {}}]])
def test_what_is_no_object_is_no_resume(data: Any) -> None:
    assert read(data) == (content(EMPTY), [("", "wrong_type")])


BASICS: list[tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = [
    ({"name": "  Bo  Tarn \n"}, {"name": "Bo  Tarn"}, []),
    ({"name": "Bo\nTarn"}, {"name": "Bo Tarn"}, [("basics/name", "control_character")]),
    ({"name": "Bo\x07Tarn\x00"}, {"name": "BoTarn"}, [("basics/name", "control_character")]),
    ({"name": "Jose\u0301"}, {"name": "José"}, [("basics/name", "nfc")]),
    ({"name": "\ufeffBo"}, {"name": "Bo"}, [("basics/name", "bom")]),
    ({"name": ["Bo"]}, {"name": "Bo"}, [("basics/name", "type")]),
    ({"name": ["Bo", "Tarn"]}, {}, [("basics/name", "wrong_type")]),
    ({"name": {"first": "Bo"}}, {}, [("basics/name", "wrong_type")]),
    ({"name": True}, {}, [("basics/name", "wrong_type")]),
    ({"phone": 441234}, {"phone": "441234"}, [("basics/phone", "type")]),
    ({"name": "x" * 501}, {"name": "x" * 500}, [("basics/name", "too_long")]),
    ({"label": "<b>Lead</b> &amp; coach"}, {"label": "Lead & coach"}, [("basics/label", "html")]),
    ({"url": "ada.example"}, {"url": "https://ada.example"}, [("basics/url", "url")]),
    ({"url": "javascript:alert(1)"}, {}, [("basics/url", "url_scheme")]),
    ({"picture": "https://a.example/me.jpg"}, {"image": "https://a.example/me.jpg"},
     [("basics/picture", "unknown_key")]),
    ({"picture": "https://a.example/1", "image": "https://a.example/2"}, {"image": "https://a.example/2"},
     [("basics/picture", "unknown_key")]),
    ({"location": {"countryCode": "uk"}}, {"country_code": "GB"}, [("basics/location/countryCode", "type")]),
    ({"location": {"countryCode": "Germany"}}, {"country_code": "DE"}, [("basics/location/countryCode", "type")]),
    ({"location": {"countryCode": "ZZ"}}, {}, [("basics/location/countryCode", "wrong_type")]),
    ({"location": {"countryCode": "de"}}, {"country_code": "DE"}, [("basics/location/countryCode", "case")]),
    ({"location": {"planet": "Earth"}}, {}, [("basics/location/planet", "unknown_key")]),
    ({"location": "Leeds"}, {"city": "Leeds"}, [("basics/location", "type")]),
    ({"location": None}, {}, [("basics/location", "empty")]),
    ({"location": ["Leeds"]}, {}, [("basics/location", "wrong_type")]),
]  # fmt: skip


@pytest.mark.parametrize(("basics", "fields", "report"), BASICS)
def test_basics_become_fields_and_every_change_is_told(
    basics: dict[str, Any], fields: dict[str, Any], report: list[tuple[str, str]]
) -> None:
    assert read({"basics": basics}) == ({"fields": fields, "texts": {}, "sections": {}}, report)


SECTIONS: list[tuple[str, Any, list[dict[str, Any]], list[tuple[str, str]]]] = [
    ("skills", [{"name": "Go"}, {"name": "Go"}], [{"name": "Go"}], [("skills/1", "duplicate")]),
    ("skills", [{"name": "Go", "level": "A"}, {"level": "A", "name": "Go"}], [{"name": "Go", "level": "A"}],
     [("skills/1", "duplicate")]),
    ("skills", [{"name": "Go", "keywords": ["a", "b", "a", None, 3]}], [{"name": "Go", "keywords": ["a", "b", "3"]}],
     [("skills/0/keywords/2", "duplicate"), ("skills/0/keywords/3", "empty"), ("skills/0/keywords/4", "type")]),
    ("skills", [{"keywords": "a, b; c"}], [{"keywords": ["a", "b", "c"]}], [("skills/0/keywords", "type")]),
    ("skills", [{"keywords": [["a"], {"b": 1}]}], [{"keywords": ["a"]}],
     [("skills/0/keywords/0", "type"), ("skills/0/keywords/1", "wrong_type")]),
    ("skills", ["Go", {"name": "C"}], [{"name": "Go"}, {"name": "C"}], [("skills/0", "type")]),
    ("skills", {"name": "Go"}, [{"name": "Go"}], [("skills", "type")]),
    ("skills", "Go", [], [("skills", "wrong_type")]),
    ("skills", [{}, [], 3, True], [],
     [("skills/0", "empty"), ("skills/1", "empty"), ("skills/2", "wrong_type"), ("skills/3", "wrong_type")]),
    ("work", [{"name": "A", "highlights": "- one\n- two"}], [{"name": "A", "highlights": ["one", "two"]}],
     [("work/0/highlights", "type")]),
    ("work", [{"name": "A", "highlights": "<ul><li>one</li><li>two, too</li></ul>"}],
     [{"name": "A", "highlights": ["one", "two, too"]}],
     [("work/0/highlights", "html"), ("work/0/highlights", "type")]),
    ("work", [{"name": "A", "summary": ["one", "two"]}], [{"name": "A", "summary": "one\ntwo"}],
     [("work/0/summary", "type")]),
    ("work", [{"name": "A", "location": {"city": "Leeds", "countryCode": "GB"}}],
     [{"name": "A", "location": "Leeds, GB"}], [("work/0/location", "type")]),
    ("work", [{"company": "A", "website": "https://a.example"}], [{"name": "A", "url": "https://a.example"}],
     [("work/0/company", "unknown_key"), ("work/0/website", "unknown_key")]),
    ("work", [{"name": "A", "startDate": "2021-05", "endDate": "2020"}],
     [{"name": "A", "start": "2021-05", "end": "2020"}], [("work/0/endDate", "end_before_start")]),
    ("work", [{"name": "A", "startDate": 2021, "endDate": {"year": 2022, "month": 3}}],
     [{"name": "A", "start": "2021", "end": "2022-03"}], [("work/0/startDate", "type"), ("work/0/endDate", "type")]),
    ("work", [{"name": "A", "startDate": "heute", "endDate": "aktuell"}], [{"name": "A"}],
     [("work/0/startDate", "invalid_date"), ("work/0/endDate", "present")]),
    ("education", [{"institution": "A", "score": 3.9}], [{"institution": "A", "score": "3.9"}],
     [("education/0/score", "type")]),
    ("awards", [{"title": "A", "date": False}], [{"title": "A"}], [("awards/0/date", "wrong_type")]),
    ("nonsense", [1], [], [("nonsense", "unknown_key")]),
]  # fmt: skip


@pytest.mark.parametrize(("section", "value", "items", "report"), SECTIONS)
def test_entries_become_items_and_every_change_is_told(
    section: str, value: Any, items: list[dict[str, Any]], report: list[tuple[str, str]]
) -> None:
    found, lines = read({section: value})
    assert found["sections"].get(section, []) == items
    # An entry of which nothing is left says so as well.
    assert [line for line in lines if line not in ((f"{section}/0", "empty"),) or line in report] == report


def test_what_is_over_a_limit_is_named_one_by_one() -> None:
    file = {
        "skills": [{"name": f"S{i}"} for i in range(102)],
        "work": [{"name": "A", "highlights": [f"h{i}" for i in range(22)]}],
    }
    found, report = read(file)
    assert found["sections"]["skills"] == file["skills"][:100]
    assert found["sections"]["work"] == [{"name": "A", "highlights": [f"h{i}" for i in range(20)]}]
    assert report == [
        ("skills/100", "cardinality"), ("skills/101", "cardinality"),
        ("work/0/highlights/20", "cardinality"), ("work/0/highlights/21", "cardinality"),
    ]  # fmt: skip


def test_the_file_shows_which_number_is_the_day() -> None:
    def starts(*dates: str, **location: str) -> list[str]:
        file = {
            "basics": {"location": location},
            "work": [{"name": str(i), "startDate": d} for i, d in enumerate(dates)],
        }
        return [item["start"] for item in read(file)[0]["sections"]["work"]]

    assert starts("05/04/2021") == ["2021"]
    assert starts("05/04/2021", "25/04/2021") == ["2021-04-05", "2021-04-25"]
    assert starts("05/04/2021", "04/25/2021") == ["2021-05-04", "2021-04-25"]
    assert starts("05/04/2021", "25/04/2021", "04/25/2021") == ["2021", "2021-04-25", "2021-04-25"]
    assert starts("05/04/2021", countryCode="US") == ["2021-05-04"]
    assert starts("05/04/2021", countryCode="gb") == ["2021-04-05"]


def test_a_million_flaws_are_counted_and_not_listed() -> None:
    plan = read_resume(data={f"k{i}": 1 for i in range(100_000)} | {"work": [None]}, profile=EMPTY)
    assert len(plan.report) == MAX_LINES + 2
    assert plan.report[-2]["message"] == "99,000 more of this kind are not listed one by one."
    assert [line["code"] for line in plan.report[-2:]] == ["unknown_key", "empty"]


def test_entries_without_end_are_not_read_one_by_one() -> None:
    plan = read_resume(data={"awards": [None] * 5_000 + [{"title": "A"}]}, profile=EMPTY)
    assert plan.report[-1] == {
        "path": "awards/500", "code": "cardinality", "message": "This and the 4,500 entries after it were left out."
    }  # fmt: skip
    assert (len(plan.report), plan.operations) == (501, [])
    plan = read_resume(data={"skills": [{"keywords": ["a"] * 5_000}]}, profile=EMPTY)
    assert plan.report[-1]["path"] == "skills/0/keywords/500"
    assert plan.counts == {"skills": 1}


def test_markup_without_end_is_not_read() -> None:
    file = {"work": [{"name": f"W{i}", "highlights": ["<p>" * 12_000 + str(n) for n in range(20)]} for i in range(20)]}
    plan = read_resume(data=file, profile=EMPTY)
    assert {line["code"] for line in plan.report} == {"html", "too_long"}
    assert plan.counts == {"work": 20}


# --- a profile that holds something already ----------------------------------------------------------------------

THERE = DocumentState(
    state="active",
    fields={"name": "Bo", "label": "Clerk"},
    sections={
        "work": {"itm_1": {"rank": "a0", "name": "Acme", "position": "Clerk", "start": "2015", "location": "Leeds"}},
        "skills": {"itm_2": {"rank": "a0", "name": "Go"}, "itm_3": {"rank": "a1", "name": "Go", "level": "B"}},
    },
    texts={"summary": "Old words."},
)


def test_a_newer_file_updates_what_is_the_same_thing_and_says_what_it_replaced() -> None:
    file = {
        "basics": {"name": "Bo", "label": "Lead", "summary": "New words."},
        "work": [
            {"name": "ACME", "position": "Clerk", "startDate": "2015", "endDate": "2020"},
            {"name": "Acme", "position": "Clerk", "startDate": "2021"},
        ],
    }
    plan = read_resume(data=file, profile=THERE)
    assert plan.operations == [
        {"kind": "field.set", "document": "profile", "field": "label", "value": "Lead"},
        {"kind": "text.replace", "document": "profile", "text": "summary", "old": "Old words.", "new": "New words."},
        {
            "kind": "item.update", "document": "profile", "section": "work", "item": "itm_1",
            "changes": [{"field": "name", "value": "ACME"}, {"field": "end", "value": "2020"}],
        },
        {
            "kind": "item.add", "document": "profile", "section": "work",
            "item": [{"field": "name", "value": "Acme"}, {"field": "position", "value": "Clerk"},
                     {"field": "start", "value": "2021"}],
        },
    ]  # fmt: skip
    assert [(line["path"], line["code"]) for line in plan.report] == [
        ("basics/label", "replaced"), ("basics/summary", "replaced"), ("work/0", "replaced"),
    ]  # fmt: skip
    assert plan.counts == {"work": 2}


def test_of_two_entries_that_are_alike_none_is_changed() -> None:
    plan = read_resume(data={"skills": [{"name": "Go", "level": "C"}, {"name": "Go", "level": "B"}]}, profile=THERE)
    # The equal one is taken first, which leaves a single one to update.
    assert [operation["kind"] for operation in plan.operations] == ["item.update"]
    plan = read_resume(data={"skills": [{"name": "Go", "level": "C"}]}, profile=THERE)
    assert [operation["kind"] for operation in plan.operations] == ["item.add"]


def test_typed_text_that_no_operation_can_name_is_kept_before_the_new() -> None:
    typed = DocumentState(state="active", fields={}, sections={}, texts={"summary": "Jose\u0301"})
    file = {"basics": {"summary": "New words."}}
    plan = read_resume(data=file, profile=typed)
    assert [operation["kind"] for operation in plan.operations] == ["text.append"]
    filled = after(typed, plan.operations)
    assert filled.texts["summary"] == "Jose\u0301\n\nNew words."
    assert read_resume(data=file, profile=filled).operations == []


def test_a_profile_without_room_takes_what_fits_and_names_the_rest() -> None:
    file = {"work": [{"name": f"W{i}", "highlights": ["x" * 5_000] * 1 + ["y" * 4_990 + str(n) for n in range(19)]}
                     for i in range(8)]}  # fmt: skip
    plan = read_resume(data=file, profile=EMPTY)
    assert len(plan.operations) == 4
    assert [(line["path"], line["code"]) for line in plan.report] == [(f"work/{i}", "too_long") for i in range(4, 8)]
