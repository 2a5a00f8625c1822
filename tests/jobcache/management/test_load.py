"""Loading the packaged corpus and test ads."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from jobcache.corpus.build import build_corpus
from tests.jobcache.service import CASES, run, serve

AD = {
    "id": "t1", "title": "Lighthouse Keeper", "company": "Rocks Ltd", "location": "Hull", "country": "GB",
    "work_mode": "onsite", "employment_type": "full", "posted_on": "2026-11-20", "text": "Light it.",
    "url": "https://jobs.example.org/t/1",
}  # fmt: skip


def _file(tmp_path: Path, *ads: object) -> str:
    file = tmp_path / "ads.jsonl"
    file.write_text("\n".join(ad if isinstance(ad, str) else json.dumps(ad) for ad in ads))
    return str(file)


def test_the_corpus_is_loaded_once_however_often_it_is_asked_for(data: Path) -> None:
    first, second = run(data, "load_corpus"), run(data, "load_corpus")
    added = int(first.stdout.split()[0])
    assert added >= 300
    assert first.stdout == f"{added} added, 0 changed, 0 seen again\n"
    assert second.stdout == f"0 added, 0 changed, {added} seen again\n"


def test_after_three_weeks_the_demonstration_is_dated_anew(corpus_data: Path) -> None:
    added = sum(len(ads) for ads in build_corpus(date(2026, 11, 30)).values())
    later = run(corpus_data, "load_corpus", changes={"CAREERVECTOR_NOW": "2026-12-22T09:00:00Z"})
    assert later.stdout == f"0 added, {added} changed, 0 seen again\n"


def test_test_ads_take_the_place_of_the_corpus_and_join_each_other(corpus_data: Path, tmp_path: Path) -> None:
    assert run(corpus_data, "load_ads", str(CASES / "ads.jsonl")).stdout == "120 added, 0 changed, 0 seen again\n"
    assert run(corpus_data, "load_ads", _file(tmp_path, AD)).stdout == "1 added, 0 changed, 0 seen again\n"
    with serve(corpus_data, "--prepare") as service:
        assert service.page(limit=1)["total"] == 121
        assert service.ads(query="lighthouse") == ["t1"]


def test_the_corpus_may_be_kept_beside_test_ads(corpus_data: Path, tmp_path: Path) -> None:
    run(corpus_data, "load_ads", "--keep-corpus", _file(tmp_path, AD))
    with serve(corpus_data) as service:
        assert service.page(limit=1)["total"] > 300
        assert service.ads(query="lighthouse keeper")[0] == "t1"


def test_an_ad_that_changed_keeps_its_role_and_gets_new_evidence(data: Path, tmp_path: Path) -> None:
    run(data, "load_ads", _file(tmp_path, AD))
    with serve(data) as service:
        before = service.page(query="lighthouse")
        assert run(data, "load_ads", _file(tmp_path, AD | {"text": "Light it twice."})).stdout.startswith(
            "0 added, 1 changed"
        )
        after = service.page(query="lighthouse")
    (old,), (new,) = before["roles"], after["roles"]
    assert old["role"] == new["role"]
    assert new["snippet"] == "Light it twice."
    assert old["evidence"][0]["content_hash"] != new["evidence"][0]["content_hash"]
    assert int(after["corpus_version"]) == int(before["corpus_version"]) + 1


def test_two_requisitions_of_one_source_stay_two_roles(data: Path, tmp_path: Path) -> None:
    run(data, "load_ads", _file(tmp_path, AD, AD | {"id": "t2", "url": "https://jobs.example.org/t/2"}))
    with serve(data) as service:
        assert sorted(service.ads(query="lighthouse")) == ["t1", "t2"]


def test_salary_and_end_date_are_kept_as_stated(data: Path, tmp_path: Path) -> None:
    salary = {"min": 30000, "max": None, "currency": "GBP", "period": "year", "kind": "parsed", "raw": "from £30k"}
    run(data, "load_ads", _file(tmp_path, AD | {"salary": salary, "valid_through": "2026-11-29"}))
    with serve(data) as service:
        (role,) = service.page(query="lighthouse", salary_min=30000, currency="GBP")["roles"]
        assert service.page(query="lighthouse", salary_min=30001, currency="GBP")["total"] == 0
        assert service.page(query="lighthouse", salary_min=1, currency="EUR")["total"] == 0
    assert (role["salary"], role["valid_through"], role["freshness"]["state"]) == (salary, "2026-11-29", "expired")


def test_markup_and_control_signs_do_not_reach_a_snippet(data: Path, tmp_path: Path) -> None:
    text = "<p>Light &amp; oil.</p><script>alert(1)</script> Keep\u0000 a < b."
    run(data, "load_ads", _file(tmp_path, AD | {"text": text}))
    with serve(data) as service:
        (role,) = service.page(query="lighthouse")["roles"]
    assert role["snippet"] == "Light & oil. Keep a < b."


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2: The body is not JSON."),
        ("[]", "line 2: an object is expected"),
        (json.dumps(AD | {"id": ""}), "line 2: id must be 1 to 40 letters, digits, dots, hyphens or underscores"),
        (json.dumps(AD | {"title": " "}), "line 2: title is missing"),
        (json.dumps(AD | {"work_mode": "moon"}), "line 2: work_mode must be one of remote, hybrid, onsite"),
        (json.dumps(AD | {"url": "javascript:alert(1)"}), "line 2: url must be a web address"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_loaded(data: Path, tmp_path: Path, line: str, reason: str) -> None:
    done = run(data, "load_ads", _file(tmp_path, AD, line))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"jobcache: {reason}\n")
    assert not data.exists()


def test_test_ads_are_refused_outside_of_tests(data: Path, tmp_path: Path) -> None:
    done = run(data, "load_ads", _file(tmp_path, AD), changes={"CAREERVECTOR_TESTING": "0"})
    assert (done.returncode, done.stderr) == (2, "jobcache: load_ads works only with CAREERVECTOR_TESTING=1\n")
    assert not data.exists()


def test_a_missing_file_is_one_line(data: Path) -> None:
    done = run(data, "load_ads", "nowhere.jsonl")
    assert (done.returncode, done.stderr) == (2, "jobcache: nowhere.jsonl cannot be read: No such file or directory\n")
