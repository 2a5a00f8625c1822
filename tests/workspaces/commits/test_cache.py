"""The warm cache: an LRU by bytes, and one lock per workspace."""

from __future__ import annotations

import threading

from workspaces.commits.cache import DocumentCache, Warm, workspace_lock
from workspaces.documents import ydoc as yjs
from workspaces.documents.schema import KINDS


def warm(size: int) -> Warm:
    ydoc, _ = yjs.create(KINDS["note"], 7)
    return Warm(ydoc, yjs.project(ydoc), 1, 1, size)


def test_the_least_recently_used_goes_first_when_it_gets_too_heavy() -> None:
    weight = warm(1_000).weight
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
    assert cache.total_bytes == warm(5_000).weight
    cache.evict("ws", "a")
    cache.evict("ws", "a")
    assert (cache.total_bytes, cache.get("ws", "a")) == (0, None)
    cache.put("ws", "a", warm(1))
    cache.clear()
    assert cache.total_bytes == 0


def test_workspaces_are_told_apart() -> None:
    cache = DocumentCache(maximum_bytes=10**9)
    one, two = warm(1), warm(1)
    cache.put("ws_1", "plan", one)
    cache.put("ws_2", "plan", two)
    assert cache.get("ws_1", "plan") is one
    assert cache.get("ws_2", "plan") is two


def test_a_workspaces_lock_is_one_and_may_be_taken_again_by_its_holder() -> None:
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
