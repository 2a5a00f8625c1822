"""Host tokens: made once, kept as digests, narrowed, revoked."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from assistant import facade
from assistant.models import HostToken
from workspaces.errors import InvalidRequest, Unauthorized

from .room import Room


def _run(*words: str) -> str:
    out = StringIO()
    call_command("create_host_token", *words, stdout=out)
    return out.getvalue().strip()


def test_only_a_digest_of_the_secret_is_kept(db: None) -> None:
    token = facade.create_host_token()

    assert token.secret.startswith("cvh_")
    assert len(token.secret) == 47
    assert token.secret not in str(HostToken.objects.values().get())
    assert token.secret not in repr(token)
    assert facade.open_host_token(token.secret) == token.id
    assert facade.is_host_token(secret=token.secret)


@pytest.mark.parametrize("secret", [None, "", "cvh_", 5, "cvh_" + "A" * 43, "cvl_" + "A" * 43, "cvh_\ud800"])
def test_what_is_no_live_token_opens_nothing(db: None, secret: object) -> None:
    facade.create_host_token()
    with pytest.raises(Unauthorized):
        facade.open_host_token(secret)


def test_a_revoked_token_opens_nothing(db: None) -> None:
    token = facade.create_host_token()
    assert facade.revoke_host_token(token.id)
    assert not facade.revoke_host_token(token.id)
    assert not facade.is_host_token(secret=token.secret)


def test_a_token_for_a_provider_that_does_not_exist_is_not_made(db: None) -> None:
    with pytest.raises(InvalidRequest):
        facade.create_host_token(providers=["builtin", "skynet"])
    assert not HostToken.objects.exists()


def test_the_command_prints_the_secret_once(room: Room) -> None:
    assert facade.is_host_token(secret=_run())
    made = json.loads(_run("--json", "--providers", "builtin,scripted", "--workspace", room.workspace))
    assert {**made, "token": "", "id": ""} == {
        "token": "",
        "id": "",
        "providers": ["builtin", "scripted"],
        "workspace": room.workspace,
    }
    assert facade.open_host_token(made["token"]) == made["id"]


@pytest.mark.parametrize("words", [("--providers", "skynet"), ("--workspace", "ws_of_nobody")])
def test_the_command_refuses_what_cannot_be_meant(db: None, words: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        _run(*words)
    assert not HostToken.objects.exists()
