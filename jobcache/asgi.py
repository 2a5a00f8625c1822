"""The ASGI edge: Django behind a limit on what of a body is ever taken in. Above: serve. Below: urls."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "jobcache.settings"

from django.core.asgi import get_asgi_application

from jobcache.http.gate import MAXIMUM_BODY

MAXIMUM_DROPPED = 16 * 1024 * 1024

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

_django = get_asgi_application()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve HTTP and nothing else."""
    if scope["type"] == "http":
        await _django(scope, _bounded(receive), send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


def _bounded(receive: Receive) -> Receive:
    """Django spools a whole body before a view runs. This ends the body one byte over the limit, which the gate sees
    and refuses in its turn, after the credentials. What else comes is read and dropped up to a bound, because closing
    a connection on unread bytes would lose the refusal."""
    taken = dropped = 0

    async def bounded() -> Message:
        nonlocal taken, dropped
        message = await receive()
        while message["type"] == "http.request" and taken > MAXIMUM_BODY:
            message = await receive()
        if message["type"] != "http.request":
            return message
        body = message.get("body", b"")[: MAXIMUM_BODY + 1 - taken]
        taken += len(body)
        while taken > MAXIMUM_BODY and message.get("more_body") and dropped < MAXIMUM_DROPPED:
            message = await receive()
            if message["type"] != "http.request":
                return message
            dropped += len(message.get("body", b""))
        more = bool(message.get("more_body")) and taken <= MAXIMUM_BODY
        return {"type": "http.request", "body": body, "more_body": more}

    return bounded
