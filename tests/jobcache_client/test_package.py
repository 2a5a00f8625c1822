"""What the package draws in."""

from __future__ import annotations

import subprocess
import sys

from tests.jobcache.service import ROOT


def test_the_client_draws_in_no_django_and_no_other_package_of_ours() -> None:
    script = "import sys, jobcache_client; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    drawn_in = set(done.stdout.split())
    assert "jobcache_client" in drawn_in
    assert not drawn_in & {"django", "workspaces", "assistant", "careervector", "jobcache"}
