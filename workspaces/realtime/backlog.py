"""How much a server holds back for a client that does not read.

uvicorn's `send` waits while the network is full; daphne's never does, and keeps everything in Twisted's buffer. So with
daphne the socket looks at that buffer itself and waits. Any other server: nothing is known, nothing is assumed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

HIGH = 512 * 1024


def backlog_of(send: Any) -> Callable[[], int] | None:
    """A look at the bytes that daphne has taken and the network has not; None for other servers."""
    while True:
        inner = getattr(getattr(send, "__self__", None), "real_send", None)  # Channels' session wrapper
        if inner is None:
            break
        send = inner
    if not isinstance(send, functools.partial) or getattr(send.func, "__name__", "") != "handle_reply":
        return None
    transport: Any = getattr(send.args[0], "transport", None) if send.args else None
    if not all(hasattr(transport, name) for name in ("dataBuffer", "offset", "_tempDataLen")):
        return None

    def bytes_held() -> int:
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)  # noqa: SLF001  no public name

    return bytes_held
