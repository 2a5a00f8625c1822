"""The hub within one process: order, sharing, bounds."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from workspaces.realtime import hub


async def read(subscription: hub.Subscription, count: int) -> list[dict]:
    frames: list[dict] = []
    async with asyncio.timeout(10):
        while len(frames) < count:
            frames += [dict(frame.message) for frame in await subscription.batch()]
    return frames


async def test_every_subscriber_of_a_topic_gets_the_same_frame_object() -> None:
    first, second = await hub.subscribe("t:1"), await hub.subscribe("t:1")
    other = await hub.subscribe("t:2")
    hub.publish(topic="t:1", message={"type": "x", "text": "naïve ✓"})
    async with asyncio.timeout(5):
        [one], [two] = await first.batch(), await second.batch()
    assert one is two
    assert one.text == '{"type":"x","text":"naïve ✓"}'
    assert other._buffer == type(other._buffer)()
    for subscription in (first, second, other):
        subscription.close()


async def test_messages_from_many_threads_keep_the_order_of_each_thread() -> None:
    subscription = await hub.subscribe("t:threads", capacity=5000)

    def shout(name: int) -> None:
        for number in range(500):
            hub.publish(topic="t:threads", message={"name": name, "number": number})

    threads = [threading.Thread(target=shout, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    frames = await read(subscription, 2000)
    for thread in threads:
        thread.join()
    for name in range(4):
        assert [f["number"] for f in frames if f["name"] == name] == list(range(500))
    subscription.close()


async def test_thread_and_loop_publish_in_one_order() -> None:
    subscription = await hub.subscribe("t:mixed", capacity=5000)
    for number in range(0, 200, 2):
        await asyncio.to_thread(hub.publish, topic="t:mixed", message={"n": number})
        hub.publish(topic="t:mixed", message={"n": number + 1})
    assert [f["n"] for f in await read(subscription, 200)] == list(range(200))
    subscription.close()


async def test_a_subscriber_that_does_not_read_is_ended_and_the_others_are_not() -> None:
    lazy = await hub.subscribe("t:slow", capacity=3)
    eager = await hub.subscribe("t:slow", capacity=100)
    for number in range(10):
        hub.publish(topic="t:slow", message={"n": number})
    assert [f["n"] for f in await read(eager, 10)] == list(range(10))
    assert lazy.slow
    with pytest.raises(hub.SlowSubscriber):
        await lazy.batch()
    with pytest.raises(hub.SlowSubscriber):
        await anext(lazy)
    lazy.close()
    eager.close()


async def test_a_buffer_is_bounded_in_bytes_too() -> None:
    lazy = await hub.subscribe("t:bytes")
    for _ in range(6):
        hub.publish(topic="t:bytes", message={"fill": "x" * 1024 * 1024})
    with pytest.raises(hub.SlowSubscriber):
        await read(lazy, 6)
    lazy.close()


async def test_closing_ends_the_iteration_and_leaves_nothing_behind() -> None:
    subscription = await hub.subscribe("t:a", "t:b")
    seen = []

    async def listen() -> None:
        async for frame in subscription:
            seen.append(frame.text)

    task = asyncio.create_task(listen())
    hub.publish(topic="t:a", message={"n": 1})
    hub.publish(topic="t:b", message={"n": 2})
    hub.publish(topic="t:c", message={"n": 3})
    async with asyncio.timeout(5):
        while len(seen) < 2:
            await asyncio.sleep(0)
    subscription.close()
    subscription.close()
    await task
    assert seen == ['{"n":1}', '{"n":2}']
    assert asyncio.get_running_loop() not in hub._hub._inboxes


def test_publishing_to_nobody_without_a_loop_is_fine() -> None:
    hub.publish(topic="t:nobody", message={"n": 1})


def test_a_loop_that_died_with_its_subscriptions_does_not_stop_publishing() -> None:
    async def leave_open() -> None:
        await hub.subscribe("t:dead")

    asyncio.run(leave_open())
    hub.publish(topic="t:dead", message={"n": 1})
    hub.publish(topic="t:dead", message={"n": 2})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_json_is_refused_at_once(value: float) -> None:
    with pytest.raises(ValueError):
        hub.publish(topic="t:nan", message={"n": value})


def test_half_a_character_is_escaped_rather_than_lost() -> None:
    assert hub.encode({"t": "\ud800"}) == '{"t":"\\ud800"}'
    assert json.loads(hub.encode({"t": "é"})) == {"t": "é"}
