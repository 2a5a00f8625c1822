"""A body that is too large is stopped while it arrives, before Django has kept it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workspaces.http.body_limit import LimitBody

KIB = 1024


async def arrive(path: str, chunks: int, headers: list[tuple[bytes, bytes]]) -> tuple[int, bytes, int, int]:
    """Status, content, chunks taken from the network, bytes that the application got."""
    taken = reached = 0
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b"x" * 64 * KIB, "more_body": taken < chunks}

    async def send(message: Any) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal reached
        more = True
        while more:
            message = await receive()
            reached += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"fine"})

    await LimitBody(app)({"type": "http", "path": path, "headers": headers}, receive, send)
    return sent[0]["status"], sent[1]["body"], taken, reached


async def test_a_small_body_passes() -> None:
    assert await arrive("/api/v1/session", 4, []) == (200, b"fine", 4, 256 * KIB)


@pytest.mark.parametrize("headers", [[], [(b"content-length", b"10")], [(b"content-length", b"x")]])
async def test_a_large_body_is_stopped_whatever_was_announced(headers: list[tuple[bytes, bytes]]) -> None:
    status, content, taken, reached = await arrive("/api/v1/session", 10_000, headers)
    assert (status, json.loads(content)["code"]) == (413, "too_large")
    assert taken == 5
    assert reached == 256 * KIB


async def test_an_announced_large_body_is_not_even_read() -> None:
    status, content, taken, _ = await arrive("/api/v1/session", 10, [(b"content-length", b"99999999999")])
    assert (status, json.loads(content)["code"], taken) == (413, "too_large", 0)


async def test_an_import_may_be_larger() -> None:
    assert (await arrive("/api/v1/workspaces/ws_x/import", 512, []))[0] == 200
    assert (await arrive("/api/v1/workspaces/ws_x/import", 514, []))[0] == 413
