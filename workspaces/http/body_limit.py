"""Stops a body that is too large while it arrives: Django would first write all of it to the disk.

Above: the ASGI server. Below: Django. The views limit what they accept themselves (`body.settle_body`); this bounds
what anybody can make the process keep before a view is asked.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from workspaces import metrics
from workspaces.errors import TooLarge, to_problem

from .body import MAX_BODY

MAX_IMPORT = 32 * 1024 * 1024
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class _TooMuch(Exception):
    """Raised through Django's body reader, which lets it pass."""


class LimitBody:
    """Wraps the HTTP application. 256 KiB a request, 32 MiB for an import (a little more, so that views can answer)."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        left = (MAX_IMPORT if scope["path"].endswith("/import") else MAX_BODY) + 1024
        if _declared(scope) > left:
            await _refuse(send)
            return
        started = False

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0 and not started:
                raise _TooMuch
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except _TooMuch:
            await _refuse(send)


def _declared(scope: MutableMapping[str, Any]) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else 0
    return 0


async def _refuse(send: Send) -> None:
    metrics.HTTP_REFUSALS.labels(TooLarge.code).inc()
    content = json.dumps(to_problem(TooLarge("The request body is over the limit."))).encode()
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(content)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": content})
