"""Credentials are judged before any database access."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.jobcache.service import ROOT, environment


def test_no_refused_credential_reaches_for_the_database(data: Path) -> None:
    script = Path(__file__).with_name("database_guard.py")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env=environment(data, {"PYTHONPATH": str(ROOT)}),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["statuses"] == [503, 503, 503, 503, 503, 401, 401, 503]
    assert told["reached_while_refused"] == 0
    assert told["reached_when_sound"] >= 1
    assert not data.exists()
