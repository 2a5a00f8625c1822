"""The check as a function: pure, bounded, at home with any input; and which ids may be cited."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.grounding import check, check_citations
from assistant.grounding.judging import MAX_ANSWER, MAX_CLAIMS

from . import cases

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=20,
)
WORDS = st.lists(
    st.sampled_from(
        "Larkspur Systems Tideline deadline pay CHF 4 120,000 90k December Friday tomorrow in days 14:00 % of and"
        " , . | - # ** ( ) : [a](b) applications interviewing \n 2026-12-04 31 February cvl_ application:01M8Q".split(
            " "
        )
    )
    | st.text(max_size=6),
    max_size=40,
).map(" ".join)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=WORDS, results=st.lists(JSON, max_size=3), arguments=st.lists(JSON, max_size=2), now=st.none() | st.text())
def test_any_answer_over_any_results_gives_claims_with_their_places(
    text: str, results: list[Any], arguments: list[Any], now: str | None
) -> None:
    for given_results in (results, [*results, *cases.RESULTS]):
        claims = check(text=text, results=given_results, arguments=arguments, known_ids=(), now=now)
        for claim in claims:
            assert text[claim.start : claim.end].strip() == claim.text
            assert claim.kind in ("id", "number", "date")
        assert claims == sorted(claims, key=lambda claim: claim.start)


@given(st.text(max_size=300))
def test_an_answer_without_digits_or_dates_claims_no_id(text: str) -> None:
    plain = "".join(character for character in text if not character.isdigit())
    assert [claim for claim in check(text=plain, results=[], arguments=[], known_ids=()) if claim.kind == "id"] == []


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_number_is_supported_by_itself_and_by_no_other(said: int, known: int) -> None:
    claims = check(text=f"The value is {said:,}.", results=[{"value": known}], arguments=[], known_ids=())
    assert bool(claims) is (said != known)


def test_a_claim_names_its_unit_and_its_subject() -> None:
    [money, days] = check(
        text="Tideline Labs pays CHF 99,000. Larkspur's deadline is in 6 days.",
        results=cases.RESULTS,
        arguments=[],
        known_ids=(),
        now=cases.NOW,
    )
    assert (money.kind, money.text, money.unit, money.subject) == ("number", "CHF 99,000", "CHF", cases.TIDELINE)
    assert (days.kind, days.text, days.unit, days.subject) == ("number", "6", "day", cases.LARKSPUR)


def test_words_relative_to_today_pass_when_today_is_not_known() -> None:
    text = "Your interview at Larkspur is tomorrow, and the deadline is in 4 days."
    assert check(text=text, results=cases.RESULTS, arguments=[], known_ids=()) == []


def test_ids_of_the_context_are_known() -> None:
    text = f"See {cases.STRANGER}."
    assert [claim.text for claim in check(text=text, results=[], arguments=[], known_ids=())] == [cases.STRANGER]
    assert check(text=text, results=[], arguments=[], known_ids=[cases.STRANGER]) == []


def test_only_ids_of_the_turns_own_results_and_context_may_be_cited() -> None:
    cited = [cases.LARKSPUR, "rol_7f3a9c21", cases.STRANGER, "rol_99999999", "rcp_context", "plan"]
    assert check_citations(cited, results=cases.RESULTS, known_ids=["rcp_context"]) == (
        [cases.LARKSPUR, "rol_7f3a9c21", "rcp_context", "plan"],
        [cases.STRANGER, "rol_99999999"],
    )


def test_a_monstrous_answer_is_looked_at_only_so_far() -> None:
    text = "There are 99 things. " * 10_000
    claims = check(text=text, results=cases.RESULTS, arguments=[], known_ids=())
    assert len(claims) == MAX_CLAIMS
    assert claims[-1].end <= MAX_ANSWER


def test_the_check_needs_no_django() -> None:
    code = (
        "import sys, json; from assistant.grounding import check;"
        "print(json.dumps([check(text='5', results=[], arguments=[], known_ids=())[0].text,"
        " sorted(name for name in sys.modules if name.split('.')[0] in ('django', 'rest_framework', 'workspaces'))]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["5", []]
