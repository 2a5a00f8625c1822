"""What a page may say: bad messages are answered or close the socket, and so does a flood."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workspaces.realtime.consumers import WorkspaceSocket

from .pages import Room

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "text",
    [" ", "nope", "{", '{"type": "resume", "type": "resume"}', '{"a": NaN}', '{"a": "\\ud800"}', "[" * 50 + "]" * 50,
     "[" * 100_000, "x" * (1024 * 1024 + 1), '"' + "é" * 600_000 + '"'],
    ids=["blank", "word", "cut", "duplicate", "nan", "surrogate", "deep", "very deep", "large", "large in bytes"],
)  # fmt: skip
async def test_what_is_not_json_closes_the_socket(room: Room, text: str) -> None:
    page = await room.page()
    await page.next("hello")
    await page.say(text)
    assert await page.code() == 4400


async def test_binary_closes_the_socket(room: Room) -> None:
    page = await room.page()
    await page.socket.send_to(bytes_data=b"\x00\x01")
    assert await page.code() == 4400


BAD: list[tuple[Any, str]] = [
    (5, "type"), ("x", "type"), (None, "type"), ([], "type"), ({}, "type"), ({"type": 5}, "type"),
    ({"type": ""}, "type"),
    ({"type": "shutdown"}, "type"), ({"type": "commit"}, "type"), ({"type": "websocket.close"}, "type"),
    ({"type": "link.revoked"}, "type"), ({"type": "resume"}, "after"), ({"type": "resume", "after": None}, "after"),
    ({"type": "resume", "after": "1"}, "after"), ({"type": "resume", "after": True}, "after"),
    ({"type": "resume", "after": -1}, "after"), ({"type": "resume", "after": 1.0}, "after"),
    ({"type": "resume", "after": 10**300}, "after"), ({"type": "resume", "after": 0, "force": True}, "force"),
    ({"type": "heartbeat", "x": 1}, "x"),
]  # fmt: skip


async def test_a_bad_message_is_answered_and_the_socket_stays(room: Room) -> None:
    page = await room.page()
    await page.next("hello")
    for message, path in BAD:
        await page.say(message if isinstance(message, dict) else json.dumps(message))
        answer = await page.next()
        assert answer["type"] == "error", message
        assert answer["problem"]["code"] == "invalid_request", message
        assert [e["path"] for e in answer["problem"]["errors"]] == [path], message
    await page.say({"type": "heartbeat"})
    assert await page.next() == {"type": "heartbeat"}


async def test_a_flood_of_messages_closes_the_socket(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkspaceSocket, "BURST", 3)
    monkeypatch.setattr(WorkspaceSocket, "MESSAGES_PER_S", 0.001)
    page = await room.page()
    await page.next("hello")
    for _ in range(5):
        await page.say({"type": "heartbeat"})
    assert await page.code() == 4429
