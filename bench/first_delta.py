"""How much later than the provider's first delta its words stand in the page: milliseconds, in a real browser.

A host of this file's own answers each turn over the host socket and notes when it sent the first delta; the page notes
when the words have come into its document. Both read the same machine's clock.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.fanout import free_port
from bench.typing import product
from careervector.embedded.data import DataFolder

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
# Notes when each expected word first stands in the document, in milliseconds of the wall clock.
_WATCH = """() => {
  globalThis.__seen = {}
  const look = () => {
    const found = document.body.innerText.match(/delta-\\d+-shown/g) ?? []
    for (const word of found) __seen[word] ??= performance.timeOrigin + performance.now()
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def answer_turns(origin: str, token: str, sent: Queue[tuple[str, float]]) -> None:
    """The host: each assigned turn gets one word, then its end."""
    with suppress(ConnectionClosed):  # the product is stopped at the end
        _answer_turns(origin, token, sent)


def _answer_turns(origin: str, token: str, sent: Queue[tuple[str, float]]) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    with connect(f"{origin.replace('http', 'ws', 1)}/ws/host/", additional_headers=headers, proxy=None) as socket:

        def tell(message: dict[str, Any]) -> None:
            socket.send(json.dumps(message))

        offered = [{"provider": "builtin", "version": "1", "state": "ready", "capabilities": {}}]
        tell({"type": "hello", "protocol": 1, "host": "bench", "connectors": offered})
        number = 0
        for frame in socket:
            message = json.loads(frame)
            if message["type"] == "heartbeat":
                tell({"type": "heartbeat"})
            if message["type"] != "turn.assign":
                continue
            turn, word = message["turn"], f"delta-{number}-shown"
            number += 1
            tell({"type": "turn.accept", "turn": turn})
            time.sleep(0.1)  # a provider thinks; the turn's start is on the page by then
            moment = time.time()
            tell(
                {
                    "type": "event",
                    "turn": turn,
                    "id": "1",
                    "kind": "message.delta",
                    "data": {"part": "p1", "text": word},
                }
            )
            sent.put((word, moment * 1000))
            whole = {"part": "p1", "text": word, "citations": []}
            tell({"type": "event", "turn": turn, "id": "2", "kind": "message.completed", "data": whole})
            tell({"type": "event", "turn": turn, "id": "3", "kind": "turn.completed", "data": {}})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    turns = 3 if parser.parse_args().quick else 30
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    sent: Queue[tuple[str, float]] = Queue()
    added: list[float] = []
    with ExitStack() as stack:
        plan = stack.enter_context(product("daphne", DataFolder(Path(os.environ["CAREERVECTOR_DATA"])), port))
        from assistant import facade as assistant

        token = assistant.create_host_token().secret
        Thread(target=answer_turns, args=(origin, token, sent), daemon=True).start()
        tool = stack.enter_context(sync_playwright())
        browser = tool.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        page = browser.new_page()
        page.goto(f"{origin}/w/#{plan['bearer']}")
        page.get_by_role("button", name="Open workspace").click()
        page.get_by_label("Ask the assistant").wait_for()
        page.evaluate(_WATCH)
        for turn in range(turns):
            page.get_by_label("Ask the assistant").fill(f"question {turn}")
            page.get_by_role("button", name="Send").click()
            word, moment = sent.get(timeout=30)
            page.wait_for_function("(word) => globalThis.__seen[word]", arg=word)
            added.append(page.evaluate("(word) => globalThis.__seen[word]", word) - moment)
            page.wait_for_function(
                """(turns) => document.querySelectorAll('.turn[data-status="completed"]').length === turns""",
                arg=turn + 1,
            )
        browser.close()
    p50, p95 = statistics.median(added), sorted(added)[int(len(added) * 0.95)]
    print(f"    {turns} turns: p50 {p50:.1f} ms, p95 {p95:.1f} ms", file=sys.stderr, flush=True)
    print(json.dumps({"p50_ms": p50, "p95_ms": p95}))


if __name__ == "__main__":
    main()
