"""The columns of the index."""

from __future__ import annotations

from jobcache.search.index import IndexEntry, index_entry


def _entry(**changes: str) -> IndexEntry:
    blank = dict.fromkeys(("company", "location", "country", "work_mode", "employment_type", "text"), "")
    return index_entry(**{"title": "Engineer", **blank, **changes})


def test_an_ad_on_site_is_not_indexed_as_remote_for_saying_that_it_is_not() -> None:
    words = _entry(work_mode="onsite", text="This role is not remote. We do remote sensing.").body.split()
    assert words.count("remote") == 1
    assert "~remote" in words


def test_an_ad_that_does_not_tell_its_mode_keeps_the_word() -> None:
    assert "remote" in _entry(text="Fully remote.").body.split()


def test_a_place_is_indexed_under_its_other_names_and_its_country() -> None:
    place = _entry(location="Zürich", country="CH").place.split(" ~ ")
    assert {"zurich", "zuerich", "switzerland", "schweiz", "ch"} <= set(place)


def test_two_words_that_are_also_one_are_indexed_so() -> None:
    assert "frontend" in _entry(title="Front End Engineer").title.split()


def test_a_title_in_small_letters_keeps_its_languages() -> None:
    assert _entry(title="go developer").title.split()[0] == "go"
