"""The program on the API's page does what it says, against a running product."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.product import ROOT, Product

PROGRAM = ROOT / "examples" / "watch_and_undo.py"


def test_it_makes_writes_watches_and_takes_back(running: Product) -> None:
    ran = subprocess.run(
        [sys.executable, str(PROGRAM), running.origin], capture_output=True, text=True, timeout=60, check=True
    )
    assert re.sub(r"cvl_[\w-]{43}|[0-9A-HJKMNP-TV-Z]{26}", "…", ran.stdout).splitlines() == [
        f"open it in a browser: {running.origin}/w/#…",
        "documents: ['profile', 'plan']",
        "written: application:… with receipt rcp_…",
        "seen on the socket: True",
        "taken back: ['application:…/state']",
        "seen on the socket: True",
        "applications left: 0",
    ]


def test_it_is_short_and_needs_two_packages_only() -> None:
    text = PROGRAM.read_text()
    assert len(text.splitlines()) <= 60
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) == {
        "json", "sys", "uuid", "httpx", "websockets",
    }  # fmt: skip
