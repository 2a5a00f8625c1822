"""Addresses and tokens that may be used, and those that may not."""

from __future__ import annotations

import pytest

from jobcache_client import Config, from_environment
from jobcache_client.errors import Misconfigured

TOKEN = "control-token-0123456789"
OTHER = "worker-token-0123456789-x"


@pytest.mark.parametrize(
    "url",
    [
        "https://jobcache.example",
        "https://jobcache.example:8443/base",
        "https://jobcache.example/",
        "http://127.0.0.1:8001",
        "http://127.8.9.10",
        "http://[::1]:8001",
        "http://localhost:8001",
        "  https://jobcache.example  ",
    ],
)
def test_https_and_loopback_addresses_are_taken(url: str) -> None:
    Config(url, TOKEN).check()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "jobcache.example",
        "ftp://jobcache.example",
        "http://jobcache.example",
        "http://10.0.0.1",
        "http://0.0.0.0:8001",
        "http://127.1",
        "http://127.0.0.1.nip.example",
        "http://localhost.example",
        "http://[::ffff:10.0.0.1]",
        "https://user@jobcache.example",
        "https://user:word@jobcache.example",
        "http://@127.0.0.1",
        "https://jobcache.example?x=1",
        "https://jobcache.example/?",
        "https://jobcache.example#part",
        "https://jobcache.example/#",
        "https://",
        "https://jobcache.example:99999",
        "https://[::1",
        "https://job cache.example",
        "https://jobcache.example\\@evil.example",
        "https://jobcache.example/\r\nHost: x",
    ],
)
def test_other_addresses_are_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        Config(url, TOKEN).check()
    assert "evil" not in caught.value.detail
    assert "word" not in caught.value.detail.replace("password", "")


@pytest.mark.parametrize(
    ("control", "worker", "fault"),
    [
        ("", "", "JOBCACHE_CONTROL_TOKEN is not set."),
        ("   ", OTHER, "JOBCACHE_CONTROL_TOKEN is not set."),
        ("x" * 23, "", "JOBCACHE_CONTROL_TOKEN has fewer than 24 characters."),
        (" " + "x" * 23 + " ", "", "JOBCACHE_CONTROL_TOKEN has fewer than 24 characters."),
        (TOKEN, "short", "JOBCACHE_CORPUS_WORKER_TOKEN has fewer than 24 characters."),
        (TOKEN, f" {TOKEN} ", "JOBCACHE_CONTROL_TOKEN and JOBCACHE_CORPUS_WORKER_TOKEN must differ."),
        ("tökén-that-is-long-enough-0", "", "JOBCACHE_CONTROL_TOKEN holds characters that a header cannot carry."),
        ("token\nwith-a-line-break-in-it", "", "JOBCACHE_CONTROL_TOKEN holds characters that a header cannot carry."),
    ],
)
def test_weak_missing_or_equal_tokens_are_told_before_the_address(control: str, worker: str, fault: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        Config("not an address", control, worker).check()
    assert caught.value.detail == fault


def test_the_environment_describes_a_configuration_that_never_shows_its_tokens() -> None:
    config = from_environment(
        {
            "JOBCACHE_URL": "http://127.0.0.1:8001/",
            "JOBCACHE_CONTROL_TOKEN": f" {TOKEN}\n",
            "JOBCACHE_CORPUS_WORKER_TOKEN": OTHER,
        }
    )
    assert config == Config("http://127.0.0.1:8001", TOKEN, OTHER)
    config.check()
    assert TOKEN not in repr(config)
    assert OTHER not in repr(config)


def test_an_empty_environment_is_told_at_the_check() -> None:
    with pytest.raises(Misconfigured):
        from_environment({}).check()
