"""The packaged corpus."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlsplit

from jobcache.corpus.build import build_corpus

DAY = date(2026, 11, 30)


def test_the_same_day_gives_the_same_ads() -> None:
    assert build_corpus(DAY) == build_corpus(DAY)


def test_there_are_more_than_three_hundred_different_roles_of_all_kinds() -> None:
    ads = [one.ad for seen in build_corpus(DAY).values() for one in seen]
    assert len({(ad.title, ad.company, ad.location) for ad in ads}) >= 300
    assert {ad.work_mode for ad in ads} == {"remote", "hybrid", "onsite"}
    assert {ad.employment_type for ad in ads} == {
        "full", "part", "contract", "temporary", "seasonal", "internship", "apprenticeship",
    }  # fmt: skip
    assert {ad.salary.period for ad in ads if ad.salary} == {"hour", "day", "month", "year"}
    assert {ad.salary.kind for ad in ads if ad.salary} == {"stated", "parsed", "estimated"}
    assert len({ad.country for ad in ads}) >= 15
    assert len({ad.text for ad in ads}) > 300


def test_every_address_ends_in_example_and_every_key_is_its_own() -> None:
    for seen in build_corpus(DAY).values():
        assert len({one.ad.source_key for one in seen}) == len(seen)
        assert all((urlsplit(one.ad.url).hostname or "").endswith(".example") for one in seen)


def test_dates_count_back_from_the_day() -> None:
    ads = [one.ad for seen in build_corpus(DAY).values() for one in seen]
    assert all(ad.posted_on is not None and ad.posted_on <= DAY for ad in ads)
    assert any(ad.valid_through is not None and ad.valid_through < DAY for ad in ads)


def test_python_developers_are_wanted_in_zurich() -> None:
    ads = [one.ad for seen in build_corpus(DAY).values() for one in seen]
    found = [ad for ad in ads if "Zürich" in ad.location and "Python" in ad.title]
    assert len(found) >= 5


def test_texts_hold_no_placeholder() -> None:
    ads = [one.ad for seen in build_corpus(DAY).values() for one in seen]
    assert not [ad for ad in ads if "{" in ad.title + ad.text]
    assert all(len(ad.text) > 60 for ad in ads)
