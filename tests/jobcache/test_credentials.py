"""The rules for the three bearers, without a server."""

from __future__ import annotations

import pytest

from jobcache.credentials import CONTROL, LIFECYCLE, WORKER, find_fault, opens

GOOD = {CONTROL: "c" * 24, LIFECYCLE: "l" * 24, WORKER: "w" * 24}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, None),
        ({LIFECYCLE: "", WORKER: "   "}, None),
        ({CONTROL: "  " + "c" * 24 + "\n"}, None),
        ({CONTROL: ""}, "JOBCACHE_CONTROL_TOKEN is not set."),
        ({CONTROL: " \t "}, "JOBCACHE_CONTROL_TOKEN is not set."),
        ({CONTROL: "c" * 23}, "JOBCACHE_CONTROL_TOKEN has fewer than 24 characters."),
        ({CONTROL: "c" * 23 + "   "}, "JOBCACHE_CONTROL_TOKEN has fewer than 24 characters."),
        ({WORKER: "w"}, "JOBCACHE_CORPUS_WORKER_TOKEN has fewer than 24 characters."),
        ({LIFECYCLE: "c" * 24 + " "}, "JOBCACHE_CONTROL_TOKEN and JOBCACHE_CORPUS_LIFECYCLE_TOKEN must differ."),
        ({WORKER: "l" * 24}, "JOBCACHE_CORPUS_LIFECYCLE_TOKEN and JOBCACHE_CORPUS_WORKER_TOKEN must differ."),
    ],
)
def test_a_credential_set_is_sound_or_its_fault_is_named_without_a_token(
    changes: dict[str, str], fault: str | None
) -> None:
    assert find_fault(GOOD | changes, needed=CONTROL) == fault


@pytest.mark.parametrize(
    ("header", "opened"),
    [
        ("Bearer " + "c" * 24, True),
        ("bearer   " + "c" * 24, True),
        ("Bearer " + "c" * 23, False),
        ("Bearer " + "c" * 25, False),
        ("Basic " + "c" * 24, False),
        ("c" * 24, False),
        ("Bearer", False),
        ("", False),
        (None, False),
        ("Bearer ÿÿÿ", False),
        ("Bearer " + "c" * 24 + "," + "Bearer " + "c" * 24, False),
    ],
)
def test_only_the_very_token_opens(header: str | None, opened: bool) -> None:
    assert opens(header, token=" " + "c" * 24 + "\n") is opened


def test_a_token_beyond_ascii_is_compared_by_its_bytes() -> None:
    token = "Schlüssel-für-die-Prüfungen"
    assert opens("Bearer " + token.encode().decode("latin-1"), token=token)
    assert not opens("Bearer " + token, token=token)
