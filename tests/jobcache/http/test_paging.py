"""Paging while the corpus grows, and cursors that do not belong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.jobcache.service import CASES, Service, run, serve


def _page_through(service: Service, data: Path, file: Path, **wishes: object) -> tuple[list[str], int]:
    """All ads one by one, while after each page one ad that matches is added; and how many there were at first."""
    first = service.page(limit=1, **wishes)
    ads = [first["roles"][0]["evidence"][0]["ad"]]
    cursor = first["next_cursor"]
    for turn in range(200):
        if cursor is None:
            break
        if turn < 4:
            # Older, newer, better and worse than what was shown: some land before the cursor, some after it.
            title = ["Engineer", "Data Engineer", "Pyhton Engineer", "Clerk in Leeds"][turn]
            ad = {"id": f"new{turn}", "title": title, "company": "Late Ltd", "location": "Leeds", "country": "GB"}
            ad |= {"posted_on": f"2026-1{turn % 2}-0{turn + 1}", "text": "An engineer and python."}
            file.write_text(json.dumps(ad))
            assert run(data, "load_ads", str(file)).returncode == 0
        page = service.page(limit=1, cursor=cursor, **wishes)
        ads += [role["evidence"][0]["ad"] for role in page["roles"]]
        cursor = page["next_cursor"]
    return ads, first["total"]


@pytest.mark.parametrize("wishes", [{"query": "engineer"}, {"query": "pyhton engineer"}, {"location": "Leeds"}])
def test_no_role_comes_twice_and_none_is_skipped_while_ads_are_added(
    data: Path, tmp_path: Path, wishes: dict[str, object]
) -> None:
    run(data, "load_ads", str(CASES / "ads.jsonl"))
    with serve(data) as service:
        before: list[str] = []
        cursor = None
        while cursor is not None or not before:
            page = service.page(limit=25, cursor=cursor, **wishes)
            before += [role["evidence"][0]["ad"] for role in page["roles"]]
            cursor = page["next_cursor"]
        ads, total = _page_through(service, data, tmp_path / "one.jsonl", **wishes)
    assert total == len(before)
    assert len(ads) == len(set(ads))
    assert [ad for ad in ads if not ad.startswith("new")] == before


@pytest.mark.parametrize("change", ["other question", "cut", "turned", "rubbish", "long"])
def test_a_cursor_that_does_not_belong_is_422(cases_service: Service, change: str) -> None:
    cursor = cases_service.page(query="engineer", limit=1)["next_cursor"]
    query = "developer" if change == "other question" else "engineer"
    changed = {"cut": cursor[:-4], "turned": cursor[::-1], "rubbish": "ü" * 9, "long": "A" * 5000}.get(change, cursor)
    answer = cases_service.search(query=query, cursor=changed)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_request"
    assert [(flaw["path"], flaw["code"]) for flaw in answer.json()["errors"]] == [("cursor", "invalid_cursor")]


def test_the_page_size_may_change_between_pages(cases_service: Service) -> None:
    whole = cases_service.ads(query="engineer", limit=9)
    first = cases_service.page(query="engineer", limit=4)
    rest = cases_service.ads(query="engineer", limit=5, cursor=first["next_cursor"])
    assert [role["evidence"][0]["ad"] for role in first["roles"]] + rest == whole
