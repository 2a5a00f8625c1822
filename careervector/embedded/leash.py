"""Runs a command and kills its group when standard input ends: `python -m careervector.embedded.leash COMMAND…`.

For systems that cannot bind a child's life to its parent's (see `process`). `up` holds the other end of the pipe.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main(argv: list[str]) -> int:
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # so that the group killed below is never the caller's
    # SIGTERM reaches the whole group: the command decides how to end, this process only waits for it.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    command = subprocess.Popen(argv, stdin=subprocess.DEVNULL)  # noqa: S603

    def hold() -> None:
        while os.read(0, 4096):
            pass
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=hold, daemon=True).start()
    code = command.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
