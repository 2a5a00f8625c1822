"""The capability token: what it holds, how long it lives, and everything that is not one."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.signing import Signer
from hypothesis import given
from hypothesis import strategies as st

from assistant import capabilities
from assistant.capabilities import AUDIENCE, mint, verify
from workspaces import facade
from workspaces.errors import CapabilityInvalid

SCOPE = {
    "workspace": "ws_1",
    "connector": "con_1",
    "thread": "thr_1",
    "turn": "trn_1",
    "link": "lnk_1",
    "nonce": "n-1",
}
KEY = "test-capability-key-0123456789-0123456789"


def minted(**changes: Any) -> str:
    return mint(**{**SCOPE, "deadline": facade.now() + timedelta(minutes=10), **changes})


def payload(token: str) -> dict[str, Any]:
    encoded = token.split(":")[0]
    return dict(json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))))


def signed(body: Any, *, key: str = KEY, audience: str = AUDIENCE, version: int = 1) -> str:
    signer = Signer(key=key, salt=f"careervector.capability.v{version}:{audience}", algorithm="sha256")
    return signer.sign(urlsafe_b64encode(json.dumps(body).encode()).decode().rstrip("="))


def sound(**changes: Any) -> dict[str, Any]:
    now = facade.now().timestamp()
    return {"version": 1, **SCOPE, "audience": AUDIENCE, "iat": now - 1, "exp": now + 60, **changes}


def refused(token: object) -> bool:
    try:
        verify(token)
    except CapabilityInvalid:
        return True
    return False


def test_a_token_carries_exactly_the_ten_keys() -> None:
    body = payload(minted())
    assert set(body) == {
        "version", "workspace", "connector", "thread", "turn", "audience", "link", "nonce", "iat", "exp",
    }  # fmt: skip


def test_what_was_minted_is_what_is_verified() -> None:
    token = minted()
    assert asdict(verify(token)) == payload(token)
    assert {name: payload(token)[name] for name in SCOPE} == SCOPE


def test_the_turns_deadline_is_within_the_tokens_life() -> None:
    deadline = facade.now() + timedelta(minutes=10)
    token = minted(deadline=deadline)
    body = payload(token)
    assert abs(body["exp"] - deadline.timestamp()) < 0.001
    assert body["exp"] - body["iat"] <= 600


@pytest.mark.parametrize("minutes", [-1, 0, 10.1, 60])
def test_no_token_is_minted_for_a_deadline_that_none_may_have(minutes: float) -> None:
    with pytest.raises(ValueError, match="at most 600 seconds"):
        minted(deadline=facade.now() + timedelta(minutes=minutes))


def test_a_token_ends_at_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    token = minted()
    at = datetime.fromtimestamp(payload(token)["exp"], tz=facade.now().tzinfo)
    monkeypatch.setattr(facade, "now", lambda: at - timedelta(seconds=1))
    assert not refused(token)
    monkeypatch.setattr(facade, "now", lambda: at)
    assert refused(token)


def test_a_token_from_the_future_is_refused() -> None:
    now = facade.now().timestamp()
    assert refused(signed(sound(iat=now + 30, exp=now + 90)))
    assert not refused(signed(sound()))


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 0},
        {"exp": 1e18},
        {"exp": float("inf")},
        {"iat": float("nan")},
        {"iat": "1"},
        {"iat": True},
        {"exp": None},
        {"version": 2},
        {"version": "1"},
        {"version": True},
        {"workspace": ""},
        {"workspace": None},
        {"workspace": 7},
        {"workspace": ["ws_1"]},
        {"turn": "t" * 300},
        {"audience": "somewhere-else"},
    ],
)
def test_a_signed_token_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    assert refused(signed(sound(**changes)))


@pytest.mark.parametrize("extra", ["account", "principal", "user", "member", "scope", "workspaces", "force"])
def test_another_key_is_refused(extra: str) -> None:
    assert refused(signed(sound(**{extra: "x"})))


@pytest.mark.parametrize("name", sorted(sound()))
def test_a_missing_key_is_refused(name: str) -> None:
    body = sound()
    del body[name]
    assert refused(signed(body))


def test_the_retired_account_shape_is_refused() -> None:
    now = facade.now().timestamp()
    for principal in ("account", "principal", "user", "member"):
        assert refused(signed({"version": 1, principal: "acc_1", "audience": AUDIENCE, "iat": now, "exp": now + 60}))


def test_another_audience_version_or_key_does_not_verify() -> None:
    assert refused(signed(sound(audience="elsewhere"), audience="elsewhere"))
    assert refused(signed(sound(), audience="elsewhere"))
    assert refused(signed(sound(), version=2))
    assert refused(signed(sound(), key="another-key-0123456789-0123456789-01234"))


def test_a_rotated_key_still_verifies_until_it_is_dropped(settings: Any) -> None:
    token = minted()
    settings.CAREERVECTOR_CAPABILITY_KEY = "the-next-key-0123456789-0123456789-0123"
    assert refused(token)
    settings.CAREERVECTOR_CAPABILITY_KEY_FALLBACKS = [KEY]
    assert not refused(token)
    assert not refused(minted())


def test_no_byte_of_a_token_can_be_changed() -> None:
    token = minted()
    attempts = 0
    for index, character in enumerate(token):
        for other in "AzX0-_:":
            if other != character:
                attempts += 1
                assert refused(token[:index] + other + token[index + 1 :])
    assert attempts > 1_000


@pytest.mark.parametrize(
    "token",
    [
        None, 7, b"x", [], {}, "", ":", "a:b", "é" * 10, "x" * 100_000, "\ud800", "e30:abc", "e30",
        signed([]), signed("x"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(token: object) -> None:
    assert refused(token)


@given(st.one_of(st.text(), st.binary(), st.integers(), st.none(), st.lists(st.text())))
def test_nothing_but_a_refusal_comes_of_arbitrary_input(token: object) -> None:
    assert refused(token)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=12),
        max_leaves=12,
    )
)
def test_whatever_was_signed_must_also_have_the_shape(body: Any) -> None:
    assert refused(signed(body))


def test_deep_nesting_in_a_signed_body_is_refused() -> None:
    deep = urlsafe_b64encode(("[" * 1_400).encode()).decode().rstrip("=")
    signer = Signer(key=KEY, salt=f"careervector.capability.v1:{capabilities.AUDIENCE}", algorithm="sha256")
    assert refused(signer.sign(deep))
