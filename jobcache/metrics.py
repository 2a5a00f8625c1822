"""Content-free counts for Prometheus. Above: http. Nothing here is labelled by what was asked or by whom."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

REGISTRY = CollectorRegistry()
ANSWERS = Counter("jobcache_answers_total", "Answers by route and status.", ["route", "status"], registry=REGISTRY)
SEARCH_SECONDS = Histogram("jobcache_search_seconds", "Time to find and shape one page of roles.", registry=REGISTRY)


def exposition() -> bytes:
    """All counts in Prometheus text format."""
    return generate_latest(REGISTRY)
