"""A circuit breaker: after several failures in a row callers are told at once, until one trial call succeeds.

Above: client. Below: nothing. The clock is given, so tests need no waiting.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class CircuitBreaker:
    """Thread-safe. `threshold` failures in a row open it for `cooldown` seconds; then one call at a time may try."""

    def __init__(
        self, *, threshold: int = 5, cooldown: float = 15.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._threshold = threshold
        self._cooldown = cooldown
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until: float | None = None
        self._trial_running = False

    def wait(self) -> float:
        """Seconds until a call may be tried; 0.0 lets this caller through, who then must report how it went."""
        with self._lock:
            if self._open_until is None:
                return 0.0
            left = self._open_until - self._clock()
            if left > 0:
                return left
            if self._trial_running:
                return self._cooldown
            self._trial_running = True
            return 0.0

    def succeeded(self) -> None:
        """The service answered (a refusal of the arguments is an answer too)."""
        with self._lock:
            self._failures = 0
            self._open_until = None
            self._trial_running = False

    def failed(self) -> None:
        """The service did not answer usably."""
        with self._lock:
            self._failures += 1
            if self._trial_running or self._failures >= self._threshold:
                self._open_until = self._clock() + self._cooldown
            self._trial_running = False

    def withdrawn(self) -> None:
        """The call was let through but ended without telling anything about the service."""
        with self._lock:
            self._trial_running = False
