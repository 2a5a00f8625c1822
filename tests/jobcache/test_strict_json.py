"""JSON that means one thing only."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobcache.problems import Malformed
from jobcache.strict_json import parse

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.text()
    | st.floats(allow_nan=False, width=32, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(VALUES)
def test_every_json_value_is_read_as_it_is(value: object) -> None:
    assert parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "The body is not JSON."),
        (b"{", "The body is not JSON."),
        (b"\xff\xfe", "The body is not UTF-8."),
        (b'{"a":1,"a":2}', "A member appears twice in one object."),
        (b'[{"b":{"a":1,"a":1}}]', "A member appears twice in one object."),
        (b'{"a":NaN}', "NaN and infinities are not JSON."),
        (b"[-Infinity]", "NaN and infinities are not JSON."),
        (b"1e999", "A number is too large."),
        (b"1" * 5000, "The body is not JSON."),
        (rb'"\ud800"', "A text holds half of a surrogate pair."),
        (rb'{"\udfff":1}', "A text holds half of a surrogate pair."),
        (b"[" * 17 + b"]" * 17, "The body is nested deeper than 16 levels."),
        (b"[" * 200_000, "The body is nested deeper than 16 levels."),
    ],
)
def test_anything_else_is_malformed_and_says_why(body: bytes, detail: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse(body)
    assert caught.value.detail == detail


def test_brackets_inside_texts_are_no_nesting() -> None:
    assert parse(json.dumps({"query": '[{"\\' * 40}).encode()) == {"query": '[{"\\' * 40}
