"""JSON Resume over HTTP: in by anybody who may write, out for the owner, and no file makes the server fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from .conftest import Opened, batch, problem

RESUME = {
    "basics": {"name": "Ada", "url": "ada.example"},
    "work": [{"name": "Acme", "startDate": "May 2021", "endDate": "Present"}],
}
REPORT = [
    ("basics/url", "url", "ada.example"), ("work/0/startDate", "date", "May 2021"),
    ("work/0/endDate", "present", "Present"),
]  # fmt: skip


def content(answer: HttpResponse) -> bytes:
    return b"".join(answer.streaming_content)


def lines(answer: HttpResponse) -> list[tuple[Any, ...]]:
    return [(line["path"], line["code"], line.get("given")) for line in json.loads(answer.content)["report"]]


def test_a_resume_comes_in_goes_out_and_is_taken_back(opened: Opened) -> None:
    answer = opened.edit("POST", "import", RESUME)
    assert answer.status_code == 200, answer.content
    assert json.loads(answer.content)["counts"] == {"work": 1}
    assert lines(answer) == REPORT

    out = opened.owner("GET", "export/resume.json")
    assert (out.status_code, out["Content-Type"], out["Cache-Control"]) == (200, "application/json", "no-store")
    assert out["Content-Disposition"].startswith('attachment; filename="careervector-resume-20')
    file = json.loads(content(out))
    assert file["basics"] == {"name": "Ada", "url": "https://ada.example"}
    assert file["work"] == [{"name": "Acme", "startDate": "2021-05"}]
    assert file["meta"]["lastModified"].endswith("Z")

    again = opened.edit("POST", "import", file)
    assert (json.loads(again.content)["counts"], lines(again)) == ({}, [])

    imported = json.loads(answer.content)["import"]
    undone = opened.edit("POST", f"imports/{imported}/undo", {}, key="u")
    assert undone.status_code == 200, undone.content
    empty = json.loads(content(opened.owner("GET", "export/resume.json")))
    assert (empty["basics"], "work" in empty) == ({}, False)


def test_only_the_owner_takes_the_profile_out_and_readers_bring_nothing_in(opened: Opened, stranger: Opened) -> None:
    assert problem(opened.edit("GET", "export/resume.json")) == (403, "owner_only")
    assert problem(opened.view("GET", "export/resume.json")) == (403, "owner_only")
    assert problem(opened.view("POST", "import", RESUME)) == (403, "view_only")
    elsewhere = f"/api/v1/workspaces/{stranger.workspace}/export/resume.json"
    assert problem(opened.owner("GET", elsewhere)) == (404, "not_found")
    assert problem(opened.owner("POST", "export/resume.json", {})) == (405, "method_not_allowed")


def test_a_byte_order_mark_is_reported_before_the_rest(opened: Opened) -> None:
    answer = opened.edit("POST", "import", raw=b"\xef\xbb\xbf" + json.dumps(RESUME).encode())
    assert answer.status_code == 200, answer.content
    assert lines(answer) == [("", "bom", None), *REPORT]


def test_a_field_that_had_another_value_is_replaced_and_said(opened: Opened) -> None:
    opened.owner("POST", "operations", batch("Bo"), key="k")
    answer = opened.edit("POST", "import", {"basics": {"name": "Ada"}})
    assert lines(answer) == [("basics/name", "replaced", "Ada")]


@pytest.mark.parametrize("wrapped", ["basics", "work", "skills", "nonsense", "meta"])
def test_no_resume_makes_the_server_fail(opened: Opened, wrapped: str) -> None:
    odd: list[Any] = [
        None, True, 0, 1.5, 10**300, -1, "", "x", "\x00", "a\x0bb", "<" * 3_000, "e\u0301", [], {}, [[]], [None],
        ["x"] * 200, [{}] * 3, [{"name": "\x00"}], [{"name": ["a", 1], "url": "javascript:x"}],
        {"name": {"a": [1, {"b": None}]}},
        {"\x00": 1, "a/b": 2, "": 3},
        {"summary": "&#0;&#55296;&#xFFFF;"}, {"url": "https://[", "image": "//x"},
        {"location": {"countryCode": "\x85"}}, [{"startDate": 10**30, "endDate": "²⁰²¹"}],
        [{"keywords": ["\x00", "a" * 600]}],
    ]  # fmt: skip
    for value in odd:
        answer = opened.edit("POST", "import", {"basics": {}, wrapped: value})
        assert answer.status_code == 200, (value, answer.content)
