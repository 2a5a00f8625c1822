"""Answers of the other side, taken or refused by their shape."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobcache_client.answers import ShapeError, read_json, read_search_page

PAGE: dict[str, Any] = {
    "roles": [
        {
            "role": "rol_1", "title": "Engineer", "company": None, "location": "Zürich", "work_mode": "hybrid",
            "employment_type": "full",
            "salary": {"min": 1, "max": None, "currency": "CHF", "period": "year", "kind": "stated", "raw": None},
            "posted_on": "2026-11-30", "valid_through": None, "url": "https://jobs.example.org/1", "snippet": "Text.",
            "evidence": [
                {"ad": "ad_1", "source": "board", "fetched_at": "2026-11-30T09:00:00Z", "content_hash": "sha256:0"},
            ],
            "freshness": {"state": "fresh", "checked_at": "2026-11-30T09:00:00Z"},
        }
    ],
    "total": 1,
    "next_cursor": None,
    "corpus_version": "7",
}  # fmt: skip


def _changed(path: str, value: Any) -> dict[str, Any]:
    page = copy.deepcopy(PAGE)
    *parents, last = path.split("/")
    place: Any = page
    for step in parents:
        place = place[int(step) if step.isdigit() else step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = value
    return page


def test_an_agreed_page_is_taken_as_it_is() -> None:
    assert read_search_page(copy.deepcopy(PAGE)) == PAGE


def test_members_that_nobody_agreed_on_are_dropped() -> None:
    page = _changed("roles/0/tracking", "x")
    page["workspace"] = "ws_1"
    assert read_search_page(page) == PAGE


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("roles", None),
        ("roles", {}),
        ("total", "1"),
        ("total", True),
        ("total", -1),
        ("next_cursor", ...),
        ("next_cursor", ""),
        ("next_cursor", "x" * 4001),
        ("corpus_version", 7),
        ("roles/0/role", ...),
        ("roles/0/role", "x" * 41),
        ("roles/0/role", "../../etc"),
        ("roles/0/title", ""),
        ("roles/0/title", "x" * 501),
        ("roles/0/title", "bell\x07"),
        ("roles/0/work_mode", "moon"),
        ("roles/0/employment_type", ["full"]),
        ("roles/0/salary", ...),
        ("roles/0/salary", 5),
        ("roles/0/salary/min", 1.5),
        ("roles/0/salary/kind", "guessed"),
        ("roles/0/posted_on", "30.11.2026"),
        ("roles/0/url", "javascript:alert(1)"),
        ("roles/0/snippet", "x" * 401),
        ("roles/0/evidence", []),
        ("roles/0/evidence/0/fetched_at", "2026-11-30T09:00:00"),
        ("roles/0/evidence/0/source", None),
        ("roles/0/freshness", None),
        ("roles/0/freshness/state", "old"),
    ],
)
def test_a_page_of_another_shape_is_refused_without_repeating_a_value(path: str, value: Any) -> None:
    with pytest.raises(ShapeError) as caught:
        read_search_page(_changed(path, value))
    assert str(caught.value).endswith("is not what was agreed")


def test_more_roles_than_a_page_holds_are_refused() -> None:
    with pytest.raises(ShapeError):
        read_search_page(PAGE | {"roles": PAGE["roles"] * 26})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_other_json_is_refused_as_a_shape_and_nothing_worse(value: Any) -> None:
    with pytest.raises(ShapeError):
        read_search_page(value)


@pytest.mark.parametrize("body", [b"", b"\xff", b'{"a":1,"a":2}', b"[NaN]", b"[" * 100_000])
def test_a_body_that_is_not_strict_json_is_a_shape_error(body: bytes) -> None:
    with pytest.raises(ShapeError):
        read_json(body)


def test_strict_json_is_read() -> None:
    assert read_json(json.dumps(PAGE).encode()) == PAGE
