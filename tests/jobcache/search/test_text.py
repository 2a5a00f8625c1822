"""Words of ads and questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobcache.search.text import fold, normalise, words


def _spoken(text: str, *, question: bool = False) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(word.parts, word.names) for word in words(normalise(text), question=question)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++ or C#, F#.", [(("c++",), ()), (("or",), ()), (("c#",), ()), (("f#",), ())]),
        ("like .NET.", [(("like",), ()), ((".net",), ())]),
        ("a net", [(("a",), ()), (("net",), ())]),
        ("ASP.NET", [(("asp",), ("asp.net", "aspnet", ".net"))]),
        ("Node.js.", [(("node", "js"), ("node.js", "nodejs"))]),
        ("PL/SQL", [(("pl", "sql"), ("pl/sql", "plsql"))]),
        ("R&D and R & D", [((), ("r&d",)), (("and",), ()), ((), ("r&d",))]),
        ("C/C++", [(("c", "c++"), ("c/c++", "cc++"))]),
        ("Objective-C", [(("objective",), ("objective-c", "objectivec"))]),
        ("l'analyse de l’eau", [(("analyse",), ()), (("de",), ()), (("eau",), ())]),
        ("women's", [(("women",), ("womens",))]),
        ("Entwickler:in (m/w/d)", [(("entwickler",), ())]),
        ("Développeur·se, Ingénieur(e)", [(("developpeur",), ()), (("ingenieur",), ())]),
        ("Łódź ß ＡＢＣ", [(("lodz",), ()), (("ss",), ()), (("abc",), ())]),
        ("सॉफ्टवेयर", [(("सॉफ्टवेयर",), ())]),
        ("データ", [(("デ", "ー", "タ"), ())]),
        ("AI人材", [(("ai",), ()), (("人", "材"), ())]),
        ("\x00\"'*()", []),
    ],
)  # fmt: skip
def test_words_keep_signs_that_mean_something_and_lose_differences_that_do_not(
    text: str, expected: list[tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    assert _spoken(text) == expected


def test_go_the_language_is_told_from_go_the_verb_in_ads_but_not_in_questions() -> None:
    assert _spoken("ready to go the extra mile, tools in Go.")[2][0] == ("~go",)
    assert _spoken("ready to go the extra mile, tools in Go.")[-1][0] == ("go",)
    assert _spoken("a go-getter") == [(("a",), ()), (("~go", "getter"), ("go-getter", "gogetter"))]
    assert _spoken("go developer", question=True)[0][0] == ("go",)


def test_c_and_r_are_languages_by_their_capital() -> None:
    assert [parts for parts, _ in _spoken("Plain C and R, not c or r")] == [
        ("plain",), ("c",), ("and",), ("r",), ("not",), ("~c",), ("or",), ("~r",),
    ]  # fmt: skip


@given(st.text(max_size=80))
def test_any_text_gives_words_without_spaces_or_quotation_marks(text: str) -> None:
    for word in words(normalise(text)):
        for piece in (*word.parts, *word.names):
            assert piece
            assert not set(piece) & set(' "\t\n\x00')


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
