"""The shared search cases and what the filters mean, asked over HTTP."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.jobcache.service import CASES, Service


@dataclass(frozen=True)
class Case:
    """One line of queries.tsv."""

    query: str
    filters: dict[str, Any]
    must: list[str]
    must_not: list[str]
    below: list[str]
    note: str


def _cases() -> list[Any]:
    lines = (CASES / "queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = []
    for line in lines:
        name, query, filters, must, must_not, below, note = (line.split("\t") + [""] * 7)[:7]
        ids = [[one for one in cell.split(",") if one] for cell in (must, must_not, below)]
        found.append(pytest.param(Case(query, json.loads(filters), *ids, note), id=name))
    return found


@pytest.mark.parametrize("case", _cases())
def test_the_case_finds_what_it_must_and_nothing_that_it_must_not(cases_service: Service, case: Case) -> None:
    ads = cases_service.ads(query=case.query, limit=5, **case.filters)
    assert set(case.must) <= set(ads)
    assert not set(case.must_not) & set(ads)
    last = max((ads.index(one) for one in case.must), default=-1)
    assert all(ads.index(one) > last for one in case.below if one in ads)
    if "rank 1" in case.note:
        assert ads[:1] == case.must[:1]


@pytest.mark.parametrize(
    ("query", "ads"),
    [
        ("R", ["s011", "s012"]),
        ("C", ["s003"]),
        ("go", ["s014", "s015"]),
        ("golang", ["s014", "s015"]),
        ("F#", ["s018"]),
        ("R&D", ["s013"]),
        ("objective-c", ["s017"]),
        ("java", ["s025", "s037"]),
        ("nodejs", ["s009", "s010"]),
        ("asp.net", ["s076"]),
        ("dot net", ["s007", "s006", "s076"]),
        ("munich", ["s034"]),
        ("muenchen", ["s034"]),
        ("cologne barista", ["s040"]),
        ("tokyo", ["s041"]),
        ("개발자", ["s048"]),
        ("програмисты", ["s045"]),
        ("Προγραμματιστης", ["s050"]),
        ("المهندس", ["s046"]),
        ("electricain", ["s060"]),
        ("part time nurse", ["s051"]),
        ("software entwickler", ["s034"]),
        ("nursing jobs in Wells", ["s051"]),
        ("chef", ["s088"]),
    ],
)
def test_further_questions_of_the_same_kinds(cases_service: Service, query: str, ads: list[str]) -> None:
    assert set(cases_service.ads(query=query, limit=5)) >= set(ads)


@pytest.mark.parametrize(
    ("query", "never"),
    [
        ("C", {"s001", "s002", "s004", "s017"}),
        ("R", {"s013"}),
        ("go", {"s016"}),
        ("net", {"s006", "s007"}),
        ("java", {"s010"}),
        ("chef", {"s089"}),
        ("remote", {"s062", "s063"}),
    ],
)
def test_likeness_alone_finds_nothing(cases_service: Service, query: str, never: set[str]) -> None:
    assert not never & set(cases_service.ads(query=query, limit=25))


def test_a_location_is_found_without_its_dots_and_in_other_languages(cases_service: Service) -> None:
    expected = {"s033", "s083", "s084", "s085"}
    for name in ("Zurich", "Zürich", "zuerich", "Zürich, Switzerland", "ZURICH Schweiz"):
        assert set(cases_service.ads(location=name)) == expected, name


def test_a_country_is_a_filter_by_code_and_a_location_by_name(cases_service: Service) -> None:
    by_code = cases_service.page(country="ch", limit=25)
    by_name = cases_service.page(location="Switzerland", limit=25)
    assert by_code["total"] == by_name["total"] == 10
    assert {role["location"] for role in by_code["roles"]} == {"Zürich", "Basel", "Geneva", "Bern", "Chur"}


def test_an_unknown_place_has_no_roles(cases_service: Service) -> None:
    assert cases_service.page(query="python", location="Xanadu")["total"] == 0


def test_posted_within_days_counts_from_today(cases_service: Service) -> None:
    page = cases_service.page(posted_within_days=2, limit=25)
    assert {role["posted_on"] for role in page["roles"]} == {"2026-11-28", "2026-11-29"}


def test_a_question_of_blanks_shows_the_newest_and_one_of_signs_shows_nothing(cases_service: Service) -> None:
    assert cases_service.page(query="  \t ", limit=1)["total"] == 120
    assert cases_service.page(query="!?🚀")["total"] == 0


def test_when_no_role_has_all_words_the_greater_part_is_enough(cases_service: Service) -> None:
    assert cases_service.ads(query="senior python lighthouse violinist")[0] == "s022"
    assert cases_service.page(query="remote astronomer")["total"] == 1


def test_a_role_has_exactly_the_agreed_members(cases_service: Service) -> None:
    page = cases_service.page(query="violin maker")
    assert page == {
        "roles": [
            {
                "role": page["roles"][0]["role"],
                "title": "Violin Maker",
                "company": "Larchmont Tools",
                "location": "Cremona",
                "work_mode": "onsite",
                "employment_type": "full",
                "salary": None,
                "posted_on": "2026-10-21",
                "valid_through": None,
                "url": "https://jobs.example.org/s/92",
                "snippet": "Carve scrolls and tune plates.",
                "evidence": [
                    {
                        "ad": "s092",
                        "source": "test-ads",
                        "fetched_at": page["roles"][0]["evidence"][0]["fetched_at"],
                        "content_hash": page["roles"][0]["evidence"][0]["content_hash"],
                    }
                ],
                "freshness": {"state": "fresh", "checked_at": page["roles"][0]["evidence"][0]["fetched_at"]},
            }
        ],
        "total": 1,
        "next_cursor": None,
        "corpus_version": "1",
    }
    assert page["roles"][0]["role"].startswith("rol_")
    assert page["roles"][0]["evidence"][0]["fetched_at"].startswith("2026-11-30T09:0")


def test_python_developers_in_zurich_are_in_the_packaged_corpus(corpus_service: Service) -> None:
    page = corpus_service.page(query="python developer Zurich", limit=25)
    assert page["total"] >= 5
    assert all("Zürich" in role["location"] for role in page["roles"])
    assert "Python" in page["roles"][0]["title"]


def test_salaries_are_compared_in_one_currency_and_by_the_year_only(corpus_service: Service) -> None:
    page = corpus_service.page(salary_min=120_000, currency="CHF", limit=25)
    salaries = [role["salary"] for role in page["roles"]]
    assert len(salaries) > 3
    assert {(salary["currency"], salary["period"]) for salary in salaries} == {("CHF", "year")}
    assert all(salary["max"] >= 120_000 for salary in salaries)
    assert set(salaries[0]) == {"min", "max", "currency", "period", "kind", "raw"}


def test_a_role_shown_by_two_boards_has_evidence_of_both(corpus_service: Service) -> None:
    cursor, most = None, 0
    for _ in range(20):
        page = corpus_service.page(limit=25, cursor=cursor)
        most = max(most, *(len({one["source"] for one in role["evidence"]}) for role in page["roles"]))
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert cursor is None
    assert most == 2


def test_expired_and_stale_roles_say_so_and_stand_behind_fresh_ones(corpus_service: Service) -> None:
    states = []
    cursor = None
    while True:
        page = corpus_service.page(limit=25, cursor=cursor)
        states += [role["freshness"]["state"] for role in page["roles"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert set(states) == {"fresh", "stale", "expired"}
    assert states[0] == "fresh"
    assert states[-1] == "expired"
