"""Every line of the cases: the right tool with the right arguments, nothing else changed, nothing claimed unread."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.grounding import check

from .matching import Case, Played, flaws, play, read_cases
from .tool_model import TODAY

SHARED = read_cases("intents.tsv")
OWN = [
    *read_cases("paraphrases.tsv"),
    *read_cases("as_people_type.tsv"),
    *read_cases("blind_first.tsv"),
    *read_cases("blind_second.tsv"),
]


@pytest.mark.parametrize("case", SHARED, ids=lambda case: case.id)
@pytest.mark.parametrize("today", [TODAY, date(2026, 12, 3), date(2026, 12, 10)], ids=str)
async def test_a_shared_case_is_understood(case: Case, today: date) -> None:
    played = await play(case, today=today)
    assert flaws(played) == []
    assert ungrounded(played) == []


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.id)
async def test_a_paraphrase_is_understood(case: Case) -> None:
    played = await play(case, today=TODAY)
    assert flaws(played) == []
    assert ungrounded(played) == []


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo", "Europe/Berlin"])
@pytest.mark.parametrize("case", [case for case in SHARED if case.intent == "add_interview"], ids=lambda case: case.id)
async def test_an_interview_is_put_at_the_hour_of_the_persons_zone(case: Case, zone: str) -> None:
    assert flaws(await play(case, today=TODAY, zone=zone)) == []


def ungrounded(played: Played) -> list[str]:
    claims = check(
        text=played.answer,
        results=played.model.results,
        arguments=[arguments for _, arguments in played.calls],
        known_ids=[receipt["id"] for receipt in played.model.receipts],
        now=f"{played.today.isoformat()}T09:30:00Z",
        time_zone=played.zone,
    )
    return [f"{claim.kind} {claim.text} in {played.answer}" for claim in claims]
