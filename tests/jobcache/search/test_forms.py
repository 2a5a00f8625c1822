"""Other forms of a word."""

from __future__ import annotations

import pytest

from jobcache.search.forms import asked_forms, other_forms


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("nurses", ("nurse", "nurs")),
        ("companies", ("company", "companie")),
        ("developers", ("developer",)),
        ("business", ()),
        ("gas", ()),
        ("c++", ()),
        ("entwicklerin", ("entwickler",)),
        ("softwareentwickler", ("entwickler",)),
        ("infirmieres", ("infirmier", "infirmiere", "infirmier")),
        ("المهندس", ("مهندس",)),
    ],
)
def test_forms_of_a_word(word: str, forms: tuple[str, ...]) -> None:
    assert other_forms(word) == tuple(dict.fromkeys(forms))


def test_an_activity_asked_for_finds_who_does_it() -> None:
    assert set(asked_forms("nursing")) >= {"nurse"}
    assert set(asked_forms("programming")) >= {"programmer"}
