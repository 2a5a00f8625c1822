"""Writing JSON Resume: valid by its published schema, and read again it is the same profile."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft7Validator, FormatChecker

from tests.factories import Writer
from workspaces import facade
from workspaces.documents.state import DocumentState
from workspaces.exchange.resume_in import read_resume
from workspaces.exchange.resume_out import resume_json

from .conftest import bring_in
from .profiles import EMPTY, after, content, profiles
from .test_resume_cases import NAMES, case, profile

SCHEMA = json.loads((Path(__file__).with_name("json_resume") / "schema.json").read_text())
FORMATS = FormatChecker(())


@FORMATS.checks("uri")
def is_uri(value: object) -> bool:
    """RFC 3986: a scheme, and nothing but ASCII characters of a URI or percent-encoded ones."""
    if not isinstance(value, str):
        return True
    host = re.match(r"[a-z]+://([^/?#]*)", value)
    return (
        re.fullmatch(r"[a-z][a-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", value, re.I) is not None
        and value.count("#") < 2
        and (host is None or re.fullmatch(r"[A-Za-z0-9.-]+(?::\d+)?", host[1]) is not None)
    )


@FORMATS.checks("email")
def is_email(value: object) -> bool:
    return not isinstance(value, str) or re.fullmatch(r"[^@\s\x80-\U0010ffff]+@[A-Za-z0-9.-]+", value) is not None


VALIDATOR = Draft7Validator(SCHEMA, format_checker=FORMATS)


def read_again(file: dict[str, Any]) -> tuple[DocumentState, list[dict[str, Any]]]:
    plan = read_resume(data=json.loads(json.dumps(file)), profile=EMPTY)
    return after(EMPTY, plan.operations), plan.report


def flaws(file: Any) -> list[str]:
    return [f"{'/'.join(map(str, error.path))}: {error.message}" for error in VALIDATOR.iter_errors(file)]


@given(profiles())
def test_any_profile_is_a_valid_file_and_comes_back_the_same_without_a_remark(made: DocumentState) -> None:
    file = resume_json(profile=made, changed_at="2026-07-01T09:30:00.000Z")
    assert flaws(file) == []
    back, report = read_again(file)
    assert content(back) == content(made)
    assert {line["code"] for line in report} <= {"end_before_start"}
    assert resume_json(profile=back, changed_at="2026-07-01T09:30:00.000Z") == file


@pytest.mark.parametrize("name", NAMES)
def test_what_came_in_goes_out_and_comes_in_alike(name: str) -> None:
    first = after(EMPTY, read_resume(data=case(name)[0], profile=EMPTY).operations)
    file = resume_json(profile=first)
    assert flaws(file) == []
    assert content(read_again(file)[0]) == content(first)


def test_a_complete_resume_goes_out_as_it_came() -> None:
    data = case("01-complete")[0]
    file = resume_json(profile=after(EMPTY, read_resume(data=data, profile=EMPTY).operations))
    own = ("$schema", "meta")
    assert {k: v for k, v in file.items() if k not in own} == {k: v for k, v in data.items() if k not in own}


def test_the_schema_refuses_what_the_checks_of_this_file_would_overlook() -> None:
    good = resume_json(profile=after(EMPTY, read_resume(data=case("01-complete")[0], profile=EMPTY).operations))
    for path, value in [(("work", 0, "startDate"), "999"), (("basics", "url"), "https://münchen.example"),
                        (("basics", "email"), "nobody"), (("skills", 0, "keywords"), "a")]:  # fmt: skip
        bad = copy.deepcopy(good)
        place: Any = bad
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        assert len(flaws(bad)) == 1, path


ODD = DocumentState(
    state="active",
    fields={"email": "ask me", "url": "https://münchen.example/straße"},
    sections={"work": {"itm_1": {"rank": "a0", "start": "0999"}, "itm_2": {"rank": "a1", "name": "Acme"}}},
    texts={"summary": "Use <p>, or &amp; <b>bold</b>."},
)
WRITTEN = "https://xn--mnchen-3ya.example/stra%C3%9Fe"


def test_what_json_resume_cannot_hold_is_written_as_near_as_it_goes_and_kept_exactly() -> None:
    file = resume_json(profile=ODD)
    assert flaws(file) == []
    assert file["basics"] == {
        "url": WRITTEN,
        "summary": "Use <p>, or &amp; <b>bold</b>.",
    }
    assert file["work"] == [{}, {"name": "Acme"}]
    assert content(read_again(file)[0]) == content(ODD)


def test_an_edit_of_the_file_counts_more_than_what_was_kept() -> None:
    file = resume_json(profile=ODD)
    file["basics"]["url"] = "https://other.example"
    file["basics"]["email"] = "ada@ada.example"
    file["work"][0]["startDate"] = "2001"
    found = content(read_again(file)[0])
    assert found["fields"] == {"email": "ada@ada.example", "url": "https://other.example"}
    assert found["sections"]["work"] == [{"start": "2001"}, {"name": "Acme"}]


@pytest.mark.parametrize(
    "exact",
    [
        None, 3, {}, [None], [{}], [{"path": 3}], [{"path": ""}], [{"path": "work"}], [{"path": "work/9/name"}],
        [{"path": "work/0/0/0", "value": 1}], [{"path": "basics/email/x", "value": 1}],
        [{"path": "basics/label", "value": {"a": 1}}], [{"path": "meta/careervector", "value": 1}],
        [{"path": "profiles/x", "value": "javascript:alert(1)"}],
        [{"path": "basics/url", "written": WRITTEN, "value": "javascript:alert(1)"}],
    ],
)  # fmt: skip
def test_a_forged_mark_brings_in_nothing_that_a_file_could_not(exact: Any) -> None:
    file = resume_json(profile=ODD)
    file["meta"]["careervector"]["exact"] = exact
    found, _ = read_again(file)
    assert found.fields.get("url") in (None, WRITTEN)
    assert "email" not in found.fields


def test_a_workspace_goes_out_and_into_another(owner: Writer, other: Writer) -> None:
    for name in NAMES:
        bring_in(owner, case(name)[0])
    with facade.sql.snapshot():
        text = facade.profile_resume(workspace=owner.workspace)
    file = json.loads(text)
    assert flaws(file) == []
    answer = bring_in(other, file)
    assert profile(other) == profile(owner)
    assert answer["report"] == []
    assert answer["counts"] == {name: len(items) for name, items in profile(owner)["sections"].items()}
