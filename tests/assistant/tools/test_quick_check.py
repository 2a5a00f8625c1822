"""The quick check agrees with the full validator: whatever it lets through, that would let through too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assistant.tools import BY_NAME
from assistant.tools.quick_check import compiled

from .test_any_arguments import ARGUMENTS

SCALARS = st.sampled_from([None, True, False, 0, 1, 2, 1.0, 1.5, -1, float("nan"), "", "a", "ab", "abc"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
TYPE = st.sampled_from(["object", "array", "string", "null", "boolean", "integer", "number"])
LIMITS = {
    "type": TYPE | st.lists(TYPE, min_size=1, max_size=3, unique=True),
    "enum": st.lists(SCALARS, min_size=1, max_size=4),
    "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
    "minLength": st.integers(0, 3),
    "maxLength": st.integers(0, 3),
    "minItems": st.integers(0, 3),
    "maxItems": st.integers(0, 3),
    "minimum": st.integers(-1, 2),
    "maximum": st.integers(-1, 2),
    "pattern": st.sampled_from(["a", "^b$"]),
    "description": st.just("words"),
}
SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.fixed_dictionaries({}, optional=LIMITS),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            **LIMITS,
            "items": inner,
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "additionalProperties": st.booleans() | inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
        },
    ),
    max_leaves=6,
)


@given(SCHEMAS, VALUES)
def test_what_it_is_sure_of_fits_the_schema(schema: dict[str, Any], value: Any) -> None:
    if compiled(schema)(value):
        assert list(Draft202012Validator(schema).iter_errors(value)) == []


@given(st.sampled_from(sorted(BY_NAME)), ARGUMENTS)
def test_what_it_is_sure_of_are_arguments_of_the_tool(name: str, arguments: Any) -> None:
    tool = BY_NAME[name]
    if tool._surely_fits(arguments):
        assert list(tool._validator.iter_errors(arguments)) == []


CLOCKS = [{"document": "plan", "clock": 3}]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_workspace_context", {"surface": "board", "document": None}),
        ("search_jobcache", {"query": "python", "country": "DE", "limit": 5, "cursor": None}),
        ("apply_workspace_operations", {"reason": "r", "expected_clocks": CLOCKS, "operations": [{"kind": "x"}]}),
        ("undo_workspace_receipt", {"receipt": "rcp_1", "expected_clocks": CLOCKS, "reason": "r"}),
    ],
)
def test_well_formed_calls_need_no_other_validator(name: str, arguments: dict[str, Any]) -> None:
    assert BY_NAME[name]._surely_fits(arguments)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [1, None]}, True),
        ({"type": "integer"}, True),
        ({"properties": {"a": {"type": "null"}}, "additionalProperties": False}, {"b": None}),
        ({"required": ["a"]}, {"b": 1}),
        ({"unheard_of": 1}, None),
    ],
)
def test_it_is_not_sure_of_what_looks_alike_in_python_is_not_named_or_not_known(
    schema: dict[str, Any], value: Any
) -> None:
    assert not compiled(schema)(value)
