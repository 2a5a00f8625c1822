"""The circuit breaker, on a clock that the test moves."""

from __future__ import annotations

from jobcache_client import CircuitBreaker


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _opened() -> tuple[CircuitBreaker, _Clock]:
    clock = _Clock()
    breaker = CircuitBreaker(threshold=3, cooldown=15, clock=clock)
    for _ in range(3):
        assert breaker.wait() == 0
        breaker.failed()
    return breaker, clock


def test_failures_in_a_row_open_it_for_the_cooldown() -> None:
    breaker, clock = _opened()
    assert breaker.wait() == 15
    clock.now += 14
    assert breaker.wait() == 1


def test_a_success_between_failures_keeps_it_closed() -> None:
    breaker = CircuitBreaker(threshold=2, clock=_Clock())
    for _ in range(5):
        breaker.failed()
        breaker.succeeded()
    assert breaker.wait() == 0


def test_after_the_cooldown_one_caller_tries_and_the_others_wait() -> None:
    breaker, clock = _opened()
    clock.now += 15
    assert breaker.wait() == 0
    assert breaker.wait() > 0
    breaker.succeeded()
    assert breaker.wait() == 0


def test_a_failed_trial_opens_it_again_at_once() -> None:
    breaker, clock = _opened()
    clock.now += 15
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 15


def test_a_withdrawn_trial_lets_the_next_caller_try() -> None:
    breaker, clock = _opened()
    clock.now += 15
    assert breaker.wait() == 0
    breaker.withdrawn()
    assert breaker.wait() == 0
