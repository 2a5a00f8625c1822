"""Whatever JSON comes as arguments, and whatever does not even come as JSON: an answer within bounds, never a raise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jobcache_client
from assistant.tools import BY_NAME
from assistant.tools.answers import MAX_RESULT_BYTES, bounded, bounded_refusal, refused
from assistant.tools.json_values import MAX_BYTES, MAX_DEPTH, check_arguments
from workspaces import facade
from workspaces.errors import InvalidRequest, TooLarge, UndoConflict

from .conftest import Stage

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["new:a", "plan", "profile", "start", "field.set", "document.create", "\ud800", "\x00"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["kind", "document", "field", "value", "item", "text", "after", "clock", "x"])
            | st.text(max_size=5),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)
OPERATION = st.fixed_dictionaries(
    {"kind": st.sampled_from(sorted(facade.operation_schemas(assistant=False))), "document": JSON},
    optional={
        name: JSON
        for name in ("field", "value", "fields", "texts", "section", "item", "changes", "position", "text", "content")
    },
)
ARGUMENTS = st.one_of(
    JSON,
    st.fixed_dictionaries({name: JSON for name in ("surface", "document", "job", "cursor")}),
    st.fixed_dictionaries({"query": JSON}, optional={"limit": JSON, "cursor": JSON, "country": JSON, "location": JSON}),
    st.fixed_dictionaries(
        {
            "reason": st.just("x") | JSON,
            "expected_clocks": st.lists(
                st.fixed_dictionaries(
                    {"document": st.sampled_from(["plan", "new:a"]) | JSON, "clock": st.integers() | JSON}
                ),
                max_size=3,
            )
            | JSON,
            "operations": st.lists(OPERATION, max_size=3) | JSON,
        }
    ),
    st.fixed_dictionaries({"receipt": JSON, "expected_clocks": JSON, "reason": JSON}),
)


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(name=st.sampled_from(sorted(BY_NAME)), arguments=ARGUMENTS)
def test_any_arguments_get_an_answer(stage: Stage, name: str, arguments: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            jobcache_client,
            "search",
            lambda arguments: {"roles": [], "total": 0, "next_cursor": None, "corpus_version": "v"},
        )
        answer = stage.call(name, arguments)
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    assert len(text) <= MAX_RESULT_BYTES
    assert answer["status"] in ("ok", "refused")
    assert answer.get("code") not in ("internal_error", "rate_limited")


@given(JSON)
def test_what_passes_as_arguments_is_plain_bounded_json(value: Any) -> None:
    try:
        checked = check_arguments(value)
    except (InvalidRequest, TooLarge):
        return
    text = json.dumps(checked, allow_nan=False, ensure_ascii=False).encode()
    assert json.loads(text) == checked
    assert len(text) <= 4 * MAX_BYTES


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"a": "x" * (MAX_BYTES + 1)}, "too_large"),
        ({"a": ["x"] * MAX_BYTES}, "too_large"),
        ({f"k{n}": n for n in range(60_000)}, "too_large"),
        ({"a": float("nan")}, "invalid_request"),
        ({"a": 2**63}, "invalid_request"),
        ({"a": "\ud800"}, "invalid_request"),
        ({"\ud800": 1}, "invalid_request"),
        ({"a": "\x07"}, "invalid_request"),
        ({1: 2}, "invalid_request"),
        ({"a": {1, 2}}, "invalid_request"),
        ({"a": (1, 2)}, "invalid_request"),
        ([], "invalid_request"),
        (None, "invalid_request"),
    ],
)
def test_what_is_not_plain_bounded_json_is_refused(value: Any, code: str) -> None:
    with pytest.raises((InvalidRequest, TooLarge)) as caught:
        check_arguments(value)
    assert caught.value.code == code


def test_arguments_may_be_as_deep_as_allowed_and_no_deeper() -> None:
    def nested(levels: int) -> dict[str, Any]:
        value: Any = 1
        for _ in range(levels):
            value = {"a": value}
        return dict(value)

    assert check_arguments(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    with pytest.raises(InvalidRequest):
        check_arguments(nested(MAX_DEPTH + 1))


@settings(max_examples=50)
@given(st.lists(st.text(max_size=2_000), max_size=60), st.integers(0, 5))
def test_an_answer_is_cut_at_item_boundaries_and_says_so(items: list[str], earlier: int) -> None:
    clean = [item.encode(errors="replace").decode() for item in items]
    answer = {"status": "ok", "items": clean, "omitted": earlier}
    cut = bounded(answer, lists=("items",))
    assert len(json.dumps(cut, ensure_ascii=False).encode()) <= MAX_RESULT_BYTES
    kept = cut["items"]
    assert kept == clean[: len(kept)]
    assert cut["omitted"] == earlier + len(clean) - len(kept)
    assert cut.get("truncated", False) is (len(kept) < len(clean))


def test_a_refusal_with_very_many_details_stays_bounded() -> None:
    conflicts = [{"path": f"application:{n:026}/fields/title", "later_event": "evt_x" * 6} for n in range(2_000)]
    answer = bounded_refusal(refused("operations", UndoConflict(details={"conflicts": conflicts})))
    assert len(json.dumps(answer).encode()) <= MAX_RESULT_BYTES
    assert answer["details"]["truncated"] is True
    assert answer["details"]["conflicts"] == conflicts[: len(answer["details"]["conflicts"])]
    assert answer["details"]["conflicts"]
