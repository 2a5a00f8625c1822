"""`careervector-host` on the command line: what it takes, and how it says no."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.host.cli import UsageError, load_connector, main, read_token, socket_url
from assistant.host.connectors.builtin import BuiltinConnector
from assistant.host.connectors.scripted import ScriptedConnector

from .running import ended, in_thread

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "cvh_" + "A" * 43


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/ws/host/"),
        ("https://example.org/", "wss://example.org/ws/host/"),
        ("ws://[::1]:8000/ws/host/", "ws://[::1]:8000/ws/host/"),
        ("wss://example.org/prefix/ws/host/", "wss://example.org/prefix/ws/host/"),
    ],
)
def test_the_sockets_address_follows_from_the_servers(given: str, expected: str) -> None:
    assert socket_url(given) == expected


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://x", "http://", "http://user:pw@x/", "http://x/?token=1", "http://x/#y"]
)
def test_an_address_that_cannot_be_meant_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        socket_url(url)


@pytest.mark.parametrize("content", ["", "cvl_" + "A" * 43, TOKEN + "x", "\xff\xfe"])
def test_a_file_without_a_host_token_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "token"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(UsageError):
        read_token(str(file))


def test_a_token_is_read_without_the_lines_around_it(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"\n{TOKEN}\n")
    assert read_token(str(file)) == TOKEN


def test_connectors_are_known_by_their_providers(tmp_path: Path) -> None:
    assert isinstance(load_connector("builtin"), BuiltinConnector)
    assert isinstance(load_connector("scripted"), ScriptedConnector)
    with pytest.raises(UsageError, match="unknown provider 'codex'"):
        load_connector("codex")
    script = tmp_path / "script.json"
    script.write_text("[{}]")
    with pytest.raises(UsageError, match="Step 0"):
        load_connector("scripted", script=script)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--url", "nowhere"], "--url must be"),
        (["--token-file", "/nonexistent/token"], "the token file cannot be read"),
        (["runtime", "list"], "no provider runtimes to manage yet"),
        (["runtime", "smoke", "codex"], "no provider runtimes to manage yet"),
    ],
)
def test_wrong_usage_is_one_clear_line_and_exit_2(words: list[str], said: str, capsys) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_no_provider_at_all_is_wrong_usage(tmp_path: Path, capsys) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    assert main(["--token-file", str(file), "--providers", " , "]) == 2
    assert capsys.readouterr().err == "careervector-host: --providers names no provider\n"


def _start(server: str, token: str, tmp_path: Path, *words: str) -> subprocess.Popen[bytes]:
    file = tmp_path / "token"
    file.write_text(token)
    command = [sys.executable, "-m", "assistant.host", "--url", server, "--token-file", str(file), *words]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "CAREERVECTOR"))}
    return subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE)


async def test_the_program_answers_a_question_and_leaves_when_it_is_told(server, desks, tmp_path: Path) -> None:
    desk = desks(provider="scripted")
    script = tmp_path / "script.json"
    script.write_text('[{"say":"Hello"},{"complete":"Hello"}]')
    host = _start(server, desk.token, tmp_path, "--providers", "scripted,builtin", "--script", str(script))
    try:
        await in_thread(desk.ask, "Private words")
        events = await ended(desk)
    finally:
        host.send_signal(signal.SIGTERM)
        _, err = await asyncio.to_thread(host.communicate, timeout=10)

    assert (events[-1]["kind"], desk.text()) == ("turn.completed", "Hello")
    assert host.returncode == 0
    assert b"Private" not in err
    assert desk.token.encode() not in err


async def test_a_program_whose_token_is_refused_says_so_and_exits_3(server, desks, tmp_path: Path) -> None:
    host = _start(server, TOKEN, tmp_path)
    _, err = await asyncio.to_thread(host.communicate, timeout=20)
    assert host.returncode == 3
    assert b"does not accept this host token" in err


def test_the_host_needs_neither_django_nor_a_database() -> None:
    code = (
        "import sys; import assistant.host.cli, assistant.host.connectors.builtin; "
        "bad = {m.split('.')[0] for m in sys.modules} & {'django', 'channels', 'celery', 'workspaces'}; "
        "sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
