"""Questions as terms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jobcache.search.query import MAXIMUM_TERMS, read_query


def _spellings(text: str) -> list[tuple[str, ...]]:
    return [term.spellings for term in read_query(text)]


def test_compounds_are_looked_for_in_every_spelling() -> None:
    assert _spellings("Node.js") == [("node.js", "nodejs", "node js")]
    assert _spellings("front end") == [("frontend", "front end", "front-end")]
    assert _spellings(".NET") == [(".net",)]


def test_two_things_joined_by_a_slash_are_two_terms_but_pl_sql_is_one() -> None:
    assert _spellings("Python/Django") == [("python",), ("django",)]
    assert _spellings("C/C++") == [("c",), ("c++",)]
    assert _spellings("PL/SQL") == [("pl/sql", "plsql", "pl sql")]


def test_unspaced_scripts_are_cut_where_the_script_changes() -> None:
    assert _spellings("東京データ") == [("東 京",), ("デ ー タ",)]


def test_words_that_every_ad_is_about_are_optional_unless_nothing_else_is_asked() -> None:
    assert [term.optional for term in read_query("jobs for nurses")] == [True, True, False]
    assert [term.optional for term in read_query("the jobs")] == [False, False]


def test_wider_words_are_kept_apart_from_close_ones() -> None:
    (term,) = read_query("developer")
    assert "programmer" in term.forms
    assert "engineer" in term.wider


def test_two_words_may_be_written_as_one() -> None:
    first, second = read_query("software entwickler")
    assert "softwareentwickler" in first.forms
    assert "softwareentwickler" in second.forms


@given(st.text(max_size=200))
def test_any_text_is_a_question_of_few_distinct_terms(text: str) -> None:
    terms = read_query(text)
    assert len(terms) <= MAXIMUM_TERMS
    assert len({term.spellings for term in terms}) == len(terms)
    assert all(phrase.strip() for term in terms for phrase in (*term.spellings, *term.forms, *term.wider))
