"""Each value type: what it takes, how it normalises, what it refuses and with which code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspaces.documents.schema import KINDS
from workspaces.documents.values import ValueFlaw, ValueType, check_value, clean_string

LINE = ValueType("line")
MULTILINE = ValueType("multiline")
INTEGER = ValueType("integer", minimum=0, maximum=100)
REFERENCE = ValueType("reference", ("application",))
ID = "01J" + "0" * 23

TAKEN: list[tuple[ValueType, Any, Any]] = [
    (LINE, "Zürich\twest", "Zürich\twest"),
    (LINE, "", ""),
    (LINE, "e\u0301", "\u00e9"),
    (LINE, "x" * 500, "x" * 500),
    (MULTILINE, "two\nlines", "two\nlines"),
    (MULTILINE, "😀" * 5000, "😀" * 5000),
    (INTEGER, 0, 0),
    (INTEGER, 100, 100),
    (ValueType("boolean"), False, False),
    (ValueType("date"), "2024-02-29", "2024-02-29"),
    (ValueType("partial_date"), "2021", "2021"),
    (ValueType("partial_date"), "2021-05", "2021-05"),
    (ValueType("partial_date"), "2021-05-04", "2021-05-04"),
    (ValueType("time"), "2026-11-30T10:00:00+01:00", "2026-11-30T09:00:00Z"),
    (ValueType("time"), "2026-11-30t09:00:00.120z", "2026-11-30T09:00:00.120Z"),
    (ValueType("enum", ("a", "b")), "b", "b"),
    (ValueType("currency"), "CHF", "CHF"),
    (ValueType("country"), "CH", "CH"),
    (ValueType("language"), "de-CH-1996", "de-CH-1996"),
    (ValueType("language"), "zh-Hans", "zh-Hans"),
    (ValueType("time_zone"), "Europe/Zurich", "Europe/Zurich"),
    (ValueType("url"), "https://example.org/a?b#c", "https://example.org/a?b#c"),
    (ValueType("url"), "mailto:a@example.org", "mailto:a@example.org"),
    (ValueType("strings"), ["a", "e\u0301"], ["a", "\u00e9"]),
    (ValueType("strings"), [], []),
    (ValueType("strings", multiline_items=True), ["a\nb"], ["a\nb"]),
    (REFERENCE, f"application:{ID}", f"application:{ID}"),
    (REFERENCE, "new:acme-2", "new:acme-2"),
    (ValueType("filters"), {"work_mode": "remote", "salary_min": None}, {"work_mode": "remote"}),
]

REFUSED: list[tuple[ValueType, Any, str]] = [
    (LINE, 5, "type"),
    (LINE, ["a"], "type"),
    (LINE, "two\nlines", "one_line"),
    (LINE, "x" * 501, "too_long"),
    (LINE, "nul\x00", "control_character"),
    (LINE, "bell\x07", "control_character"),
    (LINE, "return\r", "control_character"),
    (LINE, "c1\x85", "control_character"),
    (LINE, "half \ud83d", "control_character"),
    (MULTILINE, "x" * 5001, "too_long"),
    (INTEGER, 101, "range"),
    (INTEGER, -1, "range"),
    (INTEGER, 5.0, "type"),
    (INTEGER, True, "type"),
    (INTEGER, "5", "type"),
    (INTEGER, float("nan"), "type"),
    (INTEGER, 10**400, "range"),
    (ValueType("boolean"), 1, "type"),
    (ValueType("boolean"), "true", "type"),
    (ValueType("date"), "2023-02-29", "date"),
    (ValueType("date"), "20230228", "date"),
    (ValueType("date"), "2023-2-28", "date"),
    (ValueType("date"), "tomorrow", "date"),
    (ValueType("partial_date"), "2021-13", "date"),
    (ValueType("partial_date"), "21", "date"),
    (ValueType("partial_date"), "٢٠٢١", "date"),
    (ValueType("time"), "2026-11-30T09:00:00", "time"),
    (ValueType("time"), "2026-11-30", "time"),
    (ValueType("time"), "0001-01-01T00:00:00+14:00", "time"),
    (ValueType("enum", ("a",)), "c", "choice"),
    (ValueType("enum", ("a",)), ["a"], "choice"),
    (ValueType("currency"), "ZZZ", "currency"),
    (ValueType("currency"), "eur", "currency"),
    (ValueType("country"), "XX", "country"),
    (ValueType("language"), "english!", "language"),
    (ValueType("language"), "en_US", "language"),
    (ValueType("time_zone"), "Zurich", "time_zone"),
    (ValueType("time_zone"), "../etc/passwd", "time_zone"),
    (ValueType("url"), "javascript:alert(1)", "url"),
    (ValueType("url"), "example.org", "url"),
    (ValueType("url"), "https://", "url"),
    (ValueType("url"), "http://[::1", "url"),
    (ValueType("url"), "https://a b", "url"),
    (ValueType("url"), "ftp://example.org", "url"),
    (ValueType("url"), "mailto:nobody", "url"),
    (ValueType("strings"), "a", "type"),
    (ValueType("strings"), [None], "type"),
    (ValueType("strings"), ["a"] * 21, "too_many"),
    (ValueType("strings"), ["a\nb"], "one_line"),
    (REFERENCE, f"note:{ID}", "reference"),
    (REFERENCE, "application:short", "reference"),
    (REFERENCE, "new:UPPER", "reference"),
    (REFERENCE, {"id": ID}, "reference"),
    (ValueType("filters"), [], "type"),
    (ValueType("filters"), {"radius": 5}, "unknown_field"),
    (ValueType("filters"), {"posted_within_days": 181}, "range"),
]


@pytest.mark.parametrize(("kind", "given_value", "kept"), TAKEN)
def test_a_fitting_value_is_normalised(kind: ValueType, given_value: Any, kept: Any) -> None:
    value = check_value(given_value, kind)
    assert value == kept
    assert type(value) is type(kept)


@pytest.mark.parametrize(("kind", "value", "code"), REFUSED)
def test_another_value_is_refused_with_its_code_and_a_sentence(kind: ValueType, value: Any, code: str) -> None:
    with pytest.raises(ValueFlaw) as refusal:
        check_value(value, kind)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")


def test_null_clears_whatever_the_type() -> None:
    kinds = [t for kind in KINDS.values() for fields in (kind.fields, *kind.sections.values()) for t in fields.values()]
    assert [check_value(None, kind) for kind in kinds] == [None] * len(kinds)


@given(st.text())
def test_cleaning_is_idempotent_and_never_lets_a_forbidden_character_through(text: str) -> None:
    try:
        once = clean_string(text, maximum=10_000, newlines=True)
    except ValueFlaw:
        return
    assert clean_string(once, maximum=10_000, newlines=True) == once
    once.encode()
    assert not any(ord(c) < 32 and c not in "\n\t" for c in once)


_TYPES = sorted(
    {t for kind in KINDS.values() for fields in (kind.fields, *kind.sections.values()) for t in fields.values()},
    key=repr,
)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(_TYPES), _ANYTHING)
def test_any_value_at_all_is_either_taken_or_refused_as_a_flaw(kind: ValueType, value: Any) -> None:
    try:
        kept = check_value(value, kind)
    except ValueFlaw:
        return
    assert check_value(kept, kind) == kept
