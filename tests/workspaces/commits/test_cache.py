"""The warm cache: an LRU by bytes, and one lock per workspace."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from workspaces.commits.cache import DocumentCache, Warm, weigh, workspace_lock
from workspaces.documents import ydoc as yjs
from workspaces.documents.edits import PutItem, Splice
from workspaces.documents.schema import KINDS
from workspaces.documents.ydoc import YDocument


def warm(size: int) -> Warm:
    ydoc, _ = yjs.create(KINDS["note"], 7)
    return Warm(ydoc, yjs.project(ydoc), 1, 1, size)


def test_the_least_recently_used_goes_first_when_it_gets_too_heavy() -> None:
    weight = weigh(warm(1_000).state, 1_000)
    cache = DocumentCache(maximum_bytes=3 * weight)
    for name in "abc":
        cache.put("ws", name, warm(1_000))
    cache.get("ws", "a")
    cache.put("ws", "d", warm(1_000))
    assert [name for name in "abcd" if cache.get("ws", name) is not None] == ["a", "c", "d"]
    assert cache.total_bytes == 3 * weight


def test_one_document_larger_than_the_whole_cache_is_kept_alone() -> None:
    cache = DocumentCache(maximum_bytes=10)
    cache.put("ws", "a", warm(1_000))
    cache.put("ws", "b", warm(2_000))
    assert (cache.get("ws", "a"), cache.get("ws", "b") is not None) == (None, True)


def test_a_document_that_grows_is_weighed_anew_and_an_evicted_one_weighs_nothing() -> None:
    cache = DocumentCache(maximum_bytes=10**9)
    cache.put("ws", "a", warm(1_000))
    cache.put("ws", "a", warm(5_000))
    assert cache.total_bytes == weigh(warm(5_000).state, 5_000)
    # A little more is weighed roughly, much more again; and a snapshot may have made it smaller.
    cache.put("ws", "a", warm(5_100))
    assert weigh(warm(1).state, 5_000) < cache.total_bytes < weigh(warm(1).state, 5_100)
    cache.put("ws", "a", warm(50_000))
    assert cache.total_bytes == weigh(warm(1).state, 50_000)
    cache.put("ws", "a", warm(500))
    assert cache.total_bytes == weigh(warm(1).state, 500)
    cache.evict("ws", "a")
    cache.evict("ws", "a")
    assert (cache.total_bytes, cache.get("ws", "a")) == (0, None)
    cache.put("ws", "a", warm(1))
    cache.clear()
    assert cache.total_bytes == 0


def typed(letters: int) -> YDocument:
    """A note that was typed letter by letter, here and there: mostly structure."""
    kind = KINDS["note"]
    ydoc, _ = yjs.create(kind, 7)
    content = ""
    for number in range(letters):
        splice = Splice("body", 0 if number % 3 == 0 else len(content), "", "x", content)
        yjs.apply_edits(ydoc, [splice])
        content = content[: splice.at] + "x" + content[splice.at :]
    return ydoc


def written(items: int) -> YDocument:
    """A profile with long items: mostly content."""
    ydoc, _ = yjs.create(KINDS["profile"], 7)
    summary = "what was done there " * 40
    for number in range(items):
        item = {"name": "Acme", "summary": f"{number} {summary}", "rank": f"a{number:03}"}
        yjs.apply_edits(ydoc, [PutItem("work", f"itm_{number:026}", item)])
    return ydoc


WEIGHED = """
import gc, sys
import django
django.setup()
from tests.workspaces.commits import test_cache
from workspaces.commits.cache import weigh
from workspaces.documents import ydoc as yjs

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * 4096

made = getattr(test_cache, sys.argv[1])(int(sys.argv[2]))
encoded = made.encode()
kept = [yjs.load(made.kind, 7, [encoded]) for _ in range(5)]
before = resident()
for _ in range(60):
    ydoc = yjs.load(made.kind, 7, [encoded])
    kept.append((ydoc, yjs.project(ydoc)))
print((resident() - before) / 60 / weigh(yjs.project(made), len(encoded)))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the process's memory is read from /proc")
@pytest.mark.parametrize(("make", "size"), [("typed", 1500), ("written", 60)])
def test_a_weight_is_about_the_memory_that_a_document_takes(make: str, size: int) -> None:
    argv = [sys.executable, "-c", WEIGHED, make, str(size)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert 0.4 < float(done.stdout) < 2.5


def test_what_the_cache_does_is_counted() -> None:
    def counted() -> dict[str, float]:
        names = ("hits_total", "misses_total", "evictions_total", "bytes", "entries")
        found = {name: REGISTRY.get_sample_value(f"careervector_document_cache_{name}") for name in names}
        return {name: value or 0.0 for name, value in found.items()}

    before = counted()
    cache = DocumentCache(maximum_bytes=weigh(warm(1).state, 1_000) + 1)
    cache.put("ws", "a", warm(1_000))
    cache.get("ws", "a")
    cache.put("ws", "b", warm(1_000))
    cache.get("ws", "a")
    after = counted()
    assert {name: after[name] - before[name] for name in ("hits_total", "misses_total", "evictions_total")} == {
        "hits_total": 1, "misses_total": 1, "evictions_total": 1
    }  # fmt: skip
    assert (after["bytes"], after["entries"]) == (cache.total_bytes, 1)


def test_workspaces_are_told_apart() -> None:
    cache = DocumentCache(maximum_bytes=10**9)
    one, two = warm(1), warm(1)
    cache.put("ws_1", "plan", one)
    cache.put("ws_2", "plan", two)
    assert cache.get("ws_1", "plan") is one
    assert cache.get("ws_2", "plan") is two


def test_a_workspaces_lock_is_one_and_may_be_taken_again_by_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    # On PostgreSQL whoever takes the lock has a connection first.
    monkeypatch.setattr("workspaces.sql.take_connection", lambda: None)
    order: list[str] = []
    held = threading.Event()

    def other() -> None:
        held.wait(10)
        with workspace_lock("ws"):
            order.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    with workspace_lock("ws"), workspace_lock("ws"), workspace_lock("elsewhere"):
        held.set()
        thread.join(timeout=0.05)
        order.append("holder")
    thread.join(10)
    assert order == ["holder", "other"]
