"""Counts for /metrics: by class only, never an id or a word."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

TURNS_STARTED = Counter("careervector_turns_started_total", "Turns queued", ["provider"])
TURNS_ENDED = Counter("careervector_turns_ended_total", "Turns ended", ["provider", "outcome"])
TURNS_REFUSED = Counter("careervector_turns_refused_total", "Turns refused before they began", ["code"])
TURN_SECONDS = Histogram(
    "careervector_turn_seconds",
    "From queued to ended",
    ["provider"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600),
)
CANCELLATIONS = Counter("careervector_turn_cancellations_total", "Turns cancelled by a person", ["provider"])
PROVIDER_LIMITS = Counter("careervector_provider_limits_total", "Limits told by providers", ["provider"])
HOST_EVENTS = Counter("careervector_host_events_total", "Events sent by hosts", ["result"])
HOST_CONNECTIONS = Gauge("careervector_host_connections", "Host sockets open in this process")
