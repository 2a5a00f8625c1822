"""Many WebSocket clients in one process that only count: `python -m bench.listeners --port P --path /… --clients N`.

Standard input gives the bearer (a line, may be blank). Standard output gives a JSON line each 20 ms: frames in all, of
the slowest client, how many are connected, and the newest delays of messages whose `reason` is a monotonic time.
A frame is not decoded beyond its length unless it is looked at for a delay: the clients are not what is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import sys
import time

_REASON = b'"reason":'
_COMMIT = b'{"type":"commit"'
_COMMIT_SPACED = b'{"type": "commit"'


class Listener(asyncio.Protocol):
    """Just enough of RFC 6455 for a server that sends unmasked text frames and pings."""

    def __init__(self, port: int, path: str, bearer: str, delays: list[float] | None) -> None:
        self.frames = 0
        self.open = False
        self._delays = delays
        self._buffer = bytearray()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            *([f"Authorization: Bearer {bearer}"] if bearer else []),
        ]
        self._request = ("\r\n".join(lines) + "\r\n\r\n").encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open = False

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self.open:
            head = buffer.find(b"\r\n\r\n")
            if head < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"refused: {bytes(buffer[:40])!r}")
            self.open = True
            del buffer[: head + 4]
        start, end = 0, len(buffer)
        while end - start >= 2:
            length, header = buffer[start + 1] & 127, 2
            if length == 126:
                length, header = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            elif length == 127:
                length, header = int.from_bytes(buffer[start + 2 : start + 10], "big"), 10
            if end - start < header + length:
                break
            self._frame(buffer[start] & 15, start + header, length)
            start += header + length
        del buffer[:start]

    def _frame(self, opcode: int, at: int, length: int) -> None:
        if opcode == 9:  # ping; an all-zero mask leaves the payload as it is
            payload = bytes(self._buffer[at : at + length])
            self._transport.write(bytes([0x8A, 0x80 | length]) + b"\0\0\0\0" + payload)
            return
        if opcode == 8:
            self.open = False
            return
        self.frames += 1
        if self._delays is not None and self._buffer.startswith((_COMMIT, _COMMIT_SPACED), at):
            found = self._buffer.find(_REASON, at, at + length)
            if found >= 0:
                text = bytes(self._buffer[found + len(_REASON) : found + len(_REASON) + 40]).split(b'"')[1]
                self._delays.append(time.monotonic() - float(text))


async def listen(*, port: int, path: str, bearer: str, clients: int, timed: bool) -> None:
    loop = asyncio.get_running_loop()
    delays: list[float] | None = [] if timed else None
    listeners: list[Listener] = []
    for _ in range(clients):
        _, listener = await loop.create_connection(lambda: Listener(port, path, bearer, delays), "127.0.0.1", port)
        listeners.append(listener)
    while True:
        await asyncio.sleep(0.02)
        counts = [listener.frames for listener in listeners]
        state = {
            "frames": sum(counts),
            "slowest": min(counts),
            "open": sum(listener.open for listener in listeners),
            "delays": delays or [],
        }
        print(json.dumps(state), flush=True)
        if delays:
            delays.clear()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--path", required=True)
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--timed", action="store_true")
    chosen = parser.parse_args()
    bearer = sys.stdin.readline().strip()
    asyncio.run(listen(port=chosen.port, path=chosen.path, bearer=bearer, clients=chosen.clients, timed=chosen.timed))


if __name__ == "__main__":
    main()
