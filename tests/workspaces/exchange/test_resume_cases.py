"""The resumes of `cases/`, brought in through the real import: what stands in the profile, and what the report says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.factories import Writer
from workspaces.documents.schema import MAX_STATE_BYTES

from .conftest import bring_in, take_back

CASES = Path(__file__).with_name("cases")
NAMES = sorted(path.name.removesuffix(".expected.json") for path in CASES.glob("*.expected.json"))


def case(name: str) -> tuple[Any, dict[str, Any]]:
    """The file, and what must come out."""
    expected: dict[str, Any] = json.loads((CASES / f"{name}.expected.json").read_text())
    return json.loads((CASES / f"{name}.json").read_text()), expected


def matches(found: Any, expected: Any) -> bool:
    """Equal, or as a matcher of `cases/README.md` says. White space counts as one space."""
    if isinstance(expected, dict) and "$in" in expected:
        return any(matches(found, entry) for entry in expected["$in"])
    if isinstance(expected, dict) and {"$has", "$not"} & set(expected):
        text = " ".join(str(found).split()).casefold()
        has, lacks = expected.get("$has", []), expected.get("$not", [])
        return all(part.casefold() in text for part in has) and not any(part.casefold() in text for part in lacks)
    if isinstance(expected, dict):
        return isinstance(found, dict) and set(found) == set(expected) and all(
            matches(found[name], entry) for name, entry in expected.items()
        )  # fmt: skip
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(matches, found, expected))
    if isinstance(expected, str):
        return isinstance(found, str) and found.split() == expected.split()
    return bool(found == expected)


def profile(writer: Writer) -> dict[str, Any]:
    document = writer.read("profile")
    sections = {
        name: [{field: value for field, value in item.items() if field != "id"} for item in items]
        for name, items in document["sections"].items()
    }
    return {"fields": document["fields"], "texts": document["texts"], "sections": sections}


@pytest.mark.parametrize("name", NAMES)
def test_a_case_comes_in_as_expected_and_a_second_time_changes_nothing(owner: Writer, name: str) -> None:
    file, expected = case(name)
    answer = bring_in(owner, file)
    found = profile(owner)
    for part in ("fields", "texts", "sections"):
        assert matches(found[part], expected["profile"][part]), found[part]
    assert answer["counts"] == expected["counts"]
    lines = {(line["path"], line["code"]): line.get("given") for line in answer["report"]}
    assert len(lines) == len(answer["report"])
    assert set(lines) == {(line["path"], line["code"]) for line in expected["report"]}
    for line in expected["report"]:
        assert lines[line["path"], line["code"]] == line.get("given", lines[line["path"], line["code"]])
    assert all(line["message"] for line in answer["report"])

    clock = owner.clock("profile")
    again = bring_in(owner, file)
    assert (owner.clock("profile"), profile(owner)) == (clock, found)
    assert again["counts"] == {}


# Many small values, few large ones, text in three bytes a letter: each more than a profile holds.
FULL = {
    "small": {section: [{first: f"{i}", name: [f"{i}, {n}" + "x" * 40 for n in range(20)]} for i in range(100)]
              for section, first, name in [("work", "name", "highlights"), ("education", "institution", "courses"),
                                           ("volunteer", "organization", "highlights"),
                                           ("skills", "name", "keywords")]},
    "large": {"work": [{"name": f"W{i}", "highlights": [f"{n}" + "x" * 4_900 for n in range(20)]} for i in range(9)]},
    "wide": {"basics": {"summary": "語" * 49_000},
             "references": [{"reference": f"{i}" + "語" * 4_900} for i in range(60)]},
}  # fmt: skip


@pytest.mark.parametrize("shape", FULL)
def test_a_file_too_large_for_a_profile_comes_in_as_far_as_it_goes(owner: Writer, shape: str) -> None:
    answer = bring_in(owner, FULL[shape])
    left_out = [line for line in answer["report"] if line["code"] == "too_long"]
    assert left_out
    size = len(json.dumps(profile(owner), ensure_ascii=False).encode())
    assert size > MAX_STATE_BYTES // 4
    clock = owner.clock("profile")
    bring_in(owner, FULL[shape])
    assert owner.clock("profile") == clock


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_taken_back_whole(owner: Writer, name: str) -> None:
    before = profile(owner)
    answer = bring_in(owner, case(name)[0])
    take_back(owner, answer["import"])
    assert profile(owner) == before
