"""The baseline of fan-out: what Channels offers by itself. Sockets join one group; `POST /send?n=N` sends N messages.

Served by uvicorn with the in-memory layer, which is the fastest that `group_send` can be.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any
from urllib.parse import parse_qs

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.layers import InMemoryChannelLayer, channel_layers  # noqa: E402

LAYER = InMemoryChannelLayer(capacity=1000)
channel_layers.set("default", LAYER)
# About as long as a commit message of ours.
PADDING = "x" * 700


class Listener(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    async def connect(self) -> None:
        await LAYER.group_add("everybody", self.channel_name)
        await self.accept()

    async def news(self, event: dict[str, Any]) -> None:
        await self.send(text_data=event["text"])


_listen = Listener.as_asgi()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await _listen(scope, receive, send)
        return
    for _ in range(int(parse_qs(scope["query_string"])[b"n"][0])):
        text = json.dumps({"type": "commit", "reason": f"{time.monotonic():.6f}", "padding": PADDING})
        await LAYER.group_send("everybody", {"type": "news", "text": text})
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})
