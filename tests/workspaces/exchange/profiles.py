"""Profiles for tests of the exchange: made up by Hypothesis, changed by operations without a database, compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

import tests.hypothesis_profiles  # noqa: F401  how much is tried
from workspaces.commits.batch import MAX_OPERATIONS, parse_operations
from workspaces.documents.schema import MAX_ITEMS, PROFILE
from workspaces.documents.state import DocumentState, ordered_items
from workspaces.documents.values import MAX_STRINGS, MAX_TEXT, ValueType, check_value

EMPTY = DocumentState(state="active", fields={}, sections={}, texts={"summary": ""})

_SURE = st.sampled_from(
    [
        "Ada", "R&D", "a < b", "AT&amp;T", "<b>bold</b>", "<p>", "*mark*", "  wide  ", "tab\there", "Zoë", "日本",
        "👩🏽‍💻",
        "&lt;script&gt;", "\ufeffmark", "-", "Present", "null",
    ]
)  # fmt: skip
_WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc"), max_codepoint=0x1F9FF), min_size=1, max_size=12) | _SURE
_URLS = st.sampled_from(
    [
        "https://ada.example", "http://ada.example:8080/a/b?c=d&e=%20#f", "mailto:ada@ada.example",
        "mailto:ä@ada.example", "https://Ada.EXAMPLE/äö", "https://münchen.example/straße?q=ü#é", "https://user:pass@ada.example/",
        "https://[::1]:80/", "https://ada.example/100%", 'https://ada.example/a|b"c<d>', "HTTPS://ada.example/?",
        "https://xn--mnchen-3ya.example", "https://a_b.example/x", "https://ada.example/[x]", "https://ada.example?",
        "https://ada.example/a#",
    ]
)  # fmt: skip
_DATES = st.one_of(
    st.sampled_from(
        ["2021", "2021-05", "2021-05-04", "0999", "0001-01-01", "3000", "9999-12-31", "2024-02-29", "1000"]
    ),
    st.dates().map(lambda day: day.isoformat()),
)
_COUNTRIES = st.sampled_from(["DE", "GB", "JP", "BR"])


def _value(kind: ValueType) -> st.SearchStrategy[Any]:
    strings = st.lists(_normal(_WORDS, ValueType("line")), min_size=1, max_size=4)
    return {
        "partial_date": _DATES, "url": _URLS.map(lambda url: check_value(url, ValueType("url"))), "country": _COUNTRIES,
        "strings": strings,
    }.get(kind.name, _normal(_WORDS, kind))  # fmt: skip


def _normal(words: st.SearchStrategy[str], kind: ValueType) -> st.SearchStrategy[str]:
    return words.map(lambda word: check_value(word, kind)).filter(bool)


def _values(fields: Any, *, at_least: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={name: _value(kind) for name, kind in fields.items()}).filter(
        lambda values: len(values) >= at_least
    )


@st.composite
def profiles(draw: st.DrawFn) -> DocumentState:
    """Any profile without empty values."""
    sections = {}
    for name in draw(st.lists(st.sampled_from(list(PROFILE.sections)), max_size=3, unique=True)):
        items = draw(st.lists(_values(PROFILE.sections[name], at_least=1), min_size=1, max_size=3))
        sections[name] = {f"itm_{i:026}": {"rank": f"a{i}", **item} for i, item in enumerate(items)}
    summary = draw(st.just("") | _normal(_WORDS, ValueType("multiline")))
    fields = draw(_values(PROFILE.fields, at_least=0))
    return DocumentState(state="active", fields=fields, sections=sections, texts={"summary": summary})


def content(profile: DocumentState) -> dict[str, Any]:
    """What people see of it: no ids, no ranks, sections in order."""
    return {
        "fields": dict(profile.fields),
        "texts": {name: text for name, text in profile.texts.items() if text},
        "sections": {
            name: [{k: v for k, v in item.items() if k != "rank"} for _, item in ordered_items(items)]
            for name, items in profile.sections.items()
            if items
        },
    }


def after(profile: DocumentState, operations: Iterable[dict[str, Any]]) -> DocumentState:
    """The profile after operations, each checked as a commit checks it."""
    operations = list(operations)
    steps = []
    for start in range(0, len(operations), MAX_OPERATIONS):
        steps += parse_operations(operations[start : start + MAX_OPERATIONS])
    for step in steps:
        data = step.data
        assert data["document"] == "profile"
        match step.operation.kind:
            case "field.set":
                profile = replace(profile, fields={**profile.fields, data["field"]: data["value"]})
            case "text.replace":
                assert profile.texts[data["text"]] == data["old"]
                profile = replace(profile, texts={**profile.texts, data["text"]: data["new"]})
            case "text.append":
                text = profile.texts[data["text"]] + data["content"]
                profile = replace(profile, texts={**profile.texts, data["text"]: text})
            case "item.add":
                items = profile.sections.get(data["section"], {})
                made = {"rank": f"b{len(items):04}", **data["values"]}
                profile = _with_item(profile, data["section"], f"itm_{len(items):026}", made)
            case "item.update":
                there = profile.sections[data["section"]][data["item"]]
                profile = _with_item(profile, data["section"], data["item"], {**there, **data["values"]})
            case kind:
                raise AssertionError(f"an import does not use {kind}")
    assert all(len(items) <= MAX_ITEMS for items in profile.sections.values())
    assert all(len(text) <= MAX_TEXT for text in profile.texts.values())
    assert all(
        len(value) <= MAX_STRINGS
        for items in profile.sections.values()
        for item in items.values()
        for value in item.values()
        if isinstance(value, list)
    )
    return profile


def _with_item(profile: DocumentState, section: str, item: str, values: dict[str, Any]) -> DocumentState:
    items = {**profile.sections.get(section, {}), item: values}
    return replace(profile, sections={**profile.sections, section: items})
