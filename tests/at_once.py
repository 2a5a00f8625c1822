"""The same work on several threads at once, each with a database connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(work: Callable[[], T], *, times: int = 2) -> list[T]:
    """What each gave, in no order: they begin together. Raises what one of them raised."""
    gave: list[T] = []
    raised: list[BaseException] = []
    start = threading.Barrier(times)

    def run() -> None:
        try:
            start.wait(30)
            gave.append(work())
        except BaseException as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if raised:
        raise raised[0]
    return gave
