"""Straight to the network: a frame that many sockets get is made once and written to each one's transport.

A server's own `send` builds the WebSocket frame anew for each socket and wakes a task for it; with two hundred sockets
that is most of the delay. Here a finished frame is handed to the transport where that is certain to be the same thing:
the handshake is over, nothing is closing, nothing is compressed and the client reads. Anything else, any server that is
not known: the usual way, which waits for the reader.

Above: the sockets. Below: what uvicorn and daphne keep of a connection; beside `backlog`, which looks at the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .backlog import HIGH

_TEXT = 0x81
_BINARY = 0x82
Write = Callable[[bytes], bool]


def websocket_frame(payload: bytes, *, binary: bool) -> bytes:
    """One whole message in one unmasked frame (RFC 6455, 5.2)."""
    length = len(payload)
    opcode = _BINARY if binary else _TEXT
    if length < 126:
        return bytes((opcode, length)) + payload
    if length < 65_536:
        return bytes((opcode, 126)) + length.to_bytes(2, "big") + payload
    return bytes((opcode, 127)) + length.to_bytes(8, "big") + payload


def direct_writer(send: Any) -> Write | None:
    """A function that writes a frame, or gives False when now is not the time; None for other servers."""
    while True:
        inner = getattr(getattr(send, "__self__", None), "real_send", None)  # Channels' session wrapper
        if inner is None:
            break
        send = inner
    if isinstance(send, functools.partial) and getattr(send.func, "__name__", "") == "handle_reply" and send.args:
        return _of_daphne(send.args[0])
    return _of_uvicorn(getattr(send, "__self__", None))


def _of_uvicorn(protocol: Any) -> Write | None:
    names = ("handshake_complete", "close_sent", "disconnected", "writable", "transport", "conn")
    if not all(hasattr(protocol, name) for name in names) or getattr(protocol.conn, "extensions", None) is None:
        return None

    def write(frame: bytes) -> bool:
        transport = protocol.transport
        if (
            not protocol.handshake_complete
            or protocol.close_sent
            or protocol.disconnected
            or protocol.conn.extensions
            or not protocol.writable.is_set()
            or transport.is_closing()
        ):
            return False
        transport.write(frame)
        return True

    return write


def _of_daphne(protocol: Any) -> Write | None:
    names = ("state", "STATE_OPEN", "send_queue", "transport", "_perMessageCompress")
    if not all(hasattr(protocol, name) for name in names):
        return None
    if not all(hasattr(protocol.transport, name) for name in ("dataBuffer", "offset", "_tempDataLen")):
        return None

    def write(frame: bytes) -> bool:
        transport = protocol.transport
        held = len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # noqa: SLF001  no public name
        if (
            protocol.state != protocol.STATE_OPEN
            or protocol.send_queue
            or protocol._perMessageCompress is not None  # noqa: SLF001
            or held > HIGH
        ):
            return False
        transport.write(frame)
        return True

    return write
