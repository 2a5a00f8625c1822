"""The ASGI edge: Django behind a limit on what of a body is ever taken in. Above: serve. Below: urls."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "jobcache.settings"

from django.core.asgi import get_asgi_application  # noqa: E402

from jobcache.http.gate import MAXIMUM_BODY  # noqa: E402

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_django = get_asgi_application()


async def application(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """Serve HTTP and nothing else."""
    if scope["type"] == "http":
        await _django(scope, _bounded(receive), send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


def _bounded(receive: Receive) -> Receive:
    """Django spools a whole body before a view runs. This ends the body one byte over the limit, which the gate sees
    and refuses in its turn, after the credentials; what else the client sends is dropped by the server."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] != "http.request" or taken > MAXIMUM_BODY:
            return message
        body = message.get("body", b"")[: MAXIMUM_BODY + 1 - taken]
        taken += len(body)
        more = bool(message.get("more_body")) and taken <= MAXIMUM_BODY
        return {"type": "http.request", "body": body, "more_body": more}

    return bounded
